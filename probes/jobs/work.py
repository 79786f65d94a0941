"""A job while somebody works on it: what its function may say, keep and ask."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from msgspec import Struct

from gateway.canon.kinds import JobState
from probes.jobs import store
from probes.models import Job

STOPPED: Final = "stopped on request"
TIME_UP: Final = "stopped at its time limit"


class Stopped(Exception):
    """Somebody asked for an end, or the time is up. What was finished stays."""


class TimeUp(Stopped):
    """It took as long as its kind may. The job has failed."""


class LeaseLost(Exception):
    """Another process works on the job by now; this one must write nothing more."""


class Leaving(LeaseLost):
    """This process is told to end. Whoever is there next goes on with the job where it stands."""


class Ending(Struct, frozen=True):
    """How a job ended: `done`, `no answer`, `failed` or `skipped`, and a sentence for people."""

    state: JobState = JobState.DONE
    note: str = ""


class JobAtWork:
    """The job in one claim. Whatever writes may raise LeaseLost. Only `check` raises Stopped and Leaving: called before
    each call out, it lets the job end within one. Used by the thread that does the work."""

    def __init__(
        self,
        job: Job,
        clock: Callable[[], datetime],
        until: datetime,
        leaving: Callable[[], bool] = lambda: False,
    ) -> None:
        self.job = job
        self.clock = clock
        self._until = until
        self._leaving = leaving

    @property
    def payload(self) -> dict[str, Any]:
        return dict(self.job.payload)

    def say(self, text: str) -> None:
        """A line of output, for people."""
        if not store.say(self.job, text, self.clock()):
            raise LeaseLost(f"job {self.job.pk} is another's")

    def found(self, step: str) -> Any:
        """What a step found that was finished before, in this claim or an earlier one; None when it was not."""
        return self.job.results.get(step)

    def finished(self, step: str) -> bool:
        return step in self.job.results

    def keep(self, step: str, result: Any) -> None:
        """The step is finished, and what it found is kept (JSON). It will not be done again."""
        self._write(results=self._with(step, result), step=self.job.step + 1, attempts=1)

    def keep_part(self, name: str, result: Any) -> None:
        """A part of a step that is not finished yet: kept as `found(name)`, and the step goes on."""
        self._write(results=self._with(name, result), attempts=1)

    def progress(self, done: int, total: int) -> None:
        """How many parts are finished. Writes; for sweeps, call it as each part ends."""
        further = {"attempts": 1} if done > self.job.done else {}
        self._write(done=done, total=total, **further)

    def within(self, until: datetime) -> JobAtWork:
        """The same job for a part of it that may take until then and no longer."""
        return JobAtWork(self.job, self.clock, min(until, self._until), self._leaving)

    def check(self) -> None:
        """Raises Stopped or Leaving when the job is to end now."""
        self.job.stop_asked = Job.objects.filter(pk=self.job.pk, stop_asked=True).exists()
        if self.job.stop_asked:
            raise Stopped(STOPPED)
        if self.clock() >= self._until:
            raise TimeUp(TIME_UP)
        if self._leaving():
            raise Leaving(f"job {self.job.pk} is left to the next process")

    def _with(self, name: str, result: Any) -> dict[str, Any]:
        return {**self.job.results, name: store.clean(result)}

    def _write(self, **fields: Any) -> None:
        if not store.write(self.job, **fields):
            raise LeaseLost(f"job {self.job.pk} is another's")
