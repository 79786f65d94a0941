"""A job while somebody works on it: what its function may say, keep and ask."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec import Struct

from gateway.canon.kinds import JobState
from probes.jobs import store
from probes.models import Job


class Stopped(Exception):
    """Somebody asked for an end, or the time is up. What was finished stays."""


class LeaseLost(Exception):
    """Another process works on the job by now; this one must write nothing more."""


class Ending(Struct, frozen=True):
    """How a job ended: `done`, `no answer`, `failed` or `skipped`, and a sentence for people."""

    state: JobState = JobState.DONE
    note: str = ""


class JobAtWork:
    """The job in one claim. Every method may raise LeaseLost; `check` and those that keep something raise Stopped once
    that was asked for. Used by the thread that does the work."""

    def __init__(self, job: Job, clock: Callable[[], datetime], until: datetime) -> None:
        self.job = job
        self.clock = clock
        self._until = until

    @property
    def payload(self) -> dict[str, Any]:
        return dict(self.job.payload)

    def say(self, text: str) -> None:
        """A line of output, for people."""
        store.say(self.job, text, self.clock())

    def found(self, step: str) -> Any:
        """What a step found that was finished before, in this claim or an earlier one; None when it was not."""
        return self.job.results.get(step)

    def finished(self, step: str) -> bool:
        return step in self.job.results

    def keep(self, step: str, result: Any) -> None:
        """The step is finished, and what it found is kept (JSON). It will not be done again."""
        results = {**self.job.results, step: result}
        self._write(results=results, step=self.job.step + 1)

    def progress(self, done: int, total: int) -> None:
        """How many parts are finished. Writes; for sweeps, call it as each part ends."""
        self._write(done=done, total=total)

    def check(self) -> None:
        """Raises Stopped when the job is to end now."""
        self.job.stop_asked = Job.objects.filter(pk=self.job.pk, stop_asked=True).exists()
        if self.job.stop_asked:
            raise Stopped("stopped on request")
        if self.clock() >= self._until:
            raise Stopped("stopped at its time limit")

    def _write(self, **fields: Any) -> None:
        if not store.write(self.job, **fields):
            raise LeaseLost(f"job {self.job.pk} is another's")
