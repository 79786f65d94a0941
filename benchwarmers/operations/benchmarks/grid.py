"""How each model took each task, as a grid that is kept in few bytes and shown in pieces. Pure.

The grid of five hundred models and three hundred tasks is 150,000 cells, so a cell is a byte: nothing asked, no answer,
or the share from 0 to 100, once more with what is false in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _
from msgspec import Struct

from gateway.canon.kinds import TaskShape
from suite.heat_map import TONES, Cell, heat_map
from suite.results import Result

NOT_ASKED, NO_ANSWER, SHARES, FALSE = 0, 1, 2, 103
"""The first byte of each kind; shares are 101 bytes from SHARES on, with something false FALSE more."""
FAMILIES: Final = {
    TaskShape.FINDING: _("Findings"),
    TaskShape.CLAIM: _("Claims"),
    TaskShape.SEEDED: _("Planted changes"),
    TaskShape.REAL: _("Real bugs"),
    TaskShape.NEEDLE: _("Long context"),
}


class Line(Struct, frozen=True):
    """One task: its shape and a byte for each model of the grid."""

    task: str
    shape: TaskShape
    cells: bytes


class Square(Struct, frozen=True):
    """A cell as the page shows it. `kind` is a class name, `text` what stands in it."""

    kind: str
    text: str
    false: bool = False


class Grid(Struct, frozen=True):
    """`models` are the columns, the best first; `lines` the tasks by shape, in each the hardest last."""

    models: tuple[str, ...] = ()
    lines: tuple[Line, ...] = ()

    def of(self, models: Sequence[str]) -> Grid:
        """With these models alone, and with the tasks that one of them was asked."""
        places = [place for place, model in enumerate(self.models) if model in set(models)]
        if len(places) == len(self.models):
            return self
        lines = [Line(one.task, one.shape, bytes(one.cells[place] for place in places)) for one in self.lines]
        return Grid(tuple(self.models[place] for place in places), tuple(one for one in lines if any(one.cells)))


def make_grid(results: Iterable[Result]) -> Grid:
    """Of these results."""
    shown = heat_map(results)
    models = tuple(model for model, _ in shown.rows)
    lines = []
    place = 0
    for shape, tasks in shown.columns:
        family = []
        for task in tasks:
            cells = [row[place] for _, row in shown.rows]
            family.append(Line(task, shape, bytes(_byte(cell) for cell in cells)))
            place += 1
        lines += sorted(family, key=lambda one: (-_total(one.cells), one.task))
    return Grid(models, tuple(lines))


def square(byte: int) -> Square:
    """A byte of a line as it is shown."""
    if byte == NOT_ASKED:
        return Square("g-off", "")
    if byte == NO_ANSWER:
        return Square("g-no", "\u2013")
    false = byte >= SHARES + FALSE
    share = byte - SHARES - (FALSE if false else 0)
    return Square(f"g{min(share * len(TONES) // 100, len(TONES) - 1)}", str(share), false)


def _byte(cell: Cell) -> int:
    if cell.share is None:
        return NO_ANSWER if cell.why else NOT_ASKED
    return SHARES + round(100 * cell.share) + (FALSE if cell.wrong else 0)


def _total(cells: bytes) -> int:
    return sum((byte - SHARES) % FALSE for byte in cells if byte >= SHARES)
