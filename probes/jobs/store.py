"""Writes of job rows: asked for, claimed, held, ended. Each is one conditional statement, so that of any number of
processes one alone gets a job.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce

from collections_app.announce import tell_pages
from gateway.canon.kinds import JobState
from probes.jobs.kinds import kind_of
from probes.jobs.ring import ring
from probes.models import Job, JobLine

WHOLE: Final = "all"
"""The key of a job that is about all there is."""
LEASE: Final = timedelta(seconds=20)
MOST_ATTEMPTS: Final = 5
"""A job that was claimed so often without getting any further has ended its processes, and is given up."""
GIVEN_UP: Final = "given up: the work was begun five times and never got any further"


def enqueue(
    kind: str,
    key: str,
    *,
    now: datetime,
    payload: Mapping[str, Any] | None = None,
    lane: str = "",
    batch: str = "",
    due_at: datetime | None = None,
    slot: datetime | None = None,
    actor: User | None = None,
    by: str = "",
) -> Job | None:
    """A new job, rung once the transaction is committed; None when one of this kind and key is open already. Raises
    KeyError where there is no such kind."""
    kind_of(kind)
    try:
        with transaction.atomic():
            job = Job.objects.create(
                kind=kind,
                key=key[:250],
                lane=lane[:100],
                batch=batch,
                payload=clean(dict(payload or {})),
                due_at=due_at or now,
                slot=slot,
                actor=actor,
                by=by or (actor.get_username() if actor else ""),
                created_at=now,
            )
    except IntegrityError:
        return None
    if job.due_at <= now:
        ring(job)
    tell_pages("jobs")
    return job


def claim(job_id: int, holder: str, now: datetime) -> Job | None:
    """The job, now held by `holder`; None when it is not due, not open, held by another, or its lane is taken."""
    free = Q(state=JobState.QUEUED, due_at__lte=now) | Q(state=JobState.RUNNING, lease_until__lte=now)
    try:
        with transaction.atomic():
            changed = Job.objects.filter(free, pk=job_id).update(
                state=JobState.RUNNING,
                holder=holder,
                lease_until=now + LEASE,
                attempts=F("attempts") + 1,
                started_at=Coalesce(F("started_at"), Value(now)),
            )
    except IntegrityError:
        return None  # another of its lane runs
    if not changed:
        return None
    job = Job.objects.get(pk=job_id)
    if job.attempts > MOST_ATTEMPTS:
        end(job, JobState.FAILED, GIVEN_UP, now)
        return None
    tell_pages("jobs", f"job:{job.pk}")
    return job


def hold(job: Job, now: datetime) -> bool:
    """Make the lease longer; False when the job is another's by now."""
    return bool(_mine(job).update(lease_until=now + LEASE))


def end(job: Job, state: JobState, note: str, now: datetime) -> bool:
    """The end of it, and the bell for the next of its lane; False when the job is another's by now."""
    note = clean(" ".join(note.split()))[:300]
    if not _mine(job).update(state=state, note=note, ended_at=now, lease_until=None):
        return False
    job.state, job.note, job.ended_at, job.lease_until = state, note, now, None
    ring_lane(job.lane, now)
    tell_pages("jobs", f"job:{job.pk}")
    return True


def put_back(job: Job, now: datetime) -> bool:
    """Into the queue as it stands, for whoever is there next; the claim does not count."""
    attempts = max(0, job.attempts - 1)
    if not _mine(job).update(state=JobState.QUEUED, lease_until=None, holder="", attempts=attempts):
        return False
    ring(job)
    tell_pages("jobs", f"job:{job.pk}")
    return True


def give_up(job: Job, note: str, now: datetime) -> bool:
    """End a job that nobody can work on; False when somebody does by now."""
    free = Q(state=JobState.QUEUED) | Q(state=JobState.RUNNING, lease_until__lte=now)
    ended = Job.objects.filter(free, pk=job.pk).update(
        state=JobState.FAILED, note=note[:300], ended_at=now, lease_until=None
    )
    tell_pages("jobs", f"job:{job.pk}")
    return bool(ended)


def stop(jobs: Any, now: datetime, why: str) -> int:
    """Of these jobs (a query), skip the queued and ask the running to end soon; how many it touched."""
    skipped = jobs.filter(state=JobState.QUEUED).update(state=JobState.SKIPPED, note=why[:300], ended_at=now)
    asked: int = jobs.filter(state=JobState.RUNNING).update(stop_asked=True)
    tell_pages("jobs")
    return int(skipped) + asked


def ring_lane(lane: str, now: datetime) -> None:
    """The next queued job of a lane, if any, may run."""
    if lane:
        waiting = Job.objects.filter(lane=lane, state=JobState.QUEUED, due_at__lte=now).order_by("due_at", "id").first()
        if waiting is not None:
            ring(waiting)


def say(job: Job, text: str, now: datetime) -> bool:
    """A line of its output; False when the job is another's by now."""
    if not _mine(job).exists():
        return False
    note_line(job, text, now)
    tell_pages("jobs", f"job:{job.pk}")
    return True


def note_line(job: Job, text: str, now: datetime) -> None:
    """A line of its output, by whoever made or ended it."""
    JobLine.objects.create(job=job, at=now, step=job.step + 1, text=clean(text)[:1000])


def write(job: Job, **fields: Any) -> bool:
    """Change fields of a job at work; False when the job is another's by now."""
    if not _mine(job).update(**fields):
        return False
    for name, value in fields.items():
        setattr(job, name, value)
    tell_pages("jobs", f"job:{job.pk}")
    return True


def release_gone(job: Job, now: datetime) -> None:
    """End the lease of a process that is known to be gone."""
    _mine(job).update(lease_until=now)


def clean(value: Any) -> Any:
    """The same JSON without NUL, which a provider may send and Postgres keeps in no text."""
    match value:
        case str():
            return value.replace("\0", "\ufffd")
        case dict():
            return {clean(name): clean(one) for name, one in value.items()}
        case list() | tuple():
            return [clean(one) for one in value]
        case _:
            return value


def _mine(job: Job) -> Any:
    """The row while this claim holds; no two claims have the same holder."""
    return Job.objects.filter(pk=job.pk, state=JobState.RUNNING, holder=job.holder)
