"""What keys have spent, as it is kept with the ledger. Run over both databases by test_batch.py."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.db.models import Sum
from django.utils import timezone

from collections_app.models import GatewayKey
from gateway.canon.event import Usage
from gateway.engine.batch import write_records
from gateway.engine.batch_spend import Spent, read_spent
from gateway.engine.grant import Amounts
from gateway.engine.records import CallMade
from gateway.models import Call, KeySpend
from gateway.tests.engine.written import Rows, call

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
DAY = timezone.make_naive(NOON).date()
Kept = dict[tuple[str, str, date], int]


def kept(key: GatewayKey) -> Kept:
    """What the rows say, by unit, period and start."""
    return {(row.unit, row.period, row.start): row.spent for row in KeySpend.objects.filter(key=key)}


def of(rows: Rows, requests: int, tokens: int, cost: int | None, **facts: object) -> CallMade:
    usage = Usage(tokens, 0) if tokens % 2 else Usage(tokens // 2, tokens // 2)
    given: dict[str, Any] = {"at": NOON} | facts
    return call(rows, requests=requests, usage=usage, cost=cost, **given)


def what_calls_used_is_added_by_day_and_month(rows: Rows) -> None:
    write_records([of(rows, 1, 30, 500), of(rows, 0, 7, None), call(rows, at=NOON, usage=None, requests=1)])
    write_records([of(rows, 1, 10, 1, at=NOON + timedelta(days=1))])
    first, month = DAY, DAY.replace(day=1)
    assert kept(rows.key) == {
        ("requests", "day", first): 2,
        ("tokens", "day", first): 37,
        ("money", "day", first): 500,
        ("requests", "day", first + timedelta(days=1)): 1,
        ("tokens", "day", first + timedelta(days=1)): 10,
        ("money", "day", first + timedelta(days=1)): 1,
        ("requests", "month", month): 3,
        ("tokens", "month", month): 47,
        ("money", "month", month): 501,
    }
    ledger = Call.objects.filter(key=rows.key).aggregate(n=Sum("requests"), out=Sum("tokens_out"), paid=Sum("cost"))
    sent = Call.objects.filter(key=rows.key).aggregate(n=Sum("tokens_in"))["n"]
    assert (ledger["n"], sent + ledger["out"], ledger["paid"]) == (3, 47, 501)


def a_new_month_starts_from_nothing(rows: Rows) -> None:
    last = datetime(2026, 11, 30, 12, tzinfo=UTC)
    for at in (last, last + timedelta(days=1)):
        write_records([of(rows, 1, 4, 0, at=at)])
    assert read_spent(rows.key.pk, date(2026, 11, 30))[2:] == (Amounts(1, 4), Amounts(1, 4))
    assert read_spent(rows.key.pk, date(2026, 12, 1))[2:] == (Amounts(1, 4), Amounts(1, 4))
    assert read_spent(rows.key.pk, date(2026, 12, 2))[2:] == (Amounts(), Amounts(1, 4))


def a_call_without_a_key_spends_nothing(rows: Rows) -> None:
    assert write_records([of(rows, 1, 30, 500, key_id=None)]) == []
    assert KeySpend.objects.count() == 0


def what_is_reserved_hears_what_is_spent_and_in_which_order(rows: Rows) -> None:
    other = GatewayKey.objects.create(owner=rows.alice, name="other", digest="c" * 64)
    found = []
    for name, key in (("a/1", rows.key), ("", other), ("a/2", rows.key)):
        found += write_records([of(rows, 1, 10, 100, key_id=key.pk, grant=name)])
    one, two = Amounts(1, 10, 100), Amounts(2, 20, 200)
    assert found == [Spent(rows.key.pk, DAY, one, one, 0), Spent(rows.key.pk, DAY, two, two, 111)]
    assert found[0].after == found[1].before
    assert kept(other)["requests", "day", DAY] == 1


def two_days_in_one_group_are_told_apart(rows: Rows) -> None:
    calls = [of(rows, 1, 10, 0, grant="a/1", at=NOON + timedelta(days=days)) for days in (0, 1, 1)]
    first, second = write_records(list(calls))
    assert (first.day, first.of_day, first.of_month) == (DAY, Amounts(1, 10), Amounts(3, 30))
    assert (second.day, second.of_day, second.of_month) == (DAY + timedelta(days=1), Amounts(2, 20), Amounts(3, 30))


CHECKS: list[Callable[[Rows], None]] = [
    what_calls_used_is_added_by_day_and_month,
    a_new_month_starts_from_nothing,
    a_call_without_a_key_spends_nothing,
    what_is_reserved_hears_what_is_spent_and_in_which_order,
    two_days_in_one_group_are_told_apart,
]
