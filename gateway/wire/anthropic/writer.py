"""Writes an answer to a caller as a message: event by event, or whole.

Every event carries its name in an `event:` line. Usage is always told, estimated where nobody counted: this API has no
message without it. The gateway's own object rides on `message_delta`. After the end it writes nothing.
"""

from __future__ import annotations

import msgspec

from gateway.canon.ask import Ask
from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Event,
    Failed,
    Note,
    Opened,
    TextDelta,
    ThoughtDelta,
    ToolOpened,
    Usage,
)
from gateway.canon.reply import Reply
from gateway.wire.anthropic.blocks import Blocks
from gateway.wire.anthropic.ending import stop_reason
from gateway.wire.anthropic.errors import write_error
from gateway.wire.anthropic.usage import write_usage
from gateway.wire.anthropic.whole import MessageBody, write_whole
from gateway.wire.base import Stamp
from gateway.wire.estimates import characters_of, estimate_usage
from gateway.wire.sse import CONTENT_TYPE, frame

_ENCODE = msgspec.json.Encoder().encode
_NOTHING = b""
_PING = frame(b'{"type":"ping"}', "ping")
_STOP = frame(b'{"type":"message_stop"}', "message_stop")


class MessageWriter:
    """One reply to one caller."""

    content_type = CONTENT_TYPE

    def __init__(self, ask: Ask, stamp: Stamp) -> None:
        self._ask = ask
        self._stamp = stamp
        self._vendor = any(tool.kind == "vendor" for tool in ask.tools)
        self._blocks = Blocks(vendor=self._vendor)
        self._choices: dict[int, list[str]] = {}
        self._characters = 0
        self._usage: Usage | None = None
        self._started = False
        self._over = False

    def feed(self, event: Event) -> bytes:
        """The bytes this event adds to the stream."""
        if self._over:
            return _NOTHING
        if type(event) is TextDelta and not event.choice and self._started:
            self._characters += len(event.text)
            return self._blocks.add(event)
        return self._feed(event)

    def _feed(self, event: Event) -> bytes:
        match event:
            case TextDelta(choice=choice) if choice:
                self._choices.setdefault(choice, []).append(event.text)
                return _NOTHING
            case TextDelta() | ThoughtDelta() | ArgsDelta():
                self._characters += len(event.text)
                return self._start() + self._blocks.add(event)
            case ToolOpened():
                return self._start() + self._blocks.add(event)
            case Usage():
                self._usage = event
                return self._start()
            case Opened() | Note():
                return _NOTHING
            case Closed():
                return self._close(event)
            case Failed():
                self._over = True
                return frame(write_error(event.fault), "error")

    def beat(self) -> bytes:
        """A `ping`, after the opening event where that has not gone yet."""
        return _NOTHING if self._over else self._start() + _PING

    def whole(self, reply: Reply) -> bytes:
        """The reply as one message."""
        usage = reply.usage or estimate_usage(self._ask, characters_of(reply))
        return write_whole(reply, self._stamp, usage=usage, vendor=self._vendor)

    # --- pieces -------------------------------------------------------------------------------------------------------

    def _start(self) -> bytes:
        if self._started:
            return _NOTHING
        self._started = True
        told = self._usage
        usage = estimate_usage(self._ask, 0) if told is None else msgspec.structs.replace(told, output=0, reasoning=0)
        stamp = self._stamp
        message = MessageBody(stamp.id, "message", "assistant", stamp.model, [], None, None, write_usage(usage))
        return frame(b'{"type":"message_start","message":' + _ENCODE(message) + b"}", "message_start")

    def _close(self, closed: Closed) -> bytes:
        self._over = True
        written = self._start()
        for choice in sorted(self._choices):
            written += self._blocks.add(TextDelta("".join(self._choices[choice]), choice=choice))
        written += self._blocks.finish()
        usage = self._usage or estimate_usage(self._ask, self._characters)
        delta = {"stop_reason": stop_reason(closed), "stop_sequence": closed.sequence or None}
        end = b'{"type":"message_delta","delta":' + _ENCODE(delta) + b',"usage":' + _ENCODE(write_usage(usage))
        if closed.bench is not None:
            end += b',"bench":' + bytes(closed.bench)
        return written + frame(end + b"}", "message_delta") + _STOP
