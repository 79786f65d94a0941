"""What a person does to a claim on a panel's page: judge it for all its seats, confirm it, split it, join it, undo it.

The form names the claim by a key that changes with anything about it. So nobody judges a claim that somebody else has
just put together otherwise, and nothing that a form carries is taken for a claim's words.
"""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.cards import Board
from benchwarmers.dashboard.claims import Row
from benchwarmers.dashboard.veil import find_call
from benchwarmers.dashboard.views import context_of, refresh, see, uncovered
from collections_app.actions.claim import do_forget_claim, do_judge_claim, do_settle_claim, do_split_claim
from collections_app.refusal import Refused

JUDGEMENTS = {"holds": True, "false": False, "clear": None}
MOVED = gettext_lazy("This claim changed while you looked. Here it is as it stands; say it again.")


@require_POST
def change_claim(request: PersonRequest, panel_id: str, key: str) -> HttpResponse:
    """Do what was asked for. A script gets the map and the cards that changed, or 422; a browser its page."""
    board = see(request, panel_id)
    row = board.claims.find(key)
    try:
        told = _do(request, board, row) if row else ""
        problems = [] if told else [str(MOVED)]
    except Refused as refused:
        told, problems = "", [sentence for _, sentence in refused.problems]
    if problems:
        shown = replace(board, claims=replace(board.claims, problems=problems))
        if request.htmx:
            return render(request, "panels/_claims.html", {"board": shown}, status=422)
        return render(request, "panels/panel.html", context_of(request, shown), status=422)
    if not request.htmx:
        messages.success(request, told)
        response = redirect("dashboard:panel", panel_id)
        response["Location"] += "#claims"
        return response
    before, board = board, see(request, panel_id)
    if uncovered(request, before, board):
        messages.success(request, told)
        return refresh()
    seen = dict(pair.rpartition("~")[::2] for pair in request.POST.getlist("seen"))
    changed = [card for card in board.cards if seen.get(card.seat.call, card.stamp) != card.stamp]
    return render(request, "panels/_claims_changed.html", {"board": board, "changed": changed, "told": told})


def _do(request: PersonRequest, board: Board, row: Row) -> str:
    """What was done, in words; empty when the form does not fit what is shown.

    :raises Refused: as the actions do.
    """
    form: QueryDict = request.POST
    panel, shown = board.panel.pk, board.claims
    person, name, now = request.user, request.user.get_username(), timezone.now()
    wish = form.get("do", "")
    if wish in JUDGEMENTS:
        holds = JUDGEMENTS[wish]
        do_judge_claim(
            actor=person, judge_name=name, panel=panel, claim=row.claim, holds=holds, blind=board.hidden, now=now
        )
        count = len(row.spots)
        if holds is None:
            told = ngettext(
                "Judgement taken back for %(count)d seat.", "Judgement taken back for %(count)d seats.", count
            )
        else:
            told = ngettext("Claim judged for %(count)d seat.", "Claim judged for %(count)d seats.", count)
        return told % {"count": count}
    if wish == "forget" and row.claim.group is not None:
        do_forget_claim(actor=person, by=name, panel=panel, group=row.claim.group)
        return _("Grouping undone.")
    if named := form.get("split", ""):
        call = find_call(person, panel, row.claim.calls, named) or named
        do_split_claim(actor=person, by=name, panel=panel, claim=row.claim, call=call, now=now)
        return _("Split into two claims.")
    other = shown.find(form.get("with", ""))
    if wish == "settle" or (wish == "join" and other is not None and other.key != row.key):
        claims = [row.claim, other.claim] if wish == "join" and other else [row.claim]
        do_settle_claim(actor=person, by=name, panel=panel, claims=claims, now=now)
        return _("Claims joined.") if len(claims) > 1 else _("Claim confirmed.")
    return ""
