"""Who is asked next by the schedule, and which tasks. Pure: what is known comes in, decisions go out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from gateway.canon.fault import FailureClass

MOST_TASKS: Final = 6
"""Tasks of one scheduled pass."""
HEAD_START: Final = timedelta(days=14)
"""Whoever has tasks left comes before the others, as if it had been asked so much earlier. It is no more than that, so
that a model that never gets through cannot keep all others from their turn."""
FREE: Final = ":free"


class Candidate(Struct, frozen=True):
    """A model that may be asked: `taken` counts the tasks of today's that it need not be asked now, `newest` is when it
    was asked the last; None where it was asked none."""

    alias: str
    served: str
    taken: int = 0
    newest: datetime | None = None

    @property
    def free(self) -> bool:
        return self.served.endswith(FREE)


class Taken(Struct, frozen=True):
    """How a model took a task last: when, whether it answered, and the failure class where it did not."""

    task: str
    at: datetime
    answered: bool
    failure: str = ""

    @property
    def gap(self) -> bool:
        """Whether it is as if it had not been asked: a rate limit is the afternoon's fact. A time-out or a failure of
        its own is not asked again at once."""
        return not self.answered and self.failure == FailureClass.CAPACITY


def next_model(candidates: Iterable[Candidate], tasks: int, *, free: bool) -> Candidate | None:
    """Whose turn it is: who was never asked, then whoever was asked longest ago, with a head start for those who have
    tasks left. `tasks` counts the tasks there are; `free` asks among those that cost nothing, else among the others."""
    mine = [one for one in candidates if one.free is free]
    if not mine or not tasks:
        return None
    if new := [one for one in mine if one.newest is None]:
        return min(new, key=lambda one: one.alias)
    waiting = [(one.newest, one) for one in mine if one.newest is not None]
    return min(waiting, key=lambda pair: (pair[0] - _ahead(pair[1], tasks), pair[1].alias))[1]


def pick_tasks(tasks: Sequence[str], taken: Iterable[Taken], most: int = MOST_TASKS) -> list[str]:
    """Those without an answer, in order; where all have one, those whose answers are the oldest."""
    last = {one.task: one for one in taken}
    missing = [task for task in tasks if task not in last or last[task].gap]
    if missing:
        return missing[:most]
    return sorted(tasks, key=lambda task: (last[task].at, task))[:most]


def _ahead(one: Candidate, tasks: int) -> timedelta:
    return HEAD_START if one.taken < tasks else timedelta()
