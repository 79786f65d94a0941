"""Dots by two numbers, with their names, the ranges in which they lie, and a field that marks where one wants to be.
Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from benchwarmers.charts.labels import Box, Spot, place_labels
from benchwarmers.charts.marks import Dot, Drawing, Line, Mark, Path, Rect, Text, width_of
from benchwarmers.charts.scale import Scale
from benchwarmers.charts.whiskers import across, upright
from collections_app.intervals import Interval

LEFT: Final = 58.0
RIGHT: Final = 16.0
TOP: Final = 14.0
FOOT: Final = 44.0
RADIUS: Final = 4.5


@dataclass(frozen=True, slots=True)
class Point:
    """A dot at (x, y) with the ranges of both where they are known."""

    name: str
    x: float
    y: float
    words: str
    x_range: Interval | None = None
    y_range: Interval | None = None


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis tells: its name, its ends, how its ticks are written. `falls` where less is better: then nought is
    at the far end."""

    label: str
    low: float
    high: float
    write: Callable[[float], str]
    log: bool = False
    falls: bool = False


def draw_scatter(
    points: Sequence[Point],
    across_axis: Axis,
    up_axis: Axis,
    size: tuple[float, float],
    target: tuple[float, float, str] | None = None,
) -> Drawing:
    """`points` are drawn in their order, and who comes first has its name beside it first. `target` is (x, y, name):
    the field from there to the good corner."""
    wide, high = size
    floor, end = high - FOOT, wide - RIGHT
    x_scale = _scale(across_axis, LEFT, end)
    y_scale = _scale(up_axis, floor, TOP)
    marks: list[Mark] = []
    kept: list[Box] = []
    if target:
        field, words = _field(target, x_scale, y_scale, end)
        marks += [field, words]
        kept.append(Box(words.x, words.y - 12, words.x + width_of(words.words), words.y + 3))
    marks += _axes(across_axis, up_axis, x_scale, y_scale, wide, high)
    spots, strokes = [], []
    for one in points:
        x, y = x_scale.at(one.x), y_scale.at(one.y)
        if one.x_range:
            strokes += across(x_scale.at(one.x_range.low), x_scale.at(one.x_range.high), y)
        if one.y_range:
            strokes += upright(y_scale.at(one.y_range.low), y_scale.at(one.y_range.high), x)
        spots.append(Spot(x, y, RADIUS, one.name))
    marks.append(Path(strokes, "chart-whisker"))
    labels = place_labels(spots, Box(LEFT + 2, TOP - 8, wide - 2, floor - 2), kept)
    for spot, label in zip(spots, labels, strict=True):
        if label and label.far:
            marks.append(Line(spot.x, spot.y, label.x, label.y - 4, "chart-lead"))
    marks += [
        Dot(spot.x, spot.y, RADIUS, "tone-yes chart-dot", one.words) for spot, one in zip(spots, points, strict=True)
    ]
    marks += [Text(label.x, label.y, label.words, "chart-label", label.anchor) for label in labels if label]
    return Drawing(wide, high, marks)


def _scale(axis: Axis, start: float, end: float) -> Scale:
    return Scale(axis.low, axis.high, *((end, start) if axis.falls else (start, end)), axis.log)


def _field(target: tuple[float, float, str], x_scale: Scale, y_scale: Scale, end: float) -> tuple[Rect, Text]:
    """The field, and its name in its corner."""
    x, y = x_scale.at(target[0]), y_scale.at(target[1])
    return Rect(x, TOP, end - x, y - TOP, "chart-target"), Text(x + 6, TOP + 15, target[2], "chart-good")


def _axes(across_axis: Axis, up_axis: Axis, x_scale: Scale, y_scale: Scale, wide: float, high: float) -> list[Mark]:
    floor, end = high - FOOT, wide - RIGHT
    few = 4 if wide < 500 else 8
    marks: list[Mark] = []
    for tick in x_scale.ticks(few):
        x = x_scale.at(tick)
        marks.append(Line(x, TOP, x, floor, "chart-grid"))
        marks.append(Text(x, floor + 16, across_axis.write(tick), "chart-quiet", "middle"))
    for tick in y_scale.ticks(6):
        y = y_scale.at(tick)
        marks.append(Line(LEFT, y, end, y, "chart-grid"))
        marks.append(Text(LEFT - 8, y + 4, up_axis.write(tick), "chart-quiet", "end"))
    marks.append(Line(LEFT, floor, end, floor, "chart-axis"))
    marks.append(Line(LEFT, TOP, LEFT, floor, "chart-axis"))
    marks.append(Text(end, high - 8, across_axis.label, "chart-text", "end"))
    marks.append(Text(10, TOP, up_axis.label, "chart-text", "end", turned=True))
    return marks
