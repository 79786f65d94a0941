"""A caller who reads slowly holds the provider back: nothing piles up here, and the model is not blamed for it."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from typing import Any

from gateway.engine.route import RouteRun
from gateway.tests.engine.rooms import Make, Room
from gateway.tests.engine.turning import Heard, calls, open_turn, until
from gateway.tests.engine.upstream import Line, Request, Script

LONG = 16_000
LINE = f"text {'x' * LONG}\n".encode()
LINES = 1_600
"""25 MB: more than the system keeps of a connection that nobody reads."""


class Flood:
    """Says as much as is taken; `sent` counts the lines that went."""

    def __init__(self, *, long_line: bool = False) -> None:
        self.sent = 0
        self.long_line = long_line

    @property
    def script(self) -> Script:
        async def script(line: Line, request: Request) -> None:
            await line.head()
            if self.long_line:
                await line.chunk(b"text first\n")
                await line.chunk(b"text ")
                for _ in range(400):
                    await line.chunk(b"x" * 1_000)
                await line.chunk(b"\n")
            while self.sent < LINES and not self.long_line:
                await line.chunk(LINE)
                self.sent += 1
            await line.chunk(b"end stop\n")
            await line.send(b"0\r\n\r\n")

        return script


async def stalled(flood: Flood) -> int:
    """The lines that went until no more do."""
    seen = -1
    while seen != flood.sent or not seen:
        seen = flood.sent
        await asyncio.sleep(0.3)
    return seen


async def first_batch(run: RouteRun) -> tuple[Any, Heard]:
    batches, heard = run.batches(), Heard()
    heard.events.extend(await anext(batches))
    return batches, heard


async def opened(room: Make, flood: Flood) -> tuple[Room, Any, Heard, RouteRun]:
    one = await room(flood.script, reply="route")
    run = await open_turn(one.bench)
    return one, *(await first_batch(run)), run


async def test_the_provider_waits_for_a_caller_who_does_not_read_and_then_goes_on(room: Make) -> None:
    flood = Flood()
    one = await room(flood.script, reply="route")
    limits: Any = one.bench.limits
    limits.route_first_piece_s = limits.route_turn_s = 3.0
    began = time.monotonic()
    run = await open_turn(one.bench)
    batches, heard = await first_batch(run)
    assert await stalled(flood) < LINES
    assert sum(len(getattr(event, "text", "")) for event in run._ready) < 1_000_000
    await asyncio.sleep(began + 3.5 - time.monotonic())  # longer than a model may take
    async for batch in batches:
        heard.events.extend(batch)
    assert (heard.failed, len(heard.text)) == (None, LONG * LINES)
    assert await calls(one) == [("m1", "ok", 1, "route")]


async def test_one_long_line_that_nothing_can_be_told_of_yet_holds_nobody_up(room: Make) -> None:
    one, batches, heard, _ = await opened(room, Flood(long_line=True))
    async for batch in batches:
        heard.events.extend(batch)
    assert heard.text == "first" + "x" * 400_000
    assert await calls(one) == [("m1", "ok", 1, "route")]


async def test_a_caller_who_leaves_while_the_provider_waits_ends_the_call(room: Make) -> None:
    flood = Flood()
    one, batches, _, run = await opened(room, flood)
    await stalled(flood)
    listening = asyncio.ensure_future(anext(batches))
    run.leave()
    await asyncio.gather(listening, return_exceptions=True)
    await until(one.provider.closed.is_set, 2)
    assert await calls(one) == [("m1", "cancelled", 1, "route")]


async def test_what_a_turn_held_goes_with_its_caller_and_waits_for_no_collection(room: Make) -> None:
    flood = Flood()
    _, batches, _, run = await opened(room, flood)
    await stalled(flood)
    listening = asyncio.ensure_future(anext(batches))
    await asyncio.sleep(0)
    listening.cancel()
    run.leave()
    await asyncio.gather(listening, return_exceptions=True)
    gone = weakref.ref(run)
    gc.collect()
    gc.disable()
    try:
        del run, batches, listening
        await until(lambda: gone() is None, 2)
    finally:
        gc.enable()
