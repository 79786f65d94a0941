"""Confidently wrong: pure. How often each model asserted what is not so, of the occasions it had, beside how often all
models did. A kind of occasion is anything that can be counted: reviews here, the suite's kinds as it has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from collections_app.intervals import Interval, poisson, wilson
from collections_app.standings import Key, Tally


class Chances(NamedTuple):
    """`wrong` times on `of` occasions. Where an occasion has room for several, as a review for claims, `wrong` may be
    more than `of`."""

    wrong: int
    of: int


class Wrong(NamedTuple):
    """One model: its rate with its interval, and the `base` rate of all models together. `worse` says that even the
    lower bound is above the base."""

    who: str
    chances: Chances
    rate: Interval
    base: float

    @property
    def worse(self) -> bool:
        return self.rate.low > self.base


def rate_wrong(counts: Mapping[str, Chances], *, several: bool = False) -> list[Wrong]:
    """Worst first, those with more occasions before others that are as bad. Whoever had no occasion is left out.
    `several`: an occasion has room for more than one."""
    wrong, of = sum(one.wrong for one in counts.values()), sum(one.of for one in counts.values())
    rated = [
        Wrong(who, one, rate, wrong / of)
        for who, one in counts.items()
        if (rate := (poisson if several else wilson)(one.wrong, one.of)) is not None
    ]
    return sorted(rated, key=lambda one: (-one.rate.share, -one.chances.of, one.who))


def review_chances(standings: Mapping[Key, Tally], names: Mapping[int, str]) -> dict[str, Chances]:
    """False claims in judged work, over all work of each model. Rate them with `several`."""
    return {
        names[key.language_model_id]: Chances(tally.false_claims, tally.judged)
        for key, tally in standings.items()
        if key == Key(key.language_model_id)
    }
