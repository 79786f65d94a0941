"""What the page of offers reads: a page of the list, one offer with its ways, the state of the feeds.

Never writes, asks nobody, and costs the same few statements however many offers there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Case, Count, IntegerField, Q, QuerySet, TextField, Value, When
from django.db.models.functions import Cast
from msgspec import Struct

from benchwarmers.operations.discover.filters import OfferFilters
from benchwarmers.operations.discover.looks import Look, age, look
from probes.catalog.names import FREELLMAPI, MODELS_DEV, OPENROUTER
from probes.catalog.reach import Reach, Route, Ways
from probes.catalog.store_choices import own_app_only
from probes.models import Feed, Job, Offer
from probes.models.job import OPEN

PAGE: Final = 50
NEW: Final = timedelta(days=7)
MOST_BESIDE: Final = 40
_CAN: Final = {"tools": "tools", "reasoning": "reasoning", "json": "structured_output"}


class Line(Struct):
    """An offer in the list: how it looks, whether it is new, and how many other providers have it too."""

    offer: Offer
    look: Look
    new: bool
    beside: int


class Shelf(Struct):
    """One page of the list; `before` and `after` are query strings, None where it ends."""

    lines: list[Line]
    total: int
    page: int
    pages: int
    before: str | None
    after: str | None


class Way(Struct):
    """A route to an offer or to one of the same name. `shared` when another of them leads to the same provider."""

    offer: Offer
    route: Route
    shared: bool


class FeedState(Struct):
    """A feed. `age` is that of the copy at hand, empty where there is none."""

    name: str
    age: str = ""
    shipped: bool = False
    trouble: str = ""


def shown_offers() -> QuerySet[Offer]:
    """The offers that can be had: free ones that answer in their provider's own application alone cannot."""
    return Offer.objects.exclude(free=True, provider__in=own_app_only())


def load_shelf(filters: OfferFilters, ways: Ways, now: datetime) -> Shelf:
    """The page of the list that the filters name: free first, then new, then by how near, provider and name."""
    on_bench = _on_bench(ways)
    near = Case(
        When(pk__in=on_bench, then=Value(2)),
        When(provider__in=list(ways.by_provider), then=Value(0)),
        When(base="", then=Value(3)),
        default=Value(1),
        output_field=IntegerField(),
    )
    fresh = Case(When(first_seen__gt=now - NEW, then=Value(0)), default=Value(1), output_field=IntegerField())
    found = _narrowed(shown_offers(), filters, ways, on_bench, now)
    total = found.count()
    pages = max(1, -(-total // PAGE))
    page = min(filters.page, pages)
    order = found.annotate(near=near, fresh=fresh).order_by("-free", "fresh", "near", "provider", "name")
    # The keys alone are put in order: what is sorted is small then.
    keys = list(order.values_list("pk", flat=True)[(page - 1) * PAGE : page * PAGE])
    by_key = Offer.objects.in_bulk(keys)
    rows = [by_key[key] for key in keys if key in by_key]
    beside = _beside(rows)
    return Shelf(
        lines=[Line(row, look(row, ways.reach(row)), is_new(row, now), beside.get(row.name, 1) - 1) for row in rows],
        total=total,
        page=page,
        pages=pages,
        before=filters.address(page - 1) if page > 1 else None,
        after=filters.address(page + 1) if page < pages else None,
    )


def is_new(offer: Offer, now: datetime) -> bool:
    """Whether it came within seven days."""
    return offer.first_seen is not None and offer.first_seen > now - NEW


def load_providers() -> list[str]:
    """Who offers something, by name."""
    return list(Offer.objects.order_by("provider").values_list("provider", flat=True).distinct())


def load_beside(offer: Offer) -> list[Offer]:
    """The same model at other providers."""
    return list(shown_offers().filter(name=offer.name).exclude(pk=offer.pk).order_by("-free", "provider")[:MOST_BESIDE])


def load_ways_to(offer: Offer, beside: Iterable[Offer], ways: Ways) -> list[Way]:
    """Every route to the offer and to those of the same name, its own first."""
    found = [(one, route) for one in (offer, *beside) for route in ways.routes(one.provider, one.served)]
    count: dict[str, int] = {}
    for one, _ in found:
        count[one.provider] = count.get(one.provider, 0) + 1
    return [Way(one, route, count[one.provider] > 1) for one, route in found]


def load_feeds(now: datetime) -> list[FeedState]:
    """Each feed as it stands."""
    rows = {row.name: row for row in Feed.objects.defer("body")}
    return [
        FeedState(name)
        if (row := rows.get(name)) is None
        else FeedState(name, age(row.fetched_at, now) if row.fetched_at else "", row.shipped, row.trouble)
        for name in (MODELS_DEV, OPENROUTER, FREELLMAPI)
    ]


def open_refresh() -> Job | None:
    """The job of the catalogue that is under way, if any."""
    return Job.objects.filter(kind="catalog", state__in=OPEN).first()


def _on_bench(ways: Ways) -> list[int | str]:
    pairs = ways.on_bench()
    rows = Offer.objects.filter(served__in={served for _, served in pairs}).values_list("pk", "provider", "served")
    return [pk for pk, provider, served in rows if (provider, served) in pairs]


def _narrowed(
    rows: QuerySet[Offer], filters: OfferFilters, ways: Ways, on_bench: list[int | str], now: datetime
) -> QuerySet[Offer]:
    for word in filters.text.split():
        rows = rows.filter(Q(served__icontains=word) | Q(provider__icontains=word) | Q(label__icontains=word))
    if filters.price:
        rows = rows.filter(free=filters.price == "free")
    if filters.provider:
        rows = rows.filter(provider=filters.provider)
    if filters.new:
        rows = rows.filter(first_seen__gt=now - NEW)
    if filters.inputs:
        rows = rows.annotate(takes=Cast("inputs", TextField()))
        for kind in filters.inputs:
            rows = rows.filter(takes__contains=f'"{kind}"')
    for one in filters.can:
        rows = rows.filter(**{_CAN[one]: True})
    return _within(rows, filters.reach, ways, on_bench)


def _within(rows: QuerySet[Offer], reach: str, ways: Ways, on_bench: list[int | str]) -> QuerySet[Offer]:
    connected = list(ways.by_provider)
    if reach == Reach.ON_BENCH:
        return rows.filter(pk__in=on_bench)
    if reach == Reach.CONNECTED:
        return rows.filter(provider__in=connected).exclude(pk__in=on_bench)
    if reach == Reach.EASY:
        return rows.exclude(provider__in=connected).exclude(base="").exclude(pk__in=on_bench)
    if reach == Reach.OTHER:
        return rows.exclude(provider__in=connected).filter(base="").exclude(pk__in=on_bench)
    return rows


def _beside(rows: Sequence[Offer]) -> dict[str, int]:
    """How many shown offers there are of each name."""
    names = {row.name for row in rows}
    counted = shown_offers().filter(name__in=names).order_by().values_list("name").annotate(count=Count("pk"))
    return dict(counted)
