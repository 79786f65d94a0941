"""Rings again for what is due and held by nobody, and takes leases from processes of this host that are gone."""

from __future__ import annotations

import os
import socket
from datetime import datetime

from django.db.models import Q

from gateway.canon.kinds import JobState
from probes.jobs.ring import ring
from probes.jobs.store import release_gone
from probes.models import Job


def sweep(now: datetime) -> int:
    """How many jobs were rung for. Of each lane the first alone."""
    for job in Job.objects.filter(state=JobState.RUNNING, lease_until__gte=now).only("pk", "holder", "attempts"):
        if _is_gone(job.holder):
            release_gone(job, now)
    due = Q(state=JobState.QUEUED, due_at__lte=now) | Q(state=JobState.RUNNING, lease_until__lte=now)
    taken = set(Job.objects.filter(state=JobState.RUNNING, lease_until__gt=now).values_list("lane", flat=True)) - {""}
    rung = 0
    # Those that run already come first: their lane is theirs.
    for job in sorted(Job.objects.filter(due), key=lambda job: (job.state != JobState.RUNNING, job.due_at, job.pk)):
        if job.lane and job.lane in taken:
            continue
        taken.update({job.lane} - {""})
        ring(job)
        rung += 1
    return rung


def _is_gone(holder: str) -> bool:
    """True for a process of this host that does not live."""
    host, _, rest = holder.partition("/")
    pid = rest.partition("/")[0]
    if host != socket.gethostname()[:50] or not pid.isdigit():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
