"""What the list of models shows. Reads only; a page costs as many queries for 500 models as for five."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import QuerySet, prefetch_related_objects
from django.utils import timezone

from benchwarmers.operations.benchmarks.summary import load_found
from benchwarmers.operations.models.filters import RosterFilters
from benchwarmers.operations.models.strip import Strip, load_strips
from benchwarmers.sight import visible_collections
from collections_app.facts import merge
from collections_app.models import Collection, Endpoint, LanguageModel
from gateway.canon.kinds import EndpointKind, ModelStatus
from probes.health.evidence import load_answered
from probes.health.status import PLAIN, TONES, label_of, shown_status
from suite.metrics import Share

PAGE: Final = 50
CHIPS: Final = {"ok": "ok", "warn": "warn", "error": "err", "neutral": ""}
"""The class of a chip by the tone of a status."""
ORDER: Final = {status: place for place, status in enumerate(ModelStatus)}


@dataclass(frozen=True, slots=True)
class Chip:
    """A status as pages show it: its words, the class of the chip, and why."""

    label: str
    tone: str
    why: str


@dataclass(frozen=True, slots=True)
class Line:
    """One model of the list. `own_context` is true where an operator stated it; `seats` are the collections it sits
    in; `suite` is how much it found of what the suite's keys ask for, None where it answered nothing."""

    model: LanguageModel
    chip: Chip
    context: int | None
    own_context: bool
    price: str
    answered_at: datetime | None
    seats: Sequence[str]
    strip: Strip
    suite: Share | None


@dataclass(frozen=True, slots=True)
class Roster:
    """One page of the list. `total` counts all that pass the filters; `pages` is how many pages they fill."""

    lines: Sequence[Line]
    total: int
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class Choices:
    """What the list can be narrowed to. `any` is false where there is no model at all."""

    endpoints: Sequence[str]
    connections: Sequence[str]
    collections: Sequence[str]
    any: bool


@dataclass(slots=True)
class _Known:
    model: LanguageModel
    facts: dict[str, Any]
    sources: dict[str, str]
    answered_at: datetime | None


def load_roster(person: User, filters: RosterFilters, now: datetime) -> Roster:
    """The page of the list that the filters name; the last one where there are not so many."""
    found = list(_narrow(filters))
    answered = load_answered(found, now) if filters.sort.removeprefix("-") == "answered" else {}
    known = [_Known(row, *merge(row.facts.all()), answered.get(row.pk)) for row in found]
    _sort(known, filters.sort)
    pages = max(1, -(-len(known) // PAGE))
    page = min(filters.page, pages)
    return Roster(_lines(person, known[(page - 1) * PAGE : page * PAGE], now), len(known), page, pages)


def load_choices(person: User) -> Choices:
    """What to narrow the list to."""
    rows = list(LanguageModel.objects.order_by().values_list("tag", "endpoint__name", "endpoint__kind").distinct())
    tags = {tag.split("/", 1)[0] for tag, _, _ in rows if tag}
    direct = {name for tag, name, kind in rows if not tag and kind != EndpointKind.HUB}
    return Choices(
        endpoints=list(Endpoint.objects.values_list("name", flat=True)),
        connections=sorted(tags | direct) if tags else [],
        collections=list(visible_collections(person).order_by("name").values_list("name", flat=True)),
        any=bool(rows),
    )


def chip_of(model: LanguageModel) -> Chip:
    """How the model is."""
    status = shown_status(model.status, retired=model.retired, retire_in=model.retire_in)
    why = model.retired_why if model.retired else model.status_why
    return Chip(label_of(status, model.retire_in), CHIPS[TONES[status]], why or PLAIN[status])


def price_of(model: LanguageModel, facts: dict[str, Any]) -> str:
    """What a million tokens cost, in and out; `free`, or empty where nobody knows."""
    prices: dict[str, float] = facts.get("prices") or {}
    told = {axis: prices[axis] for axis in ("input", "output") if axis in prices}
    if told and not any(told.values()):
        return "free"
    if told:
        return " / ".join(f"${told[axis]:,.6g}" if axis in told else "?" for axis in ("input", "output"))
    return "free" if model.endpoint.kind == EndpointKind.LOCAL or model.served.endswith(":free") else ""


def _narrow(filters: RosterFilters) -> QuerySet[LanguageModel]:
    rows = LanguageModel.objects.filter(filters.condition()).select_related("endpoint").prefetch_related("facts")
    return rows.distinct() if filters.collection else rows


def _lines(person: User, known: list[_Known], now: datetime) -> list[Line]:
    rows = [one.model for one in known]
    seen = set(visible_collections(person).values_list("pk", flat=True))
    prefetch_related_objects(rows, "seatings__collection", "merges_for")
    strips = load_strips([row.pk for row in rows], now, timezone.get_default_timezone())
    answered, found = load_answered(rows, now), load_found()
    return [
        Line(
            model=one.model,
            chip=chip_of(one.model),
            context=one.facts.get("context_window"),
            own_context=one.sources.get("context_window") == "operator",
            price=price_of(one.model, one.facts),
            answered_at=answered.get(one.model.pk),
            seats=_seats(one.model, seen),
            strip=strips[one.model.pk],
            suite=found.get(one.model.pk),
        )
        for one in known
    ]


def _seats(model: LanguageModel, seen: set[int]) -> list[str]:
    """The collections that it sits in or merges for, of those that the reader sees."""
    seated: list[Collection] = [seating.collection for seating in model.seatings.all()]
    return sorted({one.name for one in [*seated, *model.merges_for.all()] if one.pk in seen})


def _sort(known: list[_Known], sort: str) -> None:
    """What is not known comes last either way."""
    value, falling = _VALUES[sort.removeprefix("-")], sort.startswith("-")
    known.sort(key=lambda one: one.model.alias.casefold())
    told = [one for one in known if value(one) is not None]
    told.sort(key=lambda one: value(one), reverse=falling)
    known[:] = told + [one for one in known if value(one) is None]


def _price(one: _Known) -> float | None:
    prices: dict[str, float] = one.facts.get("prices") or {}
    if prices:
        return sum(prices.get(axis, 0.0) for axis in ("input", "output"))
    return 0.0 if price_of(one.model, one.facts) else None


_VALUES: Final[dict[str, Callable[[_Known], Any]]] = {
    "alias": lambda one: one.model.alias.casefold(),
    "status": lambda one: ORDER[
        shown_status(one.model.status, retired=one.model.retired, retire_in=one.model.retire_in)
    ],
    "endpoint": lambda one: one.model.endpoint.name,
    "role": lambda one: one.model.role,
    "context": lambda one: one.facts.get("context_window"),
    "price": _price,
    "answered": lambda one: one.answered_at,
}
