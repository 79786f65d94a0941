"""Connections that are slow, silent or without end: uvicorn's protocol, with a limit on all that it leaves open.

Uvicorn waits for a request's head and body for as long as somebody sends a byte now and then, keeps headers of any
size, and never hears again of a connection whose answer went out before its body was in. Here a sweep looks at all
connections about once a second, so that a request pays for a few assignments and no timer. Never looks into a body.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import replace
from enum import IntEnum
from heapq import nsmallest
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from benchwarmers.env_limits import Limits
from gateway.api.errors import refusal
from gateway.api.exchange import LINE
from gateway.api.speaker import form_of
from gateway.api.zones import Format
from gateway.canon.fault import CallerFault, Fault, Unavailable

HEAD_BYTES: Final = 65_536
HEADERS: Final = 100
SLOWEST: Final = 10_000
"""Bytes a second that a body must come with once its time is up."""
PIPELINED: Final = 16
"""Requests that may wait on a connection for the one that is being answered."""
LINGER_S: Final = 10.0
"""How long the rest of a body may go on after the answer, so that whoever sends it can read why it is not wanted."""
UNREAD_S: Final = 300.0
"""How long a caller may take nothing of an answer that waits for it: a laptop may sleep for a moment."""
UNSENT: Final = 2**15
"""Bytes that the system takes of an answer before they can be sent. What is more waits at its source."""
SWEEP_S: Final = 1.0
_SHOWN: Final = 2_000
_MADE_ROOM: Final = 16
"""Of the connections that may be open, the part that is closed at once to make room."""


class Phase(IntEnum):
    """What a connection is waiting for: a request's head, its body, or our answer and the next request."""

    HEAD = 0
    BODY = 1
    DONE = 2


class TooSlow(CallerFault):
    """The request did not come in time."""

    default_status = 408


class LargeHead(CallerFault):
    """The request's line and headers are too many or too long."""

    default_status = 431


class Bounded(HttpToolsProtocol):
    """One connection. `limits` are the class's, see `bounded_by`."""

    __slots__ = ("answered_at", "at_start", "began", "gone", "got", "phase", "piece", "tell", "unread", "unread_since")

    limits: ClassVar[Limits] = Limits()
    sweeping: ClassVar[asyncio.TimerHandle | None] = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """A place is made for it where there is none."""
        super().connection_made(transport)
        _keep_little_unsent(transport)
        self.phase, self.began, self.got = Phase.HEAD, self.loop.time(), 0
        self.piece, self.at_start = 0, True
        self.answered_at: float | None = None
        self.unread_since: float | None = None
        self.unread = 0
        self.gone, self.tell = False, _to_nobody
        if type(self).sweeping is None:
            self._sweep_later()
        if len(self.connections) > self.limits.connections and not self._make_room():
            told = f"This server has {self.limits.connections:,} connections open, as many as it takes. Try again."
            self._refuse(Unavailable(told, wait=5.0))

    def connection_lost(self, exc: Exception | None) -> None:
        """As uvicorn, and told to whoever answers its caller."""
        super().connection_lost(exc)
        self.gone = True
        self.tell()

    def when_gone(self, tell: Callable[[], None]) -> None:
        """Calls `tell` once the caller is gone: a task that listens for that would weigh a kilobyte."""
        self.tell = tell
        if self.gone:
            self.loop.call_soon(tell)

    def forget(self, tell: Callable[[], None]) -> None:
        """Calls it no more."""
        if self.tell == tell:  # the next request of the connection may have begun
            self.tell = _to_nobody

    def data_received(self, data: bytes) -> None:
        """As uvicorn, and counted."""
        self.piece = len(data)
        self.got += self.piece
        self.at_start = self.phase is not Phase.BODY
        super().data_received(data)
        if self.phase is Phase.HEAD and self.got > HEAD_BYTES and not self.transport.is_closing():
            self._refuse(_too_large())
        elif len(self.pipeline) > PIPELINED:
            self.transport.close()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        scope: Any = self.scope
        scope[LINE] = self
        # Of a piece that began with another request, nobody knows how much is this one's: a piece is small enough.
        if self.phase is not Phase.HEAD:
            self.got = self.piece if self.at_start else 0
        self.at_start = False
        self.phase, self.began = Phase.HEAD, self.loop.time()

    def on_headers_complete(self) -> None:
        """Its head is there; one that is too large is answered by its refusal."""
        if len(self.headers) > HEADERS or (self.got > HEAD_BYTES and self._head_size() > HEAD_BYTES):
            self.app = _Refusing(_too_large())
            self.url = self.url[:_SHOWN]  # a longer one cannot be taken apart
        self.phase, self.began, self.got = Phase.BODY, self.loop.time(), 0
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """All of it is there."""
        self.phase = Phase.DONE
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is told so in JSON, like everything else."""
        self._refuse(CallerFault("This is no HTTP request that can be read here."))

    def look(self, now: float) -> None:
        """Ends a connection that has used up its time."""
        if self.transport.is_closing() or self.flow.write_paused:
            self._look_at_unread(now)
            return
        self.unread_since = None
        if self.phase is Phase.HEAD:
            self._look_at_head(now)
        elif self.phase is Phase.BODY:
            self._look_at_body(now)
        elif self.timeout_keep_alive_task is None and not self._answering():
            # Bytes that begin no request have ended uvicorn's own wait for the next one.
            self.phase, self.began, self.got = Phase.HEAD, now, 0

    @property
    def is_idle(self) -> bool:
        """Whether nothing is lost when it is closed: no request, or a head that is still on its way."""
        return self.phase is not Phase.BODY and not self._answering() and not self.transport.is_closing()

    def _look_at_head(self, now: float) -> None:
        if self._answering():
            self.began = now
        elif now - self.began > self.limits.head_s:
            told = f"The request's headers were not all here within {self.limits.head_s:g} s."
            self._refuse(TooSlow(told)) if self.got else self.transport.close()

    def _look_at_body(self, now: float) -> None:
        """A body that is on its way, to its end or, once it is answered, to nobody."""
        if not self._answering():
            self.answered_at = now if self.answered_at is None else self.answered_at
            if now - self.answered_at > LINGER_S:
                self.transport.close()
            return
        self.answered_at = None
        if self.flow.read_paused or self.pipeline:
            self.began = now  # it is us who do not read on
        elif now - self.began > self.limits.body_s + self.got / SLOWEST:
            told = f"The body was not all here within {self.limits.body_s:g} s and a second for each {SLOWEST:,} bytes."
            self._refuse(TooSlow(told))

    def _look_at_unread(self, now: float) -> None:
        """Nobody reads: what waits to be sent is held for a while and then given up."""
        waiting = self.transport.get_write_buffer_size()
        if self.unread_since is None or waiting != self.unread:
            self.unread_since, self.unread = now, waiting
        elif now - self.unread_since > UNREAD_S:
            self.transport.abort()

    def _answering(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _head_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _refuse(self, fault: Fault) -> None:
        """Says why, where no answer has begun, and closes."""
        cycle = self.cycle if self._answering() else None
        if cycle is None or not cycle.response_started:
            self._write(fault, cycle.scope if cycle is not None else None)
        if cycle is not None:
            cycle.disconnected = True
            cycle.message_event.set()
        self.transport.close()

    def _write(self, fault: Fault, scope: Any = None) -> None:
        form = Format.CHAT
        if scope is not None:
            form = form_of(scope["path"], scope["headers"], scope["query_string"])
        answer = refusal(fault, form)
        lines = [b"HTTP/1.1 %d %s" % (answer.status, _PHRASES[answer.status]), b"connection: close"]
        lines += [name + b": " + value for name, value in answer.headers]
        self.transport.write(b"\r\n".join([*lines, b"", answer.body]))

    def _make_room(self) -> bool:
        """Close a part of those that are idle, oldest first: a look at all of them makes room for many."""
        idle = [one for one in self.connections if isinstance(one, Bounded) and one is not self and one.is_idle]
        many = max(1, self.limits.connections // _MADE_ROOM)
        for one in nsmallest(many, idle, key=lambda one: one.began):
            one.transport.close()
        return bool(idle)

    def _sweep_later(self) -> None:
        every = min(SWEEP_S, self.limits.head_s / 4, self.limits.body_s / 4)
        type(self).sweeping = self.loop.call_later(every, self._sweep)

    def _sweep(self) -> None:
        """Look at all; goes on for as long as there is one."""
        now = self.loop.time()
        type(self).sweeping = None
        for one in list(self.connections):
            if isinstance(one, Bounded):
                one.look(now)
        if self.connections:
            self._sweep_later()


def _to_nobody() -> None:
    """Nobody waits for a caller to leave."""


class _Refusing:
    """An application with one answer."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        answer = refusal(self._fault, form_of(scope["path"], scope["headers"], scope["query_string"]))
        headers = [*answer.headers, (b"connection", b"close")]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})


_PHRASES: Final = {
    400: b"Bad Request",
    408: b"Request Timeout",
    431: b"Request Header Fields Too Large",
    503: b"Service Unavailable",
}


def bounded_by(limits: Limits, files: int) -> type[Bounded]:
    """The protocol with these limits, for one server that may have so many files open: half of them are left to
    connections to providers and all else."""

    class Limited(Bounded):
        """One server's."""

    Limited.limits = replace(limits, connections=min(limits.connections, files // 2))
    return Limited


def _keep_little_unsent(transport: asyncio.Transport) -> None:
    """The system would take megabytes of an answer that nobody reads, and whoever makes it would keep as much."""
    if (option := getattr(socket, "TCP_NOTSENT_LOWAT", None)) is not None:
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, option, UNSENT)


def _too_large() -> LargeHead:
    return LargeHead(f"The request's headers are more than {HEADERS}, or longer than {HEAD_BYTES:,} bytes in all.")
