"""Writes answers that were given somewhere else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from msgspec import Struct

from collections_app.announce import tell_pages
from collections_app.models import LanguageModel
from gateway.canon.kinds import AttemptOutcome
from suite.models import Attempt, Score, SuitePass, TaskVersion
from suite.scoring import Scored
from suite.store import SIZE, TOPIC, score_fields

KIND = "import"


class Brought(Struct, frozen=True):
    """One answer of a model to a version, with its score where it is one."""

    version: TaskVersion
    model: LanguageModel
    outcome: AttemptOutcome
    text: str
    failure: str = ""
    detail: str = ""
    scored: Scored | None = None


def keep_brought(brought: Sequence[Brought], *, note: str, by: str, now: datetime) -> SuitePass:
    """A pass that is over, with these as its attempts; a model has at most one to a version."""
    with transaction.atomic():
        one = SuitePass.objects.create(kind=KIND, note=note[:200], by=by[:150], created_at=now, ended_at=now)
        attempts = Attempt.objects.bulk_create(
            [
                Attempt(
                    suite_pass=one,
                    version=each.version,
                    language_model=each.model,
                    outcome=each.outcome,
                    failure=each.failure,
                    detail=each.detail[:300],
                    answer=each.text,
                    tries=1,
                    at=now,
                )
                for each in brought
            ],
            batch_size=SIZE,
        )
        pairs = zip(attempts, brought, strict=True)
        scores = [Score(**score_fields(row.pk, each.scored)) for row, each in pairs if each.scored is not None]
        Score.objects.bulk_create(scores, batch_size=SIZE)
    tell_pages(TOPIC)
    return one
