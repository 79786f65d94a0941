"""Adds what calls used to what their keys have spent, by day and by month. Sync; a part of the recorder's one
transaction, so that the truth about a budget never differs from the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from django.db import connection
from django.db.backends.utils import CursorWrapper
from msgspec import Struct

from collections_app.budgets import PERIODS, UNITS, period_start
from gateway.engine.batch_usage import day_of
from gateway.engine.grant import Amounts
from gateway.engine.insert import Row, insert
from gateway.engine.records import CallMade
from gateway.models import KeySpend

_COLUMNS: Final = ("key_id", "unit", "period", "start", "spent")
_READ: Final = (
    f"SELECT unit, period, spent FROM {KeySpend._meta.db_table} WHERE key_id = %s"  # noqa: S608
    " AND ((period = 'day' AND start = %s) OR (period = 'month' AND start = %s))"
)
_ADDED: Final = "spent = {table}.spent + excluded.spent"


class Spent(Struct, frozen=True):
    """What a key has spent once a group of rows is in the database: in that `day` and in its month.

    `before` and `after` are sums over the month's three amounts. Writers of one key go one after the other, so these
    stretches never overlap, and put in order they tell whose news are still to come.
    """

    key_id: int
    day: date
    of_day: Amounts
    of_month: Amounts
    before: int

    @property
    def after(self) -> int:
        return total(self.of_month)


def write_spend(cursor: CursorWrapper, calls: Sequence[CallMade]) -> list[Spent]:
    """What is now spent by the keys of these calls for which something is reserved; the others are only written."""
    sums = sum_spend(calls)
    if not sums:
        return []
    # Sorted, so that two processes lock the rows in one order. That of requests comes first, were it for nothing.
    insert(cursor, KeySpend, _COLUMNS, _rows(sorted(sums.items())), on="key_id, unit, period, start", then=_ADDED)
    reserved = {call.key_id for call in calls if call.grant}
    # SQLite has one writer at a time, Postgres the locks just taken: nobody else moves these rows before the commit.
    found = (read_spent(key, day) for key, day in sorted(sums) if key in reserved)
    return [
        Spent(key, day, of_day, of_month, total(of_month) - total(sums[key, day]))
        for key, day, of_day, of_month in found
    ]


def read_spent(key_id: int, day: date) -> tuple[int, date, Amounts, Amounts]:
    """(key, day, spent that day, spent in its month). Sync."""
    found: dict[str, dict[str, int]] = {period: {} for period in PERIODS}
    with connection.cursor() as cursor:  # this is asked with each group of rows: the ORM takes as long as all the rest
        cursor.execute(_READ, (key_id, day.isoformat(), period_start("month", day).isoformat()))
        for unit, period, spent in cursor.fetchall():
            found[period][unit] = spent
    return key_id, day, Amounts(**found["day"]), Amounts(**found["month"])


def sum_spend(calls: Iterable[CallMade]) -> dict[tuple[int, date], Amounts]:
    """What these calls used, by key and day."""
    sums: dict[tuple[int, date], Amounts] = {}
    for call in calls:
        if call.key_id is not None:
            where = call.key_id, day_of(call.at)
            sums[where] = sums.get(where, Amounts()) + amounts_of(call)
    return sums


def amounts_of(call: CallMade) -> Amounts:
    """What a call used. Money that is not known counts nothing."""
    usage = call.usage
    return Amounts(call.requests, usage.input + usage.output if usage else 0, call.cost or 0)


def total(amounts: Amounts) -> int:
    return amounts.requests + amounts.tokens + amounts.money


def _rows(sums: Iterable[tuple[tuple[int, date], Amounts]]) -> Iterable[Row]:
    # SQLite keeps a date as its text, and Postgres takes that text for a date.
    for (key, day), amounts in sums:
        for period in PERIODS:
            start = period_start(period, day).isoformat()
            for unit in UNITS:
                spent = getattr(amounts, unit)
                if spent or unit == "requests":
                    yield key, unit, period, start, spent
