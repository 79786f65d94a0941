"""Reads what is known of how models are: what is missing, the tiny questions, and when anything was answered. A handful
of queries for any number of models.

Dates are those of rows that say when something happened: copying an installation makes no old answer fresh.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import OuterRef, Subquery

from collections_app.models import Evidence, LanguageModel
from gateway.canon.fault import FailureClass
from gateway.canon.kinds import CallStatus
from gateway.models import Call
from probes.health.retire import Attempt, Case
from probes.health.status import TINY, LastAsked
from probes.models import ProbeSample, Served

REMEMBERED: Final = timedelta(days=60)
"""How far back failures are looked at; decisions need a week of days on which somebody asked."""
USEFUL: Final = 0.5


def load_missing() -> dict[tuple[int, str], datetime]:
    """Since when what is not listed is missing, by endpoint and served name."""
    rows = Served.objects.exclude(first_missing=None).values_list("endpoint_id", "served", "first_missing")
    return {(endpoint, served): since for endpoint, served, since in rows if since is not None}


def load_seen() -> set[tuple[int, str]]:
    """All that was ever listed, by endpoint and served name."""
    return set(Served.objects.values_list("endpoint_id", "served"))


def load_lasts(models: Iterable[LanguageModel], now: datetime) -> dict[int, LastAsked]:
    """What the last tiny question to each model came to, by the model's id."""
    tiny = ProbeSample.objects.filter(language_model=OuterRef("pk"), prompt=TINY, at__lte=now).order_by("-at", "-id")
    samples = ProbeSample.objects.in_bulk(list(_with_one(models, tiny.values("pk")[:1]).values()))
    return {sample.language_model_id: last_asked(sample) for sample in samples.values()}


def last_asked(sample: ProbeSample) -> LastAsked:
    """The sample as the status sees it."""
    return LastAsked(sample.at, sample.answered, sample.failure, sample.detail, sample.refusal, sample.account_wide)


def load_worked(models: Iterable[LanguageModel], now: datetime) -> dict[int, datetime]:
    """When a call of each model was last answered, whatever it was for, by the model's id."""
    calls = Call.objects.filter(language_model=OuterRef("pk"), status=CallStatus.OK, at__lte=now)
    return _with_one(models, calls.order_by("-at").values("at")[:1])


def _with_one(models: Iterable[LanguageModel], one: Any) -> dict[int, Any]:
    wanted = LanguageModel.objects.filter(pk__in=[model.pk for model in models]).annotate(one=Subquery(one))
    found = wanted.order_by().values_list("pk", "one")  # a condition on it would have it looked up twice
    return {pk: held for pk, held in found if held is not None}


def paid_since(model: LanguageModel) -> datetime | None:
    """When the model went paid, if it must not cost money."""
    return None if model.allow_paid else model.went_paid_at


def load_cases(
    models: Iterable[LanguageModel], missing: Mapping[int, datetime], renamed: Mapping[int, str], now: datetime
) -> list[Case]:
    """What bears on the retirement of each model. `missing` says since when its endpoint does not list it, `renamed`
    what it lists in its place, both by the model's id."""
    rows = list(models)
    answered = load_answered(rows, now)
    attempts = _load_attempts(rows, now)
    return [
        Case(
            alias=row.alias,
            connection=row.connection,
            attempts=tuple(attempts.get(row.pk, ())),
            answered_at=answered.get(row.pk),
            restored_at=row.restored_at,
            missing_at=missing.get(row.pk),
            renamed_to=renamed.get(row.pk, ""),
            guarded=paid_since(row) is not None,
        )
        for row in rows
    ]


def load_answered(models: Iterable[LanguageModel], now: datetime) -> dict[int, datetime]:
    """When each model last gave any answer: to a caller, to a probe, or at work that somebody found useful."""
    rows = list(models)
    return _latest(load_worked(rows, now), _with_one(rows, _judged(now)), _with_one(rows, _replied(now)))


def as_attempt(sample: ProbeSample) -> Attempt:
    """The sample as decisions on retirement see it. A model that declined has answered."""
    failure = "" if sample.answered or sample.refusal else sample.failure or FailureClass.OTHER
    return Attempt(sample.at, failure, not sample.account_wide, sample.detail)


def _load_attempts(rows: list[LanguageModel], now: datetime) -> dict[int, list[Attempt]]:
    """The tiny questions of the last weeks, by the model's id; only the last one of a model that answered it."""
    found: dict[int, list[Attempt]] = defaultdict(list)
    lately = ProbeSample.objects.filter(prompt=TINY, at__lte=now, at__gt=now - REMEMBERED)
    for sample in lately.filter(language_model__in=[row.pk for row in rows]).order_by("at", "id").iterator(2000):
        attempt = as_attempt(sample)
        if not attempt.failure:
            found[sample.language_model_id].clear()
        found[sample.language_model_id].append(attempt)
    return found


def _judged(now: datetime) -> Any:
    useful = Evidence.objects.filter(language_model=OuterRef("pk"), current=True, useful__gt=USEFUL, at__lte=now)
    return useful.order_by("-at").values("at")[:1]


def _replied(now: datetime) -> Any:
    replied = ProbeSample.objects.filter(language_model=OuterRef("pk"), answered=True, at__lte=now)
    return replied.order_by("-at", "-id").values("at")[:1]


def _latest(*accounts: Mapping[int, datetime]) -> dict[int, datetime]:
    latest: dict[int, datetime] = {}
    for account in accounts:
        for model, at in account.items():
            latest[model] = max(at, latest.get(model, at))
    return latest
