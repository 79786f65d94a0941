"""The queue of verdicts: one answer at a time, judged with the mouse or with one key each.

Where one stands is in the address (`judge_stand.py`), whether one judges blind in the session. Seats that may not be
seen are 404.
"""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.account import safe_next
from benchwarmers.dashboard.cards import Board, Card
from benchwarmers.dashboard.judge import Owed, Queue, count_owed, load_queue, load_today
from benchwarmers.dashboard.judge_stand import Stand
from benchwarmers.dashboard.judge_undo import can_undo, last_call, note_step, said, undo
from benchwarmers.dashboard.looks import looked_at
from benchwarmers.dashboard.panel_filters import DAYS, SHAPES
from benchwarmers.dashboard.selectors import load_collection_names
from benchwarmers.dashboard.veil import SWITCH, find_call, find_card, handle_of, is_blind, see_board
from benchwarmers.dashboard.verdicts import Draft, record_draft
from benchwarmers.sight import visible_panels
from collections_app.actions.offline import RIGHT as IMPORT
from collections_app.queue import tell_why
from gateway.models import Seat

NEXT_SHOWN = 8


@require_safe
def judge_page(request: PersonRequest) -> HttpResponse:
    """The answer to judge and what comes after it; for a script the part that changes, or with `part=rail` the rail."""
    stand = _stand(request)
    queue = _queue(request, stand)
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
    shown, real = card.seat.call, _real_call(request, board, call)
    stand = replace(_stand(request), at=shown)
    before, was = _queue(request, stand), said(request.user, real)
    draft = Draft.read(request.POST)
    problems = [_("This seat has not finished yet.")]
    if card.finished:
        problems = record_draft(request.user, real, draft, blind=board.hidden)
    if problems:
        refused = replace(card, draft=replace(draft, problems=problems))
        context = _context(request, stand, before, (board, refused))
        return render(request, "judge/_judge.html" if request.htmx else "judge/judge.html", context, status=422)
    if (now := said(request.user, real)) != was:
        note_step(request, real, was, now)
    after = stand if draft.withdraw else replace(stand, at=_next(before, shown))
    return _go_on(request, after, _tell(card, draft))


@require_POST
def undo_verdict(request: PersonRequest) -> HttpResponse:
    """Leave the last verdict of the queue as it was before, and show its answer again."""
    if not can_undo(request):
        return _go_on(request, _stand(request), _("There is no verdict to undo."))
    call = last_call(request)
    problem = undo(request, request.user)
    panel = _panel_of(request, call)
    at = handle_of(request.user, panel, call) if is_blind(request) and panel else call
    stand = replace(_stand(request), at=at if panel else "")
    return _go_on(request, stand, problem or _("Undone."), undone=not problem)


@require_POST
def choose_blind(request: PersonRequest) -> HttpResponse:
    """Judge blind from now on, or no longer; back to the page where that was chosen."""
    request.session[SWITCH] = request.POST.get("on") == "1"
    return redirect(safe_next(request))


def _go_on(request: PersonRequest, stand: Stand, told: str, undone: bool = True) -> HttpResponse:
    if not request.htmx:
        (messages.success if undone else messages.warning)(request, told)
        return redirect(stand.address())
    queue = _queue(request, stand)
    if stand.at and queue.place(stand.at) < 0 and not _is_judged(request, stand.at):
        stand = replace(stand, at="")
    response = render(request, "judge/_judge.html", _context(request, stand, queue) | {"told": told})
    response["HX-Push-Url"] = stand.address()
    return response


def _tell(card: Card, draft: Draft) -> str:
    verdicts = {None: _("taken back"), True: _("useful"), False: _("not useful")}
    return _("%(who)s: %(verdict)s") % {"who": card.seat.alias, "verdict": verdicts[draft.useful]}


def _next(before: Queue, call: str) -> str:
    """Where one goes on: from the first to whoever is first then, from further down to the one below, or above. Blind,
    to the end of the panel first, which is covered until then."""
    here = next((one for one in before.waiting if one.call == call and one.hidden), None)
    beside = [one.call for one in before.waiting if here and one.panel == here.panel and not one.failed]
    if len(beside) > 1 and call in beside:
        return beside[(beside.index(call) + 1) % len(beside)]
    earlier, later = before.near(call)
    return (later or earlier) if before.place(call) > 0 else ""


def _stand(request: PersonRequest) -> Stand:
    stand = Stand.read(request.GET)
    return stand if request.user.has_perm("gateway.view_all_panels") else replace(stand, everybody=False)


def _queue(request: PersonRequest, stand: Stand) -> Queue:
    return load_queue(request.user, timezone.now(), stand.everybody, blind=is_blind(request), narrowed=stand.narrowed)


def _context(
    request: PersonRequest, stand: Stand, queue: Queue, shown: tuple[Board, Card] | None = None
) -> dict[str, object]:
    person = request.user
    call = stand.at or (queue.waiting[0].call if queue.waiting else "")
    board, card = shown or (_load_card(request, call) if call else (None, None))
    call = card.seat.call if card else call
    earlier, later = queue.near(call)
    place = queue.place(call)
    plain = not stand.everybody and not stand.narrowed
    today, names = load_today(person, timezone.now()), load_collection_names(person)
    return {
        "board": board,
        "card": card,
        "queue": queue,
        "owed": queue.owed if plain else count_owed(person),
        "today": today,
        "progress": round(100 * today.judged / max(1, today.judged + len(queue.waiting))),
        "place": place + 1,
        "why": "" if place < 0 or queue.waiting[place].hidden else tell_why(queue.waiting[place]),
        "blind": is_blind(request),
        "stand": stand,
        "rail": [(one, stand.address(at=one.call)) for one in _coming(queue, place)],
        "here": stand.address(at=call),
        "top": stand.address(at=""),
        "previous": stand.address(at=earlier) if earlier else "",
        "next": stand.address(at=later) if later else "",
        "may_undo": can_undo(request),
        "undo": stand.address(reverse("dashboard:judge-undo"), at=""),
        "adds": [board.panel.collection_name] if board else names,
        "may_import": person.has_perm(IMPORT),
        "may_see_all": person.has_perm("gateway.view_all_panels"),
        "action": stand.address(reverse("dashboard:judge-seat", args=[call]), at="") if call else "",
        "collections": names,
        "shapes": SHAPES,
        "days": DAYS,
    }


def _coming(queue: Queue, place: int) -> list[Owed]:
    """The next few after the one that is shown."""
    return list(queue.waiting[place + 1 : place + 1 + NEXT_SHOWN])


def _load_card(request: PersonRequest, named: str) -> tuple[Board, Card]:
    panel = visible_panels(request.user).select_related("owner", "key").filter(pk=_panel_of(request, named)).first()
    if panel is None:
        raise Http404
    board = see_board(panel, request.user, blind=is_blind(request), with_claims=False)
    card = find_card(board, request.user, named)
    if card is None:
        raise Http404
    looked_at(request, panel)
    return board, card


def _panel_of(request: PersonRequest, named: str) -> str:
    """The panel of a call, or of somebody's handle for one; empty when there is none."""
    found = Seat.objects.filter(pk=named).values_list("panel_id", flat=True).first()
    return found or named.rpartition(".")[0]


def _real_call(request: PersonRequest, board: Board, named: str) -> str:
    calls = Seat.objects.filter(panel=board.panel.pk).values_list("call", flat=True)
    return find_call(request.user, board.panel.pk, calls, named) or named


def _is_judged(request: PersonRequest, named: str) -> bool:
    """Whether the answer can be shown though it waits no longer: one has judged it and comes back to it."""
    return _load_card(request, named)[1].mine is not None
