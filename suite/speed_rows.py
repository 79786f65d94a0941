"""The speed sweeps' probes in rows, for the figures of suite.speed."""

from __future__ import annotations

from django.db.models import F, Window
from django.db.models.functions import DenseRank

from probes.models import ProbeSample
from probes.questions import LARGE
from suite.speed import PROMPTS, Speed, Timed, failing_large, speeds

KIND = "speed"
SWEEPS = 4
"""So many of the latest sweeps of each model are looked at: some may be without an answer."""


def latest_speeds() -> list[Speed]:
    """Every model on the bench by its latest speed sweep."""
    rows = ProbeSample.objects.filter(kind=KIND, prompt__in=PROMPTS, job__isnull=False)
    rows = rows.filter(language_model__retired_at=None)
    by_sweep = Window(DenseRank(), partition_by=[F("language_model"), F("prompt")], order_by=F("job").desc())
    found = rows.annotate(sweep_rank=by_sweep).filter(sweep_rank__lte=SWEEPS).select_related("language_model")
    return speeds(_timed(row) for row in found)


def models_failing_large() -> frozenset[str]:
    """Aliases of those that are asked no large question (see suite.speed.failing_large), by probes of any kind."""
    rows = ProbeSample.objects.filter(prompt=LARGE.name, account_wide=False, language_model__retired_at=None)
    newest = Window(DenseRank(), partition_by=[F("language_model")], order_by=[F("at").desc(), F("id").desc()])
    found = rows.annotate(rank=newest).filter(rank=1).select_related("language_model")
    return failing_large(_timed(row) for row in found)


def _timed(row: ProbeSample) -> Timed:
    return Timed(
        model=row.language_model.alias,
        prompt=row.prompt,
        sweep=row.job_id or 0,
        at=row.at,
        answered=row.answered,
        refusal=row.refusal,
        failure=row.failure,
        account_wide=row.account_wide,
        detail=row.detail,
        seconds=row.seconds,
        first_token_s=row.first_token_s,
        tokens_out=row.tokens_out,
        characters=row.characters,
    )
