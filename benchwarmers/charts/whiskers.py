"""Shares with the range in which they lie: a thin line with a dot, one row a name over an axis. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from benchwarmers.charts.marks import Dot, Drawing, Line, Mark, Path, Text, cut, width_of
from benchwarmers.charts.scale import Scale
from benchwarmers.charts.stacks import FOOT, LONGEST_NAME, ROW, SPACE, TOP
from collections_app.intervals import Interval

CAP: Final = 3.0
Stroke = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Reach:
    """One row: a number with its range, that may have no upper end; `note` stands behind it."""

    name: str
    interval: Interval
    words: str
    note: str = ""
    kind: str = "tone-yes"


def draw_reaches(
    rows: Sequence[Reach],
    wide: float,
    low: float = 0.0,
    high: float = 1.0,
    write: Callable[[float], str] = "{:.0%}".format,
    *,
    log: bool = False,
) -> Drawing:
    """Rows one below the other over an axis from `low` to `high`; ranges that go beyond are cut there."""
    names = min(max((width_of(one.name) for one in rows), default=0.0), wide * LONGEST_NAME)
    notes = max((width_of(one.note) for one in rows), default=0.0)
    scale = Scale(low, high, names + SPACE, wide - (notes + 2 * SPACE), log)
    floor = TOP + ROW * len(rows)
    marks: list[Mark] = []
    for tick in scale.ticks(5):
        x = scale.at(tick)
        marks.append(Line(x, TOP, x, floor, "chart-grid"))
        marks.append(Text(x, floor + 16, write(tick), "chart-quiet", "middle"))
    strokes: list[Stroke] = []
    for place, one in enumerate(rows):
        y = TOP + place * ROW + ROW / 2
        marks.append(Text(names + 2, y + 4, cut(one.name, names), "chart-text", "end"))
        strokes += across(scale.at(one.interval.low), scale.at(one.interval.high), y)
        marks.append(Dot(scale.at(one.interval.share), y, 4.5, f"{one.kind} chart-dot", one.words))
        if one.note:
            marks.append(Text(scale.end + SPACE * 2, y + 4, one.note, "chart-quiet"))
    return Drawing(wide, floor + FOOT, sorted([*marks, Path(strokes, "chart-whisker chart-firm")], key=_order))


def _order(mark: Mark) -> tuple[int, str]:
    """Ranges below dots, and what looks alike together."""
    return (2 if isinstance(mark, Dot) else 1 if isinstance(mark, Path) else 0), mark.kind


def across(low: float, high: float, y: float) -> list[Stroke]:
    """A range from left to right, with short ends."""
    return [[(low, y), (high, y)], *([(x, y - CAP), (x, y + CAP)] for x in (low, high))]


def upright(low: float, high: float, x: float) -> list[Stroke]:
    """A range from bottom to top, with short ends."""
    return [[(x, low), (x, high)], *([(x - CAP, y), (x + CAP, y)] for y in (low, high))]
