"""Ollama's chat and generate as the wire has them: tolerant structs that ignore what they do not know.

Requests are typed as the API documents them, so that a misfit is refused. Replies are typed as loosely as servers write
them. Arguments of calls stay raw, so that they go on in the words they were written in.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw, Struct

from gateway.wire.body import MISSING
from gateway.wire.loose import Json

Limit = Annotated[int, Meta(ge=-(2**31), le=2**31 - 1)]


class Function(Struct):
    """A call's function. `arguments` is an object; some write it as JSON text."""

    name: str | None = None
    arguments: Raw = MISSING


class CallEntry(Struct):
    """A tool call; this format has no pieces of one. Older servers give no id."""

    id: str | None = None
    function: Function | None = None
    bench_seal: Raw = MISSING


class SealedThought(Struct):
    """One entry of `bench_thoughts`: reasoning with the opaque state that belongs to it."""

    text: str = ""
    seal: Raw = MISSING


# --- requests ---------------------------------------------------------------------------------------------------------


class Message(Struct):
    role: str | None = None
    content: str | None = None
    thinking: str | None = None
    images: list[str] | None = None
    tool_calls: list[CallEntry] | None = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    name: str | None = None
    bench_thoughts: Raw = MISSING


class Request(Struct):
    """The fields with a meaning for the gateway that both requests have. The rest of a body travels as
    `Ask.extras`."""

    model: str | None = None
    stream: bool | None = None
    format: Raw = MISSING
    options: Raw = MISSING
    think: bool | str | None = None


class ChatRequest(Request):
    messages: list[Message] | None = None
    tools: list[Raw] | None = None


class GenerateRequest(Request):
    prompt: str | None = None
    suffix: str | None = None
    system: str | None = None
    images: list[str] | None = None
    template: str | None = None
    raw: bool | None = None
    context: list[Raw] | None = None


class Options(Struct):
    """The options with a meaning for the gateway. A `num_predict` below 1 means no limit."""

    num_predict: Limit | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    seed: int | None = None
    stop: str | list[str] | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None


class ToolBody(Struct):
    name: str | None = None
    description: str | None = None
    parameters: Raw = MISSING
    strict: bool | None = None


class ToolEntry(Struct):
    type: str | None = None
    function: ToolBody | None = None


# --- replies ----------------------------------------------------------------------------------------------------------

Number = int | float | None


class ReplyMessage(Struct):
    content: str | None = None
    thinking: str | None = None
    tool_calls: list[CallEntry] | None = None
    bench_thoughts: Raw = MISSING


class Line(Struct):
    """One line of a stream, or a whole reply: they differ in nothing. `response` and `thinking` beside it are
    generate's."""

    model: str | None = None
    created_at: str | None = None
    message: ReplyMessage | None = None
    response: str | None = None
    thinking: str | None = None
    done: bool | None = None
    done_reason: str | None = None
    native_finish_reason: str | None = None
    stop_reason: str | None = None
    prompt_eval_count: Number = None
    eval_count: Number = None
    error: Json = None
