"""Turns in route mode over real sockets: opening one, hearing its end, and the rows it left."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import msgspec

from collections_app.models import Evidence
from gateway.canon.ask import Ask
from gateway.canon.event import Closed, Event, Failed, TextDelta
from gateway.canon.fault import Fault
from gateway.engine.bench import Bench
from gateway.engine.route import RouteRun
from gateway.engine.run import Asking
from gateway.engine.snapshot import Caller
from gateway.models import Call, Turn
from gateway.tests.engine.rooms import Room
from gateway.tests.engine.upstream import Line, Request, Script
from gateway.tests.engine.world import LOCAL, ask

Rows = list[tuple[Any, ...]]


class Settled(Random):
    """Explores nothing: members are tried in their own order."""

    def random(self) -> float:
        return 0.9


async def open_turn(
    bench: Bench, asked: Ask | None = None, caller: Caller = LOCAL, hints: dict[str, str] | None = None
) -> RouteRun:
    if not isinstance(bench.rng, Settled):
        bench.rng = Settled(1)
    run = await bench.open_run(Asking(asked or ask(), lambda snapshot, now: caller, hints or {}))
    assert isinstance(run, RouteRun)
    return run


@dataclass
class Heard:
    """What a streamed turn told: its events, and the fault that ended it before any."""

    events: list[Event] = field(default_factory=list)
    fault: Fault | None = None

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def failed(self) -> Fault | None:
        last = self.events[-1] if self.events else None
        return last.fault if isinstance(last, Failed) else None

    @property
    def bench(self) -> Any:
        closed = self.events[-1]
        assert isinstance(closed, Closed)
        assert closed.bench is not None
        return msgspec.json.decode(closed.bench)


async def hear(run: RouteRun) -> Heard:
    heard = Heard()
    try:
        async for batch in run.batches():
            heard.events.extend(batch)
    except Fault as fault:
        heard.fault = fault
    return heard


async def turn(room: Room, asked: Ask | None = None, **named: Any) -> Heard:
    """A turn to its end."""
    return await hear(await open_turn(room.bench, asked, **named))


async def calls(room: Room) -> Rows:
    """(alias, status, attempts, purpose) of the ledger in order."""
    return await _rows(room, lambda: Call.objects.order_by("pk"), "alias", "status", "attempts", "purpose")


async def turns(room: Room) -> Rows:
    """(number, alias, status, call id) of all turns in order."""
    return await _rows(room, lambda: Turn.objects.order_by("pk"), "number", "alias", "status", "call")


async def evidence(room: Room) -> Rows:
    """(alias, call id, kind, status) of what may be judged."""
    return await _rows(room, lambda: Evidence.objects.order_by("pk"), "language_model__alias", "call", "kind", "status")


async def _rows(room: Room, ordered: Callable[[], Any], *names: str) -> Rows:
    await room.bench.recorder.settle()
    found: Rows = await room.query(lambda: list(ordered().values_list(*names)))
    return found


def asked_of(room: Room) -> list[str]:
    """Whom the provider was asked for, in order."""
    return [msgspec.json.decode(request.body)["model"].rpartition("/")[2] for request in room.provider.requests]


def reset_at_once() -> Script:
    async def script(line: Line, request: Request) -> None:
        line.reset()
        raise ConnectionResetError

    return script


def then_resets(*lines: str) -> Script:
    """Says these lines, then tears the connection."""

    async def script(line: Line, request: Request) -> None:
        await line.head()
        for text in lines:
            await line.chunk(text.encode() + b"\n")
        await asyncio.sleep(0.05)
        line.reset()
        raise ConnectionResetError

    return script


def then_waits(*lines: str, head: bool = True) -> Script:
    """Says these lines, then nothing more until the other side closes the connection."""

    async def script(line: Line, request: Request) -> None:
        if head:
            await line.head()
        for text in lines:
            await line.chunk(text.encode() + b"\n")
        await line.reader.read()
        raise ConnectionResetError

    return script


async def until(ready: Callable[[], bool], within_s: float) -> float:
    """Seconds until it was so."""
    loop = asyncio.get_running_loop()
    began = loop.time()
    while not ready():
        assert loop.time() - began < within_s, f"not within {within_s} s"
        await asyncio.sleep(0.01)
    return loop.time() - began
