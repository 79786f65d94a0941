"""Writes of judging: what is to be asked of a judge, and what it said."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from collections_app.announce import tell_pages
from suite.models import Judgement, JudgeTrial
from suite.store import SIZE, TOPIC


def plan_trials(judge: int, claims: Iterable[tuple[int, str, bool]]) -> None:
    """Trials to be asked: (attempt, claim, truth). Those that are there stay as they are."""
    rows = [JudgeTrial(language_model_id=judge, attempt_id=of, claim=text, truth=truth) for of, text, truth in claims]
    JudgeTrial.objects.bulk_create(rows, batch_size=SIZE, ignore_conflicts=True)


def plan_judgements(judge: int, claims: Iterable[tuple[int, str]]) -> None:
    """Claims to be judged: (attempt, claim). Those that are there stay as they are."""
    rows = [Judgement(language_model_id=judge, attempt_id=of, claim=text) for of, text in claims]
    Judgement.objects.bulk_create(rows, batch_size=SIZE, ignore_conflicts=True)


def keep_said(row: JudgeTrial | Judgement, said: bool | None, at: datetime) -> None:
    """The verdict; None for an answer without one. One that was kept before stays as it is."""
    type(row).objects.filter(pk=row.pk, at__isnull=True).update(said=said, at=at)
    tell_pages(TOPIC)


def leave_unasked(row: JudgeTrial | Judgement) -> None:
    """No answer came: another job may plan it again."""
    type(row).objects.filter(pk=row.pk, at__isnull=True).delete()
