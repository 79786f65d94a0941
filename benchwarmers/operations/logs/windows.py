"""Lists of any length, searched a window at a time: the newest first, by an index, with words looked for in so many
rows and no more. What lies beyond is found by going on from there. Reads only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Generic, TypeVar

from django.db.models import Model, Q, QuerySet

from benchwarmers.dashboard.paging import read_cursor

WITHIN: Final = 2_000
"""How many rows one look searches for words."""

Row = TypeVar("Row", bound=Model)
Thing = TypeVar("Thing")
Key = tuple[Any, ...]
"""Where a row stands: its time and its id, or its id alone."""


@dataclass(frozen=True, slots=True)
class Part(Generic[Row]):
    """Rows with their places, newest first. What stands below `horizon` was not looked at; None: nothing does."""

    rows: Sequence[tuple[Key, Row]]
    horizon: Key | None


@dataclass(frozen=True, slots=True)
class Look(Generic[Thing]):
    """One page of a list. `further` is the cursor from which to go on, empty at the end."""

    rows: Sequence[Thing]
    further: str


def look(found: QuerySet[Row], moment: str, before: str, fits: Q | None, size: int) -> Part[Row]:
    """What of `found` passes `fits` (None: everything) from the cursor `before` on, by the time in the field `moment`,
    or by the id alone where that is empty. A cursor that cannot be read is none."""
    fields = (moment, "pk") if moment else ("pk",)
    rows = found.order_by(*(f"-{name}" for name in fields))
    if (at := _place(before, found.model, timed=bool(moment))) is not None:
        rows = rows.filter(pk__lt=at[0]) if not moment else _older(rows, moment, at)
    edge: Key | None = None
    if fits is not None:
        if last := list(rows.values_list(*fields)[WITHIN - 1 : WITHIN]):
            edge = tuple(last[0])
            rows = rows.filter(**{f"{fields[0]}__gte": edge[0]})
        rows = rows.filter(fits)
    placed = [(tuple(getattr(row, name) for name in fields), row) for row in rows[: size + 1]]
    return Part(placed, placed[-1][0] if len(placed) > size else edge)


def join(parts: Sequence[Part[Any]], size: int) -> Look[Any]:
    """Lists laid into one by time. What one of them has not looked at yet waits for the next page, so that nothing is
    left out and nothing shown twice."""
    horizon = max((part.horizon for part in parts if part.horizon is not None), default=None)
    placed = sorted((one for part in parts for one in part.rows), key=lambda one: one[0], reverse=True)
    if horizon is not None:
        placed = [one for one in placed if one[0] >= horizon]
    shown = placed[:size]
    last = shown[-1][0] if len(placed) > size else horizon
    return Look([row for _, row in shown], "" if last is None else _write(last))


def walk(load: Callable[[str], Look[Any]]) -> Iterator[Sequence[Any]]:
    """All pages of a list, each loaded from where the last ended."""
    cursor = ""
    while True:
        page = load(cursor)
        if page.rows:
            yield page.rows
        if not (cursor := page.further):
            return


def _older(rows: QuerySet[Row], moment: str, at: Key) -> QuerySet[Row]:
    beyond = Q(**{f"{moment}__lt": at[0]}) | Q(**{moment: at[0], "pk__lt": at[1]})
    return rows.filter(beyond, **{f"{moment}__lte": at[0]})  # the latter is what an index can begin at


def _write(place: Key) -> str:
    return "~".join(part.isoformat() if isinstance(part, datetime) else str(part) for part in place)


def _place(text: str, model: type[Model], *, timed: bool) -> Key | None:
    """A cursor as a place in this list."""
    if not timed:
        return (int(text),) if text.isdecimal() and len(text) < 19 else None
    if (read := read_cursor(text)) is None:
        return None
    at, key = read
    if model._meta.pk.get_internal_type().endswith("AutoField"):
        return (at, int(key)) if key.isdecimal() and len(key) < 19 else None
    return at, key
