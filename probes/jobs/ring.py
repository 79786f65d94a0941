"""Rings for a job, once its row is committed: Celery brings the message in milliseconds. When it does not, or the
broker is away, the sweep rings again."""

from __future__ import annotations

import logging
import time
from functools import partial
from typing import Final

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from probes.jobs.kinds import KINDS
from probes.models import Job

TASK: Final = "probes.run_job"
QUIET_S: Final = 5.0
"""After a bell that nobody could carry, no other is tried for so long: each would wait a second."""
log = logging.getLogger(__name__)
_quiet_until = 0.0


def ring(job: Job) -> None:
    """Sends the bell after the commit. Never fails the write it follows; a job of a kind that is gone has none."""
    if (kind := KINDS.get(job.kind)) is not None:
        transaction.on_commit(partial(_send, job.pk, kind.queue))


def _send(job_id: int, queue: str) -> None:
    global _quiet_until
    if time.monotonic() < _quiet_until:
        return
    try:
        current_app.send_task(TASK, (job_id,), queue=queue, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        _quiet_until = time.monotonic() + QUIET_S
        log.warning("job %d waits for the sweep: the broker does not answer (%s)", job_id, type(error).__name__)
