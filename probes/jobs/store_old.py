"""Deletes jobs that ended longer ago than the logs are kept, with their output. Whole days go, as of the other logs."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any, Final

from collections_app.journal import journal
from collections_app.models import Setting
from gateway.engine.retention import NAME, kept_from
from probes.models import Job

CHUNK: Final = 200
"""Jobs a transaction; each has its lines."""
log = logging.getLogger(__name__)


def delete_old_jobs(now: datetime) -> dict[str, int]:
    """How many jobs went."""
    days = Setting.load().log_days
    count = delete_jobs(Job.objects.filter(ended_at__lt=kept_from(now, days))) if days else 0
    if count:
        log.info("deleted %d jobs that were too old", count)
        with journal(None, NAME, by=NAME) as journaled:
            journaled.note(NAME, "jobs", "rows", old=count, new=0)
    return {"jobs": count}


def delete_jobs(jobs: Any) -> int:
    """Delete the ended ones of a query, a few at a time, and how many."""
    count = 0
    while pks := list(jobs.filter(ended_at__isnull=False).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        Job.objects.filter(pk__in=pks).delete()
        count += len(pks)
    return count
