"""docs/reference/jobs.md: the kinds of background work and when the schedule begins them, as a new installation has it.

Asks the database for the schedule's rows, which migrations make.
"""

from __future__ import annotations

from collections.abc import Iterator

from django_celery_beat.models import CrontabSchedule, PeriodicTask

from benchwarmers.tests.house.reference.words import code, page, table
from probes.jobs.kinds import KINDS, Kind
from probes.schedule.rows import TASK, kind_in

DAYS = ("Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays")


def write() -> str:
    """The page."""
    return page(
        "Jobs",
        "Background work, by kind. Times are of the server's time zone and of a new installation; the page *Schedule* "
        "changes them. Nothing of the schedule happens before its mode is set to `run`: "
        "[operations](../operations.md). How jobs are claimed and survive a crash: [jobs](../design/jobs.md).",
        table(("kind", "name", "queue", "at most", "steps", "when"), (_kind(name, KINDS[name]) for name in KINDS)),
        "## What the schedule says of each",
        table(("job", "when", "what"), scheduled()),
        "## Upkeep",
        "Tasks that are no jobs: they run whatever the schedule's mode is.",
        table(("task", "name", "when", "what"), upkeep()),
    )


def _kind(name: str, kind: Kind) -> tuple[str, ...]:
    times = {kind_in(row): when(row) for row in PeriodicTask.objects.filter(task=TASK)}
    limit = f"{kind.limit_s / 60:.0f} min" if kind.limit_s < 3_600 else f"{kind.limit_s / 3_600:.0f} h"
    return code(name), kind.label, kind.queue, limit, ", ".join(kind.steps), times.get(name, "when asked for")


def scheduled() -> Iterator[tuple[str, str, str]]:
    """The jobs that are begun by the clock."""
    for row in PeriodicTask.objects.filter(task=TASK).order_by("name"):
        yield code(kind_in(row)), when(row), row.description


def upkeep() -> Iterator[tuple[str, str, str, str]]:
    """The other rows, Celery's own aside."""
    for row in PeriodicTask.objects.exclude(task=TASK).exclude(task__startswith="celery.").order_by("name"):
        yield code(row.task), row.name, when(row), row.description


def when(row: PeriodicTask) -> str:
    """The times of a row, in words."""
    if row.interval is not None:
        return f"every {row.interval.every} {row.interval.period}" if row.interval.every > 1 else _each(row)
    assert row.crontab is not None
    days = "" if row.crontab.day_of_week == "*" else f"{DAYS[int(row.crontab.day_of_week)]} "
    return days + _clock(row.crontab)


def _each(row: PeriodicTask) -> str:
    assert row.interval is not None
    return f"every {row.interval.period.removesuffix('s')}"


def _clock(crontab: CrontabSchedule) -> str:
    return ", ".join(f"{int(hour):02}:{int(crontab.minute):02}" for hour in crontab.hour.split(","))
