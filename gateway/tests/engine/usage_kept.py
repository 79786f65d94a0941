"""The sums of usage must be those of the ledger's rows, on any database."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext, override_settings
from django.utils import timezone

from collections_app.models import Team
from gateway.canon.event import Usage
from gateway.canon.kinds import CallStatus
from gateway.engine.batch import write_records
from gateway.engine.batch_usage import COUNTS, day_of
from gateway.engine.records import CallMade
from gateway.engine.usage_shares import BY, fold_usage, folded_days
from gateway.engine.usage_store import calls_of, rebuild_usage, row_key
from gateway.models import Call, UsageDay, UsageShare
from gateway.tests.engine.written import AT, Rows, call, opened

Sums = dict[tuple[Any, ...], list[float]]


def kept() -> Sums:
    return {row_key(row): [getattr(row, name) for name in COUNTS] for row in UsageDay.objects.all()}


def alike(one: Sums, other: Sums) -> None:
    assert one.keys() == other.keys()
    for key, numbers in one.items():
        assert numbers == pytest.approx(other[key]), key


def any_calls(rows: Rows, count: int, seed: int) -> list[CallMade]:
    """Calls of a week, by several callers; some fail, some tell no tokens."""
    rng, team = Random(seed), Team.objects.get_or_create(name="reviewers")[0]
    made = []
    for _ in range(count):
        shares = [rng.randint(0, 900) for _ in range(5)]
        usage = Usage(shares[0] + shares[1] + shares[2], shares[3] + shares[4], shares[1], shares[2], shares[4])
        mine = rng.random() < 0.5
        facts: dict[str, Any] = {
            "at": AT + timedelta(seconds=rng.randint(0, 7 * 86_400), microseconds=rng.randint(0, 999_999)),
            "owner_id": rows.alice.pk if mine else None,
            "key_id": rows.key.pk if mine else None,
            "team_id": team.pk if mine and rng.random() < 0.5 else None,
            "caller": "ci" if mine else "local",
            "collection_name": rng.choice(["core", ""]),
            "purpose": rng.choice(["", "route", "shadow"]),
            "status": rng.choice(list(CallStatus)),
            "attempts": rng.randint(0, 3),
            "usage": rng.choice([usage, None]),
            "cost": rng.choice([None, 0, rng.randint(1, 10**13)]),
            "requests": rng.randint(0, 1),
            "seconds": rng.random() * 30,
        }
        made.append(call(rows, rng.randint(1, 3), **facts))
    return made


def a_day_s_usage_is_summed_by_who_asked_and_who_answered(rows: Rows) -> None:
    write_records([call(rows, cost=5_000, requests=1), call(rows, usage=None, status="error", attempts=3, seconds=2.0)])
    write_records([call(rows, cost=7_000), call(rows, 2), call(rows, owner_id=None, key_id=None, caller="local")])
    by_alice = UsageDay.objects.get(alias="m1", caller="ci")
    assert (by_alice.day, by_alice.owner_id, by_alice.key_id) == (date(2026, 11, 29), rows.alice.pk, rows.key.pk)
    assert [getattr(by_alice, name) for name in COUNTS] == [1, 3, 5, 1, 1, 14, 6, 4, 2, 2, 12_000, 5.0]
    assert UsageDay.objects.count() == 3
    assert UsageDay.objects.get(caller="local").owner_id == 0


def only_what_neither_worked_nor_was_left_by_its_caller_failed(rows: Rows) -> None:
    write_records([call(rows, purpose=status, status=status) for status in CallStatus])
    failed = set(UsageDay.objects.filter(failed=1).values_list("purpose", flat=True))
    assert failed == {"empty", "error", "timeout", "refused"}


def a_day_is_one_of_the_server_s_time_zone(rows: Rows) -> None:
    late = datetime(2026, 11, 29, 23, 30, tzinfo=UTC)
    with override_settings(TIME_ZONE="Asia/Tokyo"):
        write_records([call(rows, at=late), call(rows, at=late - timedelta(hours=9))])
        assert set(UsageDay.objects.values_list("day", "calls")) == {(date(2026, 11, 30), 1), (date(2026, 11, 29), 1)}
        assert calls_of(date(2026, 11, 30)).get().at == late
        incremental = kept()
        assert rebuild_usage() == 2
        alike(kept(), incremental)


def the_sums_of_a_refused_batch_are_not_kept(rows: Rows) -> None:
    with pytest.raises(DatabaseError):
        write_records([call(rows), opened(rows), opened(rows)])
    assert not UsageDay.objects.exists()


def what_was_summed_as_it_came_is_what_is_made_anew(rows: Rows) -> None:
    made = any_calls(rows, 300, seed=3)
    for start in range(0, len(made), 37):
        write_records([*made[start : start + 37]])
    incremental = kept()
    assert sum(numbers[COUNTS.index("calls")] for numbers in incremental.values()) == 300
    assert len({key[0] for key in incremental}) == 8
    call_command("rebuild_usage", verbosity=0)
    alike(kept(), incremental)
    UsageDay.objects.filter(day__gt=AT.date()).delete()
    UsageDay.objects.update(calls=1, tokens_in=0)
    call_command("rebuild_usage", verbosity=0)
    alike(kept(), incremental)


def sums_of_days_that_the_ledger_no_longer_holds_are_not_lowered(rows: Rows) -> None:
    write_records([*any_calls(rows, 200, seed=4)])
    incremental = kept()
    # A retention that was broken off: two days are gone, and a part of the third.
    left = AT + timedelta(days=2, hours=3)
    Call.objects.filter(at__lt=left).delete()
    assert rebuild_usage() == 6
    alike(kept(), incremental)
    Call.objects.all().delete()
    assert rebuild_usage() == 0
    alike(kept(), incremental)


def what_a_deleted_key_used_is_counted_once_when_it_is_made_anew(rows: Rows) -> None:
    write_records([call(rows, cost=5_000, requests=1), call(rows, 2), call(rows, owner_id=None, key_id=None)])
    rows.key.delete()
    for _ in range(2):
        rebuild_usage()
        assert sum(UsageDay.objects.values_list("calls", flat=True)) == 3


def many_calls_take_one_statement(rows: Rows) -> None:
    with CaptureQueriesContext(connection) as queries:
        write_records([*any_calls(rows, 500, seed=5)])
    assert len([one for one in queries if UsageDay._meta.db_table in one["sql"]]) == 1


def a_nul_in_a_name_is_no_reason_to_lose_a_sum(rows: Rows) -> None:
    write_records([call(rows, caller="a\0b"), call(rows, caller="a\ufffdb")])
    assert UsageDay.objects.get().calls == 2


def days_that_are_over_have_shares_that_come_to_their_sums(rows: Rows) -> None:
    write_records([*any_calls(rows, 300, seed=6)])
    days = sorted({key[0] for key in kept()})
    assert fold_usage(days[-1] + timedelta(days=1)) == len(days) - 1
    assert fold_usage(days[-1] + timedelta(days=1)) == 0
    assert folded_days(days[0], days[-1]) == set(days[:-1])
    for by in ("", *BY):
        found = UsageShare.objects.filter(by=by, day=days[1])
        sums = [sum(column) for column in zip(*found.values_list(*COUNTS), strict=True)]
        whole = zip(*UsageDay.objects.filter(day=days[1]).values_list(*COUNTS), strict=True)
        assert sums == pytest.approx([sum(column) for column in whole])
    models = UsageShare.objects.filter(by="alias", day=days[1]).values_list("value", flat=True)
    assert set(models) == set(UsageDay.objects.filter(day=days[1]).values_list("alias", flat=True))


def who_writes_a_sum_of_a_day_that_is_over_removes_its_shares(rows: Rows) -> None:
    today = timezone.localdate()
    long_ago = [timezone.now() - timedelta(days=number) for number in (9, 8, 7)]
    days = [day_of(at) for at in long_ago]
    write_records([call(rows, at=at) for at in long_ago])
    rebuild_usage()
    assert folded_days(days[0], today) == set(days)
    write_records([call(rows, at=long_ago[1])])
    assert folded_days(days[0], today) == {days[0], days[2]}
    fold_usage(today)
    assert UsageShare.objects.get(day=days[1], by="").calls == 2
    write_records([call(rows, at=timezone.now())])
    rebuild_usage()
    assert folded_days(days[0], today) == set(days)


CHECKS: list[Callable[[Rows], None]] = [
    days_that_are_over_have_shares_that_come_to_their_sums,
    who_writes_a_sum_of_a_day_that_is_over_removes_its_shares,
    a_day_s_usage_is_summed_by_who_asked_and_who_answered,
    only_what_neither_worked_nor_was_left_by_its_caller_failed,
    a_day_is_one_of_the_server_s_time_zone,
    the_sums_of_a_refused_batch_are_not_kept,
    what_was_summed_as_it_came_is_what_is_made_anew,
    sums_of_days_that_the_ledger_no_longer_holds_are_not_lowered,
    what_a_deleted_key_used_is_counted_once_when_it_is_made_anew,
    many_calls_take_one_statement,
    a_nul_in_a_name_is_no_reason_to_lose_a_sum,
]
