"""The plot of usage: bars over days, stacked by group. Drawn here as SVG, and handed as numbers to the script that
draws it again with a scale. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

from collections_app.budgets import NANO

SERIES: Final = 7
"""So many groups have a colour of their own; the rest is one more."""
OTHERS: Final = "all others"
WIDTH: Final = 1000
HEIGHT: Final = 220


@dataclass(frozen=True, slots=True)
class Series:
    """One layer of the bars. `place` names its colour, from 1 on; 0 is the rest. `counts` has one number a day."""

    name: str
    place: int
    counts: Sequence[int]


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer as SVG draws it: all its bars in one path."""

    name: str
    place: int
    path: str


@dataclass(frozen=True, slots=True)
class Plot:
    """`days` is one stretch without gaps. `top` is the largest sum of a day."""

    days: Sequence[date]
    series: Sequence[Series]

    @property
    def top(self) -> int:
        """The height of the highest bar."""
        return max(map(sum, zip(*(one.counts for one in self.series), strict=True)), default=0)

    @property
    def layers(self) -> list[Layer]:
        """The bars for SVG, in a field of WIDTH by HEIGHT."""
        top, wide = self.top or 1, WIDTH / max(len(self.days), 1)
        bar = max(wide * 0.8, 0.5)
        floor = [0] * len(self.days)
        layers = []
        for one in self.series:
            parts = []
            for at, count in enumerate(one.counts):
                if count:
                    y, high = HEIGHT * (1 - (floor[at] + count) / top), HEIGHT * count / top
                    parts.append(f"M{at * wide + (wide - bar) / 2:.1f} {y:.1f}h{bar:.1f}v{high:.1f}h-{bar:.1f}z")
                    floor[at] += count
            layers.append(Layer(one.name, one.place, "".join(parts)))
        return layers

    def numbers(self, show: str) -> dict[str, Any]:
        """For the script: days in seconds since 1970 (their midnight in UTC), and each layer's counts; money in
        dollars."""
        scale = NANO if show == "cost" else 1
        return {
            "show": show,
            "days": [int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) for day in self.days],
            "series": [
                {"name": one.name, "place": one.place, "counts": [count / scale for count in one.counts]}
                for one in self.series
            ],
        }


def stack(
    first: date,
    last: date,
    ranked: Sequence[tuple[Any, str]],
    counts: Mapping[tuple[date, Any], int],
    totals: Mapping[date, int],
) -> Plot:
    """The plot of the days from `first` to `last`. `ranked` are the groups with a layer of their own, as (value, name),
    the largest first; `totals` are the sums over all groups."""
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    series = [
        Series(name, place, [counts.get((day, value), 0) for day in days])
        for place, (value, name) in enumerate(ranked, 1)
    ]
    rest = [totals.get(day, 0) - sum(one.counts[at] for one in series) for at, day in enumerate(days)]
    if any(rest):
        series.append(Series(OTHERS if ranked else "all", 0 if ranked else 1, rest))
    return Plot(days, series)
