"""What a list is narrowed to and where in it one stands, as an address says it.

Lists are paged by key: the time and id of the last row, not a page number. So a page costs the same at any depth and no
row is shown twice when new ones arrive.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, TypeVar
from urllib.parse import urlencode

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


def load_page(found: QuerySet[Row], moment: str, filters: Filters, size: int) -> Page[Row]:
    """The page of `found` that the cursor names, by the time in the field `moment`. A cursor that cannot be read is
    none."""
    after, before = read_cursor(filters.after), read_cursor(filters.before)
    if after is not None:
        shown = found.filter(_beyond(moment, "gt", after)).order_by(moment, "pk")
    else:
        shown = found.filter(_beyond(moment, "lt", before)) if before is not None else found
        shown = shown.order_by(f"-{moment}", "-pk")
    rows = list(shown[: size + 1])
    more, rows = len(rows) > size, rows[:size]
    if after is not None:
        rows.reverse()
        if not more:  # the head of the list was reached: show a full page from there
            return load_page(found, moment, replace(filters, after="", before=""), size)
    return Page(
        rows=rows,
        older=filters.address(before=write_cursor(rows[-1], moment)) if rows and (more or after) else "",
        newer=filters.address(after=write_cursor(rows[0], moment)) if rows and (before or after) else "",
    )


def write_cursor(row: Model, moment: str) -> str:
    """The place of a row in the list, as text for an address."""
    return f"{getattr(row, moment).isoformat()}~{row.pk}"


def read_cursor(text: str) -> tuple[datetime, str] | None:
    """The time and id in a cursor, or None."""
    at, _, key = text.partition("~")
    try:
        when = datetime.fromisoformat(at)
    except ValueError:
        return None
    return (when, key) if key and when.tzinfo is not None else None


def _beyond(moment: str, way: str, cursor: tuple[datetime, str]) -> Q:
    at, key = cursor
    return Q(**{f"{moment}__{way}": at}) | Q(**{moment: at, f"pk__{way}": key})
