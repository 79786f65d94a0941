"""Real processes that want the same jobs, one that dies, and a lease that is kept while work goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from benchwarmers.tests.up.running import ROOT, wait_for
from gateway.tests.engine.conftest import migrated, sqlite
from probes.jobs import run
from probes.jobs.run import run_job
from probes.jobs.sweep import sweep
from probes.jobs.work import Ending, JobAtWork
from probes.models import Job, JobLine
from probes.tests.jobs.given import asked, do_nothing, known

__all__ = ["migrated", "sqlite"]
JOBS = 12


class Other:
    """A process of `job_process`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def hear(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def ring(self, jobs: list[int]) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(jobs) + "\n")
        self.process.stdin.flush()


@contextmanager
def another(path: Path) -> Iterator[Other]:
    command = [sys.executable, "-m", "benchwarmers.tests.jobs.job_process", str(path)]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "benchwarmers.tests.settings"}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as process:
        try:
            yield Other(process)
        finally:
            process.kill()


def test_of_two_processes_that_want_the_same_jobs_one_alone_gets_each(sqlite: Path) -> None:
    with known(work=do_nothing):
        jobs = [asked("work", str(number), now=timezone.now()).pk for number in range(JOBS)]
    with ExitStack() as stack:
        both = [stack.enter_context(another(sqlite)) for _ in range(2)]
        assert [one.hear() for one in both] == ["ready", "ready"]
        for one in both:
            one.ring(jobs)
        told = [one.hear() for one in both]
    assert [sorted(ends) for ends in zip(*told, strict=True)] == [["", "done"]] * JOBS
    assert set(Job.objects.values_list("state", "attempts")) == {("done", 1)}
    assert JobLine.objects.count() == JOBS


def test_what_a_dead_process_held_is_taken_at_once(sqlite: Path) -> None:
    with known(work=do_nothing), another(sqlite) as other:
        job = asked("work", now=timezone.now(), payload={"stay": True}, lane="hive")
        assert other.hear() == "ready"
        other.ring([job.pk])
        assert other.hear() == "here"
        assert sweep(timezone.now()) == 0
        assert run_job(job.pk) == ""
        other.process.kill()
        other.process.wait()
        assert sweep(timezone.now()) == 1
        assert run_job(job.pk) == "done"
    job.refresh_from_db()
    assert (job.attempts, job.lines.count()) == (2, 1)


def test_a_lease_is_kept_while_the_work_goes_on(sqlite: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "RENEW_S", 0.01)

    def until() -> Any:
        return Job.objects.values_list("lease_until", flat=True).get()

    def work(at_work: JobAtWork) -> Ending:
        first = until()
        wait_for(lambda: until() > first, 10)
        return Ending()

    with known(work=work):
        assert run_job(asked("work", now=timezone.now()).pk) == "done"
    threads = {thread.name for thread in threading.enumerate()}
    assert not any(name.startswith("lease-") for name in threads)
    assert until() is None
