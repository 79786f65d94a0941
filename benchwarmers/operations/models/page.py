"""What the page of one model shows. Reads only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy

from benchwarmers.operations.models.chips import Chip, chip_of
from benchwarmers.operations.models.deeds import Deeds, load_deeds
from benchwarmers.operations.models.form import YES_NO
from benchwarmers.operations.models.price import price_of
from benchwarmers.operations.models.trend import DAYS, LARGE, Probe, Trend, draw_trend
from benchwarmers.sight import visible_collections
from collections_app.facts import CAPABILITIES, LIMIT_AXES, NUMBERS, PRICE_AXES, TEXTS, merge
from collections_app.models import Alert, Fact, LanguageModel
from gateway.canon.fault import FailureClass
from gateway.canon.kinds import ModelStatus
from gateway.models import Cooldown
from probes.health.evidence import load_answered
from probes.health.retry import KIND
from probes.health.status import BY_FAILURE, TINY
from probes.models import Job, OnboardingIssue, ProbeSample, Served
from probes.onboarding.advice import Advice, advice_for

SAMPLES: Final = 2_000
LABELS: Final[Mapping[str, Any]] = {
    "context_window": gettext_lazy("Context window"),
    "max_output": gettext_lazy("Longest answer"),
    "tools": gettext_lazy("Calls tools"),
    "vision": gettext_lazy("Sees images"),
    "documents": gettext_lazy("Reads documents"),
    "audio": gettext_lazy("Hears audio"),
    "structured_output": gettext_lazy("Keeps to a schema"),
    "reasoning": gettext_lazy("Reasons"),
    "knowledge_cutoff": gettext_lazy("Knows up to"),
    "description": gettext_lazy("Description"),
    "limits.rpm": gettext_lazy("Requests a minute"),
    "limits.rpd": gettext_lazy("Requests a day"),
    "limits.tpm": gettext_lazy("Tokens a minute"),
    "limits.tpd": gettext_lazy("Tokens a day"),
    "prices.input": gettext_lazy("Input"),
    "prices.cached": gettext_lazy("Cached input"),
    "prices.cache_write": gettext_lazy("Cache write"),
    "prices.output": gettext_lazy("Output"),
    "prices.reasoning": gettext_lazy("Reasoning"),
}


@dataclass(frozen=True, slots=True)
class FactLine:
    """One fact: the value that holds with its source, evidence and date; `own` is what the operator states, as typed,
    and `placeholder` what holds without it."""

    name: str
    label: str
    kind: str
    value: Any
    source: str
    evidence: str
    seen_at: datetime | None
    own: str
    placeholder: str


@dataclass(frozen=True, slots=True)
class Group:
    """Facts under one heading."""

    heading: str
    lines: Sequence[FactLine]


@dataclass(frozen=True, slots=True)
class ModelPage:
    """All of one model. `asking` is the last job that asked it again by hand, of the last day; `next` says what to do
    about how it is, None where nothing is to be done."""

    model: LanguageModel
    chip: Chip
    price: str
    groups: Sequence[Group]
    told: Sequence[tuple[str, str, str]]
    max_tokens: Any
    answered_at: datetime | None
    served: Served | None
    resting: Cooldown | None
    trend: Trend | None
    next: Advice | None
    issue: OnboardingIssue | None
    advice: Advice | None
    alerts: Sequence[Alert]
    asking: Job | None
    seats: Sequence[str]
    deeds: Deeds


def load_page(person: User, model: LanguageModel, now: datetime, typed: Mapping[str, str] | None = None) -> ModelPage:
    """The page as this person may see it. `typed` are facts that were refused, shown as they were typed."""
    facts = list(model.facts.all())
    values, _ = merge(facts)
    issue = OnboardingIssue.objects.filter(language_model=model).first()
    may_see_alerts = person.has_perm("collections_app.view_alert")
    asked = Job.objects.filter(kind=KIND, key=str(model.pk), created_at__gt=now - timedelta(days=1))
    return ModelPage(
        model=model,
        chip=chip_of(model),
        price=price_of(model, values),
        groups=_groups(facts, typed),
        told=_told(facts),
        max_tokens=model.options.get("max_tokens", ""),
        answered_at=load_answered([model], now).get(model.pk),
        served=Served.objects.filter(endpoint=model.endpoint, served=model.served).first(),
        resting=Cooldown.objects.filter(language_model=model, until__gt=now).first(),
        trend=_trend(model, now),
        next=_next(model),
        issue=issue,
        advice=advice_for(issue.failure) if issue else None,
        alerts=list(Alert.objects.filter(language_model=model)) if may_see_alerts else [],
        asking=asked.order_by("-id").first(),
        seats=_seats(person, model),
        deeds=load_deeds(person, model, timezone.localtime(now).date()),
    )


def _trend(model: LanguageModel, now: datetime) -> Trend | None:
    rows = ProbeSample.objects.filter(
        language_model=model, prompt__in=(TINY, LARGE), at__lte=now, at__gt=now - timedelta(days=DAYS + 1)
    ).order_by("-at")
    values = rows.values_list("at", "prompt", "answered", "seconds", "failure", "account_wide")[:SAMPLES]
    return draw_trend((Probe(*row) for row in values), now, timezone.get_default_timezone())


def _next(model: LanguageModel) -> Advice | None:
    """By the failure that its status stands for."""
    failure = _FAILURES.get(model.status)
    return advice_for(failure) if failure and not model.retired else None


def _seats(person: User, model: LanguageModel) -> list[str]:
    """The collections that it sits in or merges for, of those that the reader sees."""
    seen = visible_collections(person).filter(Q(members=model) | Q(merger=model))
    return sorted(set(seen.values_list("name", flat=True)))


def _groups(facts: Sequence[Fact], typed: Mapping[str, str] | None) -> list[Group]:
    limits = [f"limits.{axis}" for axis in LIMIT_AXES]
    prices = [f"prices.{axis}" for axis in PRICE_AXES]
    return [
        Group(gettext("Sizes and words"), [_line(facts, name, typed) for name in (*NUMBERS, *TEXTS)]),
        Group(gettext("What it can do"), [_line(facts, name, typed) for name in CAPABILITIES]),
        Group(gettext("Limits"), [_line(facts, name, typed) for name in limits]),
        Group(gettext("Prices, USD per million tokens"), [_line(facts, name, typed) for name in prices]),
    ]


def _line(facts: Sequence[Fact], name: str, typed: Mapping[str, str] | None) -> FactLine:
    field, _, axis = name.partition(".")
    mine = [fact for fact in facts if fact.field == field]
    values, sources = merge(mine)
    source = sources.get(name, "")
    winner = next((fact for fact in mine if fact.source == source), None)
    stated = next((fact.value for fact in mine if fact.source == "operator"), None)
    others, by = merge([fact for fact in mine if fact.source != "operator"])
    kind = "choice" if field in CAPABILITIES else "text" if field in TEXTS else "number"
    return FactLine(
        name=name,
        label=str(LABELS[name]),
        kind=kind,
        value=_of(values.get(field), axis),
        source=source,
        evidence=winner.evidence if winner else "",
        seen_at=winner.seen_at if winner else None,
        own=_typed(_of(stated, axis)) if typed is None else typed.get(name, ""),
        placeholder=_placeholder(_typed(_of(others.get(field), axis)), by.get(name, "")),
    )


def _placeholder(typed: str, source: str) -> str:
    return f"{typed} ({source})" if typed and source else typed


def _of(value: Any, axis: str) -> Any:
    if not axis:
        return value
    return value.get(axis) if isinstance(value, dict) else None


def _typed(value: Any) -> str:
    """The value as it is typed into its field."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return next(word for word, meant in YES_NO.items() if meant is value)
    return str(value)


def _told(facts: Sequence[Fact]) -> list[tuple[str, str, str]]:
    """(label, words, source) of what feeds and listings tell beside, such as its kinds of input."""
    known = {*NUMBERS, *CAPABILITIES, *TEXTS, "limits", "prices"}
    return [
        (fact.field.replace("_", " ").capitalize(), _words(fact.value), fact.source)
        for fact in sorted(facts, key=lambda fact: fact.field)
        if fact.field not in known
    ]


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_words(held)}" for name, held in value.items())
    return str(value)


_FAILURES: Final[Mapping[str, str]] = {
    **{str(status): failure for failure, status in BY_FAILURE.items()},
    str(ModelStatus.FAILING): FailureClass.OTHER,
}
"""Which failure each status stands for."""
