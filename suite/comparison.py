"""Whether one model is better than another, on the tasks that both answered. Pure: the same answers give the same
digits.

Each common task gives a difference of credit. A model is said to be better only where the differences would hardly come
by chance: the signs of all of them are flipped at random, and it is counted how often that gives as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random
from statistics import fmean
from typing import Final

from msgspec import Struct

from suite.results import Result, by_task

FLIPS: Final = 10_000
RESAMPLES: Final = 2_000
EXACT_UP_TO: Final = 12
LEVEL: Final = 0.05
FEWEST: Final = 6
"""With fewer differing tasks not even all on one side would be rare enough."""


class Comparison(Struct, frozen=True):
    """`first` and `second` are models with their mean credit on `tasks` common tasks; `difference` is first less
    second, between `low` and `high` in 95 of 100 resamples; `p` is how often chance alone would give as much."""

    first: str
    second: str
    tasks: int
    first_mean: float
    second_mean: float
    difference: float
    low: float
    high: float
    p: float

    @property
    def better(self) -> str:
        """The model that is better, empty where that cannot be told."""
        if self.p >= LEVEL:
            return ""
        return self.first if self.difference > 0 else self.second

    @property
    def statement(self) -> str:
        """One sentence for people."""
        if not self.tasks:
            return f"{self.first} and {self.second} have answered no task in common."
        chance = f"= {self.p:.3f}" if self.p >= 0.001 else "< 0.001"
        figures = (
            f"{self.first_mean:.0%} against {self.second_mean:.0%} on {self.tasks} common tasks, difference "
            f"{self.difference:+.0%} (95 of 100: {self.low:+.0%} to {self.high:+.0%}), p {chance}"
        )
        if self.better:
            other = self.second if self.better == self.first else self.first
            return f"{self.better} is better than {other}: {figures}."
        return f"It cannot be told which of {self.first} and {self.second} is better: {figures}."


def compare(results: Iterable[Result], first: str, second: str) -> Comparison:
    """The comparison of two models, by name."""
    found = by_task(one for one in results if one.model in (first, second))
    credit = {key: fmean(one.credit for one in takes) for key, takes in found.items()}
    common = sorted(
        {task for model, task in credit if model == first} & {task for model, task in credit if model == second}
    )
    pairs = [(credit[first, task], credit[second, task]) for task in common]
    if not pairs:
        return Comparison(first, second, 0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    differences = [one - other for one, other in pairs]
    low, high = _interval(differences)
    return Comparison(
        first,
        second,
        len(pairs),
        fmean(one for one, _ in pairs),
        fmean(other for _, other in pairs),
        fmean(differences),
        low,
        high,
        _chance(differences),
    )


def _chance(differences: Sequence[float]) -> float:
    """How often signs by chance give a sum as far from zero: all of them where they are few, else at random from a
    fixed seed."""
    told = [one for one in differences if one]
    if len(told) < FEWEST:
        return 1.0
    seen = abs(sum(told)) - 1e-9
    if len(told) <= EXACT_UP_TO:
        flips = [
            abs(sum(s * d for s, d in zip(signs, told, strict=True))) for signs in product((1, -1), repeat=len(told))
        ]
        return sum(one >= seen for one in flips) / len(flips)
    rng = Random(len(told))  # noqa: S311 it draws a sample, it guards nothing
    count = 0
    for _ in range(FLIPS):
        bits = rng.getrandbits(len(told))
        count += abs(sum(d if bits >> i & 1 else -d for i, d in enumerate(told))) >= seen
    return (count + 1) / (FLIPS + 1)


def _interval(differences: Sequence[float]) -> tuple[float, float]:
    """Of the means of resamples with a fixed seed, the middle 95 of 100."""
    rng = Random(len(differences))  # noqa: S311 as above
    means = sorted(fmean(rng.choices(differences, k=len(differences))) for _ in range(RESAMPLES))
    cut = round(RESAMPLES * LEVEL / 2)
    return means[cut], means[-cut - 1]
