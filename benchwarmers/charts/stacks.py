"""Bars of parts that lie end to end, one row a name, around a line at nought: parts of one kind go to the right of it,
of another to the left. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from benchwarmers.charts.marks import Drawing, Key, Line, Mark, Rect, Text, cut, width_of
from benchwarmers.charts.scale import Scale

ROW: Final = 22.0
BAR: Final = 13.0
TOP: Final = 6.0
FOOT: Final = 24.0
SPACE: Final = 10.0
LONGEST_NAME: Final = 0.34
"""Of the width, at most."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar, `share` long, to the `left` of nought or to the right. `key` says how it looks, `short` what is
    written on it where there is room."""

    key: Key
    share: float
    words: str
    short: str = ""
    left: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: `note` stands behind it, with the class names `note_kind`."""

    name: str
    parts: Sequence[Part]
    note: str = ""
    note_kind: str = "chart-quiet"


def draw_stacks(bars: Sequence[Bar], wide: float, low: float, high: float, write: Callable[[float], str]) -> Drawing:
    """The bars one below the other over an axis from `low` (0 or below) to `high`, whose ticks `write` writes."""
    names = min(max((width_of(bar.name) for bar in bars), default=0.0), wide * LONGEST_NAME)
    notes = max((width_of(bar.note) for bar in bars), default=0.0)
    left, right = names + SPACE, wide - (notes + SPACE if notes else SPACE)
    scale = Scale(low, high, left, right)
    floor = TOP + ROW * len(bars)
    marks: list[Mark] = []
    for tick in scale.ticks(5):
        x = scale.at(tick)
        marks.append(Line(x, TOP, x, floor, "chart-grid"))
        marks.append(Text(x, floor + 16, write(abs(tick)), "chart-quiet", "middle"))
    for place, bar in enumerate(bars):
        y = TOP + place * ROW
        marks.append(Text(left - SPACE + 2, y + 15, cut(bar.name, names), "chart-text", "end"))
        marks += _bar(bar, y + (ROW - BAR) / 2, scale)
        if bar.note:
            marks.append(Text(right + SPACE, y + 15, bar.note, bar.note_kind))
    marks.append(Line(scale.at(0.0), TOP, scale.at(0.0), floor, "chart-axis"))
    return Drawing(wide, floor + FOOT, sorted(marks, key=_order))


def _order(mark: Mark) -> tuple[int, str]:
    """What looks alike stands together, and words on bars come after the bars."""
    return (0 if isinstance(mark, Line) else 1 if isinstance(mark, Rect) else 2), mark.kind


def _bar(bar: Bar, y: float, scale: Scale) -> list[Mark]:
    marks: list[Mark] = []
    ends = {True: 0.0, False: 0.0}
    for part in bar.parts:
        if part.share <= 0:
            continue
        begin = ends[part.left]
        ends[part.left] = end = begin - part.share if part.left else begin + part.share
        x, x2 = sorted((scale.at(begin), scale.at(end)))
        marks.append(Rect(x, y, max(x2 - x, 1.0), BAR, part.key.kind, part.words, part.key.texture))
        if part.short and width_of(part.short) + 6 < x2 - x:
            marks.append(Text((x + x2) / 2, y + 10.5, part.short, "chart-on", "middle"))
    return marks
