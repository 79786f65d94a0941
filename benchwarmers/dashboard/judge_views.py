"""The queue of verdicts: one answer at a time, judged with the mouse or with one key each.

Where one stands is in the address: `at` the call, `blind=1` hides who answered until it is judged, `whose=all` asks for
verdicts on everybody's panels. Seats that may not be seen are 404.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.cards import Board, Card, load_board
from benchwarmers.dashboard.judge import Owed, Queue, load_queue
from benchwarmers.dashboard.looks import looked_at
from benchwarmers.dashboard.selectors import load_collection_names
from benchwarmers.dashboard.verdicts import Draft, record_draft
from benchwarmers.sight import visible_panels
from collections_app.actions.offline import RIGHT as IMPORT
from collections_app.queue import tell_why
from gateway.models import Seat

NEXT_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Stand:
    """Where somebody stands in the queue, as the address says it."""

    at: str = ""
    blind: bool = False
    everybody: bool = False

    @classmethod
    def read(cls, query: QueryDict) -> Stand:
        """From the address."""
        return cls(query.get("at", "")[:64], query.get("blind") == "1", query.get("whose") == "all")

    def address(self, path: str = "", **other: str | bool) -> str:
        """The address of this place, or of another one near it."""
        stand = replace(self, **other)  # type: ignore[arg-type]
        pairs = {"at": stand.at, "blind": "1" if stand.blind else "", "whose": "all" if stand.everybody else ""}
        query = urlencode({name: value for name, value in pairs.items() if value})
        return (path or reverse("dashboard:judge")) + (f"?{query}" if query else "")


@require_safe
def judge_page(request: PersonRequest) -> HttpResponse:
    """The answer to judge and what comes after it; for a script the part that changes, or with `part=rail` the rail."""
    stand = _stand(request)
    queue = load_queue(request.user, timezone.now(), stand.everybody)
    if request.htmx and not request.htmx.history_restore_request:
        name = "judge/_rail.html" if request.GET.get("part") == "rail" else "judge/_judge.html"
        response = render(request, name, _context(request, stand, queue))
    else:
        response = render(request, "judge/judge.html", _context(request, stand, queue))
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_POST
def judge_seat(request: PersonRequest, call: str) -> HttpResponse:
    """Record this person's verdict and go on to the next answer; a verdict taken back stays where it is."""
    board, card = _load_card(request, call)
    stand = replace(_stand(request), at=call)
    before = load_queue(request.user, timezone.now(), stand.everybody)
    draft = Draft.read(request.POST)
    problems = record_draft(request.user, call, draft) if card.finished else ["This seat has not finished yet."]
    if problems:
        refused = replace(card, draft=replace(draft, problems=problems))
        context = _context(request, stand, before, (board, refused))
        return render(request, "judge/_judge.html" if request.htmx else "judge/judge.html", context, status=422)
    told = f"{card.seat.alias}: {'taken back' if draft.withdraw else 'useful' if draft.useful else 'not useful'}"
    after = stand if draft.withdraw else replace(stand, at=_next(before, call))
    if not request.htmx:
        messages.success(request, told)
        return redirect(after.address())
    queue = load_queue(request.user, timezone.now(), stand.everybody)
    if not draft.withdraw and queue.place(after.at) < 0:
        after = replace(after, at="")
    context = _context(request, after, queue) | {"told": told, "back": "" if draft.withdraw else stand.address()}
    response = render(request, "judge/_judge.html", context)
    response["HX-Push-Url"] = after.address()
    return response


def _next(before: Queue, call: str) -> str:
    """Where one goes on: from the first to whoever is first then, from further down to the one below, or above."""
    earlier, later = before.near(call)
    return (later or earlier) if before.place(call) > 0 else ""


def _stand(request: PersonRequest) -> Stand:
    stand = Stand.read(request.GET)
    return stand if request.user.has_perm("gateway.view_all_panels") else replace(stand, everybody=False)


def _context(
    request: PersonRequest, stand: Stand, queue: Queue, shown: tuple[Board, Card] | None = None
) -> dict[str, object]:
    call = stand.at or (queue.waiting[0].call if queue.waiting else "")
    board, card = shown or (_load_card(request, call) if call else (None, None))
    earlier, later = queue.near(call)
    place = queue.place(call)
    hidden = stand.blind and card is not None and card.mine is None
    if card is not None and hidden:
        card = replace(card, verdicts=[], number=0)
    return {
        "board": board,
        "card": card,
        "queue": queue,
        "place": place + 1,
        "why": tell_why(queue.waiting[place]) if place >= 0 else "",
        "hidden": hidden,
        "stand": stand,
        "rail": [(one, stand.address(at=one.call)) for one in _coming(queue, place)],
        "here": stand.address(at=call),
        "previous": stand.address(at=earlier) if earlier else "",
        "next": stand.address(at=later) if later else "",
        "other_blind": stand.address(blind=not stand.blind, at=call),
        "other_whose": stand.address(everybody=not stand.everybody, at=""),
        "collections": [board.panel.collection_name] if board else load_collection_names(request.user),
        "may_import": request.user.has_perm(IMPORT),
        "may_see_all": request.user.has_perm("gateway.view_all_panels"),
        "action": stand.address(reverse("dashboard:judge-seat", args=[call]), at="") if call else "",
    }


def _coming(queue: Queue, place: int) -> list[Owed]:
    """The next few after the one that is shown."""
    return list(queue.waiting[place + 1 : place + 1 + NEXT_SHOWN])


def _load_card(request: PersonRequest, call: str) -> tuple[Board, Card]:
    panel_id = Seat.objects.filter(pk=call).values_list("panel_id", flat=True).first()
    panel = visible_panels(request.user).select_related("owner", "key").filter(pk=panel_id).first()
    if panel is None:
        raise Http404
    looked_at(request, panel)
    board = load_board(panel, request.user, with_claims=False)
    return board, next(card for card in board.cards if card.seat.call == call)
