"""Does a line of measurements rise? Theil and Sen's slope with its confidence interval: pure.

The median of the slopes of all pairs hardly minds outliers, which memory has many of: a collection of garbage, a cache
that fills. Its interval needs points that do not hang together, so samples are drawn together into a few first.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

Z: Final = {0.95: 1.959964, 0.99: 2.575829}


class Slope(Struct, frozen=True):
    """Units of the values by unit of time; `low` and `high` bound the confidence interval."""

    value: float
    low: float
    high: float

    @property
    def holds_zero(self) -> bool:
        return self.low <= 0.0 <= self.high


def theil_sen(points: Sequence[tuple[float, float]], sure: float = 0.95) -> Slope:
    """The slope of (time, value) pairs, at least three with times of their own. Raises ValueError."""
    if len(points) < 3:
        raise ValueError("a slope needs three points")
    slopes = sorted((b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(points, 2) if b[0] != a[0])
    if not slopes:
        raise ValueError("all points have one time")
    count = len(points)
    spread = Z[sure] * math.sqrt(count * (count - 1) * (2 * count + 5) / 18)
    low = max(0, round((len(slopes) - spread) / 2))
    high = min(len(slopes) - 1, round((len(slopes) + spread) / 2))
    return Slope(statistics.median(slopes), slopes[low], slopes[high])


def draw_together(points: Sequence[tuple[float, float]], into: int) -> list[tuple[float, float]]:
    """At most so many points: the median time and value of neighbours."""
    size = max(1, math.ceil(len(points) / into))
    parts = [points[start : start + size] for start in range(0, len(points), size)]
    return [
        (statistics.median(time for time, _ in part), statistics.median(value for _, value in part)) for part in parts
    ]
