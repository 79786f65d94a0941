"""The inference edge: body to Ask, Ask to the bench, events to the caller's bytes.

No branch on a protocol (what differs is in the Route and its wire), no query, no HTTP client.

An ASGI callable and not a view: it must see at once that a caller has left, and costs a tenth of one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Final, Protocol, TypeVar

from gateway.api.credentials import identify, read_credential
from gateway.api.errors import fault_headers
from gateway.api.routing import Counting, Route, find_route
from gateway.canon.ask import Ask
from gateway.canon.event import Event, Failed
from gateway.canon.fault import Fault, Internal, WrongMethod
from gateway.canon.reply import fold
from gateway.canon.tokens import count_ask
from gateway.engine.bench import Beginning, Bench
from gateway.engine.panel import PanelRun
from gateway.engine.snapshot import Caller
from gateway.wire.base import Stamp, Writer

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Result = TypeVar("Result")
JSON: Final = "application/json"
log = logging.getLogger(__name__)
access = logging.getLogger("gateway.access")


class EdgeLimits(Protocol):
    """The settings the edge needs. Times are seconds."""

    @property
    def require_keys(self) -> bool: ...
    @property
    def keepalive_s(self) -> float: ...
    @property
    def stream_grace_s(self) -> float: ...


class CallerGone(Exception):
    """The caller closed the connection: there is nobody to answer."""


class Gateway:
    """Serves the inference paths of one process."""

    def __init__(self, bench: Bench, limits: EdgeLimits) -> None:
        self.bench = bench
        self.limits = limits

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        route = find_route(scope["path"])
        if route is None:
            raise LookupError(f"{scope['path']} is not an inference path")
        exchange = _Exchange(self, scope, receive, send, route)
        try:
            await exchange.answer()
        except CallerGone:
            exchange.status = 499
        except Fault as fault:
            await exchange.refuse(fault)
        except Exception:
            log.exception("a request failed unexpectedly")
            await exchange.refuse(Internal("The gateway failed on this request; its log says why."))
        finally:
            access.info("%s %.200s %s %s", scope["method"], scope["path"], exchange.status, exchange.caller)


class _Exchange:
    """One request and its reply. `writer` is set while a stream is under way."""

    def __init__(self, gateway: Gateway, scope: Any, receive: Receive, send: Send, route: Route) -> None:
        self.bench = gateway.bench
        self.limits = gateway.limits
        self.scope = scope
        self.receive = receive
        self.send = send
        self.route = route
        self.wire = route.wire
        self.began = asyncio.get_running_loop().time()
        self.caller = "-"
        self.status = 0
        self.writer: Writer | None = None

    async def answer(self) -> None:
        if self.scope["method"] != "POST":
            raise WrongMethod(f"{self.scope['path']} takes POST.")
        body = await read_body(self.receive)
        beginning = await self.bench.begin()
        caller = self._identify(beginning)
        if self.route.counting is not None:
            await self._count(body, self.route.counting)
            return
        ask = self.wire.read_ask(body, self.route.path, self.scope["query_string"].decode("latin-1"))
        opening = asyncio.ensure_future(self.bench.open_panel(beginning, ask, caller))
        gone = asyncio.ensure_future(wait_until_gone(self.receive))
        writer = self.wire.writer(ask, self._stamp(ask, beginning))
        try:
            if ask.stream:
                await self._stream(writer, opening, gone)
            else:
                await self._whole(writer, await first_of(opening, gone), gone)
        except CallerGone:
            opening.add_done_callback(leave_when_seated)
            raise
        finally:
            gone.cancel()

    def _identify(self, beginning: Beginning) -> Caller:
        credential = read_credential(self.scope["path"], self.scope["headers"], self.scope["query_string"])
        keys, now = beginning.snapshot.keys, beginning.now.timestamp()
        caller = identify(credential, keys, now, self.limits.require_keys)
        if isinstance(caller, Fault):
            raise caller
        self.caller = caller.name
        return caller

    def _stamp(self, ask: Ask, beginning: Beginning) -> Stamp:
        number = f"{self.bench.rng.getrandbits(96):024x}"
        created, model = int(beginning.now.timestamp()), self.wire.echo_model(ask.model)
        return Stamp(self.wire.id_prefix + number, created, model, self._elapsed)

    def _elapsed(self) -> float:
        return asyncio.get_running_loop().time() - self.began

    async def _count(self, body: bytes, counting: Counting) -> None:
        """An estimate that costs nobody anything: no collection, no scope, no rate."""
        answer = counting.write(count_ask(counting.read(body, self.route.path)))
        await self._start(200, JSON, [(b"content-length", str(len(answer)).encode())])
        await self.send({"type": "http.response.body", "body": answer})

    async def _whole(self, writer: Writer, panel: PanelRun, gone: asyncio.Future[None]) -> None:
        events = await first_of(asyncio.ensure_future(panel.whole()), gone)
        reply = fold(events)
        body = writer.whole(reply)
        told = {"X-Bench-Panel": panel.id, **self.route.headers_of(reply.bench)}
        headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]
        await self._start(200, JSON, [(b"content-length", str(len(body)).encode()), *headers])
        await self.send({"type": "http.response.body", "body": body})

    async def _stream(self, writer: Writer, opening: asyncio.Future[PanelRun], gone: asyncio.Future[None]) -> None:
        """A refusal within the grace keeps its own status; after it the 200 goes and news travels in the stream."""
        await wait_for_either(opening, gone, self.limits.stream_grace_s)
        headers = [(b"cache-control", b"no-cache")]
        if opening.done():
            headers.append((b"x-bench-panel", opening.result().id.encode()))
        elif gone.done():
            raise CallerGone
        self.writer = writer
        await self._start(200, writer.content_type, headers)
        panel = await self._patiently(opening, gone)
        await self._tell(panel.events(), writer, gone)
        await self.send({"type": "http.response.body", "body": b""})

    async def _tell(self, events: AsyncIterator[Event], writer: Writer, gone: asyncio.Future[None]) -> None:
        while True:
            try:
                event = await self._patiently(asyncio.ensure_future(anext(events)), gone)
            except StopAsyncIteration:
                return
            await self._piece(writer.feed(event))

    async def _patiently(self, future: asyncio.Future[Result], gone: asyncio.Future[None]) -> Result:
        """The future's result, with a beat to the caller for every stretch of silence."""
        while not future.done():
            await wait_for_either(future, gone, self.limits.keepalive_s)
            if future.done():
                break
            if gone.done():
                future.cancel()
                raise CallerGone
            if self.writer is not None:
                await self._piece(self.writer.beat())
        return future.result()

    async def refuse(self, fault: Fault) -> None:
        """Tells the caller of a fault: as the reply, or inside the stream once that has begun."""
        if self.writer is not None:
            await self._piece(self.writer.feed(Failed(fault)))
            await self.send({"type": "http.response.body", "body": b""})
            return
        body = self.wire.error_body(fault)
        headers = [(name.lower().encode(), value.encode()) for name, value in fault_headers(fault).items()]
        if isinstance(fault, WrongMethod):
            headers.append((b"allow", b"POST"))
        await self._start(fault.status, JSON, [(b"content-length", str(len(body)).encode()), *headers])
        await self.send({"type": "http.response.body", "body": body})

    async def _start(self, status: int, content_type: str, headers: list[tuple[bytes, bytes]]) -> None:
        self.status = status
        headers = [(b"content-type", content_type.encode()), *headers]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})

    async def _piece(self, data: bytes) -> None:
        if data:
            await self.send({"type": "http.response.body", "body": data, "more_body": True})


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


async def wait_until_gone(receive: Receive) -> None:
    """Returns when the caller has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


def leave_when_seated(opening: asyncio.Future[PanelRun]) -> None:
    """Tells the panel that its caller has gone. A refusal of it is nobody's to hear."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().leave()


async def first_of(future: asyncio.Future[Result], gone: asyncio.Future[None]) -> Result:
    """The future's result, or CallerGone if the caller leaves first; what the future does then goes on unheard."""
    await wait_for_either(future, gone, None)
    if not future.done():
        raise CallerGone
    return future.result()


async def wait_for_either(future: asyncio.Future[Any], gone: asyncio.Future[None], seconds: float | None) -> None:
    """Returns when one of them is done or the time is up."""
    await asyncio.wait((future, gone), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
