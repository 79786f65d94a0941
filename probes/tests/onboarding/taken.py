"""Asking for models and working on the jobs, as tests do it."""

from __future__ import annotations

from probes.jobs.run import run_job
from probes.models import Job
from probes.onboarding.items import Item
from probes.onboarding.queue import do_onboard
from probes.tests.jobs.given import NOW, Clock


def asked(*served: str, mode: str = "quick", endpoint: str = "den") -> list[Job]:
    """The jobs, not begun."""
    return do_onboard(actor=None, items=[Item(endpoint, name, mode) for name in served], now=NOW)


def worked(job: Job) -> Job:
    """The job after a claim of it."""
    run_job(job.pk, Clock(NOW))
    return Job.objects.get(pk=job.pk)


def taken(served: str, mode: str = "quick") -> Job:
    """The job after it was asked for and worked on."""
    return worked(asked(served, mode=mode)[0])


def lines(job: Job) -> list[str]:
    return list(job.lines.values_list("text", flat=True))
