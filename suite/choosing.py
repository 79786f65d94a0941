"""Who is asked next by the schedule, and which tasks. Pure: what is known comes in, decisions go out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from msgspec import Struct

from gateway.canon.fault import FailureClass

MOST_TASKS: Final = 6
"""Tasks of one scheduled pass."""
FREE: Final = ":free"


class Candidate(Struct, frozen=True):
    """A model that may be asked: `answered` counts the tasks of today's that it has answered, `oldest` is when it
    answered the one that it answered longest ago, `newest` the last; None where it answered none."""

    alias: str
    served: str
    answered: int = 0
    oldest: datetime | None = None
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
    """Whose turn it is: who was never scored, then who has not answered every task, then whose newest answer is the
    oldest. `tasks` counts the tasks there are; `free` asks among those that cost nothing, else among the others."""
    mine = [one for one in candidates if one.free is free]
    if not mine or not tasks:
        return None
    return min(mine, key=lambda one: (one.answered > 0, one.answered >= tasks, one.newest or _NEVER, one.alias))


def pick_tasks(tasks: Sequence[str], taken: Iterable[Taken], most: int = MOST_TASKS) -> list[str]:
    """Those without an answer, in order; where all have one, those whose answers are the oldest."""
    last = {one.task: one for one in taken}
    missing = [task for task in tasks if task not in last or last[task].gap]
    if missing:
        return missing[:most]
    return sorted(tasks, key=lambda task: (last[task].at, task))[:most]


_NEVER: Final = datetime.min
