"""A page of one part of the page of benchmarks: which rows, and where the others are. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from benchwarmers.dashboard.pieces import Piece, cut_piece
from benchwarmers.operations.benchmarks.filters import PARTS, BenchFilters

Row = TypeVar("Row")


def piece_of(rows: Sequence[Row], part: str, filters: BenchFilters) -> Piece[Row]:
    """The page of `part` that the address names; the last one where there are not so many."""
    return cut_piece(rows, filters.page_of(part), PARTS[part], lambda page: filters.at(part, page))
