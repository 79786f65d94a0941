"""What the page of one model shows. Reads only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from benchwarmers.operations.models.form import YES_NO
from benchwarmers.operations.models.roster import Chip, chip_of, price_of
from benchwarmers.operations.models.trend import DAYS, Probe, Trend, draw_trend
from benchwarmers.sight import visible_collections
from collections_app.facts import CAPABILITIES, LIMIT_AXES, NUMBERS, PRICE_AXES, TEXTS, merge
from collections_app.models import Alert, Fact, LanguageModel
from gateway.models import Cooldown
from probes.health.evidence import load_answered
from probes.health.retry import KIND
from probes.health.trends import Day
from probes.health.trends import trend as daily
from probes.models import Job, OnboardingIssue, ProbeSample, Served
from probes.onboarding.advice import Advice, advice_for

SAMPLES: Final = 2_000
LABELS: Final[Mapping[str, str]] = {
    "context_window": "Context window",
    "max_output": "Longest answer",
    "tools": "Calls tools",
    "vision": "Sees images",
    "documents": "Reads documents",
    "audio": "Hears audio",
    "structured_output": "Keeps to a schema",
    "reasoning": "Reasons",
    "knowledge_cutoff": "Knows up to",
    "description": "Description",
    "limits.rpm": "Requests a minute",
    "limits.rpd": "Requests a day",
    "limits.tpm": "Tokens a minute",
    "limits.tpd": "Tokens a day",
    "prices.input": "Input",
    "prices.cached": "Cached input",
    "prices.cache_write": "Cache write",
    "prices.output": "Output",
    "prices.reasoning": "Reasoning",
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
class DayLine:
    """How one day went for the short question and the large one, and what failed."""

    day: date
    short: Day
    large: Day
    failures: str

    @property
    def sizes(self) -> tuple[tuple[str, Day], ...]:
        """Both, with their labels."""
        return ("Short", self.short), ("Large", self.large)


@dataclass(frozen=True, slots=True)
class ModelPage:
    """All of one model. `asking` is the last job that asked it again by hand, of the last day."""

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
    days: Sequence[DayLine]
    issue: OnboardingIssue | None
    advice: Advice | None
    alerts: Sequence[Alert]
    asking: Job | None
    seats: Sequence[str]


def load_page(person: User, model: LanguageModel, now: datetime, typed: Mapping[str, str] | None = None) -> ModelPage:
    """The page as this person may see it. `typed` are facts that were refused, shown as they were typed."""
    facts = list(model.facts.all())
    values, _ = merge(facts)
    issue = OnboardingIssue.objects.filter(language_model=model).first()
    trend = _trend(model, now)
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
        trend=trend,
        days=_days(model, trend, now) if trend else [],
        issue=issue,
        advice=advice_for(issue.failure) if issue else None,
        alerts=list(Alert.objects.filter(language_model=model)) if may_see_alerts else [],
        asking=asked.order_by("-id").first(),
        seats=_seats(person, model),
    )


def _trend(model: LanguageModel, now: datetime) -> Trend | None:
    rows = ProbeSample.objects.filter(
        language_model=model, prompt__in=("tiny", "large"), at__lte=now, at__gt=now - timedelta(days=DAYS + 1)
    ).order_by("-at")
    values = rows.values_list("at", "prompt", "answered", "seconds", "failure")[:SAMPLES]
    return draw_trend((Probe(*row) for row in values), now, timezone.get_default_timezone())


def _days(model: LanguageModel, trend: Trend, now: datetime) -> list[DayLine]:
    """The newest first; only those on which something was asked."""
    short, large = (daily(model.pk, now, days=DAYS, prompt=prompt) for prompt in ("tiny", "large"))
    lines = [
        DayLine(one.day, one, other, trend.failures.get(one.day, "")) for one, other in zip(short, large, strict=True)
    ]
    return [line for line in reversed(lines) if line.short.asked or line.large.asked or line.failures]


def _seats(person: User, model: LanguageModel) -> list[str]:
    """The collections that it sits in or merges for, of those that the reader sees."""
    seen = visible_collections(person).filter(Q(members=model) | Q(merger=model))
    return sorted(set(seen.values_list("name", flat=True)))


def _groups(facts: Sequence[Fact], typed: Mapping[str, str] | None) -> list[Group]:
    limits = [f"limits.{axis}" for axis in LIMIT_AXES]
    prices = [f"prices.{axis}" for axis in PRICE_AXES]
    return [
        Group("Sizes and words", [_line(facts, name, typed) for name in (*NUMBERS, *TEXTS)]),
        Group("What it can do", [_line(facts, name, typed) for name in CAPABILITIES]),
        Group("Limits", [_line(facts, name, typed) for name in limits]),
        Group("Prices, USD per million tokens", [_line(facts, name, typed) for name in prices]),
    ]


def _line(facts: Sequence[Fact], name: str, typed: Mapping[str, str] | None) -> FactLine:
    field, _, axis = name.partition(".")
    mine = [fact for fact in facts if fact.field == field]
    values, sources = merge(mine)
    source = sources.get(name, "")
    winner = next((fact for fact in mine if fact.source == source), None)
    stated = next((fact.value for fact in mine if fact.source == "operator"), None)
    others = merge([fact for fact in mine if fact.source != "operator"])
    kind = "choice" if field in CAPABILITIES else "text" if field in TEXTS else "number"
    return FactLine(
        name=name,
        label=LABELS[name],
        kind=kind,
        value=_of(values.get(field), axis),
        source=source,
        evidence=winner.evidence if winner else "",
        seen_at=winner.seen_at if winner else None,
        own=_typed(_of(stated, axis)) if typed is None else typed.get(name, ""),
        placeholder=_typed(_of(others[0].get(field), axis)),
    )


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
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_words(held)}" for name, held in value.items())
    return str(value)
