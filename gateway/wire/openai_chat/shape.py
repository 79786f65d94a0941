"""Chat completions as the wire has them: tolerant structs that ignore what they do not know.

Requests are typed as the API documents them, so that a misfit is refused. Replies are typed as loosely as providers
write them: null anywhere, numbers for ids, parts for text.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw, Struct

from gateway.wire.body import MISSING
from gateway.wire.loose import Json

Count = Annotated[int, Meta(ge=1, le=2**31 - 1)]


# --- requests ---------------------------------------------------------------------------------------------------------


class ImageUrl(Struct):
    url: str | None = None
    detail: str | None = None


class InputAudio(Struct):
    data: str | None = None
    format: str | None = None


class FilePart(Struct):
    file_data: str | None = None
    file_id: str | None = None
    filename: str | None = None


class ContentPart(Struct):
    """One part of a message's content; which fields count depends on `type`."""

    type: str | None = None
    text: str | None = None
    refusal: str | None = None
    thinking: str | list[ContentPart] | None = None
    image_url: str | ImageUrl | None = None
    input_audio: InputAudio | None = None
    file: FilePart | None = None
    cache_control: Raw = MISSING


class FunctionCall(Struct):
    name: str | None = None
    arguments: Json = None


class CustomCall(Struct):
    name: str | None = None
    input: str | None = None


class CallEntry(Struct):
    """A tool call, whole in a message or in pieces in a stream. `index` is there in streams only."""

    index: int | None = None
    id: str | None = None
    type: str | None = None
    function: FunctionCall | None = None
    custom: CustomCall | None = None
    extra_content: Raw = MISSING


class Message(Struct):
    role: str | None = None
    content: str | list[ContentPart] | None = None
    name: str | None = None
    tool_calls: list[CallEntry] | None = None
    tool_call_id: str | None = None
    function_call: Raw = MISSING
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    reasoning_details: Raw = MISSING
    extra_content: Raw = MISSING


class StreamOptions(Struct):
    include_usage: bool | None = None


class Request(Struct):
    """The fields with a meaning for the gateway. The rest of a body travels as `Ask.extras`."""

    model: str | None = None
    messages: list[Message] | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: Count | None = None
    max_completion_tokens: Count | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop: str | list[str] | None = None
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    reasoning_effort: str | None = None
    tools: list[Raw] | None = None
    tool_choice: Raw = MISSING
    parallel_tool_calls: bool | None = None
    response_format: Raw = MISSING
    functions: Raw = MISSING
    function_call: Raw = MISSING
    n: Count | None = None


class ToolBody(Struct):
    """A function's or a custom tool's definition."""

    name: str | None = None
    description: str | None = None
    parameters: Raw = MISSING
    strict: bool | None = None
    format: Raw = MISSING


class ToolEntry(Struct):
    type: str | None = None
    name: str | None = None
    function: ToolBody | None = None
    custom: ToolBody | None = None
    cache_control: Raw = MISSING


class Named(Struct):
    name: str | None = None


class ChoiceEntry(Struct):
    """The object form of `tool_choice`."""

    type: str | None = None
    name: str | None = None
    mode: str | None = None
    function: Named | None = None
    custom: Named | None = None
    allowed_tools: ChoiceEntry | None = None


class SchemaBody(Struct):
    name: str | None = None
    schema: Raw = MISSING
    strict: bool | None = None
    description: str | None = None


class FormatEntry(Struct):
    type: str | None = None
    json_schema: SchemaBody | None = None


# --- replies ----------------------------------------------------------------------------------------------------------

Number = int | float | None


class InputDetails(Struct):
    cached_tokens: Number = None
    cache_write_tokens: Number = None
    cache_creation_tokens: Number = None


class OutputDetails(Struct):
    reasoning_tokens: Number = None


class UsageEntry(Struct):
    prompt_tokens: Number = None
    completion_tokens: Number = None
    total_tokens: Number = None
    prompt_tokens_details: InputDetails | None = None
    completion_tokens_details: OutputDetails | None = None
    prompt_cache_hit_tokens: Number = None
    cached_tokens: Number = None
    cache_read_input_tokens: Number = None
    cache_creation_input_tokens: Number = None
    reasoning_tokens: Number = None


class ReplyPart(Struct):
    """A part of an answer that comes as a list. Strings stand for text parts."""

    type: str | None = None
    text: str | None = None
    refusal: str | None = None
    thinking: str | list[ReplyPart] | None = None


class Delta(Struct):
    """A streamed piece of an answer, or a whole one."""

    content: str | list[ReplyPart | str] | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None
    reasoning_details: Raw = MISSING
    refusal: str | None = None
    tool_calls: list[CallEntry] | None = None
    function_call: FunctionCall | None = None
    extra_content: Raw = MISSING


class Choice(Struct):
    index: int | None = None
    delta: Delta | None = None
    message: Delta | None = None
    finish_reason: str | None = None
    native_finish_reason: str | None = None
    stop_reason: str | int | None = None


class Groq(Struct):
    usage: UsageEntry | None = None


class Chunk(Struct):
    """One event of a stream, or a whole reply: they differ in `delta` and `message`."""

    id: str | int | None = None
    model: str | None = None
    choices: list[Choice] | None = None
    usage: UsageEntry | None = None
    error: Json = None
    x_groq: Groq | None = None


def plain_text(chunk: Chunk) -> str:
    """The text of an event that brings a piece of the first answer's text and nothing else, as nearly all do; empty
    for the others."""
    choices = chunk.choices
    if not choices or len(choices) > 1 or chunk.error or chunk.usage is not None or chunk.x_groq is not None:
        return ""
    choice = choices[0]
    delta = choice.delta
    if delta is None or choice.index or choice.finish_reason or delta.reasoning_content or delta.reasoning:
        return ""
    if delta.tool_calls or delta.refusal or delta.function_call is not None:
        return ""
    if delta.reasoning_details is not MISSING or delta.extra_content is not MISSING:
        return ""
    return delta.content if isinstance(delta.content, str) else ""


class ReasoningDetail(Struct):
    """One entry of `reasoning_details`; `data` and `signature` are opaque."""

    type: str | None = None
    text: str | None = None
    summary: str | None = None
    data: str | None = None
    signature: str | None = None
    seal: Raw = MISSING
