"""generateContent as the wire has it: tolerant structs that ignore what they do not know.

Requests come in camelCase or snake_case, mixed at will, and are read level by level: inner objects stay raw until the
level above is known, so that what belongs to the caller (arguments, results, schemas) keeps its own names. Replies are
typed as loosely as providers write them.
"""

from __future__ import annotations

import re
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Raw, Struct

from gateway.canon.fault import BadRequest
from gateway.wire.body import MISSING, given, read_body

Json = str | int | float | bool | list[object] | dict[str, object] | None
Count = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Fields = dict[str, Raw]
T = TypeVar("T")

_SNAKE = re.compile(r"(?<=[a-z0-9])_([a-z])")


def camel(name: str) -> str:
    """A field's name as this API documents it."""
    return _SNAKE.sub(lambda found: found[1].upper(), name)


def read_level(raw: bytes | Raw, place: str) -> Fields:
    """The fields of one object, unread, under their camelCase names and without those that are null."""
    fields = read_body(raw, Fields, place)
    return {camel(name): value for name, value in fields.items() if given(value) is not None}


def read_shape(fields: Fields, kind: type[T], place: str) -> T:
    """These fields as `kind`."""
    return read_body(msgspec.json.encode(fields), kind, place)


def read_list(raw: Raw, place: str) -> list[Raw]:
    """A list; a single object stands for a list of one."""
    if bytes(raw).startswith(b"{"):
        return [raw]
    return read_body(raw, list[Raw], place)


def one_of(raw: Raw | None, place: str, words: dict[str, T], right: str) -> T | None:
    """What a word stands for, whatever its case; None when it was not sent."""
    if raw is None:
        return None
    word = read_body(raw, str, place)
    if word.lower() not in words:
        raise BadRequest(f"`{place}` is {word!r}. Send {right}.")
    return words[word.lower()]


# --- requests ---------------------------------------------------------------------------------------------------------


class Request(Struct, rename="camel"):
    """The top level of a request. The fields beside these travel as `Ask.extras`."""

    contents: Raw = MISSING
    system_instruction: Raw = MISSING
    tools: Raw = MISSING
    tool_config: Raw = MISSING
    generation_config: Raw = MISSING
    model: str = ""


class Generation(Struct, rename="camel"):
    """The settings that canon has words for. Google's own library sends `topK` as a fraction."""

    max_output_tokens: Count | None = None
    temperature: float | None = None
    top_p: float | None = None
    top_k: float | None = None
    stop_sequences: list[str] | None = None
    seed: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    response_mime_type: str | None = None
    response_schema: Raw = MISSING
    response_json_schema: Raw = MISSING
    thinking_config: Raw = MISSING


class Content(Struct):
    """One turn."""

    role: str | None = None
    parts: Raw = MISSING


class Blob(Struct, rename="camel"):
    """`inlineData`."""

    mime_type: str | None = None
    data: str | None = None
    display_name: str | None = None


class FileData(Struct, rename="camel"):
    mime_type: str | None = None
    file_uri: str | None = None
    display_name: str | None = None


class CallEntry(Struct):
    """A function call in a request."""

    id: str | None = None
    name: str | None = None
    args: Raw = MISSING


class ResultEntry(Struct):
    """`functionResponse`."""

    id: str | None = None
    name: str | None = None
    response: Raw = MISSING
    parts: Raw = MISSING


class Declaration(Struct, rename="camel"):
    """One function on offer."""

    name: str | None = None
    description: str | None = None
    parameters: Raw = MISSING
    parameters_json_schema: Raw = MISSING


class Calling(Struct, rename="camel"):
    """`functionCallingConfig`."""

    mode: Raw = MISSING
    allowed_function_names: list[str] | None = None


# --- replies ----------------------------------------------------------------------------------------------------------


class PartialArg(Struct, rename="camel"):
    """A piece of a call's arguments: a value at a path."""

    json_path: str = "$"
    string_value: str | None = None
    number_value: int | float | None = None
    bool_value: bool | None = None


class FunctionCall(Struct, rename="camel"):
    id: str | None = None
    name: str | None = None
    args: Raw = MISSING
    partial_args: list[PartialArg] | None = None
    will_continue: bool | None = None


class ReplyPart(Struct, rename="camel"):
    """A part of an answer. What has none of these fields is opaque."""

    text: str | None = None
    thought: bool | None = None
    thought_signature: str | None = None
    function_call: FunctionCall | None = None
    inline_data: Raw = MISSING
    file_data: Raw = MISSING


class ReplyContent(Struct):
    parts: list[Raw] | None = None


class Candidate(Struct, rename="camel"):
    """One answer. `finish_reason` is a number where enums are sent so."""

    index: int | None = None
    content: ReplyContent | None = None
    finish_reason: str | int | None = None
    finish_message: str | None = None
    grounding_metadata: Raw = MISSING
    citation_metadata: Raw = MISSING


class Feedback(Struct, rename="camel"):
    """`promptFeedback`: why there is no answer."""

    block_reason: str | int | None = None
    block_reason_message: str | None = None


class UsageEntry(Struct, rename="camel"):
    prompt_token_count: int | None = None
    candidates_token_count: int | None = None
    thoughts_token_count: int | None = None
    cached_content_token_count: int | None = None
    tool_use_prompt_token_count: int | None = None
    total_token_count: int | None = None


class Chunk(Struct, rename="camel"):
    """One piece of a streamed answer, or a whole one: they are the same."""

    candidates: list[Candidate] | None = None
    prompt_feedback: Feedback | None = None
    usage_metadata: UsageEntry | None = None
    model_version: str | None = None
    response_id: str | None = None
    error: Json = None
