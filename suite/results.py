"""A scored answer as metrics need it, and which of several answers to one task count. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from msgspec import Struct

from gateway.canon.kinds import AttemptOutcome, TaskShape


class Result(Struct, frozen=True):
    """One attempt of one model. `found` of `of` findings and `invented` clauses are zero where it was no answer; times
    are seconds, 0 where unknown, `cost` nano-dollars, null where unknown. `version` names the task's version, `late`
    the newest first when sorted by `at`."""

    model: str
    task: str
    version: str
    shape: TaskShape
    outcome: AttemptOutcome
    at: datetime
    control: bool = False
    found: int = 0
    of: int = 0
    invented: int = 0
    hunt: str = ""
    chance: str = ""
    wrong: bool = False
    seconds: float = 0.0
    cost: int | None = None
    mutation: str = ""
    contaminated: bool = False

    @property
    def answered(self) -> bool:
        return self.outcome is AttemptOutcome.ANSWERED

    @property
    def credit(self) -> float:
        """How good the answer is, from 0 to 1, for comparing models task by task: the share of findings located, and
        nothing when something was invented on the way in a hunt or a claim."""
        if not self.of:
            return 0.0 if self.invented else 1.0
        if self.shape is not TaskShape.FINDING and self.invented:
            return 0.0
        return self.found / self.of


def counting(results: Iterable[Result]) -> list[Result]:
    """The answers that count: of each model and task those to the newest version that it answered. An answer to an
    older version is not scored against a newer key. What is no answer is left out."""
    newest: dict[tuple[str, str], tuple[datetime, str]] = {}
    answered = [one for one in results if one.answered]
    for one in answered:
        key = (one.model, one.task)
        if key not in newest or one.at > newest[key][0]:
            newest[key] = (one.at, one.version)
    return [one for one in answered if newest[one.model, one.task][1] == one.version]


def by_task(results: Iterable[Result]) -> dict[tuple[str, str], list[Result]]:
    """The answers that count by (model, task): repetitions stand together."""
    found: dict[tuple[str, str], list[Result]] = {}
    for one in counting(results):
        found.setdefault((one.model, one.task), []).append(one)
    return found
