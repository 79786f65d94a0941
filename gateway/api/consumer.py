"""The inference edge: body to Ask, Ask to the bench, events to the caller's bytes.

No branch on a protocol (what differs is in the Route and its wire), no query, no HTTP client.

An ASGI callable and not a view: it must see at once that a caller has left, and costs a tenth of one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Mapping
from time import monotonic
from typing import Any, Final, Protocol

import msgspec
from msgspec import Raw

from gateway.api.alarm import Alarm
from gateway.api.credentials import INSIDE, Credential, identify, identify_signed, read_credential
from gateway.api.errors import fault_headers
from gateway.api.exchange import CallerGone, Receive, ReplyBody, Send, StreamHead, WhilePresent, header_list, read_body
from gateway.api.routing import Counting, Route, find_route
from gateway.api.served import Note, Served
from gateway.canon.ask import Ask
from gateway.canon.event import Failed
from gateway.canon.fault import Fault, Internal, Unavailable, WrongMethod
from gateway.canon.tokens import count_ask
from gateway.engine.bench import Bench
from gateway.engine.embed import EmbedAsking
from gateway.engine.origin import ORIGIN, REQUEST_HEADER, Origin, read_origin
from gateway.engine.run import PANEL_HEADER, Asking, Run
from gateway.engine.snapshot import Caller, Snapshot
from gateway.engine.sticky import SESSION_HEADERS
from gateway.wire.base import Stamp, Writer
from gateway.wire.embedding import EmbedServer

JSON: Final = b"application/json"
PARTING_S: Final = 1.0
"""How long a caller may take to read the last word of a server that stops."""
_HINTS: Final = frozenset(name.encode() for name in SESSION_HEADERS)
log = logging.getLogger(__name__)


class EdgeLimits(Protocol):
    """The settings the edge needs. Times are seconds."""

    @property
    def require_keys(self) -> bool: ...
    @property
    def keepalive_s(self) -> float: ...
    @property
    def stream_grace_s(self) -> float: ...


class Gateway:
    """Serves the inference paths of one process. `note` hears of each request when it is over."""

    def __init__(self, bench: Bench, limits: EdgeLimits, note: Note) -> None:
        self.bench = bench
        self.limits = limits
        self.note = note

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        route = find_route(scope["path"])
        if route is None:
            raise LookupError(f"{scope['path']} is not an inference path")
        await self.serve(route, scope, receive, send)

    async def serve(self, route: Route, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request on its route."""
        origin = read_origin(scope["headers"], self.bench.rng)
        ORIGIN.set(origin)
        exchange = _Exchange(self, scope, receive, send, route, origin)
        try:
            await exchange.answer()
        except CallerGone:
            exchange.status = 499
        except Fault as fault:
            await exchange.refuse(fault)
        except Exception:
            log.exception("a request failed unexpectedly")
            exchange.leave()
            await exchange.refuse(Internal("The gateway failed on this request; its log says why."))
        except asyncio.CancelledError:
            # Only a server that stops does this. It has what it asked for; raised on, it would be logged as a defect.
            await exchange.part()
        finally:
            exchange.hush()
            self.note(exchange.served())


class _Exchange:
    """One request and its reply. `head` is set where the reply is a stream."""

    def __init__(
        self, gateway: Gateway, scope: Any, receive: Receive, send: Send, route: Route, origin: Origin
    ) -> None:
        self.origin = origin
        self.bench = gateway.bench
        self.limits = gateway.limits
        self.scope = scope
        self.receive = receive
        self.send = send
        self.route = route
        self.wire = route.wire
        self.began = monotonic()
        self.caller = "-"
        self.credential: Credential | None = None
        self._known: Caller | None = None
        self._known_by: Snapshot | None = None
        self.status = 0
        self.run: Run | None = None
        self.head: StreamHead | None = None

    async def answer(self) -> None:
        if self.scope["method"] != "POST":
            raise WrongMethod(f"{self.scope['path']} takes POST.")
        sent = await read_body(self.receive)
        await self._know_caller()
        if self.route.counting is not None:
            await self._count(sent, self.route.counting)
            return
        if self.route.embedding is not None:
            await self._embed(sent, self.route.embedding)
            return
        ask = self.wire.read_ask(sent, self.route.path, self.scope["query_string"].decode("latin-1"))
        asking = self._asking(ask)
        if ask.bench.background:
            await self._background(asking)
            return
        writer = self.wire.writer(asking.ask, self._stamp(ask))
        try:
            with WhilePresent(self.scope, self.receive, self.bench.loop):
                await (self._stream(writer, asking) if ask.stream else self._whole(writer, asking))
        except CallerGone:
            self.leave()
            raise

    async def _know_caller(self) -> None:
        """Nobody's body is read before it is known who sent it. A key that this process does not know may be a new
        one."""
        try:
            self._identify(self.bench.glance(), self.bench.clock().timestamp())
        except Fault:
            beginning = await self.bench.begin()
            self._identify(beginning.snapshot, beginning.now.timestamp())

    def _identify(self, snapshot: Snapshot, now: float) -> Caller:
        if self._known_by is snapshot and self._known is not None:  # asked again a moment later
            return self._known
        if self.credential is None:
            self.credential = read_credential(self.scope["path"], self.scope["headers"], self.scope["query_string"])
        caller = identify(self.credential, snapshot.keys, now, self.limits.require_keys)
        if isinstance(caller, Fault):
            if INSIDE in self.scope:
                caller = identify_signed(self.credential, snapshot, now, self.limits.require_keys)
            if isinstance(caller, Fault):
                raise caller
        self.caller = caller.name
        self._known_by, self._known = snapshot, caller
        return caller

    def _asking(self, ask: Ask) -> Asking:
        """The request with what its headers say: the client's session, and fields that a format keeps in headers."""
        hints: dict[str, str] = {}
        extras: dict[str, Raw] = {}
        for name, value in self.scope["headers"]:
            if name in _HINTS:
                hints[name.decode()] = value.decode("latin-1")
            elif name in self.route.told_in_headers:
                extras[name.decode()] = Raw(msgspec.json.encode(value.decode("latin-1")))
        if extras:
            ask = msgspec.structs.replace(ask, extras={**ask.extras, **extras})
        return Asking(ask, self._identify, hints)

    def _stamp(self, ask: Ask) -> Stamp:
        number = f"{self.bench.rng.getrandbits(96):024x}"
        created, model = int(self.bench.clock().timestamp()), self.wire.echo_model(ask.model)
        return Stamp(self.wire.id_prefix + number, created, model, self._elapsed)

    def _elapsed(self) -> float:
        return monotonic() - self.began

    async def _count(self, body: bytes, counting: Counting) -> None:
        """An estimate that costs nobody anything: no collection, no scope, no rate."""
        answer = counting.write(count_ask(counting.read(body, self.route.path)))
        await self._all(200, answer, {})

    async def _embed(self, body: bytes, embedding: EmbedServer) -> None:
        """Vectors come whole, from one member. Whoever leaves ends the call."""
        ask = embedding.read(body, self.route.path)
        with WhilePresent(self.scope, self.receive, self.bench.loop):
            came = await self.bench.embed(EmbedAsking(ask, self._identify))
        answer = embedding.write(ask, came.embedded, self.wire.echo_model(ask.model), came.bench)
        await self._all(200, answer, {"X-Bench-Model": came.alias})

    async def _background(self, asking: Asking) -> None:
        """A panel that nobody waits for: its id, and where to follow it."""
        panel = (await self.bench.open_run(asking)).headers[PANEL_HEADER]
        where = f"/bench/panels/{panel}"
        told = {"panel": panel, "state": "running", "url": where, "events": f"{where}/events"}
        await self._all(202, msgspec.json.encode(told), {PANEL_HEADER: panel, "Location": where})

    async def _whole(self, writer: Writer, asking: Asking) -> None:
        run = self.run = await self.bench.open_run(asking)
        reply = await run.whole()
        if reply.fault is not None:
            raise reply.fault
        await self._all(200, writer.whole(reply), {**run.headers, **self.route.headers_of(reply.bench)})

    async def _stream(self, writer: Writer, asking: Asking) -> None:
        """A refusal within the grace keeps its own status; after it the 200 goes and news travels in the stream."""
        known = ((REQUEST_HEADER, self.origin.request.encode()),)
        head = self.head = StreamHead(self.send, writer, self.limits.keepalive_s, Alarm(self.bench.loop), known)
        head.due_in(self.limits.stream_grace_s, {})
        run = self.run = await self.bench.open_run(asking)
        head.due_in(run.grace_s, run.headers)
        body: ReplyBody | None = None
        async for batch in run.batches():
            body = body or await head.sent(run.headers)
            await body.piece(writer.feed(batch[0]) if len(batch) == 1 else b"".join(map(writer.feed, batch)))
        await (body or await head.sent(run.headers)).end()

    async def refuse(self, fault: Fault) -> None:
        """Tells the caller of a fault: as the reply, or inside the stream once that has begun."""
        if self.head is not None and (body := await self.head.if_sent()) is not None:
            await body.piece(self.head.writer.feed(Failed(fault)))
            await body.end()
            return
        told = fault_headers(fault)
        if isinstance(fault, WrongMethod):
            told["Allow"] = "POST"
        await self._all(fault.status, self.wire.error_body(fault), told)

    async def part(self) -> None:
        """The server is stopping and has waited long enough: clients take a bare cut worse than an error."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PARTING_S):
                await self.refuse(Unavailable("The server is stopping. Ask again in a moment.", code="stopping"))

    def served(self) -> Served:
        """What there is to say of the request, now that it is over."""
        seconds = self._elapsed()
        return Served(
            method=self.scope["method"],
            path=self.scope["path"],
            status=self.told,
            caller=self.caller,
            seconds=seconds,
            upstream_s=self.run.upstream_s if self.run is not None else None,
            format=self.wire.name,
            origin=self.origin,
            began_at=time.time() - seconds,
        )

    @property
    def told(self) -> int:
        """The status that the caller has seen, 499 when it left before any."""
        return self.status or (200 if self.head is not None and self.head.begun else 0)

    def leave(self) -> None:
        """Nobody listens any more."""
        if self.run is not None:
            self.run.leave()

    def hush(self) -> None:
        """Nothing more is said."""
        if self.head is not None:
            self.head.hush()

    async def _all(self, status: int, body: bytes, told: Mapping[str, str]) -> None:
        """A reply in one piece."""
        self.status = status
        headers = [
            (b"content-type", JSON),
            (b"content-length", str(len(body)).encode()),
            (REQUEST_HEADER, self.origin.request.encode()),
            *header_list(told),
        ]
        await self.send({"type": "http.response.start", "status": status, "headers": headers})
        await self.send({"type": "http.response.body", "body": body})
