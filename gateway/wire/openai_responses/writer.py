"""Writes an answer to a caller as a response: event by event, or whole.

Every event has its number. The response is told at the beginning and at the end, the last time with all its items and
the gateway's own object. A failure is an `error` event and a failed response. After the end it writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable

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
from gateway.canon.reply import Reply, unfold
from gateway.wire.base import Stamp
from gateway.wire.free_text import Unwrapping, names_of
from gateway.wire.openai_responses import ending, response
from gateway.wire.openai_responses.errors import error_event, write_error
from gateway.wire.openai_responses.names import Directory
from gateway.wire.openai_responses.output import Output
from gateway.wire.sse import CONTENT_TYPE, frame

_ENCODE = msgspec.json.Encoder().encode
_NOTHING = b""


class ResponsesWriter:
    """One reply to one caller."""

    content_type = CONTENT_TYPE

    def __init__(self, ask: Ask, stamp: Stamp) -> None:
        self._ask = ask
        self._stamp = stamp
        self._body = response.begun(ask, stamp)
        self._directory = Directory(ask.tools)
        self._unwrapping = Unwrapping(names_of(ask.tools))
        self._output = self._new_output(self._emit)
        self._number = 0
        self._usage: Usage | None = None
        self._over = False

    def feed(self, event: Event) -> bytes:
        """The bytes this event adds to the stream."""
        if self._over:
            return _NOTHING
        if type(event) is TextDelta and self._number:
            return self._output.text(event)
        return b"".join(self._feed(inner) for inner in self._unwrapping.feed(event))

    def _feed(self, event: Event) -> bytes:
        match event:
            case TextDelta():
                return self._start() + self._output.text(event)
            case ThoughtDelta():
                return self._start() + self._output.thought(event)
            case ToolOpened():
                return self._start() + self._output.open_tool(event)
            case ArgsDelta():
                return self._output.arguments(event)
            case Usage():
                self._usage = event
                return _NOTHING
            case Opened():
                return self._start()
            case Note():
                return _NOTHING
            case Closed():
                return self._start() + self._close(event)
            case Failed():
                return self._start() + self._fail(event)

    def beat(self) -> bytes:
        """`response.in_progress`; the opening events where those have not gone yet."""
        if self._over:
            return _NOTHING
        return self._tell("response.in_progress", self._body) if self._number else self._start()

    def whole(self, reply: Reply) -> bytes:
        """The reply as one response: what a stream of it would end in. The error document when it failed."""
        if reply.fault is not None:
            return write_error(reply.fault)
        output = self._new_output(_emit_nothing)
        unwrapping = Unwrapping(names_of(self._ask.tools))
        closed = Closed()
        for event in unfold(reply):
            for inner in unwrapping.feed(event):
                match inner:
                    case TextDelta():
                        output.text(inner)
                    case ThoughtDelta():
                        output.thought(inner)
                    case ToolOpened():
                        output.open_tool(inner)
                    case ArgsDelta():
                        output.arguments(inner)
                    case Closed():
                        closed = inner
                    case _:
                        pass
        output.close(ending.status_of(closed.finish))
        return _ENCODE(response.ended(self._body, closed, output.items, reply.usage))

    # --- beginning and end --------------------------------------------------------------------------------------------

    def _start(self) -> bytes:
        if self._number:
            return _NOTHING
        return self._tell("response.created", self._body) + self._tell("response.in_progress", self._body)

    def _close(self, closed: Closed) -> bytes:
        written = self._output.close(ending.status_of(closed.finish))
        written += self._tell("response.completed", response.ended(self._body, closed, self._output.items, self._usage))
        self._over = True
        return written

    def _fail(self, event: Failed) -> bytes:
        told = _ENCODE(error_event(event.fault))
        written = self._emit("error", b"," + told[1:-1])
        written += self._tell(
            "response.failed", response.failed(self._body, event.fault, self._output.cut, self._usage)
        )
        self._over = True
        return written

    # --- framing ------------------------------------------------------------------------------------------------------

    def _new_output(self, emit: Callable[[str, bytes], bytes]) -> Output:
        return Output(emit, self._directory, self._stamp.id)

    def _tell(self, name: str, body: response.ResponseBody) -> bytes:
        return self._emit(name, b',"response":' + _ENCODE(body))

    def _emit(self, name: str, fields: bytes) -> bytes:
        kind = name.encode()
        number = self._number
        self._number += 1
        # The response tells the request's own fields, which a caller may have sent on several lines.
        return frame(b'{"type":"%b","sequence_number":%d%b}' % (kind, number, fields), name)


def _emit_nothing(name: str, fields: bytes) -> bytes:
    return _NOTHING
