"""Something that a person may judge, found by its call: a seat of a panel, the part of a member in a conversation, or a
shadow. As this person sees it: what they may not see is not there, and who judges blind sees a panel covered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.utils import timezone

from benchwarmers.dashboard.shadows import load_comparison
from benchwarmers.dashboard.talk import load_talk
from benchwarmers.dashboard.veil import find_call, find_card, see_board
from benchwarmers.sight import visible_conversations, visible_panels
from collections_app.models import Verdict
from collections_app.refusal import NotThere
from gateway.canon.names import PREFIX
from gateway.models import Conversation, Panel, Seat
from gateway.readings import note_look

PROMPT: Final = 20_000
"""Characters of a prompt that are told."""
SHADOW: Final = "shadow"


@dataclass(frozen=True, slots=True)
class Judgeable:
    """`call` is what the person may know it by, `real` what its verdict is written to; the two differ while `hidden`.
    `status` is empty for a member, whose turns have their own; `calls` are the tools that a shadow would call."""

    call: str
    real: str
    model: str
    at: datetime
    seat: str
    alias: str
    prompt: str = ""
    status: str = ""
    seconds: float = 0.0
    answer: str = ""
    error: str = ""
    calls: Sequence[Any] = ()
    mine: Verdict | None = None
    finished: bool = True
    hidden: bool = False


def find_judgeable(person: User, named: str, *, blind: bool) -> Judgeable:
    """The one with this call, or with this person's handle of a seat that is covered.

    :raises NotThere: there is none that they may see.
    """
    seat = Seat.objects.filter(pk=named).values_list("panel_id", flat=True).first()
    whole, _, part = named.rpartition(".")
    panel = visible_panels(person).select_related("owner", "key").filter(pk=seat or whole).first()
    if panel is not None:
        found = _of_panel(person, panel, named, blind)
    else:
        talk = visible_conversations(person).select_related("owner").filter(pk=whole).first()
        found = None if talk is None else _of_talk(person, talk, part)
    if found is None:
        raise NotThere([("call", f"There is no call “{named[:64]}” that you may see.")])
    return found


def _of_panel(person: User, panel: Panel, named: str, blind: bool) -> Judgeable | None:
    board = see_board(panel, person, blind=blind and person.has_perm("gateway.judge"), with_claims=False)
    card = find_card(board, person, named)
    if card is None:
        return None
    note_look(person, "panel", panel.pk, panel, now=timezone.now())
    calls = Seat.objects.filter(panel=panel.pk).values_list("call", flat=True)
    shown = card.seat
    return Judgeable(
        call=shown.call,
        real=find_call(person, panel.pk, calls, named) or named,
        model=f"{PREFIX}{panel.collection_name}",
        at=panel.started_at,
        seat=shown.label,
        alias=shown.alias,
        prompt=panel.prompt[:PROMPT],
        status=shown.status,
        seconds=shown.seconds,
        answer=shown.answer,
        error=shown.error,
        mine=card.mine,
        finished=card.finished,
        hidden=board.hidden,
    )


def _of_talk(person: User, talk: Conversation, part: str) -> Judgeable | None:
    number = part.removeprefix(SHADOW)
    if part.startswith(SHADOW):
        known = number.isascii() and number.isdigit() and len(number) < 9
        return _of_shadow(person, talk, int(number)) if known else None
    member = next((one for one in load_talk(talk, person).members if one.share.call == f"{talk.pk}.{part}"), None)
    if member is None:
        return None
    note_look(person, "conversation", talk.pk, talk, now=timezone.now())
    return Judgeable(
        call=member.share.call,
        real=member.share.call,
        model=f"{PREFIX}{talk.collection_name}",
        at=member.share.first_at,
        seat="member",
        alias=member.share.alias,
        prompt=talk.task,
        mine=member.mine,
    )


def _of_shadow(person: User, talk: Conversation, number: int) -> Judgeable | None:
    seen = load_comparison(talk, number, person)
    if seen is None:
        return None
    shadow = seen.shadow
    note_look(person, SHADOW, shadow.pk, talk, now=timezone.now())
    return Judgeable(
        call=shadow.pk,
        real=shadow.pk,
        model=f"{PREFIX}{talk.collection_name}",
        at=shadow.at,
        seat=SHADOW,
        alias=shadow.alias,
        prompt=talk.task,
        status=shadow.status,
        seconds=shadow.seconds,
        answer=seen.other.text,
        error=shadow.error,
        calls=shadow.proposal.get("calls", ()),
        mine=seen.mine,
    )
