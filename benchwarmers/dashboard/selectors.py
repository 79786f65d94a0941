"""What the pages of panels read from the database. Never writes.

A panel is seen by the person who asked for it, and by whoever holds `gateway.view_all_panels`; nobody else learns that
it exists. Lists are paged by key: the time and id of the last row, not a page number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import Prefetch, Q, QuerySet
from django.db.models.functions import Substr
from django.http import QueryDict

from collections_app.models import Verdict
from gateway.models import Panel, Seat

PAGE = 40
HEAD_CHARACTERS = 600
STATES = tuple(state for state, _ in Panel.STATES)
LIGHT = ("call", "panel_id", "place", "label", "alias", "status", "seconds", "first_token_s")


@dataclass(frozen=True, slots=True)
class Filters:
    """What the list is narrowed to; empty strings do not narrow. `before` and `after` are cursors into the list."""

    collection: str = ""
    state: str = ""
    text: str = ""
    before: str = ""
    after: str = ""

    @classmethod
    def read(cls, query: QueryDict) -> Filters:
        """From the address; an unknown state does not narrow."""
        state = query.get("state", "")
        return cls(
            collection=query.get("collection", "")[:40],
            state=state if state in STATES else "",
            text=query.get("q", "").strip()[:200],
            before=query.get("before", "")[:90],
            after=query.get("after", "")[:90],
        )

    @property
    def narrows(self) -> bool:
        """True when some panels are left out."""
        return bool(self.collection or self.state or self.text)

    def address(self, before: str = "", after: str = "") -> str:
        """The query string of this list at another place."""
        pairs = {
            "collection": self.collection,
            "state": self.state,
            "q": self.text,
            "before": before,
            "after": after,
        }
        return "?" + urlencode({name: value for name, value in pairs.items() if value})

    @property
    def here(self) -> str:
        """The query string of exactly this list."""
        return self.address(self.before, self.after)


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


def visible_panels(person: User) -> QuerySet[Panel]:
    """The panels this person may see."""
    if person.has_perm("gateway.view_all_panels"):
        return Panel.objects.all()
    return Panel.objects.filter(owner=person)


def load_collection_names(person: User) -> list[str]:
    """The collections of the panels this person may see, by name."""
    names = visible_panels(person).order_by("collection_name").values_list("collection_name", flat=True)
    return list(names.distinct())


def load_panels(person: User, filters: Filters, size: int = PAGE) -> PanelList:
    """The page of the list that the filters and their cursor name. A cursor that cannot be read is none."""
    found = narrow(visible_panels(person), filters)
    after, before = read_cursor(filters.after), read_cursor(filters.before)
    if after is not None:
        at, key = after
        found = found.filter(Q(started_at__gt=at) | Q(started_at=at, id__gt=key)).order_by("started_at", "id")
    else:
        if before is not None:
            at, key = before
            found = found.filter(Q(started_at__lt=at) | Q(started_at=at, id__lt=key))
        found = found.order_by("-started_at", "-id")
    panels = list(_with_seats(found)[: size + 1])
    more, panels = len(panels) > size, panels[:size]
    if after is not None:
        panels.reverse()
        if not more:  # the head of the list was reached: show a full page from there
            return load_panels(person, replace(filters, after="", before=""), size)
    return PanelList(
        rows=_rows(panels),
        older=filters.address(before=write_cursor(panels[-1])) if panels and (more or after) else "",
        newer=filters.address(after=write_cursor(panels[0])) if panels and (before or after) else "",
    )


def narrow(found: QuerySet[Panel], filters: Filters) -> QuerySet[Panel]:
    """Only the panels that pass the filters."""
    if filters.collection:
        found = found.filter(collection_name=filters.collection)
    if filters.state:
        found = found.filter(state=filters.state)
    if filters.text:
        found = found.filter(Q(prompt__icontains=filters.text) | Q(id__icontains=filters.text))
    return found


def load_verdicts(calls: Sequence[str]) -> dict[str, list[Verdict]]:
    """Every person's verdict on these calls, oldest first."""
    by_call: dict[str, list[Verdict]] = {call: [] for call in calls}
    for verdict in Verdict.objects.filter(call__in=calls).select_related("judge").order_by("at"):
        by_call[verdict.call].append(verdict)
    return by_call


def write_cursor(panel: Panel) -> str:
    """The place of a panel in the list, as text for an address."""
    return f"{panel.started_at.isoformat()}~{panel.id}"


def read_cursor(text: str) -> tuple[datetime, str] | None:
    """The time and id in a cursor, or None."""
    at, _, key = text.partition("~")
    try:
        when = datetime.fromisoformat(at)
    except ValueError:
        return None
    return (when, key) if key and when.tzinfo is not None else None


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
