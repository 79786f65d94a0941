"""What the schedule asks for, by mode, and what it leaves alone."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from django_celery_beat.models import CrontabSchedule, PeriodicTask

from collections_app.actions.setting import do_save_settings
from gateway.canon.kinds import JobState
from probes.jobs.store import claim, end, enqueue
from probes.models import Job, JobLine, Slot
from probes.schedule import store
from probes.schedule.enqueue import enqueue_due
from probes.schedule.rows import TASK, planned
from probes.tests.jobs.given import Clock, do_nothing, known

pytestmark = pytest.mark.django_db
FOUR = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)  # a Monday


@pytest.fixture(autouse=True)
def schedule() -> None:
    """Empty: those that come with the installation are not there."""
    PeriodicTask.objects.filter(task=TASK).delete()


@pytest.fixture
def clock() -> Clock:
    return Clock(FOUR)


def add_row(kind: str, hour: str = "5", **more: object) -> PeriodicTask:
    crontab = CrontabSchedule.objects.create(minute="0", hour=hour, timezone="UTC")
    given = {"name": kind.title(), "task": TASK, "args": json.dumps([kind]), "crontab": crontab}
    return PeriodicTask.objects.create(**(given | more))


def turn(mode: str) -> None:
    do_save_settings(actor=None, scheduler=mode)


def told() -> list[tuple[str, str, str]]:
    return list(Job.objects.order_by("id").values_list("kind", "state", "note"))


def tick(now: datetime, kind: str = "") -> int:
    with known(work=do_nothing, other=do_nothing):
        return len(enqueue_due(now, kind))


def test_a_fresh_installation_asks_for_nothing_and_counts_nothing(clock: Clock) -> None:
    add_row("work")
    for _ in range(4):
        assert tick(clock.pass_by(days=1)) == 0
    assert not Job.objects.exists()
    assert not Slot.objects.exists()


def test_at_first_sight_the_time_is_noted_and_nothing_runs(clock: Clock) -> None:
    add_row("work")
    turn("run")
    assert tick(FOUR + timedelta(hours=2)) == 0
    assert list(Slot.objects.values_list("kind", "counted_to")) == [("work", FOUR + timedelta(hours=2))]


def test_a_slot_is_run_once_by_whichever_beat_comes_first(clock: Clock) -> None:
    add_row("work")
    turn("run")
    tick(clock())
    five = clock.pass_by(hours=1)
    assert [tick(five), tick(five, "work"), tick(clock.pass_by(seconds=10))] == [1, 0, 0]
    job = Job.objects.get()
    assert (job.kind, job.key, job.state, job.by) == ("work", "all", "queued", "schedule")
    assert (job.slot, job.due_at) == (five, five)
    assert not job.lines.exists()


def test_two_beats_that_look_at_the_same_time_take_a_slot_once(clock: Clock) -> None:
    five = FOUR + timedelta(hours=1)
    assert store.counted_to("work", FOUR) is None
    assert [store.counted_to("work", five), store.counted_to("work", five)] == [FOUR, FOUR]
    assert [store.take_slot("work", five), store.take_slot("work", five)] == [True, False]


def test_of_two_missed_mornings_one_is_made_up_and_says_so(clock: Clock) -> None:
    add_row("work")
    turn("run")
    tick(clock())
    now = clock.pass_by(days=1, hours=3)
    assert [tick(now), tick(now)] == [1, 0]
    job = Job.objects.get()
    assert job.slot == FOUR + timedelta(days=1, hours=1)
    assert [line.text for line in job.lines.all()] == ["catching up: this was due Tue 01 Dec 05:00 UTC"]


def test_a_clock_that_was_years_ahead_for_a_while_leaves_no_schedule_dead(clock: Clock) -> None:
    add_row("work")
    turn("run")
    tick(clock.now)
    tick(clock.now + timedelta(days=5_000))
    Job.objects.update(state=JobState.DONE)
    tick(clock.pass_by(minutes=30))
    assert tick(clock.pass_by(hours=1)) == 1
    job = Job.objects.order_by("id").last()
    assert job is not None
    assert (job.slot, job.due_at) == (FOUR + timedelta(hours=1), clock.now)


def test_to_log_only_is_to_say_what_would_run(clock: Clock) -> None:
    add_row("work")
    turn("log-only")
    tick(clock())
    assert tick(clock.pass_by(hours=1)) == 1
    assert tick(clock.pass_by(days=2, hours=1)) == 1
    assert told() == [
        ("work", "skipped", "would run Work, due Mon 30 Nov 05:00 UTC"),
        ("work", "skipped", "would run Work, due Wed 02 Dec 05:00 UTC, catching up"),
    ]
    assert list(JobLine.objects.order_by("id").values_list("text", flat=True)) == [note for _, _, note in told()]
    assert all(job.ended_at and not job.open for job in Job.objects.all())


def test_a_job_that_still_runs_is_not_begun_again(clock: Clock) -> None:
    add_row("work")
    turn("run")
    tick(clock())
    tick(clock.pass_by(hours=1))
    first = claim(Job.objects.get().pk, "a", clock())
    assert first is not None
    assert tick(clock.pass_by(days=1)) == 1
    assert told()[1] == ("work", "skipped", "not begun at Tue 01 Dec 05:00 UTC: the one before still runs")
    assert end(first, JobState.DONE, "", clock())
    assert tick(clock.pass_by(days=1)) == 1
    assert [state for _, state, _ in told()] == ["done", "skipped", "queued"]


def test_jobs_that_are_due_together_begin_a_minute_apart(clock: Clock) -> None:
    for kind in ("work", "other"):
        add_row(kind)
    turn("run")
    tick(clock())
    five = clock.pass_by(hours=1)
    assert tick(five, "other") == 1
    assert tick(five + timedelta(seconds=1)) == 1
    assert dict(Job.objects.values_list("kind", "due_at")) == {"other": five, "work": five + timedelta(minutes=1)}
    assert JobLine.objects.get().text == "begins at Mon 30 Nov 05:01 UTC, a minute after the one before"


def test_jobs_that_people_asked_for_hold_nothing_up(clock: Clock) -> None:
    add_row("work")
    turn("run")
    tick(clock())
    five = clock.pass_by(hours=1)
    with known(other=do_nothing):
        enqueue("other", "all", now=five)
    tick(five)
    assert Job.objects.get(kind="work").due_at == five


def test_what_was_due_while_a_row_or_the_schedule_was_off_is_not_made_up(clock: Clock) -> None:
    row = add_row("work")
    turn("run")
    tick(clock())
    for off, on in (
        (
            lambda: PeriodicTask.objects.filter(pk=row.pk).update(enabled=False),
            lambda: PeriodicTask.objects.filter(pk=row.pk).update(enabled=True),
        ),
        (lambda: turn("off"), lambda: turn("run")),
    ):
        off()
        assert tick(clock.pass_by(hours=12)) == 0
        assert tick(clock.pass_by(days=1)) == 0
        on()
        assert tick(clock.pass_by(hours=1)) == 0
    assert tick(clock.pass_by(days=1)) == 1


@pytest.mark.parametrize(
    "given",
    [{"args": "[]"}, {"args": "{"}, {"args": '["nobody"]'}, {"args": "[1]"}, {"crontab": None}, {"enabled": False}],
    ids=str,
)
def test_a_row_that_cannot_be_read_is_never_due(clock: Clock, given: dict[str, object]) -> None:
    row = add_row("work")
    PeriodicTask.objects.filter(pk=row.pk).update(**given)
    turn("run")
    assert [tick(clock()), tick(clock.pass_by(days=1))] == [0, 0]


def test_any_app_may_add_a_kind_of_its_own(clock: Clock) -> None:
    add_row("other", hour="3,9,15,21")
    turn("run")
    hours = []
    for _ in range(24):
        if tick(clock.now):
            job = Job.objects.latest("id")
            hours.append(clock.now.hour)
            Job.objects.filter(pk=job.pk).update(state="done")
        clock.pass_by(hours=1)
    assert hours == [9, 15, 21, 3]


def test_a_row_is_told_once_also_when_two_ask_for_the_same() -> None:
    add_row("work")
    add_row("work", hour="7", name="Again")
    with known(work=do_nothing):
        assert [one.times.words for one in planned() if one.times] == ["daily at 07:00"]
