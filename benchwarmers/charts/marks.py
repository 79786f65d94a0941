"""What a drawing consists of, and its SVG: attributes and class names alone, so that a style sheet gives the colours of
the theme. Every text is escaped here. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.utils.html import escape
from django.utils.safestring import SafeString

LETTER: Final = 6.3
"""How wide a letter of a label is on average, in pixels."""


@dataclass(frozen=True, slots=True)
class Key:
    """How one kind of thing looks, and the words of the legend for it."""

    kind: str
    words: str
    texture: str = ""


@dataclass(frozen=True, slots=True)
class Rect:
    """A box. `kind` are its class names; `words` say what it shows when pointed at; `texture` is the id of a pattern
    that lies over its colour, so that boxes are told apart without it."""

    x: float
    y: float
    wide: float
    high: float
    kind: str
    words: str = ""
    texture: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    kind: str


@dataclass(frozen=True, slots=True)
class Path:
    """Straight lines from place to place, several in one mark: [(places)...]."""

    strokes: Sequence[Sequence[tuple[float, float]]]
    kind: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A circle."""

    x: float
    y: float
    radius: float
    kind: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Text:
    """Words from, around or up to (`anchor` start, middle, end) a place on their base line. `turned` runs upwards."""

    x: float
    y: float
    words: str
    kind: str = "chart-text"
    anchor: str = "start"
    turned: bool = False


Mark = Rect | Line | Path | Dot | Text


@dataclass(frozen=True, slots=True)
class Drawing:
    """Marks on a field so wide and high, the later ones on top."""

    wide: float
    high: float
    marks: Sequence[Mark]


def draw_picture(name: str, title: str, words: str, wide: Drawing, narrow: Drawing | None = None) -> SafeString:
    """The SVG for wide windows and the one for narrow ones, each with a title and `words` in place of the drawing. The
    style sheet shows one of them; where it is narrow nobody points at marks, so these have no words of their own.
    `name` begins their ids."""
    drawings = [("wide", wide)] + ([("narrow", narrow)] if narrow else [])
    both = "both" if narrow is None else ""
    return SafeString(
        "".join(_svg(f"{name}-{size}", f"chart-{both or size}", title, words, it) for size, it in drawings)
    )


def _svg(name: str, kind: str, title: str, words: str, drawing: Drawing) -> str:
    told = not kind.endswith("narrow")
    parts = [part for mark in drawing.marks for part in _parts(mark, told=told)]
    groups = groupby(parts, key=lambda part: part[0])
    body = "".join(f"<g {of}>{''.join(part for _, part in its)}</g>" for of, its in groups)
    return (
        f'<svg class="chart {kind}" viewBox="0 0 {_n(drawing.wide)} {_n(drawing.high)}" role="img" '
        f'aria-labelledby="{name}-title {name}-words"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-words">{escape(words)}</desc>{body}</svg>'
    )


def _parts(mark: Mark, *, told: bool) -> list[tuple[str, str]]:
    """(what it shares with its neighbours, the element itself), so that a hundred dots say once how they look."""
    of = f'class="{mark.kind}"'
    match mark:
        case Rect():
            words = mark.words if told else ""
            box = f'x="{_n(mark.x)}" y="{_n(mark.y)}" width="{_n(mark.wide)}" height="{_n(mark.high)}"'
            if not mark.texture:
                return [(of, _closed("rect", box, words))]
            return [(of, _closed("rect", box, "")), (f'fill="url(#{mark.texture})"', _closed("rect", box, words))]
        case Line():
            return [(of, f'<path d="M{_n(mark.x1)} {_n(mark.y1)}L{_n(mark.x2)} {_n(mark.y2)}"/>')]
        case Path():
            drawn = "".join("M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in stroke) for stroke in mark.strokes)
            return [(of, f'<path d="{drawn}"/>')] if drawn else []
        case Dot():
            where = f'cx="{_n(mark.x)}" cy="{_n(mark.y)}" r="{_n(mark.radius)}"'
            return [(of, _closed("circle", where, mark.words if told else ""))]
        case Text():
            anchor = f' text-anchor="{mark.anchor}"' if mark.anchor != "start" else ""
            turn = f' transform="rotate(-90 {_n(mark.x)} {_n(mark.y)})"' if mark.turned else ""
            return [(of + anchor, f'<text x="{_n(mark.x)}" y="{_n(mark.y)}"{turn}>{escape(mark.words)}</text>')]


def _closed(tag: str, attributes: str, words: str) -> str:
    return f"<{tag} {attributes}><title>{escape(words)}</title></{tag}>" if words else f"<{tag} {attributes}/>"


def _n(number: float) -> str:
    """A coordinate to a tenth of a pixel, as short as it goes."""
    return f"{number:.1f}".removesuffix(".0")


def cut(words: str, wide: float) -> str:
    """Words as long as fit into so many pixels, with an ellipsis where some are left out."""
    most = max(int(wide / LETTER + 1e-6), 1)
    return words if len(words) <= most else f"{words[: most - 1]}\u2026"


def width_of(words: str) -> float:
    """About how many pixels a label takes."""
    return len(words) * LETTER
