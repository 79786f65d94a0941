"""What the list of models shows: which models fit, in which order, and the page of them. Reads only; a page costs as
many queries for 500 models as for five."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.contrib.auth.models import User

from benchwarmers.operations.models.filters import RECORD, RosterFilters
from benchwarmers.operations.models.lines import DecisionLine, Line, load_every, load_lines
from benchwarmers.operations.models.price import load_priced
from benchwarmers.operations.models.sorting import Entry, Sums, in_order
from benchwarmers.sight import visible_collections
from collections_app.models import Collection, DecisionModel, LanguageModel, Seating
from gateway.canon.kinds import EndpointKind

PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class Roster:
    """One page of the list. `total` counts all that pass the filters; `pages` is how many pages they fill;
    `collections` names those that the reader sees."""

    lines: Sequence[Line | DecisionLine]
    total: int
    page: int
    pages: int
    collections: Sequence[str]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the list can be narrowed to. `any` is false where there is no model at all."""

    endpoints: Sequence[str]
    connections: Sequence[str]
    any: bool


def load_roster(person: User, filters: RosterFilters, now: datetime) -> Roster:
    """The page of the list that the filters name; the last one where there are not so many."""
    entries, sums = _fitting(filters, now)
    found = in_order(entries, filters.sort, sums)
    pages = max(1, -(-len(found) // PAGE))
    page = min(filters.page, pages)
    shown = found[(page - 1) * PAGE : page * PAGE]
    collections = _collections(person)
    record = filters.view == RECORD
    seats = {} if record else _load_seats(shown, collections)  # what a view does not show is not read
    return Roster(
        load_lines(shown, sums, seats, record=record), len(found), page, pages, sorted(one.name for one in collections)
    )


def load_all(person: User, filters: RosterFilters, now: datetime) -> list[Line | DecisionLine]:
    """Every line that fits, in its order."""
    entries, sums = _fitting(filters, now)
    found = in_order(entries, filters.sort, sums)
    return load_every(found, sums, _load_seats(found, _collections(person)))


def load_choices() -> Choices:
    """What to narrow the list to."""
    rows = list(LanguageModel.objects.order_by().values_list("tag", "endpoint__name", "endpoint__kind").distinct())
    tags = {tag.split("/", 1)[0] for tag, _, _ in rows if tag}
    direct = {name for tag, name, kind in rows if not tag and kind != EndpointKind.HUB}
    return Choices(
        endpoints=sorted({name for _, name, _ in rows}),
        connections=sorted(tags | direct) if tags else [],
        any=bool(rows) or DecisionModel.objects.exists(),
    )


def _fitting(filters: RosterFilters, now: datetime) -> tuple[list[Entry], Sums]:
    rows = LanguageModel.objects.filter(filters.condition()).select_related("endpoint")
    models = list(rows.distinct() if filters.collection else rows)
    if filters.price:
        costs = load_priced(models)
        models = [row for row in models if costs[row.pk].kind == filters.price]
    met = filters.decisions()
    decisions = [] if met is None else DecisionModel.objects.filter(met).select_related("via")
    return [*models, *decisions], Sums(models, now)


def _collections(person: User) -> list[Collection]:
    return list(visible_collections(person).only("name", "merger"))


def _load_seats(shown: Sequence[Entry], collections: Sequence[Collection]) -> dict[int, list[str]]:
    """By model: the collections that it sits in or merges for, of those that the reader sees."""
    names = {one.pk: one.name for one in collections}
    seats: dict[int, set[str]] = {one.pk: set() for one in shown if isinstance(one, LanguageModel)}
    sits = Seating.objects.filter(language_model__in=seats, collection__in=names).order_by()
    for model, collection in sits.values_list("language_model_id", "collection_id"):
        seats[model].add(names[collection])
    for one in collections:
        if one.merger_id in seats:
            seats[one.merger_id].add(one.name)
    return {model: sorted(found) for model, found in seats.items()}
