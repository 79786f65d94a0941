"""What a person does to a claim on a panel's page: judge it for all its seats, confirm it, split it, join it, undo it.

The form names the claim by a key that changes with anything about it. So nobody judges a claim that somebody else has
just put together otherwise, and nothing that a form carries is taken for a claim's words.
"""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.cards import Board, load_board
from benchwarmers.dashboard.claims import ClaimMap, Row
from benchwarmers.dashboard.looks import looked_at
from benchwarmers.sight import visible_panels
from collections_app.actions.claim import do_forget_claim, do_judge_claim, do_settle_claim, do_split_claim
from collections_app.refusal import Refused

JUDGEMENTS = {"holds": True, "false": False, "clear": None}
MOVED = "This claim changed while you looked. Here it is as it stands; say it again."


@require_POST
def change_claim(request: PersonRequest, panel_id: str, key: str) -> HttpResponse:
    """Do what was asked for. A script gets the map and the cards that changed, or 422; a browser its page."""
    board = _board(request, panel_id)
    row = board.claims.find(key)
    try:
        told = _do(request, panel_id, board.claims, row) if row else ""
        problems = [] if told else [MOVED]
    except Refused as refused:
        told, problems = "", [sentence for _, sentence in refused.problems]
    if problems:
        shown = replace(board, claims=replace(board.claims, problems=problems))
        name = "panels/_claims.html" if request.htmx else "panels/panel.html"
        return render(request, name, {"board": shown}, status=422)
    if not request.htmx:
        messages.success(request, told)
        response = redirect("dashboard:panel", panel_id)
        response["Location"] += "#claims"
        return response
    board = _board(request, panel_id)
    seen = dict(pair.rpartition("~")[::2] for pair in request.POST.getlist("seen"))
    changed = [card for card in board.cards if seen.get(card.seat.call, card.stamp) != card.stamp]
    return render(request, "panels/_claims_changed.html", {"board": board, "changed": changed, "told": told})


def _do(request: PersonRequest, panel: str, shown: ClaimMap, row: Row) -> str:
    """What was done, in words; empty when the form does not fit what is shown.

    :raises Refused: as the actions do.
    """
    form: QueryDict = request.POST
    person, name, now = request.user, request.user.get_username(), timezone.now()
    wish = form.get("do", "")
    if wish in JUDGEMENTS:
        holds = JUDGEMENTS[wish]
        do_judge_claim(actor=person, judge_name=name, panel=panel, claim=row.claim, holds=holds, now=now)
        seats = f"{len(row.spots)} seat{'' if len(row.spots) == 1 else 's'}"
        return f"Claim judged for {seats}." if holds is not None else f"Judgement taken back for {seats}."
    if wish == "forget" and row.claim.group is not None:
        do_forget_claim(actor=person, by=name, panel=panel, group=row.claim.group)
        return "Grouping undone."
    if call := form.get("split", ""):
        do_split_claim(actor=person, by=name, panel=panel, claim=row.claim, call=call, now=now)
        return "Split into two claims."
    other = shown.find(form.get("with", ""))
    if wish == "settle" or (wish == "join" and other is not None and other.key != row.key):
        claims = [row.claim, other.claim] if wish == "join" and other else [row.claim]
        do_settle_claim(actor=person, by=name, panel=panel, claims=claims, now=now)
        return "Claims joined." if len(claims) > 1 else "Claim confirmed."
    return ""


def _board(request: PersonRequest, panel_id: str) -> Board:
    panel = get_object_or_404(visible_panels(request.user).select_related("owner", "key"), id=panel_id)
    looked_at(request, panel)
    return load_board(panel, request.user)
