"""The suite's jobs: a pass that somebody began, the rotations of the schedule, the tasks of a model just taken on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

from django.db import transaction

from collections_app.models import LanguageModel
from gateway.canon.kinds import EndpointKind, JobState, ModelRole, ModelStatus, TaskShape
from probes.health.fan_out import Manner
from probes.jobs.work import Ending, JobAtWork
from suite.asking import COURTEOUS, NOT_ASKED, run_pass
from suite.choosing import MOST_TASKS, Candidate, Taken, next_model, pick_tasks
from suite.large import tasks_for
from suite.models import Attempt, SuitePass, TaskVersion
from suite.speed_rows import models_failing_large
from suite.store import begin_pass

KEPT: Final = "pass"
"""The step that keeps which pass the job is about."""
NEVER_CHAT: Final = (ModelRole.IMAGE, ModelRole.DECISION)
AWAY: Final = (
    ModelStatus.NOT_SERVED,
    ModelStatus.NOT_FOUND,
    ModelStatus.NO_LONGER_FREE,
    ModelStatus.NO_ACCESS,
    ModelStatus.SIGN_IN_AGAIN,
)
"""What is last known of models that would answer nothing. The daily sweep notices when they are back."""


def asked_pass(at_work: JobAtWork, manner: Manner = COURTEOUS) -> Ending:
    """A pass that was begun before, named in the payload."""
    one = SuitePass.objects.filter(pk=int(at_work.payload["pass"])).first()
    if one is None:
        return Ending(JobState.FAILED, "the pass is gone")
    return _run(at_work, one, manner)


def next_paid(at_work: JobAtWork, manner: Manner = COURTEOUS) -> Ending:
    """Up to six tasks for the model whose turn it is, among those that cost money."""
    return _rotate(at_work, manner, free=False)


def next_free(at_work: JobAtWork, manner: Manner = COURTEOUS) -> Ending:
    """The same among those that cost nothing."""
    return _rotate(at_work, manner, free=True)


def for_model(at_work: JobAtWork, model: LanguageModel, *, gently: bool, manner: Manner = COURTEOUS) -> str:
    """What the model was not asked yet, all of it or, `gently`, as much as one scheduled pass. How it went. See
    probes.onboarding.suite_hook, which calls it within another job."""
    one = _kept(at_work)
    if one is None:
        versions = _left_for(model, MOST_TASKS if gently else None, anew=False)
        if not versions:
            return "the suite has no task that it has not answered"
        with transaction.atomic():
            one = begin_pass("onboarding", versions, [model], by=at_work.job.by or "onboarding", now=at_work.clock())
            at_work.keep_part(KEPT, one.pk)
    return told(run_pass(at_work, one, manner))


def _rotate(at_work: JobAtWork, manner: Manner, *, free: bool) -> Ending:
    one = _kept(at_work)
    if one is None:
        tasks = current_versions()
        chosen = next_model(candidates(tasks), len(tasks), free=free)
        if chosen is None:
            kind = "free " if free else ""
            return Ending(JobState.DONE, f"no {kind}model to ask" if tasks else "the suite has no tasks")
        model = LanguageModel.objects.get(alias=chosen.alias)
        versions = _left_for(model, MOST_TASKS)
        at_work.say(f"{chosen.alias}: {len(versions)} tasks")
        kind = "next-free" if free else "next"
        with transaction.atomic():
            one = begin_pass(kind, versions, [model], by=at_work.job.by or "schedule", now=at_work.clock())
            at_work.keep(KEPT, one.pk)
    return _run(at_work, one, manner)


def _kept(at_work: JobAtWork) -> SuitePass | None:
    kept = at_work.found(KEPT)
    return SuitePass.objects.filter(pk=kept).first() if kept is not None else None


def _run(at_work: JobAtWork, one: SuitePass, manner: Manner) -> Ending:
    outcomes = run_pass(at_work, one, manner)
    if outcomes["answered"]:
        return Ending(JobState.DONE, told(outcomes))
    state = JobState.SKIPPED if set(outcomes) <= {NOT_ASKED} else JobState.NO_ANSWER
    return Ending(state, told(outcomes))


def told(outcomes: Counter[str]) -> str:
    """How a pass went, in a sentence: its outcomes by how often they came."""
    return ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common()) or "nothing was asked"


def current_versions() -> list[TaskVersion]:
    """What is asked by itself: the current version of every task that is no draft and was not dropped. Needles are for
    who asks for them: each costs as much as all the rest."""
    found = TaskVersion.objects.filter(current=True, task__draft=False, task__dropped=False)
    found = found.exclude(task__shape=TaskShape.NEEDLE)
    return list(found.select_related("task").order_by("task__slug"))


def models_to_ask() -> list[LanguageModel]:
    """Who is asked by itself: everybody on the bench who chats, ad hoc and scripted ones apart, that may be called and
    is not known to be away."""
    found = LanguageModel.objects.filter(retired_at__isnull=True, ad_hoc=False).exclude(role__in=NEVER_CHAT)
    found = found.exclude(status__in=AWAY)
    found = found.exclude(endpoint__kind=EndpointKind.PRACTICE).exclude(went_paid_at__isnull=False, allow_paid=False)
    return list(found.select_related("endpoint").order_by("alias"))


def candidates(tasks: Iterable[TaskVersion]) -> list[Candidate]:
    """Who may be asked, with how far each is in the suite of today."""
    every, failing = list(tasks), models_failing_large()
    latest = _latest({version.task_id for version in every})
    found = []
    for model in models_to_ask():
        mine = {version.task_id for version in tasks_for(model.alias, every, failing)}
        if every and not mine:
            continue
        taken = latest.get(model.pk, {})
        # What it is not asked need not be asked now either.
        whole = len(every) - len(mine) + sum(task in mine and not one.gap for task, one in taken.items())
        newest = max((one.at for one in taken.values()), default=None)
        found.append(Candidate(model.alias, model.served, whole, newest))
    return found


def _left_for(model: LanguageModel, most: int | None, *, anew: bool = True) -> list[TaskVersion]:
    """The tasks for the model now, at most so many; where it has taken all of them, the oldest `anew`."""
    mine = tasks_for(model.alias, current_versions(), models_failing_large())
    versions = {version.task.slug: version for version in mine}
    taken = _latest({version.task_id for version in versions.values()}, model.pk).get(model.pk, {}).values()
    whole = {one.task for one in taken if not one.gap}
    if not anew and whole >= set(versions):
        return []
    return [versions[slug] for slug in pick_tasks(list(versions), taken, most or len(versions))]


def _latest(tasks: set[int], model: int | None = None) -> dict[int, dict[int, Taken]]:
    """By model and task, how the current version was taken last."""
    rows: Any = Attempt.objects.filter(version__task__in=tasks, version__current=True).exclude(outcome="")
    if model is not None:
        rows = rows.filter(language_model=model)
    found: dict[int, dict[int, Taken]] = {}
    fields = ("language_model_id", "version__task_id", "version__task__slug", "at", "outcome", "failure")
    for owner, task, slug, at, outcome, failure in rows.order_by("at", "id").values_list(*fields):
        found.setdefault(owner, {})[task] = Taken(slug, at, outcome == "answered", failure)
    return found
