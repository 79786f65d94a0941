"""Messages as the wire has them: tolerant structs that ignore what they do not know.

Requests are typed as the API documents them, so that a misfit is refused; blocks stay raw until their turn comes,
because some must go on exactly as they were sent. Replies are typed as loosely as providers write them.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Raw, Struct

from gateway.wire.body import MISSING
from gateway.wire.loose import Json

Count = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Fields = dict[str, Raw]
"""The fields of an object, unread."""


# --- requests ---------------------------------------------------------------------------------------------------------


class Request(Struct):
    """The fields with a meaning for the gateway. The rest of a body travels as `Ask.extras`."""

    model: str | None = None
    messages: list[Raw] | None = None
    system: str | list[Raw] | None = None
    max_tokens: Count | None = None
    stream: bool | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    stop_sequences: list[str] | None = None
    tools: list[Raw] | None = None
    tool_choice: Raw = MISSING
    thinking: Raw = MISSING
    output_config: Raw = MISSING
    output_format: Raw = MISSING
    thread: Raw = MISSING


class Message(Struct):
    role: str | None = None
    content: str | list[Raw] | None = None


class Source(Struct):
    """Where the bytes of an image or a document are; which fields count depends on `type`."""

    type: str | None = None
    media_type: str | None = None
    data: str | None = None
    url: str | None = None
    file_id: str | None = None


class Block(Struct):
    """One block of a message's content; which fields count depends on `type`."""

    type: str | None = None
    text: str | None = None
    source: str | Source | None = None
    title: str | None = None
    context: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = MISSING
    tool_use_id: str | None = None
    tool_name: str | None = None
    content: Raw = MISSING
    is_error: bool | None = None
    thinking: str | None = None
    cache_control: Raw = MISSING


class ToolEntry(Struct):
    type: str | None = None
    name: str | None = None
    description: str | None = None
    input_schema: Raw = MISSING
    strict: bool | None = None
    cache_control: Raw = MISSING


class ChoiceEntry(Struct):
    type: str | None = None
    name: str | None = None
    disable_parallel_tool_use: bool | None = None


class ThinkingEntry(Struct):
    type: str | None = None
    budget_tokens: Count | None = None


class FormatEntry(Struct):
    type: str | None = None
    schema: Raw = MISSING


# --- replies ----------------------------------------------------------------------------------------------------------

Number = int | float | None


class OutputDetails(Struct):
    thinking_tokens: Number = None


class UsageEntry(Struct):
    """Counts. `input_tokens` leaves out what was read from or written to the cache."""

    input_tokens: Number = None
    cache_read_input_tokens: Number = None
    cache_creation_input_tokens: Number = None
    output_tokens: Number = None
    output_tokens_details: OutputDetails | None = None


class Delta(Struct):
    """A piece of a block, or the end of the message."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    signature: str | None = None
    partial_json: str | None = None
    content: Raw = MISSING
    stop_reason: str | None = None
    stop_sequence: str | None = None


class ReplyBlock(Struct):
    """A block of an answer: how it starts in a stream, all of it in a whole one."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = MISSING
    citations: Raw = MISSING


class Reply(Struct):
    """A whole message, or what `message_start` tells of one."""

    id: str | int | None = None
    model: str | None = None
    content: list[Raw] | None = None
    stop_reason: str | None = None
    stop_sequence: str | None = None
    usage: UsageEntry | None = None


class Frame(Struct):
    """One event of a stream."""

    type: str | None = None
    index: int | None = None
    message: Reply | None = None
    content_block: Raw = MISSING
    delta: Delta | None = None
    usage: UsageEntry | None = None
    error: Json = None
