"""How a score stood over time, and shares with their intervals, as the numbers of an SVG. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from collections_app.intervals import Interval
from suite.history import Point

WIDTH: Final = 300
HEIGHT: Final = 84
EDGE: Final = 5


@dataclass(frozen=True, slots=True)
class Dot:
    """A day: where it is drawn, and what it says."""

    x: float
    y: float
    words: str


@dataclass(frozen=True, slots=True)
class Course:
    """The score of one model over time. `band` is the path around the intervals, `line` the one through the dots."""

    model: str
    points: Sequence[Point]
    dots: Sequence[Dot]
    line: str
    band: str

    @property
    def last(self) -> Point:
        return self.points[-1]

    @property
    def words(self) -> str:
        """The drawing in a sentence."""
        first, last = self.points[0], self.points[-1]
        if len(self.points) == 1:
            return f"{self.model}: {last.score:.0%} of {last.tasks} tasks on {last.day:%-d %B %Y}"
        return (
            f"{self.model}: from {first.score:.0%} of {first.tasks} tasks on {first.day:%-d %B %Y} "
            f"to {last.score:.0%} of {last.tasks} on {last.day:%-d %B %Y}"
        )


def draw_course(model: str, points: Sequence[Point], first: date, last: date) -> Course:
    """Between the days at the left and the right edge, which several drawings may share. `points` is not empty."""
    span = max((last - first).days, 1)
    dots = [
        Dot(
            _round(EDGE + (one.day - first).days / span * (WIDTH - 2 * EDGE)),
            _up(one.score),
            f"{one.day:%-d %b %Y}: {one.score:.0%} of {one.tasks} tasks, {one.answers} answers that day",
        )
        for one in points
    ]
    line = "M" + "L".join(f"{dot.x} {dot.y}" for dot in dots) if len(dots) > 1 else ""
    return Course(model, points, dots, line, _band(dots, [one.interval for one in points]))


def whisker(interval: Interval | None, wide: float = 100.0) -> tuple[float, float, float] | None:
    """(left end, middle, right end) of an interval on a line so wide; None without one."""
    if interval is None:
        return None
    return _round(interval.low * wide), _round(interval.share * wide), _round(interval.high * wide)


def _band(dots: Sequence[Dot], intervals: Sequence[Interval | None]) -> str:
    known = [(dot.x, one) for dot, one in zip(dots, intervals, strict=True) if one is not None]
    if not known:
        return ""
    if len(known) == 1:
        x, one = known[0]
        return f"M{x - 2} {_up(one.high)}H{x + 2}V{_up(one.low)}H{x - 2}Z"
    upper = [f"{x} {_up(one.high)}" for x, one in known]
    lower = [f"{x} {_up(one.low)}" for x, one in reversed(known)]
    return f"M{'L'.join([*upper, *lower])}Z"


def _up(share: float) -> float:
    return _round(HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE))


def _round(number: float) -> float:
    return round(number, 1)
