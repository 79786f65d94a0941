"""Tasks in a line, passes over them, and the jobs of the suite without the seconds between two calls."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from typing import Any

from msgspec import structs

from collections_app.models import LanguageModel
from gateway.canon.kinds import TaskShape
from probes.health.fan_out import Manner
from probes.jobs.run import run_job
from probes.models import Job
from probes.tests.jobs.given import NOW, Clock, asked, known
from suite import work
from suite.asking import COURTEOUS
from suite.drafts import Draft, bug_key, control_key
from suite.models import Attempt, SuitePass, TaskVersion
from suite.store import begin_pass, keep_task

HASTY: Manner = structs.replace(COURTEOUS, gap_s=0.0)
FOUND = "FAULT: line 3\nThe bound is off by one."


def hunt(number: int) -> Draft:
    """The task of this number."""
    control = number % 2 == 0
    key = control_key() if control else bug_key((3,))
    return Draft(f"hunt-{number}", f"Hunt {number}", TaskShape.SEEDED, f"Hunt {number}.", key, control=control)


def hunts(count: int) -> list[TaskVersion]:
    """Reviewed tasks hunt-1, hunt-2 and so on: the bug is at line 3, and every second one is a control."""
    for number in range(1, count + 1):
        keep_task(hunt(number), by="maya", now=NOW, reviewed=True)
    return list(TaskVersion.objects.filter(current=True).select_related("task").order_by("task__slug"))


@contextmanager
def hasty() -> Iterator[None]:
    """The suite's jobs, without the seconds between two calls."""
    kinds = {
        "suite": partial(work.next_paid, manner=HASTY),
        "suite-free": partial(work.next_free, manner=HASTY),
        "suite-pass": partial(work.asked_pass, manner=HASTY),
    }
    with known(**kinds):
        yield


def begun(models: Sequence[LanguageModel], versions: Sequence[TaskVersion], **more: Any) -> tuple[SuitePass, Job]:
    """A pass and its job, not worked on."""
    one = begin_pass("manual", versions, models, by="maya", now=NOW, **more)
    return one, asked("suite-pass", str(one.pk), payload={"pass": one.pk})


def worked(job: Job, now: datetime = NOW) -> Job:
    """The job after a claim of it."""
    with hasty():
        run_job(job.pk, Clock(now))
    return Job.objects.get(pk=job.pk)


def rotated(kind: str, now: datetime = NOW) -> Job:
    """A scheduled job of this kind, after a claim of it."""
    return worked(asked(kind, f"{kind} {now}", now=now), now)


def told(*fields: str) -> list[tuple[Any, ...]]:
    """(task, these fields) of every attempt."""
    rows = Attempt.objects.order_by("version__task__slug", "language_model__alias", "number")
    return list(rows.values_list("version__task__slug", *fields))


def wait_until_ended() -> None:
    """Until the pass has ended: for an answer that must not come before."""
    until = time.monotonic() + 30
    while not SuitePass.objects.filter(ended_at__isnull=False).exists() and time.monotonic() < until:
        time.sleep(0.02)
