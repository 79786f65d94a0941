"""How the queue stands, and which models did not answer when they were taken on. Reads only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext_lazy
from msgspec import Struct

from collections_app.models import DecisionModel, LanguageModel
from gateway.canon.kinds import JobState, ModelStatus
from probes.jobs.kinds import kind_of
from probes.models import Job, OnboardingIssue
from probes.models.job import OPEN
from probes.onboarding.advice import Advice, advice_for
from probes.onboarding.candidates import Name
from probes.onboarding.items import KIND, Item, item_of
from probes.onboarding.queue import AGAIN, STOPPED, queue
from probes.onboarding.work import STEPS

TONES: Final = {JobState.DONE: "ok", JobState.NO_ANSWER: "warn", JobState.FAILED: "err"}
MODES: Final = {
    "full": gettext_lazy("full"),
    "quick": gettext_lazy("quick"),
    "quick-adhoc": gettext_lazy("quick, ad hoc"),
}


class Standing(Struct, frozen=True):
    """One of the queue. `alias` is empty until it is registered, `model` tells whether that alias has a page."""

    job: Job
    item: Item
    mode: str
    tone: str
    step: int
    step_words: str
    alias: str
    model: bool
    again: bool

    @property
    def waits(self) -> bool:
        return self.job.state == JobState.QUEUED

    @property
    def runs(self) -> bool:
        return self.job.state == JobState.RUNNING


class Queue(Struct, frozen=True):
    """All of it. `share` is whole percent; `stopping` while one runs on after the others were skipped."""

    rows: Sequence[Standing]
    ended: int
    share: int
    open: bool
    waiting: int
    stopping: bool
    tone: str
    steps: int = len(STEPS)


class Issue(Struct, frozen=True):
    """A model on the bench that did not answer, and what to do about it."""

    issue: OnboardingIssue
    advice: Advice
    step: str


def load_queue() -> Queue:
    """In the order asked for."""
    jobs = list(queue())
    gone = _gone({_alias(job) for job in jobs if job.state in AGAIN})
    rows = [_standing(job, gone) for job in jobs]
    ended = sum(not row.job.open for row in rows)
    moving = sum(row.step - 0.5 for row in rows if row.runs) / len(STEPS)
    waiting = sum(row.waits for row in rows)
    states = {row.job.state for row in rows}
    tone = "err" if JobState.FAILED in states else "warn" if JobState.NO_ANSWER in states else "ok"
    return Queue(
        rows=rows,
        ended=ended,
        share=round(100 * (ended + moving) / len(rows)) if rows else 0,
        open=ended < len(rows),
        waiting=waiting,
        stopping=ended < len(rows) and not waiting and any(row.job.note == STOPPED for row in rows),
        tone=tone,
    )


def load_under_way() -> frozenset[Name]:
    """What is in the queue and not at its end."""
    items = map(item_of, Job.objects.filter(kind=KIND, state__in=OPEN).only("payload"))
    return frozenset((item.endpoint, item.served) for item in items)


def load_issues() -> list[Issue]:
    """Of models that are live and did not answer since; the newest first."""
    steps = dict(zip(kind_of(KIND).steps, (words for _, words, _ in STEPS), strict=True))
    rows = OnboardingIssue.objects.filter(language_model__retired_at__isnull=True)
    rows = rows.exclude(language_model__status=ModelStatus.HEALTHY).select_related("language_model__endpoint", "job")
    return [Issue(row, advice_for(row.failure), steps.get(row.step, row.step)) for row in rows]


def _standing(job: Job, gone: frozenset[str]) -> Standing:
    item, alias = item_of(job), _alias(job)
    step = min(job.step + 1, len(STEPS))
    return Standing(
        job=job,
        item=item,
        mode=str(MODES.get(item.mode, item.mode)),
        tone=TONES.get(JobState(job.state), ""),
        step=step,
        step_words=STEPS[step - 1][1],
        alias=alias,
        model=bool(job.results.get("registered")),
        again=job.state in AGAIN and alias not in gone,
    )


def _alias(job: Job) -> str:
    """Empty until it is registered."""
    registered, served = job.results.get("registered") or {}, job.results.get("served") or {}
    return str(registered.get("alias", served.get("decision", "")))


def _gone(aliases: set[str]) -> frozenset[str]:
    """Those of models that are retired: they are restored, not tried again."""
    decisions = DecisionModel.objects.filter(alias__in=aliases).values_list("alias", flat=True)
    retired = LanguageModel.objects.filter(alias__in=aliases, retired_at__isnull=False)
    return frozenset(retired.values_list("alias", flat=True)) - set(decisions)
