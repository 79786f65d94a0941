"""The two ends of one HTTP exchange: the body that comes, and the reply that goes out piece by piece.

Sees at once when the caller has left, and sends a beat for every stretch of silence, whether nothing happens or what
happens gives the format nothing to say.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from gateway.api.alarm import Alarm
from gateway.wire.base import Writer

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Header = tuple[bytes, bytes]
LINE: Final = "benchwarmers.line"
"""Where a request's scope has the Line it came by, if its server offers that."""


class Line(Protocol):
    """The connection that a request came by."""

    def when_gone(self, tell: Callable[[], None]) -> None:
        """Calls `tell` once the caller has closed it, soon where it has."""

    def forget(self, tell: Callable[[], None]) -> None:
        """Calls it no more."""


class CallerGone(Exception):
    """The caller closed the connection: there is nobody to answer."""


async def read_body(receive: Receive) -> bytes:
    """The whole body. Raises CallerGone when the caller leaves before its end."""
    pieces: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise CallerGone
        pieces.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(pieces)


async def _wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class WhilePresent:
    """A block that ends with CallerGone when the caller closes the connection."""

    __slots__ = ("_line", "_loop", "_stopped", "_task")

    def __init__(self, scope: Any, receive: Receive, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._line: Line = scope.get(LINE) or _Heard(receive)
        self._loop = loop  # to be told it spares a look, which asks the system for the process's number
        self._task: asyncio.Task[Any] | None = None
        self._stopped = False

    def __enter__(self) -> None:
        self._task = asyncio.current_task(self._loop)
        self._line.when_gone(self._stop)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._line.forget(self._stop)
        task, self._task = self._task, None
        if self._stopped and kind is asyncio.CancelledError and task is not None and task.uncancel() == 0:
            raise CallerGone from None

    def _stop(self) -> None:
        if self._task is not None:
            self._stopped = True
            self._task.cancel()


class _Heard:
    """A line as any server has it: a task that listens for its end."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive

    def when_gone(self, tell: Callable[[], None]) -> None:
        self._listening = asyncio.get_running_loop().create_task(_wait_until_gone(self._receive))
        self._listening.add_done_callback(lambda over: None if over.cancelled() else tell())

    def forget(self, tell: Callable[[], None]) -> None:
        self._listening.cancel()


class ReplyBody:
    """A streamed reply. `writer` is the format's; `silence_s` the seconds after which a beat is due."""

    __slots__ = ("_alarm", "_beat", "_loop", "_send", "_silence_s", "_spoke", "_writer")

    def __init__(self, send: Send, writer: Writer, silence_s: float, alarm: Alarm) -> None:
        self._send = send
        self._writer = writer
        self._silence_s = silence_s
        self._loop = alarm.loop
        self._spoke = self._loop.time()
        self._beat: asyncio.Task[None] | None = None
        self._alarm = alarm
        alarm.set(silence_s, self._look)

    async def piece(self, data: bytes) -> None:
        """Sends bytes of the stream."""
        if data:
            self._spoke = self._loop.time()
            await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self) -> None:
        """Closes the stream."""
        self.hush()
        await self._send({"type": "http.response.body", "body": b""})

    def hush(self) -> None:
        """No more beats: the stream is over, or nobody is there."""
        self._alarm.off()
        if self._beat is not None:
            self._beat.cancel()

    def _look(self) -> None:
        silent = self._loop.time() - self._spoke
        if silent >= self._silence_s and (self._beat is None or self._beat.done()):  # a caller may take nothing
            self._beat = self._loop.create_task(self.piece(self._writer.beat()))
            silent = 0.0
        self._alarm.set(self._silence_s - silent, self._look)


class StreamHead:
    """The 200 of a streamed reply, which waits a while so that a refusal can have a status of its own. `known` are the
    headers that it has in any case."""

    __slots__ = ("_alarm", "_body", "_early", "_known", "_send", "_silence_s", "_told", "writer")

    def __init__(
        self, send: Send, writer: Writer, silence_s: float, alarm: Alarm, known: Sequence[Header] = ()
    ) -> None:
        self.writer = writer
        self._known = known
        self._send = send
        self._silence_s = silence_s
        self._alarm = alarm
        self._told: Mapping[str, str] = {}
        self._early: asyncio.Task[ReplyBody] | None = None
        self._body: ReplyBody | None = None

    @property
    def begun(self) -> bool:
        """True once the head is on its way."""
        return self._body is not None or self._early is not None

    def due_in(self, seconds: float, told: Mapping[str, str]) -> None:
        """Sends the head with these headers after so many seconds, unless it was sent before. A later word counts."""
        if self.begun:
            return
        self._told = told
        self._alarm.set(seconds, self._begin_early)

    async def sent(self, told: Mapping[str, str]) -> ReplyBody:
        """The body, once the head is out."""
        if self._body is not None:
            return self._body
        if self._early is not None:
            return await self._early
        return await self._begin(told)

    async def if_sent(self) -> ReplyBody | None:
        """The same, or None when the head need not go out any more."""
        if self.begun:
            return await self.sent({})
        self.hush()
        return None

    def hush(self) -> None:
        """Nothing more is sent by itself."""
        self._alarm.off()
        if self._body is not None:
            self._body.hush()

    def _begin_early(self) -> None:
        if not self.begun:
            self._early = self._alarm.loop.create_task(self._begin(self._told))

    async def _begin(self, told: Mapping[str, str]) -> ReplyBody:
        self._alarm.rest()
        headers = [
            (b"content-type", self.writer.content_type.encode()),
            (b"cache-control", b"no-cache"),
            *self._known,
            *header_list(told),
        ]
        await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        self._body = ReplyBody(self._send, self.writer, self._silence_s, self._alarm)
        return self._body


def header_list(told: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Headers as ASGI has them."""
    return [(name.lower().encode(), value.encode()) for name, value in told.items()]
