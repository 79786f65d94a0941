"""What the pages of conversations read from the database, of what their reader may see. Never writes.

Sums are made by the database: a page costs the same number of queries whatever the number of turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Case, Count, Max, Min, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThan

from benchwarmers.dashboard.json_length import JsonLength
from benchwarmers.dashboard.paging import PAGE, load_page
from benchwarmers.dashboard.shadows import count_shadows
from benchwarmers.dashboard.talk_filters import TalkFilters
from benchwarmers.dashboard.talk_strip import draw_sign, draw_strip, load_marks
from benchwarmers.sight import visible_collections, visible_conversations
from gateway.canon.kinds import CallStatus, ReplyKind
from gateway.models import Conversation, Turn

TURNS = 200
FAILED = (CallStatus.EMPTY, CallStatus.ERROR, CallStatus.TIMEOUT, CallStatus.REFUSED)


@dataclass(frozen=True, slots=True)
class Sums:
    """What some turns come to. A turn that its caller left is not a failed one; `failovers` counts the turns that one
    member answered after another had failed."""

    turns: int = 0
    failed: int = 0
    left: int = 0
    failovers: int = 0
    tool_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Sums) -> Sums:
        return Sums(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))


@dataclass(frozen=True, slots=True)
class Share:
    """The turns that one member answered under one call id, or those that nobody answered: then both are empty."""

    call: str
    alias: str
    first_at: datetime
    last_at: datetime
    sums: Sums


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """One line of the list. `members` answered, in that order; `shadows` of the turns were shadowed; `strip` is the
    picture of the newest turns, where it was asked for."""

    conversation: Conversation
    members: Sequence[Share]
    sums: Sums
    shadows: int
    strip: str = ""

    @property
    def signed(self) -> list[tuple[Share, str]]:
        """The members, each with the sign by which the strip shows it."""
        return [(share, draw_sign(place)) for place, share in enumerate(self.members)]


@dataclass(frozen=True, slots=True)
class ConversationList:
    """One page, the last spoken in first; `older` and `newer` are query strings, empty where the list ends."""

    rows: Sequence[ConversationRow]
    older: str
    newer: str


@dataclass(frozen=True, slots=True)
class TurnPage:
    """Turns, newest first. `earlier` is the id before which the next page begins, None at the first turn."""

    turns: Sequence[Turn]
    earlier: int | None


def suggest_collection(person: User) -> str:
    """The collection to show a newcomer, of those they see: one that routes by itself, else the first by name."""
    first = Case(When(reply=ReplyKind.ROUTE, then=Value(0)), default=Value(1))
    names = visible_collections(person).exclude(name="practice").order_by(first, "name").values_list("name", flat=True)
    return names.first() or "practice"


def load_conversations(person: User, filters: TalkFilters, now: datetime, size: int = PAGE) -> ConversationList:
    """The page of the list that the filters and their cursor name."""
    found = filters.narrow(visible_conversations(person), now).select_related("owner")
    page = load_page(found, "last_at", filters, size, rising=filters.rising)
    marks = load_marks([one.pk for one in page.rows])
    rows = [
        replace(row, strip=draw_strip(marks[row.conversation.pk], [share.alias for share in row.members]))
        for row in load_rows(page.rows)
    ]
    return ConversationList(rows, page.older, page.newer)


def load_rows(talks: Sequence[Conversation]) -> list[ConversationRow]:
    """These conversations with what they come to. Two queries."""
    keys = [one.pk for one in talks]
    shares, shadows = load_shares(keys), count_shadows(keys)
    return [
        ConversationRow(one, answered(shares[one.pk]), sum_of(shares[one.pk]), shadows.get(one.pk, 0)) for one in talks
    ]


def load_shares(conversations: Sequence[str]) -> dict[str, list[Share]]:
    """Who took which part of these conversations, in the order of their first turns. One query."""
    by_conversation: dict[str, list[Share]] = {one: [] for one in conversations}
    found = Turn.objects.filter(conversation__in=conversations).values("conversation_id", "call", "alias")
    after_others = ~Q(call="") & Q(GreaterThan(JsonLength("tried"), 0))
    rows = found.annotate(
        first=Min("id"),
        first_at=Min("at"),
        last_at=Max("at"),
        turns=Count("id"),
        failed=Count("id", filter=Q(status__in=FAILED)),
        left=Count("id", filter=Q(status=CallStatus.CANCELLED)),
        failovers=Count("id", filter=after_others),
        calls=Coalesce(Sum(JsonLength("tool_calls")), 0),
        read=Coalesce(Sum("tokens_in"), 0),
        written=Coalesce(Sum("tokens_out"), 0),
    ).order_by("first")
    names = ("conversation_id", "call", "alias", "first_at", "last_at")
    counts = ("turns", "failed", "left", "failovers", "calls", "read", "written")
    for conversation, call, alias, first_at, last_at, *sums in rows.values_list(*names, *counts):
        by_conversation[conversation].append(Share(call, alias, first_at, last_at, Sums(*sums)))
    return by_conversation


def answered(shares: Iterable[Share]) -> list[Share]:
    """The shares of those who answered."""
    return [share for share in shares if share.call]


def sum_of(shares: Iterable[Share]) -> Sums:
    """All shares together."""
    return sum((share.sums for share in shares), Sums())


def load_turns(conversation: Conversation, before: int | None = None, size: int = TURNS) -> TurnPage:
    """The newest turns, or those before this id."""
    found = _turns(conversation) if before is None else _turns(conversation).filter(pk__lt=before)
    turns = list(found[: size + 1])
    more, turns = len(turns) > size, turns[:size]
    return TurnPage(turns, turns[-1].pk if more else None)


def load_turns_since(conversation: Conversation, after: int, size: int = TURNS) -> list[Turn] | None:
    """The turns written after this one, newest first; None when they are more than a page."""
    turns = list(_turns(conversation).filter(pk__gt=after)[: size + 1])
    return turns if len(turns) <= size else None


def _turns(conversation: Conversation) -> QuerySet[Turn]:
    return conversation.turns.order_by("-pk")
