"""What is too old is deleted by the schedule, and the sums of it stay."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django_celery_beat.models import PeriodicTask
from msgspec import structs

from benchwarmers.celery import app
from collections_app.actions.setting import do_save_settings
from collections_app.models import Change, Setting
from collections_app.refusal import Refused
from gateway.engine.batch import write_records
from gateway.engine.retention import Rule, delete_old, kept_from
from gateway.engine.retention_rules import rules_of_gateway
from gateway.engine.usage_store import rebuild_usage
from gateway.models import Call, Reading, UsageDay, UsageShare
from gateway.tests.engine.usage_kept import alike, kept
from gateway.tests.engine.written import call, make_rows
from probes import tasks
from probes.models import Job

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def fill(days: int) -> None:
    """A call, a change and a reading on each of the last days, the newest an hour ago."""
    rows = make_rows()
    for day in range(days):
        at = NOW - timedelta(days=day, hours=1)
        write_records([call(rows, at=at)])
        Change.objects.filter(pk=Change.objects.create(actor_name="x", thing="x", name="x").pk).update(at=at)
        Reading.objects.filter(pk=Reading.objects.create(reader_name="x", thing="panel", name="x").pk).update(at=at)


def delete(chunk: int = 2_000) -> dict[str, int]:
    """What is too old by the settings, so many rows a transaction."""
    rules = [structs.replace(rule, chunk=chunk) for rule in rules_of_gateway(Setting.load(), NOW)]
    return {thing: count for thing, count in delete_old(rules, rest=without_rest).items() if count}


def without_rest(seconds: float) -> None:
    """Nobody else writes."""


def test_the_schedule_has_it_every_night_of_the_server() -> None:
    row = PeriodicTask.objects.get(task=tasks.delete_old.name)
    assert row.task in app.tasks
    assert (row.enabled, row.queue) == (True, "long")
    assert (row.crontab.hour, str(row.crontab.timezone)) == ("3", settings.TIME_ZONE)


def test_nothing_is_deleted_unless_the_settings_say_so() -> None:
    fill(40)
    assert delete() == {}
    assert (Call.objects.count(), Change.objects.count(), Reading.objects.count()) == (40, 40, 40)


def test_the_nightly_task_asks_for_the_job_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "timezone", SimpleNamespace(now=lambda: NOW))
    fill(4)
    assert tasks.delete_old()
    assert not tasks.delete_old()
    assert Job.objects.get().kind == "retention"
    assert UsageShare.objects.filter(by="").count() == 2  # of today and yesterday the sums may still grow


def test_what_is_older_than_the_settings_say_goes_and_the_sums_stay() -> None:
    fill(50)
    do_save_settings(actor=None, ledger_days=32, log_days=10)
    sums = kept()
    assert delete(chunk=3) == {"ledger": 17, "change log": 39, "readings": 39}
    assert set(Call.objects.values_list("at", flat=True)) == {NOW - timedelta(days=n, hours=1) for n in range(33)}
    assert Reading.objects.count() == 11
    rebuild_usage()
    alike(kept(), sums)
    assert UsageDay.objects.count() == 50
    told = Change.objects.filter(thing="retention").values_list("name", "field", "old", "actor_name")
    assert set(told) == {
        (name, "rows", count, "retention") for name, count in (("ledger", 17), ("change log", 39), ("readings", 39))
    }
    assert delete() == {}


def test_batches_are_small_begin_where_the_last_one_ended_and_a_run_that_is_broken_off_is_continued() -> None:
    fill(10)
    rule = Rule("ledger", Call.objects.filter(at__lt=NOW - timedelta(days=3)), chunk=2)
    heard: list[tuple[int, int]] = []

    def between(done: int, of: int) -> None:
        heard.append((done, of))
        if done == 4:
            raise KeyboardInterrupt

    with CaptureQueriesContext(connection) as caught, pytest.raises(KeyboardInterrupt):
        delete_old([rule], between, without_rest)
    assert heard == [(2, 7), (4, 7)]
    looked = [one["sql"] for one in caught if one["sql"].startswith("SELECT") and "ORDER BY" in one["sql"]]
    assert [">=" in sql for sql in looked] == [False, True]
    assert Change.objects.get(thing="retention").old == 4
    assert delete_old([rule], lambda done, of: heard.append((done, of)), without_rest) == {"ledger": 3}
    assert heard[2:] == [(2, 3), (3, 3)]
    assert Call.objects.count() == 3


def test_rows_of_one_moment_are_neither_passed_over_nor_deleted_twice() -> None:
    rows = make_rows()
    write_records([call(rows, at=NOW) for _ in range(7)])
    assert delete_old([Rule("ledger", Call.objects.all(), chunk=2)], rest=without_rest) == {"ledger": 7}


def test_whole_days_of_the_server_s_time_zone_are_kept() -> None:
    with override_settings(TIME_ZONE="Asia/Tokyo"):
        assert kept_from(datetime(2026, 11, 29, 16, 0, tzinfo=UTC), 32) == datetime(2026, 10, 28, 15, 0, tzinfo=UTC)
    with override_settings(TIME_ZONE="UTC"):
        assert kept_from(NOW, 1) == datetime(2026, 11, 28, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("ledger_days", 0, True),
        ("ledger_days", 32, True),
        ("ledger_days", 31, False),
        ("ledger_days", 40_000, False),
        ("work_days", 7, True),
        ("work_days", 6, False),
        ("sample_days", 62, True),
        ("sample_days", 61, False),
        ("log_days", 1, True),
        ("log_days", -1, False),
        ("log_days", True, False),
    ],
)
def test_how_long_rows_are_kept_is_a_setting_with_bounds(name: str, value: Any, fits: bool) -> None:
    if fits:
        assert getattr(do_save_settings(actor=None, **{name: value}), name) == value
    else:
        with pytest.raises(Refused, match=name):
            do_save_settings(actor=None, **{name: value})
