"""What the suite's answers amount to, read for metrics. Never writes.

A hundred thousand answers take a second or two to read, so whoever shows sums of them keeps these by `stamp`: it is
another one as soon as anything that the sums are made of is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from django.db.models import Avg, Count, Max, Q, Sum, TextField
from django.db.models.functions import Cast
from msgspec import Struct, json

from collections_app.models import LanguageModel
from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.metrics import Share
from suite.models import Attempt, Score, Task, TaskVersion
from suite.results import Result

CHUNK: Final = 5_000
_FIELDS: Final = ("id", "language_model_id", "version_id", "outcome", "at", "seconds", "cost")
_SCORE: Final = ("found", "of", "said", "hunt", "chance", "wrong")
_NONE: Final = ("[]", "")
"""No inventions, as databases write it: most answers are spared the reading of a list."""
_OUTCOMES: Final = {str(one): one for one in AttemptOutcome}


class Which(Struct, frozen=True):
    """What the answers are narrowed to; empty does not narrow. Drafts and dropped tasks never count. `models` are
    aliases; retired models are left out unless `retired` or named."""

    shape: str = ""
    origin: str = ""
    language: str = ""
    retired: bool = False
    models: tuple[str, ...] = ()

    def tasks(self) -> Q:
        """The tasks that fit, seen from a version."""
        found = Q(task__draft=False, task__dropped=False)
        for name in ("shape", "origin", "language"):
            if value := getattr(self, name):
                found &= Q(**{f"task__{name}": value})
        return found


class Loaded(Struct, frozen=True):
    """`every` holds what models made of any version, oldest first; `current` names the versions of today."""

    every: list[Result]
    current: frozenset[str]

    @property
    def today(self) -> list[Result]:
        """What they made of the tasks as they are now."""
        return [one for one in self.every if one.version in self.current]


def load_results(which: Which) -> Loaded:
    """All that was asked and fits, three queries for any number of answers."""
    models = _models(which)
    versions = {
        row["id"]: row
        for row in TaskVersion.objects.filter(which.tasks()).values(
            "id", "current", "task__slug", "task__shape", "task__control", "task__mutation", "task__contamination"
        )
    }
    for row in versions.values():
        row["task__shape"] = TaskShape(row["task__shape"])
    rows = Attempt.objects.exclude(outcome="").exclude(at=None).order_by("at", "id")
    if which.models:
        rows = rows.filter(language_model__in=list(models))
    scores = _scores(which, list(models))
    every = []
    for pk, model, version, outcome, at, seconds, cost in rows.values_list(*_FIELDS).iterator(chunk_size=CHUNK):
        if (task := versions.get(version)) is not None and model in models:
            every.append(_result(models[model], task, scores.get(pk), outcome, at, seconds, cost))
    return Loaded(every, frozenset(str(pk) for pk, row in versions.items() if row["current"]))


def found_shares() -> dict[int, Share]:
    """By model: of what the keys of today's tasks ask for, how much it found. Repetitions are averaged first; one query
    that sums in the database."""
    rows: Any = Score.objects.filter(
        current=True, attempt__version__current=True, attempt__version__task__draft=False
    ).filter(attempt__version__task__dropped=False)
    each = rows.order_by().values_list("attempt__language_model", "attempt__version").annotate(Avg("found"), Max("of"))
    hits: dict[int, float] = defaultdict(float)
    of: dict[int, int] = defaultdict(int)
    for model, _, found, most in each:
        hits[model] += found
        of[model] += most
    return {model: Share(hits[model], float(of[model])) for model in of}


def stamp() -> str:
    """What the sums of all answers depend on, in a few characters: numbers from indexes and small tables. An answer
    that is kept is one more; scores made anew have new rows."""
    attempts = Attempt.objects.exclude(outcome="").order_by().count()
    scores = Score.objects.aggregate(Max("id"))
    counts = {name: Count("id", filter=Q(**{name: True})) for name in ("draft", "dropped", "control")}
    tasks = Task.objects.aggregate(
        Count("id"), Max("reviewed_at"), **{f"n_{name}": one for name, one in counts.items()}
    )
    current = TaskVersion.objects.filter(current=True).aggregate(Sum("id"), Max("id"))
    names = LanguageModel.objects.order_by("id").values_list("id", "alias", "retired_at")
    told = [attempts, scores, tasks, current, list(names)]
    return sha256(repr(told).encode()).hexdigest()[:24]


def _models(which: Which) -> dict[int, str]:
    rows = LanguageModel.objects.order_by("alias")
    if which.models:
        rows = rows.filter(alias__in=which.models)
    elif not which.retired:
        rows = rows.filter(retired_at=None)
    return dict(rows.values_list("id", "alias"))


def _scores(which: Which, models: list[int]) -> dict[int, tuple[Any, ...]]:
    rows = Score.objects.filter(current=True).annotate(said=Cast("invented", TextField())).order_by()
    if which.models:
        rows = rows.filter(attempt__language_model__in=models)
    return {row[0]: row[1:] for row in rows.values_list("attempt_id", *_SCORE).iterator(chunk_size=CHUNK)}


def _result(
    model: str,
    task: Mapping[str, Any],
    scored: tuple[Any, ...] | None,
    outcome: str,
    at: datetime,
    seconds: float,
    cost: int | None,
) -> Result:
    found, of, said, hunt, chance, wrong = scored or (0, 0, "", "", "", False)
    return Result(
        model,
        task["task__slug"],
        str(task["id"]),
        task["task__shape"],
        _OUTCOMES[outcome],
        at,
        control=task["task__control"],
        found=found,
        of=of,
        invented=0 if said in _NONE else len(json.decode(said)),
        hunt=hunt,
        chance=chance,
        wrong=wrong,
        seconds=seconds,
        cost=cost,
        mutation=task["task__mutation"],
        contaminated=bool(task["task__contamination"]),
    )
