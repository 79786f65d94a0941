"""Folds evidence into standings: pure. standings_store.py brings the result to the database.

Every current row of evidence is one piece of work. A row that a later one replaced counts for nothing but its time, and
so does work that is set aside, since another model did it under the same name. Unjudged work counts as work only. Each
piece counts in up to four standings of its model: over all work, over its collection, over its shape, and over its
collection and shape.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from collections_app.decay import Lately

PANEL_KINDS: Final = ("seat", "merger")
"""The kinds of work that panels do; the rest is route mode's and people's own."""


class Key(NamedTuple):
    """Whose standing, and over which work: an empty collection or shape stands for all of them."""

    language_model_id: int
    collection_name: str = ""
    shape: str = ""


class Piece(Protocol):
    """What the fold needs of a row of evidence. `useful` is the mean over the judges, None while there are none."""

    @property
    def language_model_id(self) -> int: ...
    @property
    def collection_name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def shape(self) -> str: ...
    @property
    def useful(self) -> float | None: ...
    @property
    def real_claims(self) -> int: ...
    @property
    def false_claims(self) -> int: ...
    @property
    def current(self) -> bool: ...
    @property
    def at(self) -> datetime: ...


NEVER: Final = Lately()


@dataclass(frozen=True, slots=True)
class Tally:
    """What some work amounts to. `useful` is the sum of the means, so it is at most `judged`. The three of panels count
    answers by majority: an even split is judged and neither of the two. `lately` are the same sums, decayed."""

    offloads: int = 0
    judged: int = 0
    useful: float = 0.0
    real_claims: int = 0
    false_claims: int = 0
    panels_judged: int = 0
    panels_useful: int = 0
    panels_not_useful: int = 0
    last_work_at: datetime | None = None
    lately: Lately = NEVER

    @property
    def not_useful(self) -> float:
        return self.judged - self.useful

    def plus(self, other: Tally, half_life_days: float) -> Tally:
        """Both together."""
        times = [at for at in (self.last_work_at, other.last_work_at) if at is not None]
        return Tally(
            offloads=self.offloads + other.offloads,
            judged=self.judged + other.judged,
            useful=self.useful + other.useful,
            real_claims=self.real_claims + other.real_claims,
            false_claims=self.false_claims + other.false_claims,
            panels_judged=self.panels_judged + other.panels_judged,
            panels_useful=self.panels_useful + other.panels_useful,
            panels_not_useful=self.panels_not_useful + other.panels_not_useful,
            last_work_at=max(times, default=None),
            lately=self.lately.plus(other.lately, half_life_days),
        )

    def negative(self) -> Tally:
        """What takes this out of another again. When work was done last is not taken back."""
        return Tally(
            offloads=-self.offloads,
            judged=-self.judged,
            useful=-self.useful,
            real_claims=-self.real_claims,
            false_claims=-self.false_claims,
            panels_judged=-self.panels_judged,
            panels_useful=-self.panels_useful,
            panels_not_useful=-self.panels_not_useful,
            lately=self.lately.negative(),
        )


def tally_of(piece: Piece, *, aside: bool = False) -> Tally:
    """One row of evidence alone. `aside`: the work is set aside."""
    if aside or not piece.current:
        return Tally(last_work_at=piece.at)
    work = Tally(offloads=1, last_work_at=piece.at)
    if piece.useful is None:
        return work
    panel = piece.kind in PANEL_KINDS
    return replace(
        work,
        judged=1,
        useful=piece.useful,
        real_claims=piece.real_claims,
        false_claims=piece.false_claims,
        panels_judged=int(panel),
        panels_useful=int(panel and piece.useful > 0.5),
        panels_not_useful=int(panel and piece.useful < 0.5),
        lately=Lately(piece.useful, 1.0, piece.at),
    )


def keys_of(key: Key) -> list[Key]:
    """The standings that work in this collection and of this shape counts in, each once."""
    pk, collection, shape = key
    return list(dict.fromkeys([Key(pk), Key(pk, "", shape), Key(pk, collection), Key(pk, collection, shape)]))


def fold(parts: Iterable[tuple[Key, Tally]], half_life_days: float) -> dict[Key, Tally]:
    """Every standing there is, from tallies of any parts of the work: of single pieces, or of sums that a database has
    made by model, collection and shape. Neither the order of the parts nor how the work was parted matters."""
    whole: dict[Key, Tally] = {}
    for key, tally in parts:
        for each in keys_of(key):
            whole[each] = whole[each].plus(tally, half_life_days) if each in whole else tally
    return whole


def key_of(piece: Piece) -> Key:
    """The narrowest standing that a row of evidence counts in."""
    return Key(piece.language_model_id, piece.collection_name, piece.shape)
