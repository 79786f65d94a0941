"""Judging blind: who answered is not on the page until its reader has judged every answer of the panel.

A seat that were shown as soon as it alone is judged would give the others away one by one, the last for certain. So a
panel is covered as a whole. Covering makes new values without what must not be known: no alias, label, call, times,
tokens or reasons, and of the verdicts only one's own. So no template, fragment or address can tell it. Seats stand in
an order that is shuffled once for each reader, and are named by that. Never writes.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from benchwarmers.dashboard.cards import COVERED, MERGER, PLAYING, Board, Card, load_board
from benchwarmers.dashboard.claims import ClaimMap, Row, Spot, load_claim_map
from gateway.models import Panel, Seat

SWITCH: Final = "blind"
"""Under which name the session keeps whether somebody judges blind."""
FAILED: Final = "error"
_SALT: Final = "benchwarmers.blind-seat"
_LABEL: Final = r"(?:\b(?:member|explorer)(?: \d+)?(?:\s*[—:,-]\s*|\s+))?"


def is_blind(request: HttpRequest) -> bool:
    """Whether the reader judges blind. Whoever may not judge could never lift the cover, so they have none."""
    person = request.user
    return bool(request.session.get(SWITCH)) and isinstance(person, User) and person.has_perm("gateway.judge")


def see_board(panel: Panel, person: User, *, blind: bool, with_claims: bool = True) -> Board:
    """The panel as this person sees it: covered while they judge blind and have not judged all of it."""
    board = load_board(panel, person, with_claims=with_claims and not blind)
    if not blind:
        return board
    running = panel.state == "running"
    if is_covered(running, ((card.seat.status, card.mine is not None) for card in board.cards)):
        return _cover(board, person, with_claims)
    may_judge = person.has_perm("gateway.judge")
    return replace(board, claims=load_claim_map(panel.pk, board.cards, may_judge)) if with_claims else board


def is_covered(running: bool, seats: Iterable[tuple[str, bool]]) -> bool:
    """Whether a panel is to be covered from somebody who judges blind. `seats` are (how each stands, whether they have
    judged it). A seat that failed, or never ended in a panel that did, has nothing to judge and holds nothing up."""
    return any(not judged and (running if status in PLAYING else status != FAILED) for status, judged in seats)


def handle_of(person: User, panel: str, call: str) -> str:
    """The name of a seat that tells this person nothing of it, and everybody else nothing at all."""
    return f"{panel}.{salted_hmac(_SALT, f'{person.pk} {call}').hexdigest()[:16]}"


def find_call(person: User, panel: str, calls: Iterable[str], named: str) -> str | None:
    """The call that `named` names, by itself or by this person's handle."""
    return next((call for call in calls if named in (call, handle_of(person, panel, call))), None)


def find_card(board: Board, person: User, named: str) -> Card | None:
    """The card of the seat that is named so, by its call or by this person's handle."""
    names = {named, handle_of(person, board.panel.pk, named)} if board.hidden else {named}
    by_handle = (card for card in board.cards if handle_of(person, board.panel.pk, card.seat.call) == named)
    return next((card for card in board.cards if card.seat.call in names), None) or next(by_handle, None)


def shuffled(person: User, panel: Panel, seats: Iterable[Seat]) -> list[Seat]:
    """The seats as a list of panels shows them to whom they are covered."""
    order = sorted(seats, key=lambda seat: _place(person, panel.pk, seat))
    return [_bare(seat, handle_of(person, panel.pk, seat.call), number) for number, seat in enumerate(order, 1)]


def _cover(board: Board, person: User, with_claims: bool) -> Board:
    panel = board.panel
    order = sorted(board.cards, key=lambda card: _place(person, panel.pk, card.seat))
    own = [replace(card, verdicts=[card.mine] if card.mine else []) for card in order]
    names = {card.seat.alias.casefold(): number for number, card in enumerate(order, 1) if card.kind != MERGER}
    covered = [_cover_card(card, number, person, names) for number, card in enumerate(own, 1)]
    by_call = dict(zip((card.seat.call for card in order), covered, strict=True))
    shown = copy.copy(panel)
    shown.skipped, shown.left_out = [], []
    claims = ClaimMap()
    if with_claims:
        claims = _cover_claims(load_claim_map(panel.pk, own, person.has_perm("gateway.judge")), by_call)
    judged = sum(card.mine is not None for card in covered)
    return Board(panel=shown, cards=covered, longest=0.0, judged=judged, claims=claims, hidden=True)


def _place(person: User, panel: str, seat: Seat) -> tuple[bool, str]:
    """Mergers stand apart anyway: what they write tells that they are."""
    return seat.label == MERGER, handle_of(person, panel, seat.call)


def _bare(seat: Seat, handle: str, number: int) -> Seat:
    merger = seat.label == MERGER
    alias = _("Merged answer") if merger else _seat(number)
    label = MERGER if merger else COVERED
    return Seat(call=handle, panel_id=seat.panel_id, place=number, label=label, alias=alias, status=seat.status)


def _seat(number: int) -> str:
    return _("Seat %(number)s") % {"number": number}


def _cover_card(card: Card, number: int, person: User, names: dict[str, int]) -> Card:
    seat = card.seat
    bare = _bare(seat, handle_of(person, seat.panel_id, seat.call), number)
    bare.answer, bare.reasoning = seat.answer, seat.reasoning
    if seat.label == MERGER:  # it names those whose answers it took
        bare.answer, bare.reasoning = _unname(seat.answer, names), _unname(seat.reasoning, names)
    return replace(card, seat=bare, number=number, scripted=False, played=0.0, warm=0.0, hidden=True)


def _unname(text: str, names: dict[str, int]) -> str:
    """A merged answer with seats' numbers in place of their aliases, and of the labels before these."""
    if not names:
        return text
    either = "|".join(re.escape(alias) for alias in sorted(names, key=len, reverse=True))
    found = re.compile(rf"{_LABEL}(?<![\w.-])({either})(?![\w-])", re.I)
    return found.sub(lambda one: _seat(names[one[1].casefold()]), text)


def _cover_claims(claims: ClaimMap, by_call: dict[str, Card]) -> ClaimMap:
    def shown(rows: Sequence[Row]) -> list[Row]:
        return [replace(row, spots=sorted(map(bare, row.spots), key=lambda spot: spot.card.number)) for row in rows]

    def bare(spot: Spot) -> Spot:
        return replace(spot, card=by_call[spot.card.seat.call])

    return replace(claims, rows=shown(claims.rows), lines=shown(claims.lines))
