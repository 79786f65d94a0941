"""A panel's room: a bench, a provider, and members m1, m2, m3, each answered by the script of its name."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from gateway.canon.ask import Ask
from gateway.canon.event import Event, TextDelta
from gateway.engine.bench import Bench
from gateway.engine.panel import PanelRun
from gateway.engine.run import Asking
from gateway.engine.snapshot import Caller
from gateway.models import Panel, Seat
from gateway.tests.engine.upstream import Line, Request, Script, Upstream
from gateway.tests.engine.world import LOCAL, ask
from gateway.tests.engine.written import Rows

Query = Callable[[Callable[[], Any]], Awaitable[Any]]


class Room:
    """Opens panels of its members, and tells what is in the database."""

    def __init__(self, bench: Bench, query: Query, provider: Upstream, rows: Rows) -> None:
        self.bench = bench
        self.query = query
        self.provider = provider
        self.rows = rows

    async def open(self, asked: Ask | None = None, caller: Caller = LOCAL) -> PanelRun:
        return await open_panel(self.bench, asked or ask(), caller)

    async def seats(self) -> list[tuple[str, str]]:
        await self.bench.recorder.settle()
        found: list[tuple[str, str]] = await self.query(lambda: list(Seat.objects.values_list("alias", "status")))
        return found

    async def panel(self) -> Panel:
        await self.bench.recorder.settle()
        found: Panel = await self.query(Panel.objects.get)
        return found


async def open_panel(bench: Bench, asked: Ask, caller: Caller = LOCAL) -> PanelRun:
    run = await bench.open_run(Asking(asked, lambda snapshot, now: caller, {}))
    assert isinstance(run, PanelRun)
    return run


Make = Callable[..., Awaitable[Room]]


def slow(seconds: float, script: Script) -> Script:
    async def after(line: Line, request: Request) -> None:
        await asyncio.sleep(seconds)
        await script(line, request)

    return after


def texts(events: list[Event]) -> list[str]:
    return [event.text for event in events if isinstance(event, TextDelta)]
