"""A whole message as callers see it."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from gateway.canon.ask import Refusal, Text, Thought, ToolCall
from gateway.canon.event import Closed, Usage
from gateway.canon.reply import Reply
from gateway.wire.anthropic import seal
from gateway.wire.anthropic.ending import stop_reason
from gateway.wire.anthropic.errors import write_error
from gateway.wire.anthropic.usage import UsageBody, write_usage
from gateway.wire.arguments import write_input
from gateway.wire.base import Stamp


class MessageBody(Struct, omit_defaults=True):
    id: str
    type: str
    role: str
    model: str
    content: list[dict[str, object]]
    stop_reason: str | None
    stop_sequence: str | None
    usage: UsageBody
    bench: Raw | UnsetType = UNSET


def write_whole(reply: Reply, stamp: Stamp, *, usage: Usage, vendor: bool) -> bytes:
    """A reply as one message; the error document when it failed. `usage` is the reply's or an estimate; with `vendor`
    the doings of the provider's own tools are shown."""
    if reply.fault is not None:
        return write_error(reply.fault)
    closed = Closed(reply.finish or Closed().finish, reply.native, reply.sequence)
    return msgspec.json.encode(
        MessageBody(
            stamp.id,
            "message",
            "assistant",
            stamp.model,
            _content(reply, vendor=vendor),
            stop_reason(closed),
            closed.sequence or None,
            write_usage(usage),
            reply.bench if reply.bench is not None else UNSET,
        )
    )


def _content(reply: Reply, *, vendor: bool) -> list[dict[str, object]]:
    blocks: list[dict[str, object]] = []
    for part in reply.parts:
        match part:
            case Text(text=text) | Refusal(text=text):
                blocks.append({"type": "text", "text": text})
            case ToolCall():
                blocks.append(seal.show_call(part, write_input(part)))
            case Thought():
                opaque = seal.opaque_block(part.seal)
                if opaque is None or vendor or seal.is_redacted(opaque):
                    blocks.append(seal.show_thought(part))
    blocks += [{"type": "text", "text": text} for text in reply.choices if text]
    if not any(block["type"] in ("text", "tool_use") for block in blocks):
        blocks.append({"type": "text", "text": ""})
    return blocks
