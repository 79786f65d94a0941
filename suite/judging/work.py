"""The job of a judge: tried on claims whose truth is known, or asked for its verdict on those of which it is not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from django.db import transaction

from collections_app.models import LanguageModel
from gateway.canon.kinds import JobState
from probes.asking import Question, Seen
from probes.health.fan_out import Errand, Manner, NotAsked, run_errands
from probes.jobs.work import Ending, JobAtWork
from probes.questions import ask
from suite.asking import COURTEOUS
from suite.judging import store
from suite.judging.prompt import question, verdict
from suite.judging.rows import free_claims, known_claims, rates_of
from suite.models import Judgement, JudgeTrial
from suite.needles.text import shown

CALIBRATE: Final = "calibrate"
JUDGE: Final = "judge"
PLANNED: Final = "planned"
SECONDS: Final = 180.0

Row = JudgeTrial | Judgement


def judge(at_work: JobAtWork, manner: Manner = COURTEOUS) -> Ending:
    """The payload names the `model` by its id, `what` is done (calibrate or judge), the `most` claims, and for judging
    the `models`, aliases whose answers are judged; all of them when it is empty."""
    model = LanguageModel.objects.filter(pk=at_work.payload["model"]).first()
    if model is None:
        return Ending(JobState.FAILED, "the judge is gone")
    trying = at_work.payload["what"] == CALIBRATE
    if not trying and (why := rates_of(model).why_not):
        return Ending(JobState.SKIPPED, f"{model.alias} judges nothing: {why}")
    if not at_work.finished(PLANNED):
        _plan(at_work, model, trying=trying)
    counts = _ask_all(at_work, model, _waiting(JudgeTrial if trying else Judgement, model), manner)
    told = ", ".join(f"{count} {what}" for what, count in counts.most_common()) or "no claim to ask about"
    if not trying:
        return Ending(_state(counts), told)
    measured = rates_of(model)
    return Ending(_state(counts), f"{told}; {measured.why_not or f'its error is known from {measured.trials} trials'}")


def _waiting(kind: type[Row], model: LanguageModel) -> list[Row]:
    rows = kind.objects.filter(language_model=model, at__isnull=True).select_related("attempt__version__task")
    return list(rows.order_by("attempt__version_id", "id"))


def _state(counts: Counter[str]) -> JobState:
    return JobState.DONE if not counts or set(counts) - {"no answer", "not asked"} else JobState.NO_ANSWER


def _plan(at_work: JobAtWork, model: LanguageModel, *, trying: bool) -> None:
    most = int(at_work.payload["most"])
    with transaction.atomic():
        if trying:
            tried = known_claims(model, most)
            store.plan_trials(model.pk, tried)
            at_work.keep(PLANNED, len(tried))
        else:
            free = free_claims(model, most, at_work.payload.get("models") or ())
            store.plan_judgements(model.pk, free)
            at_work.keep(PLANNED, len(free))


def _ask_all(at_work: JobAtWork, model: LanguageModel, waiting: Sequence[Row], manner: Manner) -> Counter[str]:
    by_name: dict[str, Row] = {str(row.pk): row for row in waiting}
    counts: Counter[str] = Counter()

    def keep(came: Seen | NotAsked) -> None:
        if isinstance(came, NotAsked):
            store.leave_unasked(by_name[came.errand.question.name])
            what = "not asked"
            at_work.say(came.why)
        elif came.failure or came.refusal:
            store.leave_unasked(by_name[came.prompt])
            what = "no answer"
            at_work.say(came.detail or "it declined to answer")
        else:
            said = verdict(came.text)
            store.keep_said(by_name[came.prompt], said, at_work.clock())
            what = {True: "called true", False: "called false", None: "without a verdict"}[said]
        counts[what] += 1
        at_work.progress(counts.total(), len(waiting))

    errands = [_errand(model, name, row) for name, row in by_name.items()]
    run_errands(at_work, errands, keep, manner)
    return counts


def _errand(model: LanguageModel, name: str, row: Row) -> Errand:
    text = question(shown(row.attempt.version), row.claim)
    return Errand(model.pk, model.alias, Question(name, ask(text), SECONDS, least=4))
