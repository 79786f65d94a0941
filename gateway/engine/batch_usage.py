"""Adds what calls used to the sums of their day, by who asked and who answered. Sync; a part of the recorder's one
transaction, so that the sums never differ from the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from gateway.canon.kinds import CallStatus
from gateway.engine.insert import Row, insert, storable
from gateway.engine.records import CallMade
from gateway.models import UsageDay, UsageShare
from gateway.models.usage import USAGE_KEY

COUNTS: Final = (
    *("requests", "calls", "attempts", "failed", "unpriced"),
    *("tokens_in", "tokens_out", "cached", "cache_write", "reasoning", "cost", "seconds"),
)
NOT_FAILED: Final = frozenset({CallStatus.OK, CallStatus.CANCELLED})
"""An empty answer is a failure; a caller who leaves is none of the model's."""
_ADDED: Final = ", ".join(f"{name} = {{table}}.{name} + excluded.{name}" for name in COUNTS)

Key = tuple[date, int, int, int, str, str, str, str, str]
"""The values of USAGE_KEY, in its order."""


def write_usage(cursor: CursorWrapper, calls: Sequence[CallMade]) -> None:
    """One statement for all of them, with one row for each use that is new or grows."""
    if not calls:
        return
    # Sorted, so that two processes lock the rows in one order.
    rows = sorted(sum_calls(calls).items())
    insert(cursor, UsageDay, (*USAGE_KEY, *COUNTS), _rows(rows), on=", ".join(USAGE_KEY), then=_ADDED)
    if rows[0][0][0] < timezone.localdate() - timedelta(days=1):
        UsageShare.objects.filter(day__in={key[0] for key, _ in rows}).delete()


def sum_calls(calls: Iterable[CallMade]) -> dict[Key, list[float]]:
    """The sums of these calls, in the order of COUNTS."""
    sums: dict[Key, list[float]] = {}
    for call in calls:
        key = (
            day_of(call.at),
            *(call.owner_id or 0, call.key_id or 0, call.team_id or 0),
            *(storable(call.caller), storable(call.collection_name), storable(call.alias)),
            *(storable(call.connection), call.purpose),
        )
        held = sums.get(key)
        if held is None:
            held = sums[key] = [0] * len(COUNTS)
        usage = call.usage
        tokens = (usage.input, usage.output, usage.cached, usage.cache_write, usage.reasoning) if usage else (0,) * 5
        failed, unpriced = call.status not in NOT_FAILED, call.cost is None
        for place, number in enumerate(
            (call.requests, 1, call.attempts, failed, unpriced, *tokens, call.cost or 0, call.seconds)
        ):
            held[place] += number
    return sums


def day_of(at: datetime) -> date:
    """The day in the server's time zone."""
    return at.astimezone(timezone.get_default_timezone()).date()


def _rows(sums: Iterable[tuple[Key, list[float]]]) -> Iterable[Row]:
    # SQLite keeps a date as its text, and Postgres takes that text for a date.
    return [(key[0].isoformat(), *key[1:], *numbers) for key, numbers in sums]
