"""Curves as an SVG of its own: no script, no style sheet, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import floor, log10
from typing import Final

WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 64, 96, 40, 48
COLOURS: Final = ("#b3261e", "#1a5fb4", "#5e5c64", "#26734d")
DASHES: Final = ("6 3", "none", "2 3", "10 4")


def draw_curves(title: str, across: str, upward: str, curves: Mapping[str, Sequence[float]], points: int = 120) -> str:
    """An SVG of these curves over the numbers 1, 2, 3 and so on, with their names at their ends. `across` and `upward`
    name the axes. Long curves are thinned to `points`."""
    count = max(map(len, curves.values()))
    top = max((value for curve in curves.values() for value in curve), default=0.0) or 1.0
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        _text(LEFT, 22, title, size=15),
        _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, across, anchor="middle"),
        _text(LEFT - 56, TOP - 6, upward),
    ]
    for value in _ticks(top):
        y = _y(value, top)
        lines.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>')
        lines.append(_text(LEFT - 6, y + 4, f"{value:g}", anchor="end"))
    for value in _ticks(count):
        lines.append(_text(_x(value, count), HEIGHT - BOTTOM + 16, f"{value:g}", anchor="middle"))
    for (name, curve), colour, dash in zip(curves.items(), COLOURS, DASHES, strict=False):
        step = max(1, len(curve) // points)
        numbers = [*range(0, len(curve), step), len(curve) - 1]
        path = "L".join(f"{_x(number + 1, count):.1f} {_y(curve[number], top):.1f}" for number in numbers)
        lines.append(f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>')
        lines.append(_text(WIDTH - RIGHT + 6, _y(curve[-1], top) + 4, name, fill=colour))
    return "\n".join([*lines, "</svg>", ""])


def _x(number: float, count: int) -> float:
    return LEFT + number / count * (WIDTH - LEFT - RIGHT)


def _y(value: float, top: float) -> float:
    return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)


def _ticks(top: float) -> list[float]:
    """Four to ten round numbers from 0 up to `top`."""
    step = 10.0 ** floor(log10(top))
    step = next(part for part in (step, step / 2, step / 4, step / 5, step / 10) if top / part >= 4)
    return [round(number * step, 10) for number in range(int(top / step) + 1)]


def _text(x: float, y: float, words: str, anchor: str = "start", size: int = 12, fill: str = "#222222") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{fill}">{escape(words)}</text>'
    )
