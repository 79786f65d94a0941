"""Who is believed to be the best: pure. Orders models by their record, or by a draw from what is believed of each.

The beliefs are Beta distributions over the share of useful answers. They are made from decayed sums, so that what is
not confirmed for a while becomes doubtful again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import erfc, exp, pi, sqrt
from random import Random
from typing import Final

from msgspec import Struct

from gateway.engine.snapshot import Votes

PRIOR: Final = Votes(1.0, 1.0)
"""What is believed of a model nobody knows: any share is as likely as any other."""
POOL: Final = 10.0
"""Work of other shapes tells as much of this one as so many verdicts at most."""
SHARPER: Final = 4.0
"""Draws are made as if every verdict were so many, which halves their spread. A plain draw gives away more seats to
learn from them than the learning is worth (docs/design/seating.md). Strangers have none, and stay as likely as ever."""
HORIZON: Final = 10.0
"""The value of exploring is what so many more verdicts are expected to gain."""
FLOOR_S: Final = 7 * 86_400.0
"""Who has not worked for so long goes first. Half a fortnight: the other half is for its turn to come."""

ByShape = Mapping[str, Mapping[str, Votes]]
NOTHING: Final[Mapping[str, Votes]] = {}


class Belief(Struct, frozen=True):
    """Beta(a, b) over the share of useful answers of one model."""

    a: float
    b: float

    @property
    def mean(self) -> float:
        return self.a / (self.a + self.b)

    def draw(self, rng: Random) -> float:
        useful, not_useful = self.a - PRIOR.useful, self.b - PRIOR.not_useful
        return rng.betavariate(PRIOR.useful + SHARPER * useful, PRIOR.not_useful + SHARPER * not_useful)

    def gain(self, best: float) -> float:
        """By how much the best share, now `best`, is expected to rise when this model is given `HORIZON` more verdicts
        and seated if they prove it better. In the normal approximation: the mean after those verdicts scatters around
        today's with the deviation `spread`."""
        known, mean = self.a + self.b, self.mean
        spread = sqrt(mean * (1 - mean) / (known + 1) * HORIZON / (known + HORIZON))
        short = (mean - best) / spread
        density = exp(-short * short / 2) / sqrt(2 * pi)
        return spread * (density + short * erfc(-short / sqrt(2)) / 2)


UNKNOWN: Final = Belief(PRIOR.useful, PRIOR.not_useful)


def by_record(
    aliases: Sequence[str],
    useful: Mapping[str, float],
    findings: Mapping[str, int] | None = None,
    paid: Collection[str] = (),
) -> list[str]:
    """Most useful verdicts over all work first, then most verified findings of the suite, then who is paid for. Equals
    keep their order."""
    found = findings or {}
    return sorted(aliases, key=lambda one: (-useful.get(one, 0.0), -found.get(one, 0), one not in paid))


def by_draw(aliases: Sequence[str], shape: str, lately: ByShape, rng: Random) -> list[str]:
    """The highest draw first (Thompson sampling, sharpened): the likelier a model is the best, the oftener it goes
    first."""
    drawn = {alias: believe(alias, shape, lately).draw(rng) for alias in aliases}
    return sorted(aliases, key=lambda alias: -drawn[alias])


def believe(alias: str, shape: str, lately: ByShape) -> Belief:
    """What is believed of this model at work of this shape; without a shape, at any work. Verdicts on the shape count
    in full, those on other work as `POOL` verdicts at most."""
    whole = lately.get("", NOTHING).get(alias)
    if whole is None:
        return UNKNOWN
    own = lately.get(shape, NOTHING).get(alias) if shape else whole
    useful, not_useful = (own.useful, own.not_useful) if own else (0.0, 0.0)
    more_useful = max(whole.useful - useful, 0.0)
    more_not = max(whole.not_useful - not_useful, 0.0)
    part = min(1.0, POOL / total) if shape and (total := more_useful + more_not) > 0 else 1.0
    return Belief(PRIOR.useful + useful + part * more_useful, PRIOR.not_useful + not_useful + part * more_not)


def believe_all(aliases: Iterable[str], shape: str, lately: ByShape) -> dict[str, Belief]:
    """What is believed of each of these models at work of this shape."""
    return {alias: believe(alias, shape, lately) for alias in aliases}


def overdue(alias: str, last_work: Mapping[str, float], now: float) -> bool:
    """Whether this model has not worked for `FLOOR_S` seconds, or never."""
    return now - last_work.get(alias, 0.0) >= FLOOR_S


def overdue_first(aliases: Sequence[str], last_work: Mapping[str, float], now: float) -> list[str]:
    """The one that has been overdue for longest in front, so that a draw forgets nobody. Who never worked waits for a
    draw: of a stranger anything is believed, so it will not wait for long."""
    late = [alias for alias in aliases if alias in last_work and overdue(alias, last_work, now)]
    if not late:
        return list(aliases)
    first = min(late, key=lambda alias: last_work[alias])
    return [first, *(alias for alias in aliases if alias != first)]
