"""Writes of the suite: tasks with their versions, passes with their attempts, scores."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from collections_app.announce import tell_pages
from collections_app.models import LanguageModel
from gateway.canon.kinds import AttemptOutcome
from suite.drafts import Draft
from suite.models import Attempt, Score, SuitePass, Task, TaskVersion
from suite.scoring import SCORER, Scored

TOPIC = "suite"
SIZE = 500


def keep_task(draft: Draft, *, by: str, now: datetime, reviewed: bool = False) -> tuple[Task, bool]:
    """The task as the draft has it, and whether anything was new. What is asked or its key being other makes a new
    version; one that was there once is current again. A task that is there keeps whether it is a draft."""
    with transaction.atomic():
        said = {
            "title": draft.title[:200],
            "shape": draft.shape,
            "origin": draft.origin,
            "language": draft.language,
            "mutation": draft.mutation,
            "pair": draft.pair,
            "control": draft.control,
            "source": draft.source[:300],
            "source_url": draft.source_url[:500],
            "licence": draft.licence[:64],
            "created_on": draft.created_on,
            "contamination": draft.contamination[:300],
        }
        made = {**said, "draft": not reviewed, "created_at": now}
        task, new = Task.objects.update_or_create(slug=draft.slug, defaults=said, create_defaults=made)
        current = task.versions.filter(current=True).first()
        if current is not None and current.digest == draft.digest:
            return task, new
        task.versions.filter(current=True).update(current=False)
        version, _ = TaskVersion.objects.get_or_create(
            task=task,
            digest=draft.digest,
            defaults={
                "prompt": draft.prompt,
                "attachments": draft.attachments,
                "key": draft.key,
                "why": draft.why,
                "made_by": by[:150],
                "made_at": now,
                "current": False,
            },
        )
        TaskVersion.objects.filter(pk=version.pk).update(current=True)
    tell_pages(TOPIC)
    return task, True


def begin_pass(
    kind: str,
    versions: Sequence[TaskVersion],
    models: Sequence[LanguageModel],
    *,
    by: str,
    now: datetime,
    note: str = "",
    repetitions: int = 1,
    timeout_s: float = 420.0,
) -> SuitePass:
    """A pass with all its attempts, task by task, so that every model is some way through when it is stopped."""
    with transaction.atomic():
        new = SuitePass.objects.create(
            kind=kind, note=note[:200], repetitions=repetitions, timeout_s=timeout_s, by=by[:150], created_at=now
        )
        Attempt.objects.bulk_create(
            [
                Attempt(suite_pass=new, version=version, language_model=model, number=number)
                for number in range(1, repetitions + 1)
                for version in versions
                for model in models
            ],
            batch_size=SIZE,
        )
    tell_pages(TOPIC)
    return new


def keep_answer(attempt: Attempt, outcome: AttemptOutcome, scored: Scored | None, **fields: object) -> None:
    """What came of an attempt, with its score where it is an answer. One that was kept before stays as it is."""
    with transaction.atomic():
        changed = Attempt.objects.filter(pk=attempt.pk, outcome="").update(outcome=outcome, **fields)
        if changed and scored is not None:
            Score.objects.create(**score_fields(attempt.pk, scored))
    tell_pages(TOPIC)


def keep_scores(scores: Sequence[tuple[int, Scored]]) -> None:
    """Scores by this version of the scorer in place of those they had: (attempt, score), a few hundred at once."""
    ids = [attempt for attempt, _ in scores]
    with transaction.atomic():
        Score.objects.filter(attempt__in=ids, scorer=SCORER).delete()
        Score.objects.filter(attempt__in=ids, current=True).update(current=False)
        Score.objects.bulk_create([Score(**score_fields(attempt, scored)) for attempt, scored in scores])


def keep_why_not(attempt: Attempt, why: str) -> None:
    """The attempt was not put to its model. It has no outcome: whoever takes the pass up again asks it."""
    Attempt.objects.filter(pk=attempt.pk, outcome="").update(detail=why[:300])
    tell_pages(TOPIC)


def end_pass(one: SuitePass, now: datetime) -> None:
    """Nobody works on the pass any more. What has no outcome by now was not asked."""
    SuitePass.objects.filter(pk=one.pk).update(ended_at=now)
    tell_pages(TOPIC)


def reopen_pass(one: SuitePass) -> None:
    """Somebody goes on with what was not asked."""
    SuitePass.objects.filter(pk=one.pk).update(ended_at=None)
    tell_pages(TOPIC)


def score_fields(attempt: int, scored: Scored) -> dict[str, object]:
    """The columns of a row."""
    return {
        "attempt_id": attempt,
        "scorer": SCORER,
        "found": scored.found,
        "of": scored.of,
        "missed": list(scored.missed),
        "invented": list(scored.invented),
        "format_ok": scored.format_ok,
        "format_why": scored.format_why[:200],
        "hunt": scored.hunt,
        "chance": scored.chance,
        "wrong": scored.wrong,
        "steps": [
            {"kind": step.kind, "label": step.label, "how": step.how, "where": step.where} for step in scored.steps
        ],
        "current": True,
    }
