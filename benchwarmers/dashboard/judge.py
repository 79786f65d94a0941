"""What the queue of verdicts reads: which seats wait for one from this person, in which order, and who owes how many.

Owed is every finished seat, merger and failed ones included, of the last thirty panels that a person asked and has not
judged. Work in route mode is never owed. Whoever narrows the queue is asked about the last thirty panels that fit, so
they get further back. Never writes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Substr
from django.utils import timezone

from benchwarmers.dashboard.cards import PLAYING, kind_of
from benchwarmers.dashboard.selectors import HEAD_CHARACTERS, LIGHT, NEWEST, RECENT, not_judged_by
from benchwarmers.dashboard.veil import handle_of, is_covered
from benchwarmers.sight import visible_panels
from collections_app.models import Standing, Verdict
from collections_app.queue import Waiting, in_order
from gateway.models import Panel, Seat


@dataclass(frozen=True, slots=True)
class Narrowed:
    """What the queue is narrowed to; empty values do not narrow. `days` counts back from now. A shape is looked for in
    the newest panels only."""

    collection: str = ""
    shape: str = ""
    days: int = 0

    def __bool__(self) -> bool:
        return bool(self.collection or self.shape or self.days)

    def of(self, panels: QuerySet[Panel], now: datetime) -> QuerySet[Panel]:
        """Only the panels that fit."""
        if self.collection:
            panels = panels.filter(collection_name=self.collection)
        if self.days:
            panels = panels.filter(started_at__gte=now - timedelta(days=self.days))
        if not self.shape:
            return panels
        newest = panels.order_by("-started_at", "-pk").values("pk")[:NEWEST]
        return Panel.objects.filter(pk__in=newest, shape=self.shape)


@dataclass(frozen=True, slots=True)
class Owed(Waiting):
    """A seat in the queue, with what a line about it shows. Neither prompt nor answer is loaded whole. `hidden` is True
    while who answered must not be known; then `call` is this person's handle, and nothing else tells."""

    panel: str = ""
    alias: str = ""
    collection: str = ""
    shape: str = ""
    head: str = ""
    asked_at: datetime | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Today:
    """What a person judged since midnight, and how much of it blind."""

    judged: int
    blind: int


@dataclass(frozen=True, slots=True)
class Queue:
    """What one person is asked to judge, the one that moves most first. `owed` counts their own panels' seats, `others`
    those of everybody else whose panels they see: (name, how many)."""

    waiting: Sequence[Owed]
    owed: int
    others: Sequence[tuple[str, int]]

    def place(self, call: str) -> int:
        """Where a seat stands, from 0; -1 when it does not wait."""
        return next((number for number, one in enumerate(self.waiting) if one.call == call), -1)

    def near(self, call: str) -> tuple[str, str]:
        """The calls before and after this one, empty where the queue ends; of one that does not wait, the first."""
        at, last = self.place(call), len(self.waiting) - 1
        before = self.waiting[at - 1].call if at > 0 else ""
        return before, self.waiting[at + 1].call if at < last else ""


def load_queue(
    person: User, now: datetime, everybody: bool = False, *, blind: bool = False, narrowed: Narrowed = Narrowed()
) -> Queue:
    """The queue of this person: over the last panels they asked, or with `everybody` over all they may see. Blind, the
    seats of one panel stand together and in no order that tells anything. Four queries."""
    found = visible_panels(person) if everybody else Panel.objects.filter(owner=person)
    panels = _recent(narrowed.of(found, now))
    seats = _seats(panels)
    finished = [seat for seat in seats if seat.status not in PLAYING]
    panel_of = {seat.call: seat.panel_id for seat in finished}
    said = list(Verdict.objects.filter(call__in=panel_of).values_list("call", "judge", "useful"))
    mine = {call for call, judge, _ in said if judge == person.pk}
    by_panel: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for call, _, useful in said:
        by_panel[panel_of[call]].append((call, useful))
    counts = _count_judged(finished, panels)
    waiting = [
        _owed(seat, panels[seat.panel_id], by_panel[seat.panel_id], counts, now)
        for seat in finished
        if seat.call not in mine
    ]
    judged_by = {(call, judge) for call, judge, _ in said}
    debts: Counter[str] = Counter()
    for seat in finished:
        owner = panels[seat.panel_id].owner
        if owner is not None and owner != person and (seat.call, owner.pk) not in judged_by:
            debts[owner.get_username()] += 1
    own = sum(panels[seat.panel_id].owner_id == person.pk and seat.call not in mine for seat in finished)
    ordered = in_order(waiting)
    if blind:
        ordered = _cover(ordered, person, _covered(panels, seats, mine))
    return Queue(waiting=ordered, owed=own, others=debts.most_common())


def load_today(person: User, now: datetime) -> Today:
    """What this person judged since midnight. One query."""
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    found = Verdict.objects.filter(judge=person, at__gte=midnight)
    return Today(**found.aggregate(judged=Count("pk"), blind=Count("pk", filter=Q(blind=True))))


def count_owed(person: User) -> int:
    """How many verdicts this person owes. One query."""
    recent = Panel.objects.filter(owner=person).order_by("-started_at", "-pk")[:RECENT]
    seats = Seat.objects.filter(panel__in=recent.values("pk")).exclude(status__in=PLAYING)
    return seats.filter(not_judged_by(person)).count()


def _recent(found: QuerySet[Panel]) -> dict[str, Panel]:
    light = found.defer("prompt", "system", "skipped", "left_out").annotate(head=Substr("prompt", 1, HEAD_CHARACTERS))
    return {panel.pk: panel for panel in light.select_related("owner").order_by("-started_at", "-pk")[:RECENT]}


def _seats(panels: dict[str, Panel]) -> list[Seat]:
    seats = Seat.objects.filter(panel__in=panels)
    return list(seats.only(*LIGHT, "language_model_id").order_by("-panel__started_at", "panel", "place"))


def _count_judged(seats: Sequence[Seat], panels: dict[str, Panel]) -> dict[tuple[int, str, str], int]:
    """Judged answers by model, collection and shape, of those that are asked about."""
    found = Standing.objects.filter(
        language_model__in={seat.language_model_id for seat in seats if seat.language_model_id},
        collection_name__in={panel.collection_name for panel in panels.values()},
    ).order_by()
    sums = found.values_list("language_model", "collection_name", "shape", "panels_judged")
    return {(model, collection, shape): count for model, collection, shape, count in sums}


def _owed(
    seat: Seat,
    panel: Panel,
    said: Sequence[tuple[str, bool]],
    counts: dict[tuple[int, str, str], int],
    now: datetime,
) -> Owed:
    others = [useful for call, useful in said if call != seat.call]
    return Owed(
        call=seat.call,
        kind=kind_of(seat.label),
        judged=counts.get((seat.language_model_id or 0, panel.collection_name, panel.shape), 0),
        age_days=(now - panel.started_at).total_seconds() / 86_400,
        useful=sum(others),
        not_useful=len(others) - sum(others),
        failed=seat.status == "error",
        panel=panel.pk,
        alias=seat.alias,
        collection=panel.collection_name,
        shape=panel.shape,
        head=str(getattr(panel, "head", "")),
        asked_at=panel.started_at,
    )


def _covered(panels: dict[str, Panel], seats: Sequence[Seat], mine: set[str]) -> set[str]:
    """The panels that are covered from whoever judges blind and judged these calls."""
    stand: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for seat in seats:
        stand[seat.panel_id].append((seat.status, seat.call in mine))
    return {panel for panel, told in stand.items() if is_covered(panels[panel].state == "running", told)}


def _cover(ordered: Sequence[Owed], person: User, covered: set[str]) -> list[Owed]:
    """The queue without what must not be known. A panel stands where the first of its seats did; failed seats come
    last as before, for that they failed is seen."""
    place: dict[str, int] = {}
    for one in ordered:
        place.setdefault(one.panel, len(place))

    def bare(one: Owed) -> Owed:
        if one.panel not in covered:
            return one
        handle = handle_of(person, one.panel, one.call)
        return replace(one, call=handle, kind="", alias="", judged=0, useful=0, not_useful=0, hidden=True)

    return sorted(map(bare, ordered), key=lambda one: (one.failed, place[one.panel], one.call if one.hidden else ""))
