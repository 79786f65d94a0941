"""What happened since the snapshot was read: who was seated when, to the clock's own resolution, so that two panels in
the same second do not seat the same explorer; and who must rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class Recency:
    """What this process knows, completed by what the others told Redis."""

    def __init__(self) -> None:
        self._seated: dict[str, float] = {}
        self._untold: dict[str, float] = {}
        self._resting: dict[str, float] = {}
        self._barred: dict[str, float] = {}

    def note(self, aliases: Iterable[str], now: float) -> None:
        """These models were seated at `now` (epoch seconds)."""
        for alias in aliases:
            self._seated[alias] = self._untold[alias] = now

    def among(self, aliases: Iterable[str], last_work: Mapping[str, float]) -> dict[str, float]:
        """When each of these models last worked, of those that ever did: the later of the two accounts."""
        known = ((alias, max(last_work.get(alias, 0.0), self._seated.get(alias, 0.0))) for alias in aliases)
        return {alias: at for alias, at in known if at}

    def merged(self, last_work: Mapping[str, float], others: Mapping[str, float]) -> dict[str, float]:
        """When each model last worked: the latest of all accounts."""
        latest = dict(last_work)
        for account in (others, self._seated):
            for alias, at in account.items():
                if at > latest.get(alias, 0.0):
                    latest[alias] = at
        return latest

    def note_rest(self, alias: str, until: float, *, barred: bool = False) -> None:
        """This model was told to wait until then (epoch seconds); `barred` when it must not be asked before."""
        self._resting[alias] = until
        if barred:
            self._barred[alias] = until

    def resting(self, cooling: Mapping[str, float]) -> Mapping[str, float]:
        """Until when each model rests, this process's own news in it."""
        return _later(cooling, self._resting)

    def barred(self, known: Mapping[str, float]) -> Mapping[str, float]:
        """Until when each model must not be asked, this process's own news in it."""
        return _later(known, self._barred)

    def barred_until(self, alias: str, known: Mapping[str, float]) -> float:
        """The same of one model; 0 when it may be asked."""
        return max(self._barred.get(alias, 0.0), known.get(alias, 0.0))

    def take_untold(self) -> dict[str, float]:
        """What Redis has not been told yet; the caller tells it."""
        untold, self._untold = self._untold, {}
        return untold


def _later(known: Mapping[str, float], own: Mapping[str, float]) -> Mapping[str, float]:
    """The later time of each: what this process heard may be past when another has heard more."""
    if not own:
        return known
    merged = dict(known)
    for alias, until in own.items():
        if until > merged.get(alias, 0.0):
            merged[alias] = until
    return merged
