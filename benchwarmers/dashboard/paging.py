"""What a list is narrowed to and where in it one stands, as an address says it.

Lists are paged by key: the time and id of the last row, not a page number. So a page costs the same at any depth and no
row is shown twice when new ones arrive.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from django.core.exceptions import ValidationError
from django.db.models import Model, Q, QuerySet
from django.http import QueryDict

from gateway.models import Panel

PAGE = 40
STATES = tuple(state for state, _ in Panel.STATES)

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Filters:
    """What the list is narrowed to; empty strings do not narrow. `before` and `after` are cursors into the list."""

    collection: str = ""
    state: str = ""
    text: str = ""
    before: str = ""
    after: str = ""

    @classmethod
    def read(cls, query: QueryDict, states: Sequence[str] = STATES) -> Filters:
        """From the address; a state that this list does not know does not narrow."""
        state = query.get("state", "")
        return cls(
            collection=query.get("collection", "")[:40],
            state=state if state in states else "",
            text=query.get("q", "").strip()[:200],
            before=query.get("before", "")[:90],
            after=query.get("after", "")[:90],
        )

    @property
    def narrows(self) -> bool:
        """True when some rows are left out."""
        return bool(self.collection or self.state or self.text)

    def address(self, before: str = "", after: str = "") -> str:
        """The query string of this list at another place."""
        pairs = {
            "collection": self.collection,
            "state": self.state,
            "q": self.text,
            "before": before,
            "after": after,
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    @property
    def here(self) -> str:
        """The query string of exactly this list."""
        return self.address(self.before, self.after)


@dataclass(frozen=True, slots=True)
class Page(Generic[Row]):
    """One page, newest first; `older` and `newer` are query strings, empty where the list ends."""

    rows: Sequence[Row]
    older: str
    newer: str


def _read_moment(text: str) -> datetime:
    """:raises ValueError: for what is no moment with its time zone."""
    when = datetime.fromisoformat(text)
    if when.tzinfo is None:
        raise ValueError(text)
    return when


def load_page(
    found: QuerySet[Row],
    moment: str,
    filters: Filters,
    size: int,
    *,
    rising: bool = False,
    read: Callable[[str], Any] = _read_moment,
) -> Page[Row]:
    """The page of `found` that the cursor names, by the time in the field `moment`, newest first unless `rising`. A
    cursor that cannot be read is none. With another `read`, which raises ValueError, the field may hold anything that
    has an order and is never null."""
    up, down = (moment, "pk"), (f"-{moment}", "-pk")
    after, before = (_place(found, read_cursor(text, read)) for text in (filters.after, filters.before))
    if after is not None:
        shown = found.filter(_beyond(moment, "lt" if rising else "gt", after)).order_by(*(down if rising else up))
    else:
        shown = found.filter(_beyond(moment, "gt" if rising else "lt", before)) if before is not None else found
        shown = shown.order_by(*(up if rising else down))
    rows = list(shown[: size + 1])
    more, rows = len(rows) > size, rows[:size]
    if after is not None:
        rows.reverse()
        if not more:  # the head of the list was reached: show a full page from there
            return load_page(found, moment, replace(filters, after="", before=""), size, rising=rising, read=read)
    return Page(
        rows=rows,
        older=filters.address(before=write_cursor(rows[-1], moment)) if rows and (more or after) else "",
        newer=filters.address(after=write_cursor(rows[0], moment)) if rows and (before or after) else "",
    )


def write_cursor(row: Model, moment: str) -> str:
    """The place of a row in the list, as text for an address."""
    at = getattr(row, moment)
    return f"{at.isoformat() if isinstance(at, datetime) else at}~{row.pk}"


def read_cursor(text: str, read: Callable[[str], Any] = _read_moment) -> tuple[Any, str] | None:
    """The time, or what `read` makes of it, and the id in a cursor, or None."""
    at, _, key = text.rpartition("~")
    try:
        return (read(at), key) if key else None
    except ValueError:
        return None


def _place(found: QuerySet[Row], cursor: tuple[Any, str] | None) -> tuple[Any, Any] | None:
    """The cursor with its id as rows of this kind have it; None where none of them can have such an id."""
    if cursor is None:
        return None
    try:
        return cursor[0], found.model._meta.pk.to_python(cursor[1])
    except ValidationError:
        return None


def _beyond(moment: str, way: str, cursor: tuple[Any, Any]) -> Q:
    """The bound by time alone says no more than the rest, but it is what an index of the time begins at: databases find
    none in an OR and would walk from the head of the list."""
    at, key = cursor
    bound = Q(**{f"{moment}__{way}e": at})
    return bound & (Q(**{f"{moment}__{way}": at}) | Q(**{moment: at, f"pk__{way}": key}))
