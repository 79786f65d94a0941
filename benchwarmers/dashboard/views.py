"""One panel: its page, what it fetches anew while it is open, and the verdict on a seat.

Each answers a script with the fragment it asked for and a plain browser with a whole page or a redirect. Panels that
may not be seen are 404, like panels that do not exist. Whoever judges blind sees them covered (`veil.py`).
"""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.address import address_of
from benchwarmers.dashboard.cards import Board, Card
from benchwarmers.dashboard.compare import compare
from benchwarmers.dashboard.looks import looked_at
from benchwarmers.dashboard.mining import may_mine
from benchwarmers.dashboard.selectors import load_neighbours
from benchwarmers.dashboard.veil import find_call, find_card, is_blind, see_board
from benchwarmers.dashboard.verdicts import Draft, record_draft
from benchwarmers.sight import may_share, reachable_panels
from gateway.models import Seat


@require_safe
def panel_page(request: PersonRequest, panel_id: str) -> HttpResponse:
    """One panel: the prompt, the line-up and every answer; with `diff=1,3` those two beside each other."""
    return render(request, "panels/panel.html", context_of(request, see(request, panel_id)))


@require_safe
def panel_live(request: PersonRequest, panel_id: str) -> HttpResponse:
    """The line-up, and the cards whose stamp is not among the `seen` ones (call~stamp). A page that shows the panel
    covered, or no longer should, is told to load anew."""
    board = see(request, panel_id)
    seen = dict(pair.rpartition("~")[::2] for pair in request.GET.getlist("seen"))
    added = [card for card in board.cards if card.seat.call not in seen]
    if not {*seen} - {"claims"} <= {card.seat.call for card in board.cards}:
        response = HttpResponse(status=204)
        response["HX-Refresh"] = "true"
        return response
    changed = [card for card in board.cards if card.seat.call in seen and seen[card.seat.call] != card.stamp]
    context = {"board": board, "changed": changed, "added": added, "moved": seen.get("claims") != board.claims.stamp}
    return render(request, "panels/_live.html", context)


@require_safe
def seat_card(request: PersonRequest, panel_id: str, call: str) -> HttpResponse:
    """One seat's card by itself; a plain browser is led to it on its page."""
    board = see(request, panel_id)
    card = _find(request, board, call)
    if not request.htmx:
        return _to_card(panel_id, card)
    return render(request, "panels/_card.html", {"board": board, "card": card})


@require_POST
def save_verdict(request: PersonRequest, panel_id: str, call: str) -> HttpResponse:
    """Record this person's verdict. A script gets the new card, or 422 with what was wrong; a browser its page."""
    board = see(request, panel_id)
    card = _find(request, board, call)
    draft = Draft.read(request.POST)
    if card.finished:
        calls = Seat.objects.filter(panel=panel_id).values_list("call", flat=True)
        real = find_call(request.user, panel_id, calls, call) or call
        problems = record_draft(request.user, real, draft, blind=board.hidden)
    else:
        problems = [_("This seat has not finished; judge it when it has.")]
    if not problems:
        return _judged(request, board, card, draft)
    refused = replace(card, draft=replace(draft, problems=problems))
    if request.htmx:
        return render(request, "panels/_card.html", {"board": board, "card": refused}, status=422)
    cards = [refused if one is card else one for one in board.cards]
    return render(request, "panels/panel.html", context_of(request, replace(board, cards=cards)), status=422)


def see(request: PersonRequest, panel_id: str) -> Board:
    """The panel as the reader may see it; 404 where they may not."""
    panel = get_object_or_404(reachable_panels(request.user).select_related("owner", "key"), id=panel_id)
    looked_at(request, panel)
    return see_board(panel, request.user, blind=is_blind(request))


def context_of(request: PersonRequest, board: Board) -> dict[str, object]:
    """What a panel's whole page shows."""
    newer, older = load_neighbours(request.user, board.panel)
    path = reverse("dashboard:panel", args=[board.panel.pk])
    return {
        "board": board,
        "newer": newer,
        "older": older,
        "link": f"{address_of(request)}{path}",
        "again": _again(request, board),
        "blind": is_blind(request),
        "may_share": may_share(request.user, board.panel),
        "may_mine": may_mine(request.user) and not board.hidden and bool(board.claims.rows),
        **_compared(request, board),
    }


def uncovered(request: PersonRequest, before: Board, after: Board) -> bool:
    """Whether a page that showed the panel covered, or did not, must be loaded anew."""
    return bool(request.htmx) and before.hidden != after.hidden


def refresh() -> HttpResponse:
    """Tells a script to load its page anew."""
    response = HttpResponse(status=204)
    response["HX-Refresh"] = "true"
    return response


def _again(request: PersonRequest, board: Board) -> str:
    """Where the same is asked again; empty for those who may not ask, and where the prompt is not kept."""
    if not (board.panel.prompt and request.user.has_perm("gateway.ask")):
        return ""
    return f"{reverse('ask:ask')}?{urlencode({'panel': board.panel.pk})}"


def _judged(request: PersonRequest, before: Board, card: Card, draft: Draft) -> HttpResponse:
    told = _("Verdict on %(who)s %(done)s.") % {"who": card.seat.alias, "done": draft.done}
    after = see(request, before.panel.pk)
    if uncovered(request, before, after):
        messages.success(request, told)
        return refresh()
    if request.htmx:
        shown = _find(request, after, card.seat.call)
        return render(request, "panels/_judged.html", {"board": after, "card": shown, "told": told})
    messages.success(request, told)
    return _to_card(before.panel.pk, _find(request, after, card.seat.call))


def _compared(request: PersonRequest, board: Board) -> dict[str, object]:
    """The two answers that the address names, and how they differ; those that could be named."""
    answered = [card for card in board.cards if card.seat.answer]
    named = [
        card
        for number in ",".join(request.GET.getlist("diff"))[:16].split(",")
        for card in answered
        if str(card.number) == number
    ]
    pair = named if len(named) == 2 else answered[:2]
    compared = compare(named[0].seat.answer, named[1].seat.answer) if named == pair and len(pair) == 2 else None
    inline = request.GET.get("view") == "inline"
    return {"answered": answered, "pair": pair, "compared": compared, "inline": inline}


def _find(request: PersonRequest, board: Board, named: str) -> Card:
    card = find_card(board, request.user, named)
    if card is None:
        raise Http404
    return card


def _to_card(panel_id: str, card: Card) -> HttpResponse:
    response = redirect("dashboard:panel", panel_id)
    response["Location"] += f"#seat-{card.number}"
    return response
