"""What the pages of panels read from the database, of what their reader may see. Never writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.expressions import NegatedExpression
from django.db.models.functions import Substr

from benchwarmers.dashboard.cards import PLAYING
from benchwarmers.dashboard.paging import PAGE, load_page
from benchwarmers.dashboard.panel_filters import PanelFilters
from benchwarmers.dashboard.veil import is_covered, shuffled
from benchwarmers.sight import visible_collections, visible_panels
from collections_app.models import Verdict
from gateway.models import Panel, Seat

HEAD_CHARACTERS: Final = 600
LIGHT: Final = ("call", "panel_id", "place", "label", "alias", "status", "seconds", "first_token_s")
RECENT: Final = 30
"""Over how many of their panels people owe verdicts."""
NEWEST: Final = 2_000
"""How many panels are looked at one by one, by their words or their shape."""
SEARCHED: Final = 4_000
"""Characters of a prompt that are searched."""
NAMED: Final = 200
"""Of how many panels the collections are named that may be gone."""


@dataclass(frozen=True, slots=True)
class PanelRow:
    """One line of the list. `judged` counts the seats with at least one verdict, `owed` those without one of the
    reader's, where they owe it; `hidden` is True while who answered must not be known to them."""

    panel: Panel
    head: str
    seats: Sequence[Seat]
    judged: int
    owed: int
    hidden: bool


@dataclass(frozen=True, slots=True)
class PanelList:
    """One page; `older` and `newer` are query strings, empty where the list ends."""

    rows: Sequence[PanelRow]
    older: str
    newer: str


def load_collection_names(person: User) -> list[str]:
    """The collections this person may see and those of the newest panels they may see, by name. Two queries."""
    newest = visible_panels(person).order_by("-started_at").values_list("collection_name", flat=True)[:NAMED]
    there = visible_collections(person).values_list("name", flat=True)
    return sorted({*newest, *there} - {""})


def load_panels(person: User, filters: PanelFilters, now: datetime, *, blind: bool, size: int = PAGE) -> PanelList:
    """The page of the list that the filters and their cursor name."""
    found = _with_seats(narrow(visible_panels(person), filters, person, now))
    page = load_page(found, "started_at", filters, size, rising=filters.rising)
    return PanelList(rows=_rows(page.rows, person, blind), older=page.older, newer=page.newer)


def narrow(found: QuerySet[Panel], filters: PanelFilters, person: User, now: datetime) -> QuerySet[Panel]:
    """Only the panels that pass the filters; where they must be looked at, of the newest that pass the others."""
    if filters.mine:
        found = found.filter(owner=person)
    if filters.owed:
        found = found.filter(pk__in=_owing(person).values("pk"))
    if filters.collection:
        found = found.filter(collection_name=filters.collection)
    if filters.days:
        found = found.filter(started_at__gte=now - timedelta(days=filters.days))
    if filters.state == "done":  # nearly all are: along their times instead of all of them at once
        found = found.exclude(state__in=[state for state, _ in Panel.STATES if state != "done"])
    elif filters.state:
        found = found.filter(state=filters.state)
    return _look_through(found, filters) if filters.looks_through else found


def _look_through(found: QuerySet[Panel], filters: PanelFilters) -> QuerySet[Panel]:
    newest = Panel.objects.filter(pk__in=found.order_by("-started_at", "-pk").values("pk")[:NEWEST])
    if filters.shape:
        newest = newest.filter(shape=filters.shape)
    if filters.text:
        newest = newest.annotate(beginning=Substr("prompt", 1, SEARCHED)).filter(
            Q(beginning__icontains=filters.text) | Q(id__icontains=filters.text)
        )
    return newest


def recent_of(person: User) -> QuerySet[Panel]:
    """The panels over which this person owes verdicts."""
    newest = Panel.objects.filter(owner=person).order_by("-started_at", "-pk").values("pk")[:RECENT]
    return Panel.objects.filter(pk__in=newest)


def not_judged_by(person: User) -> NegatedExpression[Any]:
    """The condition that this person has no verdict on a seat. A look for each seat: asked whether they are in the list
    of all that are judged, Postgres reads every seat there is."""
    return ~Exists(Verdict.objects.filter(judge=person, call=OuterRef("call")))


def _owing(person: User) -> QuerySet[Panel]:
    unjudged = Seat.objects.filter(panel=OuterRef("pk")).exclude(status__in=PLAYING).filter(not_judged_by(person))
    return recent_of(person).filter(Exists(unjudged))


def load_neighbours(person: User, panel: Panel) -> tuple[str, str]:
    """The panels before and after this one in the list of all that this person sees, empty at its ends."""
    seen, at = visible_panels(person), panel.started_at
    newer = seen.filter(started_at__gte=at).filter(Q(started_at__gt=at) | Q(pk__gt=panel.pk))
    older = seen.filter(started_at__lte=at).filter(Q(started_at__lt=at) | Q(pk__lt=panel.pk))
    before = newer.order_by("started_at", "pk").values_list("pk", flat=True).first()
    after = older.order_by("-started_at", "-pk").values_list("pk", flat=True).first()
    return before or "", after or ""


def _with_seats(panels: QuerySet[Panel]) -> QuerySet[Panel]:
    seats = Seat.objects.only(*LIGHT).order_by("place")
    return (
        panels.defer("prompt", "system", "skipped")
        .annotate(head=Substr("prompt", 1, HEAD_CHARACTERS))
        .select_related("owner")
        .prefetch_related(Prefetch("seats", queryset=seats))
    )


def _rows(panels: Sequence[Panel], person: User, blind: bool) -> list[PanelRow]:
    calls = [seat.call for panel in panels for seat in panel.seats.all()]
    said = list(Verdict.objects.filter(call__in=calls).values_list("call", "judge"))
    judged, mine = {call for call, _ in said}, {call for call, judge in said if judge == person.pk}
    owing = set(recent_of(person).values_list("pk", flat=True))
    return [_row(panel, person, judged, mine, blind, panel.pk in owing) for panel in panels]


def _row(panel: Panel, person: User, judged: set[str], mine: set[str], blind: bool, owing: bool) -> PanelRow:
    seats = list(panel.seats.all())
    hidden = blind and is_covered(panel.state == "running", ((seat.status, seat.call in mine) for seat in seats))
    return PanelRow(
        panel=panel,
        head=str(getattr(panel, "head", "")),
        seats=shuffled(person, panel, seats) if hidden else seats,
        judged=sum(seat.call in (mine if hidden else judged) for seat in seats),
        owed=sum(seat.status not in PLAYING and seat.call not in mine for seat in seats) if owing else 0,
        hidden=hidden,
    )
