"""The response object: what was asked, said back truthfully, and what has become of it.

A setting that the caller left to the member is null, because nobody here knows it. Nothing is ever stored.
"""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from gateway.canon.ask import Ask
from gateway.canon.event import Closed, Usage
from gateway.canon.fault import Fault
from gateway.wire.base import Stamp
from gateway.wire.body import given
from gateway.wire.openai_responses import ending
from gateway.wire.openai_responses.errors import FailureBody, failure_of
from gateway.wire.openai_responses.names import ADDED, FOUND
from gateway.wire.openai_responses.tools import write_choice, write_format, write_tools
from gateway.wire.openai_responses.usage import UsageBody, write_usage

_NULL = Raw(b"null")


class Reason(Struct):
    reason: str


class ReasoningBody(Struct):
    effort: str | None
    summary: Raw


class ResponseBody(Struct, omit_defaults=True):
    id: str
    object: str
    created_at: int
    status: str
    background: bool
    error: FailureBody | None
    incomplete_details: Reason | None
    instructions: str | None
    max_output_tokens: int | None
    model: str
    output: list[Raw]
    parallel_tool_calls: bool
    previous_response_id: None
    prompt_cache_key: Raw
    reasoning: ReasoningBody
    store: bool
    temperature: float | None
    text: Raw
    tool_choice: Raw
    tools: Raw
    top_p: float | None
    truncation: Raw
    usage: UsageBody | None
    user: Raw
    metadata: Raw
    native_finish_reason: str | UnsetType = UNSET
    stop_reason: str | UnsetType = UNSET
    bench: Raw | UnsetType = UNSET


def begun(ask: Ask, stamp: Stamp) -> ResponseBody:
    """The response before anything has come."""
    first = ask.turns[0] if ask.turns else None
    text: dict[str, object] = {"format": write_format(ask.output) if ask.output is not None else {"type": "text"}}
    if "text.verbosity" in ask.extras:
        text["verbosity"] = ask.extras["text.verbosity"]
    listed = [tool for tool in ask.tools if not {ADDED, FOUND} & tool.extras.keys()]
    choice = ask.extras.get("tool_choice") or _raw(write_choice(ask.tool_choice, ask.tools, native=True))
    return ResponseBody(
        id=stamp.id,
        object="response",
        created_at=stamp.created,
        status="in_progress",
        background=False,
        error=None,
        incomplete_details=None,
        instructions=first.text if first is not None and first.role == "system" else None,
        max_output_tokens=ask.knobs.max_tokens,
        model=stamp.model,
        output=[],
        parallel_tool_calls=ask.tool_choice.parallel is not False,
        previous_response_id=None,
        prompt_cache_key=ask.extras.get("prompt_cache_key", _NULL),
        reasoning=ReasoningBody(ask.knobs.reasoning_effort or None, ask.extras.get("reasoning.summary", _NULL)),
        store=False,
        temperature=ask.knobs.temperature,
        text=_raw(text),
        tool_choice=choice,
        tools=_raw(write_tools(listed, native=True)),
        top_p=ask.knobs.top_p,
        truncation=ask.extras.get("truncation", Raw(b'"disabled"')),
        usage=None,
        user=ask.extras.get("user", _NULL),
        metadata=given(ask.extras.get("metadata")) or Raw(b"{}"),
    )


def ended(body: ResponseBody, closed: Closed, output: list[Raw], usage: Usage | None) -> ResponseBody:
    """The response at its end, complete or cut."""
    reason = ending.reason_of(closed.finish)
    return replace(
        body,
        status=ending.status_of(closed.finish),
        incomplete_details=Reason(reason) if reason is not None else None,
        output=output,
        usage=write_usage(usage) if usage is not None else None,
        native_finish_reason=ending.finer_word(closed) or UNSET,
        stop_reason=closed.sequence or UNSET,
        bench=closed.bench if closed.bench is not None else UNSET,
    )


def failed(body: ResponseBody, fault: Fault, output: list[Raw], usage: Usage | None) -> ResponseBody:
    """The response that did not come to its end, with what had come."""
    return replace(
        body,
        status="failed",
        error=failure_of(fault),
        output=output,
        usage=write_usage(usage) if usage is not None else None,
    )


def _raw(value: object) -> Raw:
    return Raw(msgspec.json.encode(value))
