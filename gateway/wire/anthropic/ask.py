"""A Messages request to an Ask.

A field with a meaning for the gateway is read; every other field travels in `extras` as it was sent. The model may be
missing here: who answers for that has the list of collections at hand. Conversations that a provider keeps (`thread`)
are refused in the words that make clients send the whole conversation instead.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Knobs
from gateway.canon.fault import BadRequest
from gateway.wire.anthropic.messages import read_system, read_turn
from gateway.wire.anthropic.shape import Fields, Request, ThinkingEntry
from gateway.wire.anthropic.tools import read_choice, read_format, read_tool
from gateway.wire.body import OWN_FIELDS, given, read_bench, read_body, read_fields, read_nominated

NAME = "anthropic"

_READ = frozenset(field.encode_name for field in msgspec.structs.fields(Request)) | OWN_FIELDS
_NO_THREADS = Raw(b'{"error_code":"thread_unsupported_request","unsupported":["thread"]}')


def read_ask(body: bytes) -> Ask:
    """The request in `body`; `BadRequest` says what is wrong with it and what is right."""
    fields = read_fields(body)
    request = read_body(body, Request)
    if given(request.thread) is not None:
        raise BadRequest(
            "`thread` is not supported: this server keeps no conversations. Send all messages with each request.",
            details=_NO_THREADS,
        )
    if not request.messages:
        raise BadRequest("`messages` must be a list with at least one message, each with a role and content.")
    extras = {name: raw for name, raw in fields.items() if name not in _READ and given(raw) is not None}
    config = _read_config(request.output_config)
    effort = given(config.pop("effort", None))
    output = read_format(config.pop("format", None), "output_config.format")
    if config:
        extras["output_config"] = Raw(msgspec.json.encode(config))
    budget, in_full = _read_thinking(request.thinking)
    if not in_full:
        extras["thinking"] = request.thinking
    tools = tuple(read_tool(raw, f"tools[{at}]") for at, raw in enumerate(request.tools or ()))
    turns = (read_turn(raw, f"messages[{at}]") for at, raw in enumerate(request.messages))
    return Ask(
        protocol=NAME,
        model=request.model or "",
        turns=(*read_system(request.system), *turns),
        stream=bool(request.stream),
        tools=tools,
        tool_choice=read_choice(request.tool_choice, tools),
        output=output or read_format(request.output_format, "output_format"),
        knobs=Knobs(
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            top_p=request.top_p,
            top_k=request.top_k,
            stop=tuple(request.stop_sequences or ()),
            reasoning_effort=read_body(effort, str, "output_config.effort") if effort is not None else "",
            reasoning_tokens=budget,
        ),
        nominated=read_nominated(fields),
        bench=read_bench(fields),
        extras=extras,
    )


def read_count(body: bytes) -> Ask:
    """The request of which only the tokens are to be counted: the same, and no model is needed."""
    return read_ask(body)


def _read_config(raw: Raw) -> Fields:
    sent = given(raw)
    if sent is None:
        return {}
    return {name: field for name, field in read_body(sent, Fields, "output_config").items() if given(field) is not None}


def _read_thinking(raw: Raw) -> tuple[int | None, bool]:
    """(budget, whether it is said in full by the budget)."""
    sent = given(raw)
    if sent is None:
        return None, True
    entry = read_body(sent, ThinkingEntry, "thinking")
    plain = entry.type == "enabled" and set(read_body(sent, Fields, "thinking")) <= {"type", "budget_tokens"}
    return entry.budget_tokens, plain and entry.budget_tokens is not None
