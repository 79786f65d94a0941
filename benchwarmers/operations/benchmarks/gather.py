"""The figures of the page of benchmarks, each with its page of rows; and the same with all rows, for files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from benchwarmers.charts.figure import Figure
from benchwarmers.dashboard.pieces import Piece
from benchwarmers.operations.benchmarks.figures import hunts, outcomes, pace, trust, work, wrongs
from benchwarmers.operations.benchmarks.filters import BenchFilters
from benchwarmers.operations.benchmarks.health import load_probed, load_work
from benchwarmers.operations.benchmarks.pieces import piece_of
from suite.metrics import Sheet

Make = Callable[[Sequence[Any], slice], Figure]
SHEETS, WORK, PROBES = "sheets", "work", "probes"
MADE: Final[Mapping[str, tuple[str, Make, Callable[[Sequence[Any]], Sequence[Any]]]]] = {
    "trust": (SHEETS, trust.trust, trust.tellable),
    "hunt": (SHEETS, hunts.hunts, hunts.hunters),
    "work": (WORK, work.work, work.helpful),
    "wrong": (SHEETS, wrongs.wrongs, wrongs.tempted),
    "outcomes": (PROBES, outcomes.outcomes, outcomes.reliable),
    "pace": (SHEETS, pace.pace, pace.timed),
}
"""By part: what it is made of, what makes it, and which rows of that it tells of."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A figure with the page of rows it shows, and the address of all of them as a file."""

    figure: Figure
    piece: Piece[Any]
    file: str


def gather(sheets: Sequence[Sheet], filters: BenchFilters, now: datetime) -> dict[str, Shown]:
    """Every figure, by part. Two queries."""
    rows = _rows(sheets, filters, now, (WORK, PROBES))
    found = {}
    for part, (of, make, which) in MADE.items():
        piece = piece_of(which(rows[of]), part, filters)
        found[part] = Shown(make(rows[of], piece.where), piece, filters.file_of(part))
    return found


def file_of(part: str, sheets: Sequence[Sheet], filters: BenchFilters, now: datetime) -> str:
    """All rows of a figure as CSV. `part` is one of MADE."""
    of, make, _ = MADE[part]
    return make(_rows(sheets, filters, now, (of,))[of], slice(None)).table.file()


def _rows(
    sheets: Sequence[Sheet], filters: BenchFilters, now: datetime, wanted: Sequence[str]
) -> dict[str, Sequence[Any]]:
    rows: dict[str, Sequence[Any]] = {SHEETS: sheets}
    if WORK in wanted:
        rows[WORK] = fitting(load_work(retired=filters.retired), filters.text)
    if PROBES in wanted:
        rows[PROBES] = fitting(load_probed(now, retired=filters.retired), filters.text)
    return rows


def fitting(rows: Sequence[Any], text: str) -> list[Any]:
    """Those whose model's name holds the text."""
    return [one for one in rows if text.casefold() in one.model.casefold()]
