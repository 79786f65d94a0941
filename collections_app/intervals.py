"""How sure a share is: pure. Wilson's interval for whole counts, Byar's for what can happen several times, the credible
interval of a Beta belief for sums that have decayed and are no counts any more."""

from __future__ import annotations

from math import exp, lgamma, log, log1p, sqrt
from typing import Final, NamedTuple

LEVEL: Final = 0.95
"""The share of cases in which the truth lies inside."""
Z: Final = 1.959963984540054
"""Half the width of a normal distribution's `LEVEL`, in standard deviations."""

TINY: Final = 1e-300
STEPS: Final = 300
CLOSE: Final = 1e-12


class Interval(NamedTuple):
    """A share (or a rate) and the bounds between which it lies."""

    share: float
    low: float
    high: float


def poisson(events: int, of: float) -> Interval | None:
    """The rate `events`/`of` of what can happen more than once a time, with its interval; None of nothing."""
    if of <= 0:
        return None
    low, high = poisson_bounds(events)
    return Interval(events / of, low / of, high / of)


def poisson_bounds(events: int) -> tuple[float, float]:
    """Between which numbers the expected number lies where so many happened, by Byar's formula at `LEVEL`."""
    low = events * (1 - 1 / (9 * events) - Z / (3 * sqrt(events))) ** 3 if events else 0.0
    more = events + 1
    return max(0.0, low), more * (1 - 1 / (9 * more) + Z / (3 * sqrt(more))) ** 3


def wilson(hits: float, of: float) -> Interval | None:
    """The share `hits`/`of` with its Wilson interval at `LEVEL`; None of nothing. Split verdicts make parts of hits."""
    if of <= 0:
        return None
    share = min(max(hits / of, 0.0), 1.0)
    spread = Z * Z / of
    middle = (share + spread / 2) / (1 + spread)
    half = Z / (1 + spread) * sqrt(share * (1 - share) / of + spread / of / 4)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def credible(useful: float, not_useful: float, prior: tuple[float, float] = (1.0, 1.0)) -> Interval:
    """The mean of the Beta belief after these decayed sums and the central interval that holds `LEVEL` of it. Sums that
    rounding has taken a hair below zero count as zero."""
    a, b = prior[0] + max(useful, 0.0), prior[1] + max(not_useful, 0.0)
    tail = (1 - LEVEL) / 2
    return Interval(a / (a + b), beta_quantile(tail, a, b), beta_quantile(1 - tail, a, b))


def beta_cdf(x: float, a: float, b: float) -> float:
    """The chance that a Beta(a, b) draw is at most x: the regularised incomplete beta function."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    # The fraction converges fast on this side of the mean only; the other side is its mirror.
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1.0 - front * _fraction(1 - x, b, a) / b


def beta_quantile(chance: float, a: float, b: float) -> float:
    """The x that a Beta(a, b) draw stays below with this chance, by halving: forty steps are enough for any page."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if beta_cdf(middle, a, b) < chance:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _fraction(x: float, a: float, b: float) -> float:
    """The continued fraction of the incomplete beta function, evaluated from the front (Lentz's method)."""
    c, d = 1.0, 1.0 / _off_zero(1.0 - (a + b) * x / (a + 1.0))
    value = d
    for m in range(1, STEPS):
        for step in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / _off_zero(1.0 + step * d)
            c = _off_zero(1.0 + step / c)
            value *= c * d
        if abs(c * d - 1.0) < CLOSE:
            break
    return value


def _off_zero(number: float) -> float:
    return number if abs(number) > TINY else TINY
