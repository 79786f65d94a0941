"""The fields of messages, calls and tools that canon has no word for: members of the same protocol get them back."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.wire.body import read_body
from gateway.wire.losses import CONTENT, FORM
from gateway.wire.openai_chat.shape import Message, ToolBody, ToolEntry
from gateway.wire.own_fields import Fields, own_fields, own_fields_below, pack_calls

_MESSAGE = frozenset(field.encode_name for field in msgspec.structs.fields(Message))
_TOOL = frozenset(field.encode_name for field in msgspec.structs.fields(ToolEntry))
_TOOL_BODY = frozenset(field.encode_name for field in msgspec.structs.fields(ToolBody))
_PART = frozenset({"type", "text", "refusal", "thinking", "image_url", "input_audio", "file", "cache_control"})
_IN_PART = {
    "image_url": frozenset({"url", "detail"}),
    "input_audio": frozenset({"data", "format"}),
    "file": frozenset({"file_data", "file_id", "filename"}),
}
_CALL = frozenset({"index", "id", "type", "function", "custom", "extra_content"})
_IN_CALL = {"function": frozenset({"name", "arguments"}), "custom": frozenset({"name", "input"})}


def of_message(message: Message, sent: Fields) -> Fields:
    """A turn's extras: the message's own fields, content that is more than canon holds or has another form, and what
    calls have beyond their ids, names and arguments."""
    extras = own_fields(sent, _MESSAGE)
    if isinstance(message.content, list):
        extras.update(_of_content(message, sent["content"]))
    return extras | pack_calls(_of_calls(sent["tool_calls"])) if message.tool_calls else extras


def of_tool(raw: Raw, kind: str) -> Fields:
    """A tool's extras; those inside its definition go by their path, such as `function.examples`."""
    fields = read_body(raw, Fields)
    return own_fields(fields, _TOOL) | own_fields_below(fields, {kind: _TOOL_BODY})


def _of_content(message: Message, raw: Raw) -> Fields:
    parts = message.content
    if not isinstance(parts, list) or any(part.type == "thinking" for part in parts):
        return {}
    sent = msgspec.json.decode(raw, type=list[Fields])
    if any(own_fields(part, _PART) or own_fields_below(part, _IN_PART) for part in sent):
        return {CONTENT: raw}
    plain = len(sent) == 1 and sent[0].keys() == {"type", "text"} and parts[0].text
    return {FORM: raw} if plain else {}


def _of_calls(raw: Raw) -> dict[str, Fields]:
    found = {}
    for entry in msgspec.json.decode(raw, type=list[Fields]):
        extras = own_fields(entry, _CALL) | own_fields_below(entry, _IN_CALL)
        if extras:
            found[msgspec.json.decode(entry["id"], type=str)] = extras
    return found
