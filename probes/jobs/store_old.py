"""Forgets ended jobs, with their output, a few at a time."""

from __future__ import annotations

from typing import Any, Final

from probes.models import Job

CHUNK: Final = 200
"""Jobs a transaction; each has its lines."""


def delete_jobs(jobs: Any) -> int:
    """Delete the ended ones of a query, and how many."""
    count = 0
    while pks := list(jobs.filter(ended_at__isnull=False).order_by("pk").values_list("pk", flat=True)[:CHUNK]):
        Job.objects.filter(pk__in=pks).delete()
        count += len(pks)
    return count
