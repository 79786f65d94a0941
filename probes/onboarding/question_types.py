"""Whether a decision model answers one more type of question: each that somebody asks for is tried by one call, and
those that it answered are added to what it is asked. Types that it is not to be asked any more go without a call."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User
from django.utils import timezone

from collections_app.actions.decision import do_save_decision_model
from collections_app.journal import require
from collections_app.models import DecisionModel
from collections_app.refusal import NotThere, Problems, Refused
from gateway.canon.decision import QuestionType
from gateway.canon.kinds import JobState
from probes.jobs.store import enqueue
from probes.jobs.work import Ending, JobAtWork
from probes.models import Job
from probes.onboarding.decision import ask_type

KIND: Final = "question-types"


def do_set_question_types(
    *, actor: User | None, alias: str, kinds: Sequence[str], now: datetime | None = None
) -> Job | None:
    """Let the model be asked these types of question. What is new is tried by a call first, in the job returned; what
    is missing goes at once. None where nothing is to be tried, or somebody tries already.

    :raises Refused: a type that there is not, or none at all that it is known to answer.
    """
    require(actor, "collections_app.change_decisionmodel", "change decision models")
    row = _find(alias)
    known = set(QuestionType)
    problems = Problems()
    for kind in kinds:
        problems.check(kind in known, "question_types", f"“{kind}” is no question type; known are {', '.join(known)}.")
    problems.refuse()
    kept = [kind for kind in row.question_types if kind in kinds]
    fresh = [kind for kind in kinds if kind not in row.question_types]
    if not kept:
        raise Refused([("question_types", "Keep at least one type that it is known to answer.")])
    if kept != row.question_types:
        _save(row, actor, kept)
    if not fresh:
        return None
    require(actor, "probes.add_job", "ask models")
    payload = {"model": row.pk, "kinds": fresh}
    return enqueue(KIND, row.alias, now=now or timezone.now(), payload=payload, actor=actor)


def try_types(at_work: JobAtWork) -> Ending:
    """The job. Its payload names the `model` by id, and the `kinds`."""
    row = DecisionModel.objects.filter(pk=at_work.payload["model"]).select_related("via").first()
    if row is None:
        return Ending(JobState.SKIPPED, "the model is gone by now")
    answered: list[str] = []
    for kind in map(QuestionType, at_work.payload["kinds"]):
        at_work.check()
        came = at_work.found(kind)
        if came is None:
            came = ask_type(row.via, row.served, row.path, kind)
            at_work.keep_part(kind, came)
        at_work.say(f"{kind}: {came.get('words') or 'answered'}")
        if came["answered"]:
            answered.append(kind.value)
    if not answered:
        return Ending(JobState.NO_ANSWER, f"{row.alias} answered none of them")
    row.refresh_from_db()
    _save(row, at_work.job.actor, [*row.question_types, *(kind for kind in answered if kind not in row.question_types)])
    return Ending(JobState.DONE, f"{row.alias} answers {', '.join(answered)}")


def _find(alias: str) -> DecisionModel:
    row = DecisionModel.objects.filter(alias=alias).select_related("via").first()
    if row is None:
        raise NotThere([("alias", f"There is no decision model “{alias}”.")])
    return row


def _save(row: DecisionModel, actor: User | None, kinds: Sequence[str]) -> None:
    do_save_decision_model(
        actor=actor,
        alias=row.alias,
        served=row.served,
        via=row.via.name,
        path=row.path,
        question_types=kinds,
        ad_hoc=row.ad_hoc,
    )
