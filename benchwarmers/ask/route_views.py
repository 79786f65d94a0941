"""The route chat: a conversation with one member a turn, as an agent has it, with two scripted tools to try.

Sent by a script a turn is streamed; sent as a plain form it is answered whole and the page is shown again. Either way
the page carries the talk (`route_talk`), and the gateway is asked as by any caller of chat completions.
"""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from asgiref.sync import sync_to_async
from django.http import HttpResponse, JsonResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST
from msgspec import Struct
from msgspec.structs import replace

from benchwarmers.ask.access import asking_of, bench_of, load_asker
from benchwarmers.ask.route_stream import Line, tell_turn
from benchwarmers.ask.route_talk import Talk, read_talk, show_talk
from benchwarmers.ask.route_told import load_told
from benchwarmers.ask.selectors import load_choices
from benchwarmers.ask.stream import CONTENT_TYPE
from benchwarmers.dashboard.access import PersonRequest
from gateway.api.errors import fault_headers
from gateway.api.guard import too_large
from gateway.api.zones import GATEWAY_CAP
from gateway.canon.ask import Ask
from gateway.canon.fault import BadRequest, Fault
from gateway.canon.reply import Reply
from gateway.engine.bench import Bench
from gateway.engine.route import RouteRun
from gateway.wire.base import Stamp
from gateway.wire.registry import SERVERS

WIRE = SERVERS["openai_chat"]
SESSION = "x-session-id"


class Sent(Struct, frozen=True):
    """The form as it came: what is said next, to whom, with tools or without, and the talk so far."""

    collection: str
    words: str
    tools: bool
    talk: Talk

    @property
    def asked(self) -> Talk:
        """The talk with what is said next. Raises BadRequest when that is nothing."""
        if not self.collection:
            raise BadRequest(_("Choose a collection to ask."), status=422, code="form")
        talk = self.talk.with_words(self.words)
        if talk is self.talk and not talk.waits:
            raise BadRequest(_("Write what you want to say."), status=422, code="form")
        return talk


class Turn(Struct, frozen=True):
    """A turn under way."""

    bench: Bench
    run: RouteRun
    ask: Ask
    talk: Talk


async def route_page(request: PersonRequest) -> HttpResponse:
    """The talk so far with the form below; posted, it takes the next turn first."""
    if request.method != "POST":
        sent = Sent(request.GET.get("collection", "")[:32], "", True, Talk(secrets.token_urlsafe(12)))
        return await sync_to_async(_show)(request, sent)
    sent = Sent("", "", True, Talk(secrets.token_urlsafe(12)))
    try:
        sent = _read(request)
        turn = await _begin(request, sent)
        talk = await _answered(turn, await turn.run.whole())
    except Fault as fault:
        return await sync_to_async(_show)(request, sent, fault)
    return await sync_to_async(_show)(request, replace(sent, talk=talk, words=""))


@require_POST
async def route_stream(request: PersonRequest) -> HttpResponseBase:
    """The same turn line by line (`route_stream`); a refusal is a JSON object with a `message` and its status."""
    try:
        sent = _read(request)
        turn = await _begin(request, sent)
    except Fault as fault:
        told = {"message": fault.message, "code": fault.code}
        return JsonResponse(told, status=fault.status, headers=fault_headers(fault))
    since = len(sent.talk.steps)

    async def close(reply: Reply) -> Line:
        talk = await _answered(turn, reply)
        html = await sync_to_async(_draw)(talk, len(turn.talk.steps))
        return {"is": "end", "html": html, "talk": talk.field, "waits": talk.waits}

    opening = {"is": "open", "html": await sync_to_async(_draw)(turn.talk, since)}
    response = StreamingHttpResponse(tell_turn(turn.run, opening, close), content_type=CONTENT_TYPE)
    response["X-Accel-Buffering"] = "no"
    return response


async def _begin(request: PersonRequest, sent: Sent) -> Turn:
    """The turn under way. Raises the fault that refuses it."""
    talk, bench = sent.asked, bench_of(request)
    body = msgspec.json.encode(talk.body(sent.collection, tools=sent.tools))
    if len(body) > GATEWAY_CAP:
        raise too_large(GATEWAY_CAP)
    ask = WIRE.read_ask(body)
    asker = await sync_to_async(load_asker)(request.user)
    run = await bench.open_run(asking_of(ask, asker, {SESSION: talk.session}))
    if not isinstance(run, RouteRun):
        raise TypeError(f"{ask.model} took no turn")
    return Turn(bench, run, ask, talk)


async def _answered(turn: Turn, reply: Reply) -> Talk:
    """The talk with the answer, told as it was recorded."""
    await turn.bench.recorder.settle()
    told = await sync_to_async(load_told)(turn.run.opened, reply)
    whole = msgspec.json.decode(WIRE.writer(turn.ask, Stamp(told.call, 0, turn.ask.model)).whole(reply))
    return turn.talk.with_answer(whole["choices"][0]["message"], told)


def _read(request: PersonRequest) -> Sent:
    form = request.POST
    return Sent(
        collection=form.get("collection", "").strip(),
        words=form.get("words", "").replace("\r\n", "\n").strip(),
        tools="tools" in form,
        talk=read_talk(form.get("talk", "")),
    )


def _draw(talk: Talk, since: int) -> str:
    return render_to_string("ask/_route_steps.html", {"steps": show_talk(talk, since)})


def _show(request: PersonRequest, sent: Sent, fault: Fault | None = None) -> HttpResponse:
    choices = load_choices(request.user)
    if not sent.collection and choices:
        sent = replace(sent, collection=choices[0].name)
    context: dict[str, Any] = {
        "sent": sent,
        "choices": choices,
        "steps": show_talk(sent.talk),
        "fault": fault,
        "conversation": next((step.told.conversation for step in reversed(sent.talk.steps) if step.told), ""),
    }
    return render(request, "ask/route.html", context, status=fault.status if fault else 200)
