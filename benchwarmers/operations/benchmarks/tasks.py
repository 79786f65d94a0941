"""What the pages of tasks and of one answer show. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Final

from django.db.models import Q

from benchwarmers.operations.benchmarks.filters import TaskFilters
from collections_app.intervals import Interval, wilson
from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.models import Attempt, Score, Task, TaskVersion
from suite.results import Result
from suite.side_by_side import Line, split_lines

PAGE: Final = 40
MOST_ANSWERS: Final = 5_000
"""Of one task, the newest."""
EARLIER: Final = 30


@dataclass(frozen=True, slots=True)
class TaskList:
    """One page of the list."""

    rows: Sequence[Task]
    total: int
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class File:
    """A file that is shown with a task, in lines."""

    name: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True)
class Took:
    """How one model took the task as it is now: `answers` of `asked`, their mean credit with its interval, the newest
    attempt. `old` counts answers to earlier versions."""

    model: str
    asked: int
    answers: int
    credit: float | None
    interval: Interval | None
    wrong: bool
    last: Attempt
    old: int


def load_tasks(filters: TaskFilters) -> TaskList:
    """By name; the last page where there are not so many."""
    found = Task.objects.all()
    if filters.text:
        found = found.filter(Q(slug__icontains=filters.text) | Q(title__icontains=filters.text))
    for name in ("shape", "origin", "language"):
        if value := getattr(filters, name):
            found = found.filter(**{name: value})
    states = {"asked": {"draft": False, "dropped": False}, "draft": {"draft": True, "dropped": False}}
    found = found.filter(**states.get(filters.state, {"dropped": filters.state == "dropped"}))
    total = found.count()
    pages = max(1, -(-total // PAGE))
    page = min(filters.page, pages)
    return TaskList(list(found[(page - 1) * PAGE : page * PAGE]), total, page, pages)


def files_of(version: TaskVersion, *, keyed: bool) -> list[File]:
    """The files in lines; the lines of the key are marked only for those who may see it."""
    lines = version.key.get("lines") or () if keyed else ()
    return [File(one["name"], split_lines(one["text"], lines)) for one in version.attachments]


def load_takes(task: Task) -> list[Took]:
    """By model, the best first."""
    rows = Attempt.objects.filter(version__task=task).exclude(outcome="").select_related("language_model", "version")
    newest = list(rows.defer("answer").order_by("-at", "-id")[:MOST_ANSWERS])
    scores = {one.attempt_id: one for one in Score.objects.filter(attempt__in=[row.pk for row in newest], current=True)}
    by_model: dict[str, list[Attempt]] = {}
    for row in newest:
        by_model.setdefault(row.language_model.alias, []).append(row)
    found = [_took(task, model, its, scores) for model, its in by_model.items()]
    return sorted(found, key=lambda one: (one.credit is None, -(one.credit or 0.0), one.model))


def load_earlier(attempt: Attempt) -> list[Attempt]:
    """Other attempts of this model at this task, the newest first."""
    rows = Attempt.objects.filter(language_model=attempt.language_model, version__task=attempt.version.task)
    rows = rows.exclude(outcome="").exclude(pk=attempt.pk).select_related("version").prefetch_related("scores")
    return list(rows.defer("answer").order_by("-at", "-id")[:EARLIER])


def current_score(attempt: Attempt) -> Score | None:
    """By the newest scorer."""
    return next((one for one in attempt.scores.all() if one.current), None)


def credit_of(task: Task, attempt: Attempt, score: Score) -> float:
    """From 0 to 1, as sums count it."""
    fields: dict[str, Any] = {"found": score.found, "of": score.of, "invented": len(score.invented)}
    shape, outcome = TaskShape(task.shape), AttemptOutcome(attempt.outcome)
    return Result("", task.slug, "", shape, outcome, attempt.at or task.created_at, **fields).credit


def _took(task: Task, model: str, rows: list[Attempt], scores: dict[int, Score]) -> Took:
    now = [row for row in rows if row.version.current]
    counted = [(row, scores[row.pk]) for row in now if row.pk in scores]
    credits = [credit_of(task, row, one) for row, one in counted]
    return Took(
        model=model,
        asked=len(now),
        answers=len(counted),
        credit=fmean(credits) if credits else None,
        interval=wilson(sum(credits), len(credits)),
        wrong=any(one.wrong or one.invented for _, one in counted),
        last=(now or rows)[0],
        old=len(rows) - len(now),
    )
