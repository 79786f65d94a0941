"""How long tasks wait for a worker: whoever sends one notes the time on it, and the worker that takes it measures."""

from __future__ import annotations

import time
from functools import cache
from typing import Any, Final

from celery.signals import before_task_publish, task_prerun
from django.conf import settings

from benchwarmers import metrics

SENT: Final = "bench_sent"


@before_task_publish.connect
def note_sending(headers: dict[str, Any], **_: Any) -> None:
    """The time goes with the task, in epoch seconds."""
    headers[SENT] = time.time()


@task_prerun.connect
def measure_wait(task: Any, **_: Any) -> None:
    """Count the wait, of a task that was sent through a queue."""
    sent = (task.request.headers or {}).get(SENT) or task.request.get(SENT)
    if isinstance(sent, int | float):
        _instruments().queued(task.name, max(0.0, time.time() - sent))


@cache
def _instruments() -> metrics.Metrics:
    metrics.prepare(settings.BENCH.home)
    return metrics.Metrics()
