"""Writes of the schedule: up to when slots were taken, jobs that were not begun, and the rows that people edit."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Max
from django_celery_beat.models import CrontabSchedule

from collections_app.announce import tell_pages
from gateway.canon.kinds import JobState
from probes.jobs.store import WHOLE, note_line
from probes.models import Job, Slot

BY: Final = "schedule"
APART: Final = timedelta(minutes=1)
"""Between the starts of two jobs that are due together."""
AHEAD: Final = timedelta(days=1)
"""What was counted further ahead than this was counted by a clock that went wrong and was set right since."""


def counted_to(kind: str, now: datetime) -> datetime | None:
    """Up to when the slots of a kind were taken; None at first sight, of which a note is taken. A time that is yet to
    come was counted by a clock that was wrong, and is forgotten."""
    row, first = Slot.objects.get_or_create(kind=kind, defaults={"counted_to": now})
    if not first and row.counted_to > now + AHEAD:
        Slot.objects.filter(kind=kind, counted_to=row.counted_to).update(counted_to=now)
        return None
    return None if first else row.counted_to


def take_slot(kind: str, slot: datetime) -> bool:
    """Whether it is ours: of any number of beats one alone gets it."""
    return bool(Slot.objects.filter(kind=kind, counted_to__lt=slot).update(counted_to=slot))


def count_anew(kind: str, now: datetime) -> None:
    """What was due before is past, whatever the times are by now."""
    Slot.objects.filter(kind=kind, counted_to__lt=now).update(counted_to=now)


def forget_slots(but: Collection[str] = ()) -> None:
    """Of all kinds but these. When one is counted again, that is a first sight: what was due while it was off is not
    made up."""
    forgotten = Slot.objects.exclude(kind__in=but)
    if forgotten.exists():  # a look takes no lock, and there is one every ten seconds
        forgotten.delete()


def next_start(now: datetime) -> datetime:
    """When a job of the schedule may begin, so that no two begin together."""
    near = Job.objects.filter(slot__isnull=False, due_at__gt=now - APART, due_at__lt=now + AHEAD)
    begun = near.exclude(state=JobState.SKIPPED)
    newest = begun.aggregate(newest=Max("due_at"))["newest"]
    return max(now, newest + APART) if newest else now


def note_skipped(kind: str, slot: datetime, note: str, now: datetime) -> Job:
    """A job that was due and not begun, with why."""
    job = Job.objects.create(
        kind=kind,
        key=WHOLE,
        state=JobState.SKIPPED,
        note=note[:300],
        slot=slot,
        due_at=slot,
        by=BY,
        created_at=now,
        ended_at=now,
    )
    note_line(job, note, now)
    tell_pages("jobs")
    return job


def set_times(row: Any, fields: Mapping[str, str], zone: str) -> None:
    """Give a row other times. Beat hears of it within seconds."""
    row.crontab = CrontabSchedule.objects.filter(**fields, timezone=zone).first() or CrontabSchedule.objects.create(
        **fields, timezone=zone
    )
    row.interval = row.solar = row.clocked = None
    row.save()


def switch(row: Any, on: bool) -> None:
    """Turn a row on or off."""
    row.enabled = on
    row.save()
