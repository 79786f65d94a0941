"""Closes panels whose process is gone: what finished stays, what did not is told as interrupted."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from gateway.canon.kinds import SeatStatus
from gateway.models import Panel, Seat

LONGEST_PANEL: Final = timedelta(minutes=30)
INTERRUPTED: Final = "the gateway stopped before this seat had answered"


def close_lost_panels(process: str, now: datetime) -> int:
    """How many were closed. A panel is lost when its process on this host is no more, or when it is older than any
    panel can be. `process` is `host/pid` of who asks."""
    host, _, own = process.rpartition("/")
    running = Panel.objects.filter(state="running")
    lost = [
        panel
        for panel, runner, started in running.values_list("id", "process", "started_at")
        if now - started > LONGEST_PANEL or _is_gone(runner, host, own)
    ]
    if not lost:
        return 0
    with transaction.atomic():
        Seat.objects.filter(panel__in=lost, finished_at__isnull=True).update(
            status=SeatStatus.ERROR, error=INTERRUPTED, finished_at=now
        )
        return Panel.objects.filter(id__in=lost, state="running").update(state="interrupted", finished_at=now)


def _is_gone(runner: str, host: str, own: str) -> bool:
    """True for a process of this host that does not live. Our own number on an old panel is a dead namesake's."""
    where, _, pid = runner.rpartition("/")
    if where != host or not pid.isdigit():
        return False
    if pid == own:
        return True
    return not lives(int(pid))


def lives(pid: int) -> bool:
    """Whether there is a process of this number on this host, be it somebody else's."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
