"""A conversation as a strip: one sign a turn, by the member that answered it. Shape tells members apart before colour
does; how a turn ended is told by what lies over the sign. The words beside it say the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.db.models import F, Window
from django.db.models.functions import RowNumber
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchwarmers.dashboard.json_length import JsonLength
from gateway.canon.kinds import CallStatus
from gateway.models import Turn

MOST: Final = 40
"""Turns in a strip, the newest."""
STEP: Final = 12
HIGH: Final = 16
SHAPES: Final = (
    '<rect x="1" y="5" width="9" height="9" rx="1.5"/>',
    '<path d="M5.5 4.4 10.6 14H.4Z"/>',
    '<path d="M3 5h5l2.7 4.5L8 14H3L.3 9.5Z"/>',
    '<path d="M5.5 14.6 10.6 5H.4Z"/>',
    '<rect x="3.2" y="4" width="4.6" height="11" rx="1"/>',
)
"""Of the first, second ... member that answered; later ones share the last. No circle and no diamond: those are the
merger's and the explorers'."""
NOBODY: Final = '<path class="strip-none" d="M1.5 9.5h8"/>'
CROSS: Final = '<path class="strip-cross" d="m3 7 5 5m0-5-5 5"/>'
BENT: Final = '<path class="strip-bent" d="M2 3h5.5M5.7 1.2 7.5 3 5.7 4.8"/>'


@dataclass(frozen=True, slots=True)
class Mark:
    """One turn: who answered (empty for nobody), how it ended, and whether another had failed before."""

    number: int
    alias: str
    status: str
    after: bool


def load_marks(conversations: Sequence[str]) -> dict[str, list[Mark]]:
    """The newest turns of each of these conversations, in their order. One query."""
    by_conversation: dict[str, list[Mark]] = {one: [] for one in conversations}
    place = Window(RowNumber(), partition_by=F("conversation_id"), order_by=F("id").desc())
    found = Turn.objects.filter(conversation__in=conversations).annotate(place=place, tries=JsonLength("tried"))
    rows = found.filter(place__lte=MOST).order_by("id")
    columns = ("conversation_id", "number", "alias", "status", "tries")
    for conversation, number, alias, status, tries in rows.values_list(*columns):
        by_conversation[conversation].append(Mark(number, alias, status, bool(tries)))
    return by_conversation


def draw_strip(marks: Sequence[Mark], members: Iterable[str]) -> SafeString:
    """The strip as SVG with its words; `members` are the aliases in the order in which they came in."""
    if not marks:
        return mark_safe("")
    places = {alias: place for place, alias in enumerate(members)}
    signs = "".join(_sign(at, mark, places) for at, mark in enumerate(marks))
    return format_html(
        '<svg class="turnstrip" role="img" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}" '
        'aria-label="{words}">{signs}</svg>',
        wide=len(marks) * STEP,
        high=HIGH,
        words=say_strip(marks),
        signs=mark_safe(signs),  # noqa: S308 made of constants, numbers and escaped names
    )


def draw_sign(place: int) -> SafeString:
    """The sign of one member, for the key beside the strip."""
    place = min(place, len(SHAPES) - 1)
    drawing = '<svg class="turnstrip-key strip-m{}" viewBox="0 3 11 13" aria-hidden="true">{}</svg>'
    return format_html(drawing, place + 1, mark_safe(SHAPES[place]))  # noqa: S308 a constant


def say_strip(marks: Sequence[Mark]) -> str:
    """The strip in words: who answered which turns, and what went wrong."""
    told = []
    for alias, run in groupby(marks, key=lambda mark: mark.alias):
        turns = list(run)
        span = str(turns[0].number) if len(turns) == 1 else f"{turns[0].number}–{turns[-1].number}"
        words = ngettext("turn %(span)s %(who)s", "turns %(span)s %(who)s", len(turns))
        told.append(words % {"span": span, "who": alias or _("nobody")})
    failed = sum(_failed(mark) for mark in marks)
    if failed:
        told.append(ngettext("%(n)d failed", "%(n)d failed", failed) % {"n": failed})
    return ", ".join(told)


def _sign(at: int, mark: Mark, places: Mapping[str, int]) -> str:
    place = min(places.get(mark.alias, len(SHAPES) - 1), len(SHAPES) - 1)
    body = SHAPES[place] if mark.alias else NOBODY
    kind = f"strip-m{place + 1}" if mark.alias else "strip-m0"
    left = " is-left" if mark.status == CallStatus.CANCELLED else ""
    over = (BENT if mark.after and mark.alias else "") + (CROSS if _failed(mark) else "")
    words = escape(f"{mark.number}: {mark.alias or _('nobody')}")
    return f'<g class="{kind}{left}" transform="translate({at * STEP} 0)"><title>{words}</title>{body}{over}</g>'


def _failed(mark: Mark) -> bool:
    return mark.status not in (CallStatus.OK, CallStatus.CANCELLED)
