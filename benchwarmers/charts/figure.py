"""A picture as a page shows it: its title, what one sees in a sentence, the drawing, what its colours mean, and the
table behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from benchwarmers.charts.marks import Drawing, Key, draw_picture
from benchwarmers.charts.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """`name` is its anchor and begins its ids. `says` tells what one sees, `how` how to read it. Without rows it shows
    `empty` instead."""

    name: str
    title: str
    how: str
    table: Table
    says: str = ""
    svg: SafeString | str = ""
    legend: Sequence[Key] = ()
    empty: str = ""


def show(figure: Figure, wide: Drawing, narrow: Drawing) -> Figure:
    """The figure with its drawings."""
    return replace(figure, svg=draw_picture(figure.name, figure.title, figure.says, wide, narrow))
