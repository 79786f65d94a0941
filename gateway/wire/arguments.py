"""A call's arguments for APIs that want them as an object, where a model may have written anything."""

from __future__ import annotations

import msgspec
from msgspec import Raw

from gateway.canon.ask import ToolCall
from gateway.wire.free_text import wrap


def write_input(call: ToolCall) -> Raw:
    """A call's arguments as the object that some APIs want: as they are, or as the one field of an object."""
    if call.custom:
        return Raw(wrap(call.arguments).encode())
    text = call.arguments.strip()
    try:
        if text.startswith("{"):
            msgspec.json.decode(text, type=dict[str, Raw])
            return Raw(text.encode())
        other = msgspec.json.decode(text) if text else None
    except (msgspec.DecodeError, RecursionError):
        other = call.arguments
    return Raw(msgspec.json.encode({"arguments": other}) if text else b"{}")
