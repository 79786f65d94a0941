"""Asks for the work that is due, if the schedule's mode lets it.

Called by beat at each row's time, and by the sweep every ten seconds, which finds what was missed while beat was away.
A slot is taken once, whoever comes first.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from collections_app.models import Setting
from probes.jobs.kinds import KINDS
from probes.jobs.store import WHOLE, note_line
from probes.jobs.store import enqueue as enqueue_job
from probes.models import Job
from probes.schedule import store
from probes.schedule.due import due_slot, is_late
from probes.schedule.rows import Planned, planned
from probes.schedule.store import BY

OFF: Final = "off"
LOG_ONLY: Final = "log-only"
RUN: Final = "run"
log = logging.getLogger(__name__)


def enqueue_due(now: datetime, kind: str = "") -> list[Job]:
    """The jobs that were made of what is due, of one kind or of all; those that were not begun among them. In the mode
    off nothing is counted."""
    mode = Setting.load().scheduler
    rows = [one for one in planned() if one.on] if mode != OFF else []
    if not kind or mode == OFF:
        store.forget_slots(but=[one.kind for one in rows])
    made = [_take(one, mode, now) for one in rows if kind in ("", one.kind)]
    return [job for job in made if job is not None]


def _take(one: Planned, mode: str, now: datetime) -> Job | None:
    last = store.counted_to(one.kind, now)
    slot = due_slot(one.times, last, now) if one.times and last else None
    if slot is None:
        return None
    with transaction.atomic():
        if not store.take_slot(one.kind, slot):
            return None  # another beat was quicker
        return _log_only(one.kind, slot, now) if mode == LOG_ONLY else _run(one.kind, slot, now)


def _log_only(kind: str, slot: datetime, now: datetime) -> Job:
    late = ", catching up" if is_late(slot, now) else ""
    log.info("would run %s%s", kind, late)
    return store.note_skipped(kind, slot, f"would run {KINDS[kind].label}, due {_told(slot)}{late}", now)


def _run(kind: str, slot: datetime, now: datetime) -> Job:
    due_at = store.next_start(now)
    job = enqueue_job(kind, WHOLE, now=now, due_at=due_at, slot=slot, by=BY)
    if job is None:
        log.info("skipped %s: it still runs", kind)
        return store.note_skipped(kind, slot, f"not begun at {_told(slot)}: the one before still runs", now)
    if is_late(slot, now):
        note_line(job, f"catching up: this was due {_told(slot)}", now)
    if due_at > now:
        note_line(job, f"begins at {_told(due_at)}, a minute after the one before", now)
    log.info("asked for %s, due %s", kind, slot)
    return job


def _told(moment: datetime) -> str:
    return f"{timezone.localtime(moment):%a %d %b %H:%M %Z}"
