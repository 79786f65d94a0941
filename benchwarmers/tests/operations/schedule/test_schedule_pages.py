"""The page of the schedule: its mode, its rows, their times, and a job now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django_celery_beat.models import PeriodicTask, PeriodicTasks

from benchwarmers.tests.dashboard.conftest import as_person, world
from benchwarmers.tests.dashboard.test_usage import text_of
from collections_app.models import Change, Setting
from probes.models import Job, Slot
from probes.schedule import store
from probes.schedule.enqueue import enqueue_due

__all__ = ["as_person", "world"]
As = Callable[[str], Client]
PAGE = "/schedule/"


def mode() -> str:
    return Setting.load().scheduler


@pytest.mark.parametrize(("name", "status"), [("maya", 200), ("boss", 200), ("ben", 403), ("zoe", 403)])
def test_only_those_who_run_operations_see_the_schedule(as_person: As, name: str, status: int) -> None:
    assert as_person(name).get(PAGE).status_code == status


def test_every_job_is_told_with_its_times_its_last_and_its_next(as_person: As) -> None:
    now = timezone.now()
    store.note_skipped("catalog", now, "would run Catalog", now)
    told = text_of(as_person("maya"), PAGE)
    assert "The schedule is off" in told
    assert "Availability Asks every model one short question: one call a model. Daily at 05:00 UTC" in told
    assert "Monday at 07:00 UTC" in told
    assert "Last never" in told
    assert "skipped" in told
    assert "would run Catalog" in told


def test_rows_stand_in_the_order_in_which_they_are_due(as_person: As) -> None:
    PeriodicTask.objects.filter(args='["speed"]').update(enabled=False)
    entries = as_person("maya").get(PAGE).context["entries"]
    due = [entry.coming for entry in entries if entry.coming]
    assert due == sorted(due)
    assert [entry.kind for entry in entries if not entry.coming] == ["speed"] == [entries[-1].kind]


def test_to_run_is_confirmed_first_and_counts_from_then_on(as_person: As) -> None:
    client = as_person("maya")
    asked = client.post("/schedule/mode", {"mode": "run"})
    assert (asked.status_code, mode()) == (200, "off")
    assert "each job would be done twice" in asked.content.decode()
    done = client.post("/schedule/mode", {"mode": "run", "confirmed": "yes"}, follow=True)
    assert "The schedule is set to: run." in done.content.decode()
    assert mode() == "run"
    assert Slot.objects.count() == len(done.context["entries"])
    assert not Job.objects.exists()
    change = Change.objects.get(thing="settings", field="scheduler")
    assert (change.old, change.new, change.actor_name) == ("off", "run", "maya")


@pytest.mark.parametrize("wanted", ["log-only", "off"])
def test_other_modes_are_set_at_once(as_person: As, wanted: str) -> None:
    Setting.objects.update_or_create(id=1, defaults={"scheduler": "run"})
    as_person("maya").post("/schedule/mode", {"mode": wanted})
    assert mode() == wanted
    assert Slot.objects.exists() == (wanted != "off")


def test_a_mode_that_there_is_not_is_refused(as_person: As) -> None:
    answer = as_person("maya").post("/schedule/mode", {"mode": "always"})
    assert (answer.status_code, mode()) == (422, "off")
    assert "The schedule is one of off, log-only, run." in answer.content.decode()


def test_a_row_is_switched_off_and_on(as_person: As) -> None:
    client, row = as_person("maya"), PeriodicTask.objects.get(args='["catalog"]')
    assert "Catalog is off." in client.post("/schedule/catalog/switch", {"on": "no"}, follow=True).content.decode()
    row.refresh_from_db()
    assert not row.enabled
    client.post("/schedule/catalog/switch", {"on": "no"})
    client.post("/schedule/catalog/switch", {"on": "yes"})
    row.refresh_from_db()
    assert row.enabled
    told = list(Change.objects.filter(thing="schedule").order_by("id").values_list("name", "field", "old", "new"))
    assert told == [("catalog", "on", True, False), ("catalog", "on", False, True)]


def test_other_times_count_from_now_on_and_beat_hears_of_them(as_person: As) -> None:
    Setting.objects.update_or_create(id=1, defaults={"scheduler": "run"})
    now = timezone.now()
    enqueue_due(now - timedelta(days=2))
    before = PeriodicTasks.last_change()
    fields = {"hour": "3, 9", "minute": "30", "day_of_week": "mon", "day_of_month": "*", "month_of_year": "*"}
    answer = as_person("maya").post("/schedule/catalog/", fields, follow=True)
    assert "Catalog has its new times, from now on." in answer.content.decode()
    assert "Monday at 03:30 and 09:30" in answer.content.decode()
    row = PeriodicTask.objects.get(args='["catalog"]')
    assert (row.crontab.hour, row.crontab.day_of_week, str(row.crontab.timezone)) == ("3,9", "mon", "UTC")
    assert PeriodicTask.objects.get(args='["availability"]').crontab.hour == "5"
    assert PeriodicTasks.last_change() != before
    assert Slot.objects.get(kind="catalog").counted_to >= now
    told = set(Change.objects.filter(thing="schedule").values_list("field", flat=True))
    assert told == {"hour", "minute", "day_of_week"}


def test_times_that_cannot_be_read_are_refused_at_their_fields(as_person: As) -> None:
    fields = {"hour": "25", "minute": "*", "day_of_week": "*", "day_of_month": "*", "month_of_year": "*"}
    answer = as_person("maya").post("/schedule/catalog/", fields)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert 'aria-describedby="wrong-hour"' in html
    assert 'value="25"' in html
    assert "Hours are 0 to 23" in html
    assert PeriodicTask.objects.get(args='["catalog"]').crontab.hour == "6"


def test_a_job_runs_now_in_any_mode_and_only_once(as_person: As) -> None:
    client = as_person("maya")
    job = client.post("/schedule/catalog/run", follow=True).context["job"]
    assert (job.kind, job.key, job.state, job.by, job.slot) == ("catalog", "all", "queued", "maya", None)
    again = client.post("/schedule/catalog/run", follow=True).content.decode()
    assert "Catalog is waiting or running already." in again
    assert "See it run" in again
    assert Job.objects.count() == 1


@pytest.mark.parametrize("path", ["/schedule/nonsense/", "/schedule/nonsense/switch", "/schedule/nonsense/run"])
def test_what_the_schedule_has_not_is_not_there(as_person: As, path: str) -> None:
    assert as_person("maya").post(path).status_code == 404


def test_without_rows_the_page_says_how_to_add_one(as_person: As) -> None:
    PeriodicTask.objects.filter(task="probes.enqueue").delete()
    assert "Nothing is scheduled" in text_of(as_person("maya"), PAGE)


def test_a_row_without_times_says_so_and_can_be_given_some(as_person: As) -> None:
    PeriodicTask.objects.filter(args='["catalog"]').update(crontab=None)
    client = as_person("maya")
    assert "no times that can be read" in text_of(client, PAGE)
    fields = dict.fromkeys(("day_of_week", "day_of_month", "month_of_year"), "*") | {"hour": "6", "minute": "0"}
    client.post("/schedule/catalog/", fields)
    assert PeriodicTask.objects.get(args='["catalog"]').crontab.hour == "6"


def test_a_script_is_given_the_jobs_alone(as_person: As) -> None:
    answer = as_person("maya").get(PAGE, headers={"HX-Request": "true"}).content.decode()
    assert answer.startswith('<section id="schedule"')
