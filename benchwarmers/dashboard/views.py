"""The pages of panels: the list, one panel, and the verdict on a seat.

Each answers a script with the fragment it asked for and a plain browser with a whole page or a redirect. Panels that
may not be seen are 404, like panels that do not exist.
"""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.address import address_of
from benchwarmers.dashboard.cards import Board, Card, load_board
from benchwarmers.dashboard.judge import count_owed
from benchwarmers.dashboard.looks import looked_at
from benchwarmers.dashboard.paging import STATES, Filters
from benchwarmers.dashboard.selectors import load_collection_names, load_panels
from benchwarmers.dashboard.verdicts import Draft, record_draft
from benchwarmers.sight import visible_panels


@require_safe
def panels_page(request: PersonRequest) -> HttpResponse:
    """The list; for a script only the rows."""
    filters = Filters.read(request.GET)
    context = {"filters": filters, "list": load_panels(request.user, filters), "address": address_of(request)}
    if request.htmx and not request.htmx.history_restore_request:
        response = render(request, "panels/_list.html", context)
        if request.htmx.trigger == "panel-filter":
            response["HX-Push-Url"] = f"{request.path}{filters.here}"
    else:
        context |= {"collections": load_collection_names(request.user), "states": STATES}
        context["owed"] = count_owed(request.user) if request.user.has_perm("gateway.judge") else 0
        response = render(request, "panels/list.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def panel_page(request: PersonRequest, panel_id: str) -> HttpResponse:
    """One panel: the prompt, the line-up and every answer."""
    return render(request, "panels/panel.html", {"board": _board(request, panel_id)})


@require_safe
def panel_live(request: PersonRequest, panel_id: str) -> HttpResponse:
    """The line-up, and the cards whose stamp is not among the `seen` ones (call~stamp)."""
    board = _board(request, panel_id)
    seen = dict(pair.rpartition("~")[::2] for pair in request.GET.getlist("seen"))
    changed = [card for card in board.cards if card.seat.call in seen and seen[card.seat.call] != card.stamp]
    added = [card for card in board.cards if card.seat.call not in seen]
    context = {"board": board, "changed": changed, "added": added, "moved": seen.get("claims") != board.claims.stamp}
    return render(request, "panels/_live.html", context)


@require_safe
def seat_card(request: PersonRequest, panel_id: str, call: str) -> HttpResponse:
    """One seat's card by itself; a plain browser is led to it on its page."""
    board = _board(request, panel_id)
    card = _find(board, call)
    if not request.htmx:
        return _to_card(panel_id, card)
    return render(request, "panels/_card.html", {"board": board, "card": card})


@require_POST
def save_verdict(request: PersonRequest, panel_id: str, call: str) -> HttpResponse:
    """Record this person's verdict. A script gets the new card, or 422 with what was wrong; a browser its page."""
    board = _board(request, panel_id)
    card = _find(board, call)
    draft = Draft.read(request.POST)
    if card.finished:
        problems = record_draft(request.user, call, draft)
    else:
        problems = ["This seat has not finished; judge it when it has."]
    if not problems:
        board = _board(request, panel_id)
        if request.htmx:
            return render(request, "panels/_judged.html", {"board": board, "card": _find(board, call)})
        messages.success(request, f"Verdict on {card.seat.alias} {draft.done}.")
        return _to_card(panel_id, card)
    refused = replace(card, draft=replace(draft, problems=problems))
    if request.htmx:
        return render(request, "panels/_card.html", {"board": board, "card": refused}, status=422)
    cards = [refused if one.seat.call == call else one for one in board.cards]
    return render(request, "panels/panel.html", {"board": replace(board, cards=cards)}, status=422)


def _board(request: PersonRequest, panel_id: str) -> Board:
    panel = get_object_or_404(visible_panels(request.user).select_related("owner", "key"), id=panel_id)
    looked_at(request, panel)
    return load_board(panel, request.user)


def _find(board: Board, call: str) -> Card:
    card = next((card for card in board.cards if card.seat.call == call), None)
    if card is None:
        raise Http404
    return card


def _to_card(panel_id: str, card: Card) -> HttpResponse:
    response = redirect("dashboard:panel", panel_id)
    response["Location"] += f"#seat-{card.number}"
    return response
