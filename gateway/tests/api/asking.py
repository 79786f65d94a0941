"""The consumer before a bench that plays what a test tells it, and one call to ask it in any format."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any, cast

from msgspec import Raw

from gateway.api.consumer import Gateway
from gateway.canon.ask import Ask
from gateway.canon.event import Closed, Event, Finish, TextDelta, Usage
from gateway.canon.fault import Fault
from gateway.canon.reply import Reply, fold
from gateway.engine.bench import Beginning, Bench
from gateway.engine.pulse import Pulse
from gateway.engine.run import Asking
from gateway.engine.snapshot import Snapshot

PANEL = "p20261129-101500-7c1e"
SEAT = {
    "call": f"{PANEL}.member1",
    "seat": "member",
    "alias": "alpha",
    "status": "ok",
    "seconds": 0.1,
    "answer": "Yes.",
}
BENCH = Raw(json.dumps({"panel": PANEL, "collection": "bench/core", "seats": [SEAT]}).encode())
ANSWER = (TextDelta("Yes"), TextDelta(", grüß Gott."), Usage(7, 3), Closed(Finish.STOP, bench=BENCH))
Step = Event | Fault | float
"""What a panel does next: tell an event, fail, or be silent for so many seconds."""


@dataclass
class FakePanel:
    """A panel that plays its steps."""

    steps: tuple[Step, ...]
    id: str = PANEL
    left: bool = False
    upstream_s = 0.0
    grace_s: float = 0.0

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Bench-Panel": self.id}

    async def events(self) -> AsyncIterator[Event]:
        for step in self.steps:
            if isinstance(step, float):
                await asyncio.sleep(step)
            elif isinstance(step, Fault):
                raise step
            else:
                yield step

    async def batches(self) -> AsyncIterator[list[Event]]:
        async for event in self.events():
            yield [event]

    async def whole(self) -> Reply:
        return fold([event async for event in self.events()])

    def leave(self) -> None:
        self.left = True


@dataclass
class FakeBench:
    """Opens one panel after `opening` seconds, or refuses it."""

    panel: FakePanel
    opening: float = 0.0
    refusal: Fault | None = None
    snapshot: Snapshot = field(default_factory=Snapshot)
    rng: Random = field(default_factory=lambda: Random(1))
    asked: list[Ask] = field(default_factory=list)
    hints: list[dict[str, str]] = field(default_factory=list)
    opened: int = 0

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def clock(self) -> datetime:
        return datetime(2026, 11, 29, 10, 15, tzinfo=UTC)

    def glance(self) -> Snapshot:
        return self.snapshot

    async def begin(self) -> Beginning:
        return Beginning(self.clock(), Pulse(), self.snapshot)

    async def open_run(self, asking: Asking) -> FakePanel:
        self.asked.append(asking.ask)
        self.hints.append(dict(asking.hints))
        await asyncio.sleep(self.opening)
        if self.refusal is not None:
            raise self.refusal
        self.opened += 1
        return self.panel


@dataclass
class Limits:
    """The edge's settings, in seconds."""

    require_keys: bool = False
    keepalive_s: float = 10.0
    stream_grace_s: float = 1.0


@dataclass
class Answer:
    """What came back: `pieces` are the body's parts as they were sent."""

    status: int
    headers: dict[str, str]
    pieces: list[bytes]

    @property
    def body(self) -> bytes:
        return b"".join(self.pieces)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Way:
    """How one format asks: the path and body of a whole and of a streamed request, and of one that is no request."""

    path: str
    body: dict[str, Any]
    stream_path: str = ""
    model: str = "bench/core"

    def request(self, stream: bool) -> tuple[str, dict[str, Any]]:
        if self.stream_path:
            return (self.stream_path if stream else self.path), self.body
        return self.path, {**self.body, "model": self.model, "stream": stream}


HELLO = [{"role": "user", "content": "Hello?"}]
CONTENTS = {"contents": [{"role": "user", "parts": [{"text": "Hello?"}]}]}
GEMINI = "/v1beta/models/bench/core"
WAYS = {
    "chat": Way("/v1/chat/completions", {"messages": HELLO}),
    "completions": Way("/v1/completions", {"prompt": "Hello?"}),
    "responses": Way("/v1/responses", {"input": "Hello?"}),
    "anthropic": Way("/v1/messages", {"messages": HELLO, "max_tokens": 99}),
    "gemini": Way(f"{GEMINI}:generateContent", CONTENTS, f"{GEMINI}:streamGenerateContent?alt=sse"),
    "gemini array": Way(f"{GEMINI}:generateContent", CONTENTS, f"{GEMINI}:streamGenerateContent"),
    "ollama": Way("/api/chat", {"messages": HELLO}),
    "generate": Way("/api/generate", {"prompt": "Hello?"}),
}


async def ask(
    bench: FakeBench,
    path: str,
    body: object = None,
    *,
    method: str = "POST",
    limits: Limits | None = None,
    headers: dict[str, str] | None = None,
    leave: Callable[[list[bytes]], bool] = lambda pieces: False,
) -> Answer:
    """One request to the consumer. The caller hangs up when `leave` says so of the pieces it has; it is asked after
    each of them, and once before any."""
    plain, _, query = path.partition("?")
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    incoming: list[dict[str, Any]] = [{"type": "http.request", "body": data, "more_body": False}]
    gone = asyncio.Event()
    started: list[dict[str, Any]] = []
    pieces: list[bytes] = []

    async def receive() -> dict[str, Any]:
        if incoming:
            message = incoming.pop(0)
            if leave(pieces):
                gone.set()
            return message
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            started.append(message)
        else:
            pieces.append(message.get("body", b""))
            if leave(pieces):
                gone.set()

    told = [(name.encode(), value.encode()) for name, value in (headers or {}).items()]
    scope = {"type": "http", "method": method, "path": plain, "query_string": query.encode(), "headers": told}
    gateway = Gateway(cast(Bench, bench), limits or Limits(), lambda *_: None)
    await asyncio.wait_for(gateway(scope, receive, send), 10)
    if not started:
        return Answer(0, {}, [])
    (start,) = started
    return Answer(
        start["status"], {name.decode(): value.decode() for name, value in start["headers"]}, [p for p in pieces if p]
    )
