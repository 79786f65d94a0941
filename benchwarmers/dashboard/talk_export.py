"""The list of conversations as CSV: every one that fits, read in pieces by time and id. Reads only."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import parse_qs

from django.contrib.auth.models import User

from benchwarmers.dashboard.conversations import ConversationRow, load_rows
from benchwarmers.dashboard.files import harmless
from benchwarmers.dashboard.paging import load_page
from benchwarmers.dashboard.talk_filters import TalkFilters
from benchwarmers.sight import visible_conversations

PIECE: Final = 500
MOST: Final = 20_000
"""Rows of one file."""
COLUMNS: Final = (
    *("id", "collection", "format", "asked_by", "key", "first_message", "started", "last_turn", "turns", "failed"),
    *("left", "failovers", "tool_calls", "tokens_in", "tokens_out", "members", "shadows"),
)


def write_talks(person: User, filters: TalkFilters, now: datetime) -> Iterator[bytes]:
    """The file in pieces, in the order of the list. Sync."""
    found = filters.narrow(visible_conversations(person), now).select_related("owner", "key")
    filters, more, told = replace(filters, before="", after=""), True, 0
    yield _lines([COLUMNS])
    while more and told < MOST:
        page = load_page(found, "last_at", filters, PIECE, rising=filters.rising)
        yield _lines([_cells(row) for row in load_rows(page.rows)])
        told += len(page.rows)
        older = parse_qs(page.older.removeprefix("?")).get("before", [""])[0]
        filters, more = replace(filters, before=older), bool(older) and len(page.rows) == PIECE


def _cells(row: ConversationRow) -> tuple[Any, ...]:
    talk, sums = row.conversation, row.sums
    return (
        *(talk.pk, talk.collection_name, talk.protocol, talk.owner.get_username() if talk.owner else talk.caller),
        *(talk.key.name if talk.key else "", talk.task, talk.started_at.isoformat(), talk.last_at.isoformat()),
        *(sums.turns, sums.failed, sums.left, sums.failovers, sums.tool_calls, sums.tokens_in, sums.tokens_out),
        *(" ".join(share.alias for share in row.members), row.shadows),
    )


def _lines(rows: list[tuple[Any, ...]]) -> bytes:
    out = io.StringIO()
    csv.writer(out).writerows([harmless(cell) for cell in row] for row in rows)
    return out.getvalue().encode()
