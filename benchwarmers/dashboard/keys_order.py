"""The orders of the list of keys, each paged by what it is sorted by and the id of the last row.

A key that was never used is older than any that was, and one that never expires comes after all that do.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import DateTimeField, F, QuerySet, Value
from django.db.models.functions import Coalesce

from benchwarmers.dashboard.paging import Filters, Page, load_page
from collections_app.models import GatewayKey

FIRST: Final = "-made"
LONG_AGO, NEVER = datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)


def _or(field: str, moment: datetime) -> Coalesce:
    return Coalesce(field, Value(moment, output_field=DateTimeField()))


COLUMNS: Final[dict[str, Any]] = {
    "made": F("created_at"),
    "name": F("name"),
    "owner": F("owner__username"),
    "used": _or("last_used_at", LONG_AGO),
    "expires": _or("expires_at", NEVER),
}
WORDS: Final = frozenset({"name", "owner"})
FALLING: Final = frozenset({"made", "used"})
"""Columns whose first click shows the newest first."""


def read_sort(text: str) -> str:
    """An order that is none is the usual one."""
    return text if text.removeprefix("-") in COLUMNS else FIRST


def turned(sort: str, column: str) -> str:
    """How a click on this column sorts a list that is sorted so."""
    first, other = (f"-{column}", column) if column in FALLING else (column, f"-{column}")
    return other if sort == first else first


def in_order(found: QuerySet[GatewayKey], sort: str) -> QuerySet[GatewayKey]:
    """All of them, sorted."""
    way = "-" if sort.startswith("-") else ""
    return found.alias(place=COLUMNS[sort.removeprefix("-")]).order_by(f"{way}place", f"{way}pk")


def load_sorted(found: QuerySet[GatewayKey], sort: str, filters: Filters, size: int) -> Page[GatewayKey]:
    """The page that the cursor names."""
    column, rising = sort.removeprefix("-"), not sort.startswith("-")
    placed = found.annotate(place=COLUMNS[column])
    if column in WORDS:
        return load_page(placed, "place", filters, size, rising=rising, read=str)
    return load_page(placed, "place", filters, size, rising=rising)
