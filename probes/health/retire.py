"""Which models are to leave the bench. Pure: evidence with its times and today's date go in, decisions come out.

The clock of a model starts anew with every answer and with every restore; only failures on later days count. What is
used up of an account, a refused key and a model that declines say nothing of whether it is there. Throttling and
silence alone retire nothing within a week. A whole connection that is down is held: that is an outage, not many
funerals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import date, datetime, tzinfo
from enum import StrEnum
from typing import Final

from msgspec import Struct

from gateway.canon.fault import FailureClass

IMMEDIATE: Final = frozenset({FailureClass.STRUCTURAL, FailureClass.PAYWALLED, FailureClass.ENTITLEMENT})
"""Classes that say that the model is gone, or gone for us: one more call decides."""
DAYS_MISSING: Final = 3
DAYS_OTHER: Final = 3
DAYS_SPAN: Final = 7
DAYS_FAILING: Final = 3
UNKNOWN: Final = "?"
"""The connection of what stands behind a hub and says nothing of where: no group to be held with."""


class Attempt(Struct, frozen=True):
    """A tiny question, asked at `at`. `failure` is empty for an answer; `counts` is false for what says nothing of the
    model itself. `detail` is the provider's own words."""

    at: datetime
    failure: str = ""
    counts: bool = True
    detail: str = ""


class Case(Struct, frozen=True):
    """What is known of one model. `attempts` are in the order of time; `answered_at` is when anything of it was
    answered last, whatever it was for. `missing_at` is since when its endpoint does not list it, `renamed_to` what is
    listed in its place under the prefix of a connection. One that is `guarded` is not called, so that nothing is known
    of it."""

    alias: str
    connection: str
    attempts: tuple[Attempt, ...] = ()
    answered_at: datetime | None = None
    restored_at: datetime | None = None
    missing_at: datetime | None = None
    renamed_to: str = ""
    guarded: bool = False

    @property
    def works_unlisted(self) -> bool:
        """It has answered since its endpoint ceased to list it."""
        return self.missing_at is not None and self.answered_at is not None and self.answered_at > self.missing_at

    @property
    def failing(self) -> Attempt | None:
        """The last question, if it failed, says something of the model, and nothing was answered since."""
        if not self.attempts or self.guarded:
            return None
        last = self.attempts[-1]
        answered = self.answered_at is not None and self.answered_at > last.at
        return last if last.failure and last.counts and not answered else None


class Fate(StrEnum):
    """What becomes of a model. `held` would be retired were its whole connection not down."""

    STAYS = "stays"
    RENAMED = "renamed"
    COUNTING = "counting"
    CONFIRM = "confirm"
    HELD = "held"
    RETIRE = "retire"


class Decision(Struct, frozen=True):
    """The fate of one model and why, as words that follow its alias. `days` are those left while it counts down."""

    fate: Fate
    why: str = ""
    days: int | None = None


STAYS: Final = Decision(Fate.STAYS)


def decide(cases: Iterable[Case], today: date, zone: tzinfo) -> dict[str, Decision]:
    """What becomes of each model, by its alias. Days are those of `zone`."""
    all_cases = list(cases)
    alone = {case.alias: _decide_alone(case, today, zone) for case in all_cases}
    down = _connections_down(all_cases)
    for case in all_cases:
        if case.connection in down and not _gone(case, today, zone):
            alone[case.alias] = _held(alone[case.alias])
    return alone


def after_confirming(decision: Decision, attempt: Attempt, today: date) -> Decision:
    """What becomes of a model to be confirmed, by the fresh call. Anything but a second failure of such a class leaves
    it a day."""
    if not attempt.failure:
        return STAYS
    words = f" ({attempt.detail})" if attempt.detail else ""
    if attempt.counts and attempt.failure in IMMEDIATE:
        return Decision(Fate.RETIRE, f"{attempt.failure} again on {today}{words}")
    return Decision(Fate.COUNTING, f"{decision.why}; asked again on {today}: {attempt.failure}{words}", 1)


def _decide_alone(case: Case, today: date, zone: tzinfo) -> Decision:
    if case.missing_at is not None and case.renamed_to:
        return Decision(Fate.RENAMED, f"is listed as {case.renamed_to} by now: point it there")
    since, gone = _missing_since(case, zone), _gone_words(case, zone)
    if since is not None and (today - since).days >= DAYS_MISSING:
        return Decision(Fate.RETIRE, gone)
    fails = [] if case.guarded else _fails(case, zone)
    if not fails:
        return STAYS if since is None or (case.works_unlisted and since == today) else _missing(since, today, gone)
    days = sorted({day for day, _ in fails})
    last_day, last = fails[-1]
    others = {day for day, attempt in fails if attempt.failure == FailureClass.OTHER}
    said = f"{last.failure} on {last_day}" + (f" ({last.detail})" if last.detail else "")
    if last.failure in IMMEDIATE and (today - last_day).days <= 1:
        return Decision(Fate.CONFIRM, said)
    if last.failure == FailureClass.OTHER and len(others) >= DAYS_OTHER:
        return Decision(Fate.RETIRE, f"failed on {len(others)} days, and nobody knows the error: {said}")
    span = (days[-1] - days[0]).days
    if span >= DAYS_SPAN and len(days) >= DAYS_FAILING:
        return Decision(Fate.RETIRE, f"no answer since {days[0]}, asked on {len(days)} days: {said}")
    left = [DAYS_SPAN - span]
    if last.failure == FailureClass.OTHER:
        left.append(DAYS_OTHER - len(others))
    if since is not None:
        left.append(DAYS_MISSING - (today - since).days)
    if since is None and len(days) == 1 and last.failure not in {*IMMEDIATE, FailureClass.OTHER}:
        return STAYS  # busy or slow on one day: that passes, and counts nothing down
    return Decision(Fate.COUNTING, said if since is None else f"{gone}; {said}", max(1, min(left)))


def _missing(since: date, today: date, gone: str) -> Decision:
    days = (today - since).days
    blip = ", for the first day: it may be a blip" if days == 0 and str(since) in gone else ""
    return Decision(Fate.COUNTING, f"{gone}{blip}", max(1, DAYS_MISSING - days))


def _gone_words(case: Case, zone: tzinfo) -> str:
    """Since when it is not listed, and when it answered last if that was later."""
    if case.missing_at is None:
        return ""
    answered = f", no answer since {_day(case.answered_at, zone)}" if case.works_unlisted and case.answered_at else ""
    return f"not listed since {_day(case.missing_at, zone)}{answered}"


def _missing_since(case: Case, zone: tzinfo) -> date | None:
    """Since which day the model is gone from its listing without having answered or been restored."""
    if case.missing_at is None:
        return None
    return max(day for day in (_day(case.missing_at, zone), _floor(case, zone)) if day is not None)


def _gone(case: Case, today: date, zone: tzinfo) -> bool:
    """Providers do retire in batches: who is not listed for long is not held."""
    since = _missing_since(case, zone)
    return since is not None and (today - since).days >= DAYS_MISSING


def _fails(case: Case, zone: tzinfo) -> list[tuple[date, Attempt]]:
    """(day, failure) of all that count."""
    floor = _floor(case, zone) or date.min
    failed = [attempt for attempt in case.attempts if attempt.failure and attempt.failure != FailureClass.SIGNIN]
    return [(_day(one.at, zone), one) for one in failed if one.counts and _day(one.at, zone) > floor]


def _floor(case: Case, zone: tzinfo) -> date | None:
    """The last day that clears what was before: that of an answer, or of a restore."""
    known = [at for at in (case.answered_at, case.restored_at) if at is not None]
    known += [attempt.at for attempt in case.attempts if not attempt.failure]
    return _day(max(known), zone) if known else None


def _connections_down(cases: list[Case]) -> set[str]:
    """The connections with at least two models of which something is known, where all of these are down."""
    states: Mapping[str, list[bool]] = defaultdict(list)
    for case in cases:
        if case.connection != UNKNOWN and not case.guarded and (case.attempts or case.missing_at is not None):
            states[case.connection].append(_is_down(case))
    return {connection for connection, down in states.items() if len(down) >= 2 and all(down)}


def _is_down(case: Case) -> bool:
    if case.missing_at is not None:
        return True
    last = case.attempts[-1]
    return bool(last.failure) and not (case.answered_at is not None and case.answered_at > last.at)


def _held(decision: Decision) -> Decision:
    if decision.fate in (Fate.CONFIRM, Fate.RETIRE):
        return Decision(Fate.HELD, decision.why)
    return decision


def _day(at: datetime, zone: tzinfo) -> date:
    return at.astimezone(zone).date()
