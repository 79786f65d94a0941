"""What was asked of the gateway: panels and conversations in one list, with who sat and how it ended. Never what was
asked or answered. Reads only what its reader may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.utils import timezone

from benchwarmers.dashboard.conversations import FAILED
from benchwarmers.dashboard.selectors import LIGHT
from benchwarmers.operations.logs.filters import LogsFilters
from benchwarmers.operations.logs.windows import Look, Part, join, look
from benchwarmers.sight import visible_conversations, visible_panels
from gateway.canon.kinds import SeatStatus
from gateway.models import Conversation, Panel, Seat, Turn

COLUMNS: Final = ("at", "what", "id", "collection", "shape", "reply", "state", "seats", "who")
LOST: Final = (SeatStatus.ERROR, SeatStatus.EMPTY)
_SEEN: Final = ("id", "caller", "collection_name", "protocol")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: a panel with its seats, or a conversation with its last turn (None: nobody answered yet)."""

    at: datetime
    row: Panel | Conversation
    seats: Sequence[Seat] = ()
    turn: Turn | None = None

    @property
    def is_panel(self) -> bool:
        return isinstance(self.row, Panel)

    @property
    def failed(self) -> int:
        """How many of its seats failed, or whether its last turn did."""
        if self.turn is not None:
            return int(self.turn.status in FAILED)
        return sum(seat.status in LOST for seat in self.seats)

    @property
    def who(self) -> str:
        return str(self.row.owner.get_username() if self.row.owner else self.row.caller or "local")


def load_asked(person: User, filters: LogsFilters, before: str, size: int) -> Look[Asked]:
    """A page of the list, newest first."""
    page = join([_panels(person, filters, before, size), _conversations(person, filters, before, size)], size)
    turns = _last_turns([row for row in page.rows if isinstance(row, Conversation)])
    return Look([_asked(row, turns) for row in page.rows], page.further)


def tell_asked(one: Asked) -> dict[str, Any]:
    """A line of a file, by COLUMNS."""
    row, turn = one.row, one.turn
    told = {"at": timezone.localtime(one.at).isoformat(), "id": row.pk, "collection": row.collection_name}
    if isinstance(row, Panel):
        seats = "; ".join(f"{seat.label} {seat.alias}: {seat.status}" for seat in one.seats)
        more = {"what": "panel", "shape": row.shape, "reply": row.reply, "state": row.state, "seats": seats}
    else:
        seats = f"{turn.alias}: {turn.status}" if turn and turn.alias else ""
        state = f"turn {turn.number}: {turn.status}" if turn else ""
        more = {"what": "conversation", "shape": "", "reply": "route", "state": state, "seats": seats}
    return told | more | {"who": one.who}


def _panels(person: User, filters: LogsFilters, before: str, size: int) -> Part[Panel]:
    seats = Seat.objects.only(*LIGHT).order_by("place")
    found: QuerySet[Panel] = (
        visible_panels(person)
        .filter(filters.days("started_at"))
        .select_related("owner")
        .only(*_SEEN, "shape", "reply", "state", "started_at", "finished_at", "owner__username")
        .prefetch_related(Prefetch("seats", queryset=seats))
    )
    return look(found, "started_at", before, _panel_fits(filters), size)


def _panel_fits(filters: LogsFilters) -> Q | None:
    fits = Q()
    own = Seat.objects.filter(panel=OuterRef("pk"))
    if filters.text:
        fits &= Q(Exists(own.filter(alias__icontains=filters.text))) | _says(filters.text, "shape", "reply", "state")
    if filters.trouble:
        fits &= Q(Exists(own.filter(status__in=LOST))) | Q(state="interrupted")
    return fits or None


def _conversations(person: User, filters: LogsFilters, before: str, size: int) -> Part[Conversation]:
    # By time: the ids of turns are in that order too, but by them a database may walk through all that there are.
    last = Turn.objects.filter(conversation=OuterRef("pk")).order_by("-at", "-id").values("pk")[:1]
    found: QuerySet[Conversation] = (
        visible_conversations(person)
        .filter(filters.days("last_at"))
        .select_related("owner")
        .only(*_SEEN, "last_at", "owner__username")
        .annotate(last_turn=Subquery(last))
    )
    return look(found, "last_at", before, _conversation_fits(filters), size)


def _conversation_fits(filters: LogsFilters) -> Q | None:
    fits = Q()
    turns = Turn.objects.filter(conversation=OuterRef("pk"))
    if filters.text:
        fits &= Q(Exists(turns.filter(alias__icontains=filters.text))) | _says(filters.text)
    if filters.trouble:
        fits &= Q(Exists(turns.filter(status__in=FAILED)))
    return fits or None


def _says(text: str, *more: str) -> Q:
    said = Q(owner__username__icontains=text)
    for name in (*_SEEN, *more):
        said |= Q(**{f"{name}__icontains": text})
    return said


def _last_turns(rows: Sequence[Conversation]) -> dict[str, Turn]:
    wanted = [getattr(row, "last_turn", None) for row in rows]
    found = Turn.objects.filter(pk__in=[one for one in wanted if one])
    return {turn.conversation_id: turn for turn in found.only("conversation_id", "number", "alias", "status")}


def _asked(row: Panel | Conversation, turns: dict[str, Turn]) -> Asked:
    if isinstance(row, Panel):
        return Asked(row.started_at, row, seats=list(row.seats.all()))
    return Asked(row.last_at, row, turn=turns.get(row.pk))
