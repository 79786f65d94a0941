"""What people do to jobs: stop one, ask for it again, forget those that ended."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from collections_app.announce import tell_pages
from collections_app.journal import journal, require
from collections_app.refusal import NotThere, Refused
from gateway.canon.kinds import JobState
from probes.jobs.kinds import KINDS
from probes.jobs.store import WHOLE, enqueue, stop
from probes.jobs.store_old import delete_jobs
from probes.models import Job
from probes.models.job import OPEN

TOPIC = "jobs"
REBUILDS = ("standings", "usage")
"""Kinds that make sums anew from what they were made of, see `probes.rebuilds`."""


def do_stop_job(*, actor: User | None, job: Job, now: datetime) -> None:
    """A job that waits is skipped at once; one that runs ends when it next looks, with what it has finished kept.

    :raises Refused: it has ended.
    """
    require(actor, "probes.change_job", "stop work")
    with journal(actor, TOPIC) as log:
        if not stop(Job.objects.filter(pk=job.pk), now, f"stopped by {log.actor_name}"):
            raise Refused([("", "This job has ended.")])
        log.note("job", str(job.pk), "stop", new=_named(job))


def do_rebuild(*, actor: User | None, what: str, now: datetime) -> Job:
    """Make the standings or the sums of usage anew.

    :raises Refused: the same is under way. NotThere: there is nothing of this name to make anew.
    """
    require(actor, "probes.add_job", "start work")
    if what not in REBUILDS:
        raise NotThere([("", f"There is nothing called {what!r} to make anew; there are {', '.join(REBUILDS)}.")])
    with journal(actor, TOPIC) as log:
        job = enqueue(what, WHOLE, now=now, actor=actor, by=log.actor_name)
        if job is None:
            raise Refused([("", f"{KINDS[what].label}: waiting or running already.")])
        log.note("job", str(job.pk), "asked for", new=what)
    return job


def do_retry_job(*, actor: User | None, job: Job, now: datetime) -> Job:
    """The same work once more, from its beginning.

    :raises Refused: it has not ended, was done, its kind of work is gone, or the same is asked for already.
    """
    require(actor, "probes.change_job", "ask for work again")
    if job.state in OPEN or job.state == JobState.DONE:
        raise Refused([("", "Only a job that ended without being done is asked for again.")])
    if job.kind not in KINDS:
        raise Refused([("", "This server does not know this kind of work any more.")])
    with journal(actor, TOPIC) as log:
        again = enqueue(
            job.kind,
            job.key,
            now=now,
            payload=job.payload,
            lane=job.lane,
            batch=job.batch,
            actor=actor,
            by=log.actor_name,
        )
        if again is None:
            raise Refused([("", "The same work is waiting or running already.")])
        log.note("job", str(job.pk), "again", new=_named(again))
    return again


def do_clear_jobs(*, actor: User | None, jobs: Any) -> int:
    """Forget the ended ones of these jobs (a query), with their output; how many.

    :raises Refused: some of them wait or run.
    """
    require(actor, "probes.change_job", "forget jobs")
    if still := jobs.filter(state__in=OPEN).count():
        raise Refused([("", f"{still} of these jobs wait or run. Stop them or let them end first.")])
    with journal(actor, TOPIC) as log:
        count = delete_jobs(jobs)
        if count:
            log.note("job", "ended jobs", "forgotten", old=count, new=0)
    tell_pages(TOPIC)
    return count


def _named(job: Job) -> str:
    return f"{job.kind} {job.key}"
