"""A page of rows that are all at hand, with others beside it on the same page of the site. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Piece(Generic[Row]):
    """`first` to `last` of `total` rows, counted from 1; `before` and `after` are query strings, empty at the ends."""

    rows: Sequence[Row]
    total: int
    first: int
    last: int
    pages: int
    before: str
    after: str

    @property
    def where(self) -> slice:
        """The same rows of the whole."""
        return slice(self.first - 1, self.last)


def cut_piece(rows: Sequence[Row], page: int, size: int, address: Callable[[int], str]) -> Piece[Row]:
    """The page of so many rows; the last one where there are not so many. `address` leads to a page."""
    pages = max(1, -(-len(rows) // size))
    page = min(page, pages)
    begin = (page - 1) * size
    shown = rows[begin : begin + size]
    return Piece(
        rows=shown,
        total=len(rows),
        first=begin + 1,
        last=begin + len(shown),
        pages=pages,
        before=address(page - 1) if page > 1 else "",
        after=address(page + 1) if page < pages else "",
    )


def page_number(given: str, most: int = 10_000) -> int:
    """A number of a page as an address says it; 1 for what is none."""
    known = given.isascii() and given.isdigit() and int(given[:9]) > 0
    return min(int(given[:9]), most) if known else 1
