"""What the pages show of shadows: a line below the turn that was shadowed, and the two proposals side by side.

A proposal can be long, so the page of a conversation has the lines alone; a comparison is fetched when it is opened.
Whoever may see a conversation may see its shadows. Never writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db.models import Count

from benchwarmers.dashboard.verdicts import Draft, Judged, load_verdicts, verdict_of
from collections_app.models import Verdict
from gateway.models import Conversation, Shadow, Turn

DEEPEST = 24
"""Levels. Deeper arguments are shown as they were written: each level would indent every line below it."""


@dataclass(frozen=True, slots=True)
class Shadowing(Judged):
    """A shadow as one person sees it."""

    shadow: Shadow

    @property
    def number(self) -> str:
        """What tells its elements from the others of the page."""
        return f"shadow-{self.shadow.number}"

    @property
    def finished(self) -> bool:
        """Shadows are written down once they have ended, and may be judged then."""
        return True


@dataclass(frozen=True, slots=True)
class ToolCall:
    """`arguments` are (name, value laid out); `loose` is what was written in place of an object."""

    name: str
    arguments: Sequence[tuple[str, str]]
    loose: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one of the two said and would do."""

    text: str
    reasoning: str
    calls: Sequence[ToolCall]


@dataclass(frozen=True, slots=True)
class Comparison(Shadowing):
    """A shadow beside the member's turn. `turn` is None when that turn is not recorded."""

    conversation: Conversation
    turn: Turn | None
    member: Proposal
    other: Proposal


def count_shadows(conversations: Sequence[str]) -> dict[str, int]:
    """How many shadows each of these conversations has. One query."""
    found = Shadow.objects.filter(conversation__in=conversations).order_by()
    return dict(found.values("conversation_id").annotate(count=Count("pk")).values_list("conversation_id", "count"))


def attach_shadows(conversation: Conversation, turns: Iterable[Turn], person: User) -> dict[int, Shadowing]:
    """The shadows of these turns, by the turn's id. Two queries.

    A shadow knows its turn by number and member. Should two turns have the same, it stands at the newer one.
    """
    by_place: dict[tuple[int, str], int] = {}
    for turn in sorted(turns, key=lambda turn: -turn.pk):
        by_place.setdefault((turn.number, turn.alias), turn.pk)
    found = conversation.shadows.filter(number__in={number for number, _ in by_place}).defer("proposal", "beside")
    shadows = [(by_place[place], one) for one in found if (place := (one.number, one.member)) in by_place]
    verdicts = load_verdicts([one.call for _, one in shadows])
    return {pk: Shadowing(*_as_seen(verdicts[one.call], person), one) for pk, one in shadows}


def load_comparison(conversation: Conversation, number: int, person: User) -> Comparison | None:
    """The shadow of the turn with this number as this person sees it, or None."""
    shadow = conversation.shadows.filter(pk=f"{conversation.pk}.shadow{number}").first()
    if shadow is None:
        return None
    turn = conversation.turns.filter(number=shadow.number, alias=shadow.member).order_by("-pk").first()
    seen = _as_seen(load_verdicts([shadow.call])[shadow.call], person)
    return Comparison(*seen, shadow, conversation, turn, read_proposal(shadow.beside), read_proposal(shadow.proposal))


def read_proposal(kept: dict[str, Any]) -> Proposal:
    """A proposal as the engine keeps it, with its arguments laid out."""
    calls = [ToolCall(call["name"], *read_arguments(call["arguments"])) for call in kept.get("calls", ())]
    return Proposal(kept.get("text", ""), kept.get("reasoning", ""), calls)


def read_arguments(written: str) -> tuple[list[tuple[str, str]], str]:
    """The arguments by name, or what was written when that is no JSON object or is nested too deeply to show."""
    if _depth(written) > DEEPEST:
        return [], written
    try:
        values = msgspec.json.decode(written or "{}", type=dict[str, msgspec.Raw])
        return [(name, lay_out(bytes(value).decode())) for name, value in values.items()], ""
    except msgspec.DecodeError:
        return [], written


def lay_out(value: str) -> str:
    """A JSON value with a line an entry; a text of several lines as it reads."""
    if value.startswith('"') and "\\n" in value:
        return msgspec.json.decode(value, type=str)
    return msgspec.json.format(value, indent=2)


def _depth(written: str) -> int:
    deep = deepest = 0
    for sign in re.findall(r"[\[\]{}]", written):
        deep += 1 if sign in "[{" else -1
        deepest = max(deepest, deep)
    return deepest


def _as_seen(verdicts: Sequence[Verdict], person: User) -> tuple[Sequence[Verdict], Verdict | None, Draft, bool]:
    mine = verdict_of(person, verdicts)
    return verdicts, mine, Draft.of(mine), person.has_perm("gateway.judge")
