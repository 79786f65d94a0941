"""The table of all figures: its order, and the same as a file. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any, Final

from benchwarmers.charts.table import COUNT, NAME, SHARE, Column, Table
from benchwarmers.dashboard.files import harmless
from benchwarmers.operations.benchmarks.grid import Grid, square
from collections_app.budgets import NANO
from suite.metrics import Sheet

_VALUES: Final[dict[str, Callable[[Sheet], Any]]] = {
    "model": lambda one: one.model.casefold(),
    "answered": lambda one: one.tasks,
    "recall": lambda one: one.recall.share,
    "precision": lambda one: one.precision.share,
    "invention": lambda one: one.invention.share,
    "claims": lambda one: one.claims.share,
    "hunts": lambda one: one.hunt.score,
    "controls": lambda one: one.controls.share,
    "wrong": lambda one: one.wrongs.share,
    "cost": lambda one: one.cost_a_finding,
    "pace": lambda one: one.seconds_a_finding,
    "seconds": lambda one: one.seconds,
}
_SHARES: Final = ("recall", "precision", "invention", "claims", "controls", "wrongs")
_COUNTS: Final = ("found", "wrong_line", "missed", "clean", "false_alarm")


def sort_sheets(sheets: Sequence[Sheet], sort: str) -> list[Sheet]:
    """By a column; what is not known comes last either way."""
    value, falling = _VALUES[sort.removeprefix("-")], sort.startswith("-")
    known = sorted((one for one in sheets if value(one) is not None), key=lambda one: one.model.casefold())
    known.sort(key=lambda one: value(one), reverse=falling)
    return known + [one for one in sheets if value(one) is None]


def sheet_file(sheets: Sequence[Sheet]) -> str:
    """Every figure of these models as CSV, in their order; shares with their ranges."""
    columns = [
        Column("model", "", NAME),
        *(Column(name, "") for name in ("answered", "asked")),
        *(Column(name, "", SHARE) for name in _SHARES),
        *(Column(name, "") for name in _COUNTS),
        *(Column(name, "", COUNT) for name in ("hunt_score", "cost_a_finding_usd", "seconds_a_finding", "seconds")),
    ]
    return Table(columns, [_row(one) for one in sheets]).file()


def _row(one: Sheet) -> list[Any]:
    cost = None if one.cost_a_finding is None else one.cost_a_finding / NANO
    return [
        *(one.model, one.tasks, one.asked),
        *(getattr(one, name).interval for name in _SHARES),
        *(getattr(one.hunt, name) for name in _COUNTS),
        *(one.hunt.score, cost, one.seconds_a_finding, one.seconds),
    ]


def grid_file(grid: Grid) -> str:
    """The grid as CSV, a row a task and a column a model: the share found from 0 to 100, with a ! where something false
    was claimed; a dash where no answer came."""
    out = io.StringIO()
    write = csv.writer(out)
    write.writerow(["task", "family", *map(harmless, grid.models)])
    for one in grid.lines:
        cells = [square(byte) for byte in one.cells]
        told = [f"{cell.text}!" if cell.false else cell.text for cell in cells]
        write.writerow([harmless(one.task), str(one.shape), *told])
    return out.getvalue()
