"""Exports of the ledger and of the table: rows as CSV or as JSON lines. Reads only.

The ledger goes out in pieces, read by the time and id of the last row: memory stays the same however much there is,
and no database holds a cursor open while a slow reader takes it.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from benchwarmers.dashboard.files import harmless
from benchwarmers.dashboard.usage_filters import COLUMNS, IDS, UsageFilters
from benchwarmers.dashboard.usage_sums import Group
from benchwarmers.sight import visible_calls
from collections_app.budgets import NANO
from gateway.engine.usage_store import bounds_of
from gateway.models import Call

PIECE: Final = 1_000
_PLAIN: Final = {
    "at": "at",
    "request": "request",
    "requests": "requests",
    "person": "owner__username",
    "key": "key__name",
    "team": "team__name",
    "caller": "caller",
    "collection": "collection_name",
    "model": "alias",
    "served": "served",
    "connection": "connection",
    "endpoint": "endpoint_name",
    "purpose": "purpose",
    "seat": "seat",
    "status": "status",
    "failure": "failure",
    "upstream_status": "upstream_status",
    "attempts": "attempts",
    "tokens_in": "tokens_in",
    "tokens_out": "tokens_out",
    "cached": "cached",
    "cache_write": "cache_write",
    "reasoning": "reasoning",
    "cost_usd": "cost",
    "seconds": "seconds",
    "first_token_s": "first_token_s",
    "swapped": "swapped",
}
LEDGER_COLUMNS: Final = tuple(_PLAIN)
TABLE_COLUMNS: Final = (
    *("name", "requests", "calls", "failed", "tokens_in", "tokens_out", "cached", "cache_write", "reasoning"),
    *("cost_usd", "unpriced"),
)


def narrow_calls(person: User, filters: UsageFilters) -> QuerySet[Call]:
    """The ledger's rows behind the page: what this person may see of its days, narrowed as it is."""
    begins, ends = bounds_of(filters.first)[0], bounds_of(filters.last)[1]
    wanted = {
        COLUMNS[name]: (None if value == "-" else int(value)) if name in IDS else ("" if value == "-" else value)
        for name, value in filters.only.items()
    }
    gone = {f"{column}__isnull": True for column, value in wanted.items() if value is None}
    told = {column: value for column, value in wanted.items() if value is not None}
    return visible_calls(person).filter(at__gte=begins, at__lt=ends, **told, **gone)


async def stream_calls(found: QuerySet[Call], form: str) -> AsyncIterator[bytes]:
    """The rows in the order of their time, in pieces."""
    write = LineWriter(form, LEDGER_COLUMNS)
    yield write.head()
    last: Mapping[str, Any] | None = None
    while piece := await sync_to_async(_load_piece)(found, last):
        yield write.rows(map(_tell, piece))
        last = piece[-1]


def write_table(groups: Sequence[Group], form: str) -> bytes:
    """Every line of the table, sorted as on the page."""
    write = LineWriter(form, TABLE_COLUMNS)
    return write.head() + write.rows(map(_tell_group, groups))


class LineWriter:
    """Rows as the bytes of one format."""

    def __init__(self, form: str, columns: Sequence[str]) -> None:
        self._columns = columns
        self._write: Callable[[Iterable[Mapping[str, Any]]], str] = self._csv if form == "csv" else _json_lines
        self._head = ",".join(columns) + "\r\n" if form == "csv" else ""

    def head(self) -> bytes:
        """The first line, where the format has one."""
        return self._head.encode()

    def rows(self, rows: Iterable[Mapping[str, Any]]) -> bytes:
        """These rows."""
        return self._write(rows).encode()

    def _csv(self, rows: Iterable[Mapping[str, Any]]) -> str:
        out = io.StringIO()
        csv.writer(out).writerows([harmless(row[name]) for name in self._columns] for row in rows)
        return out.getvalue()


def dollars(nano: int | None) -> str | None:
    """Nano-dollars as dollars, every digit of them."""
    return None if nano is None else f"{Decimal(nano) / NANO:.9f}"


def _json_lines(rows: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _load_piece(found: QuerySet[Call], last: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    if last is not None:
        found = found.filter(Q(at__gt=last["at"]) | Q(at=last["at"], pk__gt=last["pk"]), at__gte=last["at"])
    return list(found.order_by("at", "pk").values("pk", *_PLAIN.values())[:PIECE])


def _tell(row: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: row[column] for name, column in _PLAIN.items()}
    return told | {"at": timezone.localtime(row["at"]).isoformat(), "cost_usd": dollars(row["cost"])}


def _tell_group(group: Group) -> dict[str, Any]:
    own = {"name": group.name, "cost_usd": dollars(group.sums.cost)}
    return {name: own[name] if name in own else getattr(group.sums, name) for name in TABLE_COLUMNS}
