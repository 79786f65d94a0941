"""Rings for a job, once its row is committed: Celery brings the message in milliseconds. When it does not, or the
broker is away, the sweep rings again."""

from __future__ import annotations

import logging
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from probes.jobs.kinds import kind_of
from probes.models import Job

TASK = "probes.run_job"
log = logging.getLogger(__name__)


def ring(job: Job) -> None:
    """Sends the bell after the commit. Never fails the write it follows."""
    transaction.on_commit(partial(_send, job.pk, kind_of(job.kind).queue))


def _send(job_id: int, queue: str) -> None:
    try:
        current_app.send_task(TASK, (job_id,), queue=queue, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        log.warning("job %d waits for the sweep: the broker does not answer (%s)", job_id, type(error).__name__)
