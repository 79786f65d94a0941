"""What the pages of panels read from the database, of what their reader may see. Never writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Prefetch, Q, QuerySet
from django.db.models.functions import Substr

from benchwarmers.dashboard.paging import PAGE, Filters, load_page
from benchwarmers.sight import visible_panels
from collections_app.models import Verdict
from gateway.models import Panel, Seat

HEAD_CHARACTERS = 600
LIGHT = ("call", "panel_id", "place", "label", "alias", "status", "seconds", "first_token_s")


@dataclass(frozen=True, slots=True)
class PanelRow:
    """One line of the list. `judged` counts the seats with at least one verdict."""

    panel: Panel
    head: str
    seats: Sequence[Seat]
    judged: int


@dataclass(frozen=True, slots=True)
class PanelList:
    """One page, newest first; `older` and `newer` are query strings, empty where the list ends."""

    rows: Sequence[PanelRow]
    older: str
    newer: str


def load_collection_names(person: User) -> list[str]:
    """The collections of the panels this person may see, by name."""
    names = visible_panels(person).order_by("collection_name").values_list("collection_name", flat=True)
    return list(names.distinct())


def load_panels(person: User, filters: Filters, size: int = PAGE) -> PanelList:
    """The page of the list that the filters and their cursor name."""
    page = load_page(_with_seats(narrow(visible_panels(person), filters)), "started_at", filters, size)
    return PanelList(rows=_rows(page.rows), older=page.older, newer=page.newer)


def narrow(found: QuerySet[Panel], filters: Filters) -> QuerySet[Panel]:
    """Only the panels that pass the filters."""
    if filters.collection:
        found = found.filter(collection_name=filters.collection)
    if filters.state:
        found = found.filter(state=filters.state)
    if filters.text:
        found = found.filter(Q(prompt__icontains=filters.text) | Q(id__icontains=filters.text))
    return found


def _with_seats(panels: QuerySet[Panel]) -> QuerySet[Panel]:
    seats = Seat.objects.only(*LIGHT).order_by("place")
    return (
        panels.defer("prompt", "system", "skipped")
        .annotate(head=Substr("prompt", 1, HEAD_CHARACTERS))
        .select_related("owner")
        .prefetch_related(Prefetch("seats", queryset=seats))
    )


def _rows(panels: Sequence[Panel]) -> list[PanelRow]:
    calls = [seat.call for panel in panels for seat in panel.seats.all()]
    judged = set(Verdict.objects.filter(call__in=calls).values_list("call", flat=True))
    return [
        PanelRow(
            panel=panel,
            head=str(getattr(panel, "head", "")),
            seats=list(panel.seats.all()),
            judged=sum(seat.call in judged for seat in panel.seats.all()),
        )
        for panel in panels
    ]
