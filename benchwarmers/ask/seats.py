"""A panel as the asking page shows it: its seats side by side, each with the verdict form, and what it says when all
are done. The panel's own page shows the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db import close_old_connections
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.address import address_of
from benchwarmers.dashboard.cards import Board, Card, load_board
from benchwarmers.dashboard.looks import looked_at
from benchwarmers.dashboard.verdicts import Draft, record_draft
from benchwarmers.sight import visible_panels


def find_board(request: PersonRequest, panel_id: str) -> Board:
    """The panel as this person sees it; 404 when they do not."""
    panel = get_object_or_404(visible_panels(request.user).select_related("owner", "key"), id=panel_id)
    looked_at(request, panel)
    return load_board(panel, request.user, with_claims=False)


def board_context(request: HttpRequest, board: Board) -> dict[str, Any]:
    """What the board's templates need."""
    return {"board": board, "address": address_of(request)}


def draw(request: PersonRequest, panel_id: str, what: str) -> str:
    """Markup of one seat by its call id, of the whole board for "", of its closing words for "end". For a stream: the
    connection to the database is not kept while models answer."""
    try:
        board = find_board(request, panel_id)
        context = board_context(request, board)
        if what == "end":
            return render_to_string("ask/_closing.html", context, request)
        if what:
            return render_to_string("ask/_seat.html", context | {"card": find_card(board, what)}, request)
        return render_to_string("ask/_board.html", context, request)
    finally:
        close_old_connections()


def find_card(board: Board, call: str) -> Card:
    """The card of this call; 404 when the panel has none."""
    card = next((card for card in board.cards if card.seat.call == call), None)
    if card is None:
        raise Http404
    return card


@require_safe
def board_view(request: PersonRequest, panel_id: str) -> HttpResponse:
    """The board as it stands, for a page whose stream broke; a plain browser is led to the panel's own page."""
    board = find_board(request, panel_id)
    if not request.htmx:
        return redirect("dashboard:panel", panel_id)
    return render(request, "ask/_board.html", board_context(request, board))


@require_POST
def save_verdict(request: PersonRequest, panel_id: str, call: str) -> HttpResponse:
    """Record this person's verdict: the seat anew, or 422 with what was wrong. A plain browser goes to the panel."""
    board = find_board(request, panel_id)
    card = find_card(board, call)
    draft = Draft.read(request.POST)
    if card.finished:
        problems = record_draft(request.user, call, draft)
    else:
        problems = [_("This seat has not finished; judge it when it has.")]
    if not request.htmx:
        return redirect("dashboard:panel", panel_id)
    if problems:
        card, status = replace(card, draft=replace(draft, problems=problems)), 422
    else:
        board, status = find_board(request, panel_id), 200
        card = find_card(board, call)
    return render(
        request, "ask/_seat.html", board_context(request, board) | {"card": card, "judged": not problems}, status=status
    )
