"""What people do to the schedule: switch it, its rows, their times, and ask for a job now."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User

from collections_app.actions.setting import SCHEDULERS, do_save_settings
from collections_app.announce import tell_pages
from collections_app.journal import journal, require
from collections_app.refusal import NotThere, Problems, Refused
from probes.jobs.kinds import KINDS
from probes.jobs.store import WHOLE, enqueue
from probes.models import Job
from probes.schedule import store
from probes.schedule.enqueue import RUN, enqueue_due
from probes.schedule.rows import Planned, planned
from probes.schedule.times import FIELDS, read_times

TOPIC = "schedule"
CHANGE = "probes.change_job"
CONFIRM = "Say that no other scheduler runs these jobs: it would do each of them a second time."


def do_set_mode(*, actor: User | None, mode: str, now: datetime, confirmed: bool = False) -> None:
    """Off, log-only or run, from the next tick on. To run is to be confirmed.

    :raises Refused: for an unknown mode, or run without a confirmation.
    """
    require(actor, CHANGE, "switch the schedule")
    problems = Problems()
    problems.check(mode in SCHEDULERS, "mode", f"The schedule is one of {', '.join(SCHEDULERS)}.")
    problems.check(mode != RUN or confirmed, "confirmed", CONFIRM)
    problems.refuse()
    with journal(actor, "settings"):
        do_save_settings(actor=None, scheduler=mode)  # by whoever the journal names
    enqueue_due(now)  # from now on is counted
    tell_pages("jobs")


def do_switch_row(*, actor: User | None, kind: str, on: bool, now: datetime) -> None:
    """Turn a job of the schedule on or off. What was due while it was off is not made up.

    :raises NotThere: the schedule has no such job.
    """
    require(actor, CHANGE, "switch jobs of the schedule")
    row = find(kind).row
    with journal(actor, TOPIC) as log:
        if log.note_fields("schedule", kind, {"on": row.enabled}, {"on": on}):
            store.switch(row, on)
            store.count_anew(kind, now)
    tell_pages("jobs")


def do_set_times(*, actor: User | None, kind: str, fields: Mapping[str, str], now: datetime) -> None:
    """Give a job of the schedule other times, in the server's time zone, from now on.

    :raises Refused: with every field that cannot be read. NotThere: the schedule has no such job.
    """
    require(actor, CHANGE, "change the times of the schedule")
    row, zone = find(kind).row, settings.TIME_ZONE
    given = {name: (fields.get(name) or "*").replace(" ", "").lower() for name in FIELDS}
    read_times(given, zone)
    before = {name: getattr(row.crontab, name, "") for name in FIELDS}
    before["zone"] = str(row.crontab.timezone) if row.crontab else ""
    with journal(actor, TOPIC) as log:
        if log.note_fields("schedule", kind, before, {**given, "zone": zone}):
            store.set_times(row, given, zone)
            store.count_anew(kind, now)
    tell_pages("jobs")


def do_run_now(*, actor: User | None, kind: str, now: datetime) -> Job:
    """The job that the schedule would make, now and in any mode.

    :raises Refused: one of this kind is open. NotThere: the schedule has no such job.
    """
    require(actor, "probes.add_job", "start work")
    find(kind)
    with journal(actor, TOPIC) as log:
        job = enqueue(kind, WHOLE, now=now, actor=actor)
        if job is None:
            raise Refused([("", f"{KINDS[kind].label} is waiting or running already.")])
        log.note("schedule", kind, "asked for", new="now")
    return job


def find(kind: str) -> Planned:
    """The job of the schedule.

    :raises NotThere: there is none of this kind.
    """
    for one in planned():
        if one.kind == kind:
            return one
    raise NotThere([("", f"The schedule has no job {kind!r}.")])
