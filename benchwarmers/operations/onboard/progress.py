"""How the queue of models that are taken on stands, in so few words that every page head has room. Reads only."""

from __future__ import annotations

from django.contrib.auth.models import User
from msgspec import Struct

from gateway.canon.kinds import JobState
from probes.onboarding.queue import queue
from probes.onboarding.work import STEPS


class Progress(Struct, frozen=True):
    """`share` is whole percent: finished ones, and of those that run the steps they have done. `tone` is ok, warn or
    err, `open` whether something is still to come."""

    ended: int
    total: int
    waiting: int
    share: int
    tone: str

    @property
    def open(self) -> bool:
        return self.ended < self.total


def load_progress(person: User) -> Progress | None:
    """None where nothing is queued, and for whoever takes no models on. Two queries."""
    if not person.has_perm("probes.add_job"):
        return None
    rows = list(queue().values_list("state", "step"))
    return progress_of(rows) if rows else None


def progress_of(rows: list[tuple[str, int]]) -> Progress:
    """Of (state, steps that are done) of each job; not empty."""
    states = [state for state, _step in rows]
    waiting = states.count(JobState.QUEUED)
    running = [step for state, step in rows if state == JobState.RUNNING]
    ended = len(rows) - waiting - len(running)
    moving = sum(min(step, len(STEPS) - 1) + 0.5 for step in running) / len(STEPS)
    tone = "err" if JobState.FAILED in states else "warn" if JobState.NO_ANSWER in states else "ok"
    return Progress(ended, len(rows), waiting, round(100 * (ended + moving) / len(rows)), tone)
