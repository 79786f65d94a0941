"""How a score stood over time, as the numbers of an SVG. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from collections_app.intervals import Interval
from suite.history import Point

WIDTH: Final = 300
HEIGHT: Final = 84
EDGE: Final = 5
MOST: Final = 16
"""Days of one drawing."""


@dataclass(frozen=True, slots=True)
class Dot:
    """Where a day is drawn."""

    x: float
    y: float


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
        values = {
            "model": self.model,
            "score": f"{last.score:.0%}",
            "tasks": last.tasks,
            "day": date_format(last.day, "j F Y"),
            "first": f"{first.score:.0%}",
            "of": first.tasks,
            "begin": date_format(first.day, "j F Y"),
        }
        if len(self.points) == 1:
            return _("%(model)s: %(score)s of %(tasks)s tasks on %(day)s") % values
        return _("%(model)s: from %(first)s of %(of)s tasks on %(begin)s to %(score)s of %(tasks)s on %(day)s") % values

    @property
    def stops(self) -> str:
        """The dots as one path, drawn with round ends."""
        return "".join(f"M{dot.x} {dot.y}h0" for dot in self.dots)


def draw_course(model: str, points: Sequence[Point], first: date, last: date) -> Course:
    """Between the days at the left and the right edge, which several drawings may share. `points` is not empty; of more
    than MOST the days are thinned out evenly, the first and the last stay."""
    if len(points) > MOST:
        step = (len(points) - 1) / (MOST - 1)
        points = [points[round(number * step)] for number in range(MOST)]
    span = max((last - first).days, 1)
    dots = [
        Dot(
            _round(EDGE + (one.day - first).days / span * (WIDTH - 2 * EDGE)),
            _up(one.score),
        )
        for one in points
    ]
    line = "M" + "L".join(f"{dot.x} {dot.y}" for dot in dots) if len(dots) > 1 else ""
    return Course(model, points, dots, line, _band(dots, [one.interval for one in points]))


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
