"""The page that asks: the form, the two ways in which it is sent (as a stream for a script, as a plain form else), its
code, and the stop of what is under way."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from asgiref.sync import sync_to_async
from django.http import Http404, HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from benchwarmers.ask.access import asking_of, bench_of, load_asker
from benchwarmers.ask.code import write_code
from benchwarmers.ask.question import Question, read_question
from benchwarmers.ask.seats import board_context, draw
from benchwarmers.ask.selectors import find_earlier, had_images, load_page, load_recent, question_of
from benchwarmers.ask.stream import CONTENT_TYPE, Telling
from benchwarmers.dashboard.access import PersonRequest
from benchwarmers.dashboard.address import address_of
from benchwarmers.dashboard.cards import load_board
from benchwarmers.dashboard.looks import looked_at
from benchwarmers.stops import stop_panel
from gateway.api.errors import fault_headers
from gateway.api.guard import too_large
from gateway.api.zones import GATEWAY_CAP
from gateway.canon.fault import BadRequest, Fault
from gateway.engine.bench import Bench
from gateway.engine.panel import PanelRun
from gateway.models import Panel
from gateway.wire.registry import SERVERS


async def ask_page(request: PersonRequest) -> HttpResponse:
    """The form, filled in again from `?panel=`; sent without a script, it leads to the panel's own page."""
    if request.method != "POST":
        return await sync_to_async(_show_earlier)(request)
    question = await sync_to_async(_read)(request)
    try:
        bench, run = await _run(request, question)
    except Fault as fault:
        return await sync_to_async(_show)(request, question, fault=fault)
    await bench.recorder.settle()
    return redirect("dashboard:panel", run.id)


@require_POST
async def ask_stream(request: PersonRequest) -> HttpResponseBase:
    """The same question, answered line by line (`benchwarmers.ask.stream`); a refusal is a JSON object with a
    `message` and a status of its own."""
    question = await sync_to_async(_read)(request)
    try:
        bench, run = await _run(request, question)
    except Fault as fault:
        return _told(fault)
    drawn = sync_to_async(draw)
    telling = Telling(bench, run, lambda what: drawn(request, run.id, what))
    response = StreamingHttpResponse(telling.lines(), content_type=CONTENT_TYPE)
    response["X-Accel-Buffering"] = "no"
    return response


@require_POST
def code(request: PersonRequest) -> HttpResponse:
    """The question as it stands in the form, as code: the fragment for a script, the whole page else."""
    question = _read(request)
    try:
        _check(question)
    except Fault as fault:
        return _told(fault) if request.htmx else _show(request, question, fault=fault)
    snippets = write_code(question, address_of(request))
    if request.htmx:
        return render(request, "ask/_code.html", {"snippets": snippets})
    return _show(request, question, snippets=snippets)


@require_safe
def recent(request: PersonRequest) -> HttpResponse:
    """What this person asked last; a plain browser is led to the page."""
    if not request.htmx:
        return redirect("ask:ask")
    return render(request, "ask/_recent.html", {"recent": load_recent(request.user)})


@require_POST
async def stop(request: PersonRequest, panel_id: str) -> HttpResponse:
    """End what is still under way of one's own panel."""
    panel = await Panel.objects.filter(pk=panel_id, owner=request.user).only("state").afirst()
    if panel is None:
        raise Http404
    if panel.state == "running":
        try:
            await stop_panel(bench_of(request), panel_id)
        except Fault as fault:
            return _told(fault)
    return HttpResponse(status=HTTPStatus.NO_CONTENT) if request.htmx else redirect("dashboard:panel", panel_id)


async def _run(request: PersonRequest, question: Question) -> tuple[Bench, PanelRun]:
    """The panel under way, and what runs it. Raises the fault that refuses it."""
    _check(question)
    bench = bench_of(request)
    body = msgspec.json.encode(question.body())
    if len(body) > GATEWAY_CAP:
        raise too_large(GATEWAY_CAP)
    ask = SERVERS["openai_chat"].read_ask(body)
    asker = await sync_to_async(load_asker)(request.user, int(question.key) if question.key else None)
    run = await bench.open_run(asking_of(ask, asker))
    if not isinstance(run, PanelRun):
        raise TypeError(f"{question.model} opened no panel")
    return bench, run


def _check(question: Question) -> None:
    """Raises BadRequest where the form is not filled in as it must be."""
    if question.problems:
        raise BadRequest(" ".join(question.problems), status=HTTPStatus.UNPROCESSABLE_ENTITY, code="form")


def _told(fault: Fault) -> HttpResponse:
    """A fault for a script."""
    told = {"message": fault.message, "code": fault.code}
    return JsonResponse(told, status=fault.status, headers=fault_headers(fault))


def _read(request: PersonRequest) -> Question:
    return read_question(request.POST, request.FILES)


def _show_earlier(request: PersonRequest) -> HttpResponse:
    """The form as the address fills it in, with the panel that it names below."""
    panel = find_earlier(request.user, request.GET.get("panel", ""))
    if panel is None:
        return _show(request, Question(collection=request.GET.get("collection", "")[:32]))
    looked_at(request, panel)
    board = load_board(panel, request.user, with_claims=False)
    more: dict[str, Any] = board_context(request, board)
    if had_images(panel):
        more["note"] = _("The images of this question are not kept; attach them again.")
    elif not panel.prompt:
        more["note"] = _("This collection keeps no prompts; write the question again.")
    return _show(request, question_of(panel), **more)


def _show(request: PersonRequest, question: Question, **more: Any) -> HttpResponse:
    fault: Fault | None = more.get("fault")
    context = load_page(request.user, question) | more
    return render(request, "ask/ask.html", context, status=fault.status if fault else HTTPStatus.OK)
