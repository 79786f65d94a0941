"""Works on one job: claims it, keeps its lease while its function runs, writes down how it ended."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from threading import BoundedSemaphore, Event, Thread
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError, close_old_connections, connection
from django.utils import timezone

from gateway.canon.kinds import JobState
from probes.jobs import store
from probes.jobs.kinds import KINDS, LONG, Kind
from probes.jobs.sweep import PROCESS, ring_next
from probes.jobs.work import STOPPED, TIME_UP, Ending, JobAtWork, LeaseLost, Leaving, Stopped, TimeUp
from probes.models import Job

RENEW_S: Final = 5.0
LONG_AT_ONCE: Final = 6
"""Threads of a worker that long jobs may hold; the others stay for quick ones."""
DEAF: Final = timedelta(minutes=10)
"""How long after its time limit a job may take to notice. Then it is ended over its head, and its lane is free."""
LEAVING: Final = Event()
"""Set once this process is told to end."""
_long = BoundedSemaphore(LONG_AT_ONCE)
log = logging.getLogger(__name__)


def run_job(job_id: int, clock: Callable[[], datetime] = timezone.now) -> str:
    """How it ended, or empty when there was nothing to do: a bell may ring twice, and for what another works on."""
    name = Job.objects.filter(pk=job_id).values_list("kind", flat=True).first()
    kind = KINDS.get(name or "")
    if kind is None or LEAVING.is_set():
        return ""
    if kind.queue != LONG:
        return _work(job_id, kind, clock)
    if not _long.acquire(blocking=False):
        return ""  # the end of another rings again
    try:
        return _work(job_id, kind, clock)
    finally:
        _long.release()
        ring_next(clock())


def _work(job_id: int, kind: Kind, clock: Callable[[], datetime]) -> str:
    job = store.claim(job_id, f"{PROCESS}/{secrets.token_hex(4)}", clock())
    if job is None:
        return ""
    until = clock() + timedelta(seconds=kind.limit_s)
    ending: Ending | None = Ending(JobState.SKIPPED, STOPPED)
    if not job.stop_asked:
        with _held(job, clock, until + DEAF):
            ending = _do(kind, JobAtWork(job, clock, until, LEAVING.is_set), clock)
    if ending is None or not store.end(job, ending.state, ending.note, clock()):
        return ""
    return str(ending.state)


def _do(kind: Kind, at_work: JobAtWork, clock: Callable[[], datetime]) -> Ending | None:
    """The outermost place of a job: whatever its function does not handle is a defect, which is told and logged."""
    try:
        ending: Ending = kind.load()(at_work)
        return ending
    except Leaving:
        store.put_back(at_work.job, clock())
        return None
    except LeaseLost:
        return None
    except TimeUp as why:
        return Ending(JobState.FAILED, str(why))
    except Stopped as why:
        return Ending(JobState.SKIPPED, str(why))
    except (OperationalError, InterfaceError):
        log.exception("job %s lost the database; the sweep takes it up again", at_work.job)
        return None
    except Exception as error:
        log.exception("job %s failed", at_work.job)
        return Ending(JobState.FAILED, f"a defect of this server: {type(error).__name__}; its log has more")


@contextmanager
def _held(job: Job, clock: Callable[[], datetime], until: datetime) -> Iterator[None]:
    """Keeps the lease while the block runs, or until the time is up."""
    over = Event()

    def renew() -> None:
        while not over.wait(RENEW_S):
            try:
                if not _renew(job, clock(), until):
                    break
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


def _renew(job: Job, now: datetime, until: datetime) -> bool:
    """False when there is nothing more to renew."""
    if now < until:
        return store.hold(job, now)
    log.error("job %s did not end at its time limit and is marked as failed; its thread is still at it", job)
    store.end(job, JobState.FAILED, f"{TIME_UP}, without its own doing", now)
    return False
