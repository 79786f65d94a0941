"""Rings again for what is due and held by nobody, and takes leases from processes of this host that are gone."""

from __future__ import annotations

import os
import secrets
import socket
from datetime import datetime
from typing import Any, Final

from django.db.models import Q

from gateway.canon.kinds import JobState
from gateway.engine.recovery import lives
from probes.jobs.kinds import KINDS, LONG
from probes.jobs.ring import ring
from probes.jobs.store import give_up, release_gone
from probes.models import Job

NO_KIND: Final = "this server does not know this kind of work any more"
PROCESS: Final = f"{socket.gethostname()[:50]}/{os.getpid()}/{secrets.token_hex(4)}"
"""This process among all that ever were: a container that starts again has the same host and process number."""


def sweep(now: datetime) -> int:
    """How many jobs were rung for. Of each lane the first alone."""
    for job in Job.objects.filter(state=JobState.RUNNING, lease_until__gte=now).only("pk", "holder"):
        if is_gone(job.holder):
            release_gone(job, now)
    for job in _due(now).exclude(kind__in=KINDS):
        give_up(job, NO_KIND, now)
    rung = _first_of_lanes(now)
    for job in rung:
        ring(job)
    return len(rung)


def ring_next(now: datetime) -> None:
    """Rings for the long job that is due first, now that there is room for one."""
    for job in _first_of_lanes(now):
        if KINDS[job.kind].queue == LONG:
            ring(job)
            return


def is_gone(holder: str) -> bool:
    """True for a process of this host that does not live: host/process/word of the process/word of the claim."""
    host, _, rest = holder.partition("/")
    pid, _, words = rest.partition("/")
    if host != socket.gethostname()[:50] or not pid.isdigit():
        return False
    if int(pid) == os.getpid():
        return words.partition("/")[0] != PROCESS.rpartition("/")[2]
    return not lives(int(pid))


def _due(now: datetime) -> Any:
    due = Q(state=JobState.QUEUED, due_at__lte=now) | Q(state=JobState.RUNNING, lease_until__lte=now)
    return Job.objects.filter(due).only("pk", "kind", "lane", "state", "due_at")


def _first_of_lanes(now: datetime) -> list[Job]:
    """What may run: those that ran already come first, as their lane is theirs."""
    taken = set(Job.objects.filter(state=JobState.RUNNING, lease_until__gt=now).values_list("lane", flat=True)) - {""}
    first = []
    due = _due(now).filter(kind__in=KINDS)
    for job in sorted(due, key=lambda job: (job.state != JobState.RUNNING, job.due_at, job.pk)):
        if not job.lane or job.lane not in taken:
            taken.update({job.lane} - {""})
            first.append(job)
    return first
