"""Begins the work of a judge, by its alias."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from collections_app.models import LanguageModel
from gateway.canon.kinds import ModelRole
from probes.jobs.store import enqueue
from probes.models import Job

KIND: Final = "suite-judge"
NEVER: Final = (ModelRole.IMAGE, ModelRole.DECISION)


class NoJudge(Exception):
    """The model cannot judge; the text says why."""


def judge_called(alias: str) -> LanguageModel:
    """The model.

    :raises NoJudge: it is not on the bench, or does not chat.
    """
    model = LanguageModel.objects.filter(alias=alias, retired_at__isnull=True).first()
    if model is None:
        raise NoJudge(f"No model on the bench has the alias {alias}.")
    if model.role in NEVER:
        raise NoJudge(f"{alias} does not chat, so it cannot judge.")
    return model


def begin(
    model: LanguageModel, what: str, most: int, *, by: str, now: datetime, models: Sequence[str] = ()
) -> Job | None:
    """The job; None where one of this judge is open already."""
    payload = {"model": model.pk, "what": what, "most": most, "models": list(models)}
    return enqueue(KIND, model.alias, now=now, payload=payload, by=by)
