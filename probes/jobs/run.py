"""Works on one job: claims it, keeps its lease while its function runs, writes down how it ended."""

from __future__ import annotations

import logging
import os
import secrets
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import BoundedSemaphore, Event, Thread
from typing import Final

from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from gateway.canon.kinds import JobState
from probes.jobs import store
from probes.jobs.kinds import LONG, kind_of
from probes.jobs.work import Ending, JobAtWork, LeaseLost, Stopped
from probes.models import Job

RENEW_S: Final = 5.0
LONG_AT_ONCE: Final = 6
"""Threads of a worker that long jobs may hold; the others stay for quick ones."""
_long = BoundedSemaphore(LONG_AT_ONCE)
log = logging.getLogger(__name__)


def run_job(job_id: int, clock: Callable[[], datetime] = timezone.now) -> str:
    """How it ended, or empty when there was nothing to do: a bell may ring twice, and for what another works on."""
    name = Job.objects.filter(pk=job_id).values_list("kind", flat=True).first()
    if name is None:
        return ""
    if kind_of(name).queue != LONG:
        return _work(job_id, clock)
    if not _long.acquire(blocking=False):
        return ""  # the sweep, or the end of another, rings again
    try:
        return _work(job_id, clock)
    finally:
        _long.release()


def _work(job_id: int, clock: Callable[[], datetime]) -> str:
    job = store.claim(job_id, holder(), clock())
    if job is None:
        return ""
    kind = kind_of(job.kind)
    at_work = JobAtWork(job, clock, clock() + timedelta(seconds=kind.limit_s))
    with _held(job, clock):
        ending = _do(kind.load(), at_work)
    if ending is None:
        return ""
    store.end(job, ending.state, ending.note, clock())
    return str(ending.state)


def _do(work: Callable[[JobAtWork], Ending], at_work: JobAtWork) -> Ending | None:
    """The outermost place of a job: whatever its function does not handle is a defect, which is told and logged."""
    try:
        return work(at_work)
    except LeaseLost:
        return None
    except Stopped as why:
        return Ending(JobState.SKIPPED, str(why))
    except DatabaseError:
        log.exception("job %s lost the database; the sweep takes it up again", at_work.job)
        return None
    except Exception as error:
        log.exception("job %s failed", at_work.job)
        return Ending(JobState.FAILED, f"a defect of this server: {type(error).__name__}; its log has more")


@contextmanager
def _held(job: Job, clock: Callable[[], datetime]) -> Iterator[None]:
    """Keeps the lease while the block runs."""
    over = Event()

    def renew() -> None:
        while not over.wait(RENEW_S):
            try:
                if not store.hold(job, clock()):
                    return
            except DatabaseError as error:
                log.warning("the lease of job %d could not be renewed (%s)", job.pk, error)
                close_old_connections()
        connection.close()

    renewing = Thread(target=renew, name=f"lease-{job.pk}", daemon=True)
    renewing.start()
    try:
        yield
    finally:
        over.set()
        renewing.join()


def holder() -> str:
    """Who works: host, process, and a word that no other claim has."""
    return f"{socket.gethostname()[:50]}/{os.getpid()}/{secrets.token_hex(4)}"
