"""What models answered, read for taking elsewhere: one after the other, in any number. Never writes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django.db.models import Count, Max, Min, Prefetch, QuerySet
from msgspec import Struct

from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.keys import whole_prompt
from suite.models import Attempt, Score, TaskVersion
from suite.results import Result

CHUNK: Final = 500


class Which(Struct, frozen=True):
    """What is taken: answers of these models, by alias, that came at `since` or later; empty does not narrow. Drafts
    and dropped tasks stay out unless `drafts`. `last` is the highest id that counts, so that what is read twice is the
    same both times; 0 for no bound."""

    models: tuple[str, ...] = ()
    since: datetime | None = None
    drafts: bool = False
    last: int = 0


class Asked(Struct, frozen=True):
    """The version of a task that was answered. `sent` is the whole of what the model was sent, but for the code around
    a needle: `drawn` holds the recipe that it is made by."""

    task: str
    title: str
    digest: str
    shape: str
    origin: str
    language: str
    mutation: str
    control: bool
    contamination: str
    sent: str
    key: dict[str, Any]
    drawn: str = ""


class Answer(Struct, frozen=True):
    """One attempt. `score` has the columns of the current score, null where it was no answer. `cost` is in
    nano-dollars, null where unknown; `seconds` is 0 where unknown."""

    id: int
    suite_pass: int
    pass_kind: str
    model: str
    served: str
    number: int
    outcome: AttemptOutcome
    at: datetime
    asked: Asked
    failure: str = ""
    detail: str = ""
    text: str = ""
    seconds: float = 0.0
    first_token_s: float | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: int | None = None
    score: dict[str, Any] | None = None

    @property
    def answered(self) -> bool:
        return self.outcome is AttemptOutcome.ANSWERED

    @property
    def credit(self) -> float | None:
        """How good it is, from 0 to 1 (suite.results); None where it was no answer."""
        if self.score is None:
            return None
        counted = {"found": self.score["found"], "of": self.score["of"], "invented": len(self.score["invented"])}
        shape = TaskShape(self.asked.shape)
        return Result(self.model, self.asked.task, self.asked.digest, shape, self.outcome, self.at, **counted).credit

    @property
    def good(self) -> bool:
        """Whether all was found and nothing invented."""
        return self.credit == 1.0 and self.score is not None and not self.score["invented"]

    @property
    def told(self) -> str:
        """The scoring clause by clause, a line each."""
        steps = self.score["steps"] if self.score else ()
        return "\n".join(f"{step['label']}: {step['how']}" for step in steps)


SCORE: Final = ("scorer", "found", "of", "missed", "invented", "format_ok", "hunt", "chance", "wrong", "steps")


class Span(Struct, frozen=True):
    """How much there is of one model."""

    model: str
    answers: int
    tasks: int
    first: datetime
    last: datetime


def newest() -> int:
    """The highest id that there is, 0 for none."""
    found: int | None = Attempt.objects.aggregate(last=Max("pk"))["last"]
    return found or 0


def spans(which: Which) -> list[Span]:
    """One for each model that there is something of, by its name."""
    rows = _rows(which).order_by("language_model__alias").values("language_model__alias")
    counted = rows.annotate(n=Count("id"), tasks=Count("version__task", distinct=True), first=Min("at"), last=Max("at"))
    return [Span(row["language_model__alias"], row["n"], row["tasks"], row["first"], row["last"]) for row in counted]


def answers(which: Which) -> Iterator[Answer]:
    """By model, then task, then in the order in which they came. Read in pieces, so that any number fits."""
    version = lru_cache(maxsize=256)(_asked)
    scores = Prefetch("scores", queryset=Score.objects.filter(current=True), to_attr="counting")
    rows = _rows(which).select_related("suite_pass", "language_model").prefetch_related(scores)
    rows = rows.order_by("language_model__alias", "version__task__slug", "at", "id")
    for row in rows.iterator(chunk_size=CHUNK):
        yield _answer(row, version(row.version_id))


def _rows(which: Which) -> QuerySet[Attempt]:
    rows = Attempt.objects.exclude(outcome="").exclude(at=None)
    if which.models:
        rows = rows.filter(language_model__alias__in=which.models)
    if which.since is not None:
        rows = rows.filter(at__gte=which.since)
    if which.last:
        rows = rows.filter(pk__lte=which.last)
    return rows if which.drafts else rows.filter(version__task__draft=False, version__task__dropped=False)


def _asked(pk: int) -> Asked:
    version = TaskVersion.objects.select_related("task").get(pk=pk)
    task, files = version.task, version.attachments
    needle = task.shape == TaskShape.NEEDLE
    return Asked(
        task=task.slug,
        title=task.title,
        digest=version.digest,
        shape=task.shape,
        origin=task.origin,
        language=task.language,
        mutation=task.mutation,
        control=task.control,
        contamination=task.contamination,
        sent=whole_prompt(version.prompt, () if needle else files),
        key=version.key,
        drawn="\n".join(file["text"] for file in files) if needle else "",
    )


def _answer(row: Attempt, asked: Asked) -> Answer:
    scores: list[Score] = getattr(row, "counting", [])
    at = row.at
    assert at is not None  # noqa: S101 those without a time were left out
    return Answer(
        id=row.pk,
        suite_pass=row.suite_pass_id,
        pass_kind=row.suite_pass.kind,
        model=row.language_model.alias,
        served=row.language_model.served,
        number=row.number,
        outcome=AttemptOutcome(row.outcome),
        at=at,
        asked=asked,
        failure=row.failure,
        detail=row.detail,
        text=row.answer,
        seconds=row.seconds,
        first_token_s=row.first_token_s,
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        cost=row.cost,
        score={name: getattr(scores[0], name) for name in SCORE} if scores else None,
    )
