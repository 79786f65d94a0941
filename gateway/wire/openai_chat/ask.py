"""A chat completion request to an Ask.

A field with a meaning for the gateway is read; every other field travels in `extras` as it was sent. The model may be
missing here: who answers for that has the list of collections at hand.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Knobs
from gateway.canon.fault import BadRequest
from gateway.wire.body import OWN_FIELDS, read_bench, read_body, read_fields, read_nominated
from gateway.wire.openai_chat import seal
from gateway.wire.openai_chat.messages import read_turn
from gateway.wire.openai_chat.shape import Request
from gateway.wire.openai_chat.tools import read_choice, read_format, read_tool

NAME = "openai_chat"

_READ = frozenset(field.encode_name for field in msgspec.structs.fields(Request)) | OWN_FIELDS


class _Loose(msgspec.Struct):
    messages: list[dict[str, Raw]] = []


def read_ask(body: bytes) -> Ask:
    """The request in `body`; `BadRequest` says what is wrong with it and what is right."""
    fields = read_fields(body)
    request = read_body(body, Request)
    if seal.present(request.functions) or seal.present(request.function_call):
        raise BadRequest("`functions` and `function_call` are no longer taken. Send `tools` and `tool_choice`.")
    if not request.messages:
        raise BadRequest("`messages` must be a list with at least one message, each with a role and content.")
    extras = {name: raw for name, raw in fields.items() if name not in _READ and bytes(raw) != b"null"}
    loose = read_body(body, _Loose).messages
    turns = tuple(
        [
            read_turn(message, f"messages[{at}]", sent)
            for at, (message, sent) in enumerate(zip(request.messages, loose, strict=True))
        ]
    )
    tools = tuple([read_tool(raw, f"tools[{at}]") for at, raw in enumerate(request.tools or ())])
    choice, in_full = read_choice(request.tool_choice, request.parallel_tool_calls, tools)
    if not in_full:
        extras["tool_choice"] = fields["tool_choice"]
    if request.n is not None and request.n > 1:
        extras["n"] = fields["n"]
    return Ask(
        protocol=NAME,
        model=request.model or "",
        turns=turns,
        stream=bool(request.stream),
        include_usage=bool(request.stream_options and request.stream_options.include_usage),
        tools=tools,
        tool_choice=choice,
        output=read_format(request.response_format),
        knobs=_read_knobs(request),
        nominated=read_nominated(fields),
        bench=read_bench(fields),
        extras=extras,
    )


def _read_knobs(request: Request) -> Knobs:
    stop = request.stop
    return Knobs(
        max_tokens=request.max_completion_tokens or request.max_tokens,
        temperature=request.temperature,
        top_p=request.top_p,
        top_k=request.top_k,
        stop=(stop,) if isinstance(stop, str) else tuple(stop or ()),
        seed=request.seed,
        presence_penalty=request.presence_penalty,
        frequency_penalty=request.frequency_penalty,
        reasoning_effort=request.reasoning_effort or "",
    )
