"""Responses as the wire has them: tolerant structs that ignore what they do not know.

Requests are typed as the API documents them, so that a misfit is refused; items of the input are read one by one,
because their fields mean different things by type. Replies are typed as loosely as providers write them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw, Struct

from gateway.wire.body import MISSING
from gateway.wire.loose import Json

Count = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Fields = dict[str, Raw]


# --- requests ---------------------------------------------------------------------------------------------------------


class Request(Struct):
    """The fields with a meaning for the gateway. The rest of a body travels as `Ask.extras`."""

    model: str | None = None
    input: str | list[Raw] | None = None
    instructions: str | None = None
    stream: bool | None = None
    max_output_tokens: Count | None = None
    temperature: float | None = None
    top_p: float | None = None
    reasoning: Fields | None = None
    text: Fields | None = None
    tools: list[Raw] | None = None
    tool_choice: Raw = MISSING
    parallel_tool_calls: bool | None = None
    store: bool | None = None
    background: bool | None = None
    previous_response_id: Raw = MISSING
    conversation: Raw = MISSING
    prompt: Raw = MISSING


class Item(Struct):
    """One item of the input; which fields count depends on `type`."""

    type: str | None = None
    role: str | None = None
    content: Raw = MISSING
    summary: Raw = MISSING
    encrypted_content: str | None = None
    call_id: str | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: Json = None
    input: str | None = None
    output: Raw = MISSING
    execution: str | None = None
    tools: list[Raw] | None = None


class ImageUrl(Struct):
    url: str | None = None


class InputAudio(Struct):
    data: str | None = None
    format: str | None = None


class ContentPart(Struct):
    """One part of a message's content or of a tool's output."""

    type: str | None = None
    text: str | None = None
    refusal: str | None = None
    image_url: str | ImageUrl | None = None
    detail: str | None = None
    file_id: str | None = None
    file_data: str | None = None
    file_url: str | None = None
    filename: str | None = None
    input_audio: InputAudio | None = None
    prompt_cache_breakpoint: Raw = MISSING


class ToolEntry(Struct):
    type: str | None = None
    name: str | None = None
    description: str | None = None
    parameters: Raw = MISSING
    strict: bool | None = None
    format: Raw = MISSING
    execution: str | None = None
    tools: list[Raw] | None = None
    function: Raw = MISSING


class ChoiceEntry(Struct):
    """The object form of `tool_choice`."""

    type: str | None = None
    name: str | None = None
    namespace: str | None = None
    mode: str | None = None


class FormatEntry(Struct):
    type: str | None = None
    name: str | None = None
    schema: Raw = MISSING
    strict: bool | None = None
    description: str | None = None


# --- replies ----------------------------------------------------------------------------------------------------------

Number = int | float | None


class InputDetails(Struct):
    cached_tokens: Number = None
    cache_write_tokens: Number = None


class OutputDetails(Struct):
    reasoning_tokens: Number = None


class UsageEntry(Struct):
    input_tokens: Number = None
    output_tokens: Number = None
    total_tokens: Number = None
    input_tokens_details: InputDetails | None = None
    output_tokens_details: OutputDetails | None = None


class OutputPart(Struct):
    """A part of a message, of a reasoning item's summary or of its content."""

    type: str | None = None
    text: str | None = None
    refusal: str | None = None


class OutputItem(Struct):
    """One item of the output; which fields count depends on `type`."""

    type: str | None = None
    call_id: str | None = None
    id: str | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: Json = None
    input: Json = None
    execution: str | None = None
    content: str | list[OutputPart] | None = None
    summary: list[OutputPart] | None = None
    encrypted_content: str | None = None
    signature: str | None = None


class Incomplete(Struct):
    reason: str | None = None


class Response(Struct):
    """A response object: a whole reply, or what the first and the last events of a stream carry."""

    id: str | int | None = None
    model: str | None = None
    status: str | None = None
    output: list[Raw] | None = None
    usage: UsageEntry | None = None
    error: Json = None
    incomplete_details: Incomplete | None = None
    native_finish_reason: str | None = None
    stop_reason: str | None = None


class StreamEvent(Struct):
    """One event of a stream."""

    type: str | None = None
    response: Response | None = None
    item: Raw = MISSING
    item_id: str | None = None
    output_index: int | None = None
    content_index: int | None = None
    summary_index: int | None = None
    delta: Json = None
    error: Json = None
