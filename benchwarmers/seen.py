"""Which background processes were seen lately: a worker notes itself when it takes the sweep that beat asks for every
ten seconds, and beat with it. In the shared cache; while that is away nothing is known.
"""

from __future__ import annotations

import os
import socket
import time
from dataclasses import dataclass
from typing import Any, Final

from celery.signals import task_prerun
from django.core.cache import cache
from redis.exceptions import RedisError

from benchwarmers.queue_wait import SENT

SWEEP: Final = "probes.sweep_jobs"
KEY: Final = "processes-seen"
KEEP_S: Final = 15 * 60.0
LATE_S: Final = 45.0
"""Four sweeps: whoever was not seen for so long is likely gone."""
BEAT: Final = "beat"


@dataclass(frozen=True, slots=True)
class Seen:
    """`kind` is worker or beat, `name` host/process of a worker; `ago_s` since it was seen."""

    kind: str
    name: str
    ago_s: float

    @property
    def late(self) -> bool:
        return self.ago_s > LATE_S


@task_prerun.connect
def note_worker(task: Any, **_: Any) -> None:
    """This worker took a sweep, so it lives, and so does who sent it."""
    if task.name != SWEEP:
        return
    sent = (task.request.headers or {}).get(SENT) or task.request.get(SENT)
    try:
        note(f"{socket.gethostname()[:50]}/{os.getpid()}", sent if isinstance(sent, int | float) else None, time.time())
    except (RedisError, OSError):
        return  # who looks is told that the cache is away


def note(worker: str, sent: float | None, now: float) -> None:
    """`worker` lives at `now`; beat did when it sent the task. Epoch seconds. Two that note at once lose one of both,
    until the next sweep."""
    known: dict[str, float] = cache.get(KEY) or {}
    told = {name: at for name, at in known.items() if now - at < KEEP_S} | {worker: now}
    cache.set(KEY, told | ({BEAT: sent} if sent is not None else {}), KEEP_S)


def load_seen(now: float) -> list[Seen] | None:
    """Beat first, then workers by name; None while the cache is away."""
    try:
        known: dict[str, float] = cache.get(KEY) or {}
    except (RedisError, OSError):
        return None
    seen = [Seen(BEAT if name == BEAT else "worker", name, max(0.0, now - at)) for name, at in known.items()]
    return sorted(seen, key=lambda one: (one.kind != BEAT, one.name))
