"""The picture of the document: what a reply costs the gateway's processor, as a multiple of the least that could do the
same, one bar a kind of reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from benchwarmers.charts.marks import Dot, Drawing, Line, Mark, Path, Rect, Text, draw_picture
from benchwarmers.charts.marks import Key as Look
from benchwarmers.charts.stacks import Bar, Part, draw_stacks

WIDE: Final = 760.0
EDGE: Final = 16.0
HEADED: Final = 24.0
OURS: Final = Look("bench-ours", "Benchwarmers")
OTHERS: Final = Look("bench-others", "other gateways")
STYLE: Final = (
    "<style>svg{font-family:system-ui,sans-serif;font-size:12px}text{fill:#13252a}.chart-quiet{fill:#4a5c60}"
    ".bench-head{font-weight:600;font-size:13px}.bench-back{fill:#f2f5f4}.bench-ours{fill:#0b5a6a}.bench-others{fill:#8a6400}"
    ".chart-grid{stroke:#d3dcda;fill:none}.chart-axis{stroke:#4a5c60;fill:none}</style>"
)
Section = tuple[str, list[Bar]]


def draw(figures: Mapping[str, Any]) -> str:
    """An SVG that stands alone, of the parts that were measured."""
    sections = [one for one in (_turns(figures), _streams(figures), _panels(figures), _others(figures)) if one[1]]
    marks: list[Mark] = []
    top = EDGE
    for title, bars in sections:
        longest = max(part.share for bar in bars for part in bar.parts)
        drawing = draw_stacks(bars, WIDE - 2 * EDGE, 0.0, max(longest * 1.05, 1.0), "{:g}".format)
        marks.append(Text(EDGE, top + 12, title, "bench-head"))
        marks += [_moved(mark, EDGE, top + HEADED) for mark in drawing.marks]
        top += HEADED + drawing.high + EDGE
    marks.insert(0, Rect(0, 0, WIDE, top, "bench-back"))
    title = "Processor time of a reply, as a multiple of a minimal server's"
    words = "; ".join(f"{head}: " + ", ".join(f"{bar.name} {bar.note}" for bar in bars) for head, bars in sections)
    svg = str(draw_picture("bench", title, words, Drawing(WIDE, top, marks)))
    return (
        svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace("<title", STYLE + "<title", 1)
        + "\n"
    )


def _bars(rows: Sequence[Mapping[str, Any]], name: str, key: str, look: Look = OURS) -> list[Bar]:
    return [
        Bar(row[name], [Part(look, row[key], f"{row[name]}: {row[key]:.1f} x")], f"{row[key]:.1f} x")
        for row in rows
        if key in row
    ]


def _turns(figures: Mapping[str, Any]) -> Section:
    bars = _bars(figures.get("formats", ()), "format", "turn_ratio")
    return "A turn in route mode by the caller's format: processor time, times the minimal relay's", bars


def _streams(figures: Mapping[str, Any]) -> Section:
    bars = _bars(figures.get("formats", ()), "format", "stream_ratio")
    return "A stream of 50 chunks by the caller's format: processor time, times the minimal relay's", bars


def _panels(figures: Mapping[str, Any]) -> Section:
    return "A panel: processor time, times the minimal fan-out's", _bars(
        figures.get("panels", ()), "panel", "cpu_ratio"
    )


def _others(figures: Mapping[str, Any]) -> Section:
    """Only where other gateways were measured beside ours."""
    title = "A turn in route mode, chat completions: processor time, times the minimal relay's"
    _, _, *ours = figures.get("route", ((), ()))
    if len(ours) < 2:
        return title, []
    return title, _bars(ours[:1], "target", "turn_ratio") + _bars(ours[1:], "target", "turn_ratio", OTHERS)


def _moved(mark: Mark, right: float, down: float) -> Mark:
    match mark:
        case Line():
            return replace(mark, x1=mark.x1 + right, x2=mark.x2 + right, y1=mark.y1 + down, y2=mark.y2 + down)
        case Path():
            return replace(mark, strokes=[[(x + right, y + down) for x, y in stroke] for stroke in mark.strokes])
        case Rect() | Dot() | Text():
            return replace(mark, x=mark.x + right, y=mark.y + down)
