"""Reads what is known of how models are: what is missing, the last tiny questions, and when real work was answered. A
handful of queries for any number of models.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Subquery

from collections_app.models import AliasHistory, LanguageModel
from gateway.canon.kinds import CallStatus
from gateway.models import Call
from probes.health.status import TINY, LastAsked
from probes.models import ProbeSample, Served


def load_missing() -> dict[tuple[int, str], datetime]:
    """Since when what is not listed is missing, by endpoint and served name."""
    rows = Served.objects.exclude(first_missing=None).values_list("endpoint_id", "served", "first_missing")
    return {(endpoint, served): since for endpoint, served, since in rows if since is not None}


def load_lasts(models: Iterable[LanguageModel], now: datetime) -> dict[int, LastAsked]:
    """What the last tiny question to each model came to, by the model's id."""
    tiny = ProbeSample.objects.filter(language_model=OuterRef("pk"), prompt=TINY, at__lte=now).order_by("-at", "-id")
    samples = ProbeSample.objects.in_bulk(list(_with_one(models, tiny.values("pk")[:1]).values()))
    return {sample.language_model_id: last_asked(sample) for sample in samples.values()}


def last_asked(sample: ProbeSample) -> LastAsked:
    """The sample as the status sees it."""
    return LastAsked(sample.at, sample.answered, sample.failure, sample.detail, sample.refusal, sample.account_wide)


def load_worked(models: Iterable[LanguageModel], now: datetime) -> dict[int, datetime]:
    """When a call of each model was last answered, whatever it was for, by the model's id.

    The ledger is long and its index goes by alias, so only those that had another name before are looked for by their
    ids.
    """
    rows = list(models)
    found = _with_one(rows, _answered(now, alias=OuterRef("alias")))
    renamed = set(AliasHistory.objects.values_list("new", flat=True))
    others = [row for row in rows if row.alias in renamed and row.pk not in found]
    return found | (_with_one(others, _answered(now)) if others else {})


def _answered(now: datetime, **under: Any) -> Any:
    calls = Call.objects.filter(language_model=OuterRef("pk"), status=CallStatus.OK, at__lte=now, **under)
    return calls.order_by("-at").values("at")[:1]


def _with_one(models: Iterable[LanguageModel], one: Any) -> dict[int, Any]:
    wanted = LanguageModel.objects.filter(pk__in=[model.pk for model in models]).annotate(one=Subquery(one))
    return dict(wanted.exclude(one=None).order_by().values_list("pk", "one"))
