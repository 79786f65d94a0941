"""A catalogue of many models, and a sweep over it as a job."""

from __future__ import annotations

from datetime import datetime

from collections_app.models import ConnectionLimit, Endpoint, LanguageModel
from probes.jobs import store
from probes.jobs.run import run_job
from probes.models import Job
from probes.tests.jobs.given import NOW, Clock

__all__ = ["NOW", "Clock"]


def registered(base: str, connections: int = 1, models: int = 2, **facts: object) -> list[LanguageModel]:
    """On endpoints c1, c2 and so on, models c1-m1, c1-m2 and so on, served as c1/m1."""
    made = []
    for at in range(1, connections + 1):
        endpoint = Endpoint.objects.create(name=f"c{at}", base=base, kind="local")
        for number in range(1, models + 1):
            given = {"alias": f"c{at}-m{number}", "served": f"c{at}/m{number}"} | facts
            made.append(LanguageModel.objects.create(endpoint=endpoint, **given))
    return made


def limit(connection: str, **limits: int) -> None:
    ConnectionLimit.objects.create(connection=connection, **limits)


def swept(kind: str, now: datetime = NOW, **payload: object) -> Job:
    """The job after one claim of it."""
    job = store.enqueue(kind, "all", now=now, payload=payload)
    assert job is not None
    return again(job, now)


def again(job: Job, now: datetime = NOW) -> Job:
    """The job after another claim of it."""
    run_job(job.pk, Clock(now))
    return Job.objects.get(pk=job.pk)


def lines(job: Job) -> list[str]:
    return list(job.lines.values_list("text", flat=True))
