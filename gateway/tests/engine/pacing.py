"""Pacing in simulated time: several processes' pace over one Redis, and a clock that jumps when all callers wait."""

from __future__ import annotations

import asyncio
import heapq
import math
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any

from gateway.engine.pace import Pace, Ticket, Want
from gateway.engine.pace_end import End
from gateway.engine.pace_rules import Estimate, Limits, Scope
from gateway.engine.pace_windows import History
from gateway.engine.pulse import PulseReader
from gateway.engine.redis_line import Script

START = 1_796_000_000_000
NOWHERE = "unix:///nowhere/valkey.sock"
QUIET_TURNS = 30
"""Turns of the loop in which nothing may happen before the clock jumps: no chain of callbacks is as long."""


class CountingPulse(PulseReader):
    """Knows how many commands are under way, and how many there were."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.under_way = 0
        self.commands = 0

    async def call(self, script: Script, keys: list[str], arguments: list[Any]) -> Any:
        self.under_way += 1
        self.commands += 1
        try:
            return await super().call(script, keys, arguments)
        finally:
            self.under_way -= 1

    def post(self, *how: Any) -> None:
        self.commands += 1
        super().post(*how)


class Sim:
    """A clock in ms that jumps to whoever wakes next once nobody does anything, and the processes that share it."""

    def __init__(self, limits: dict[str, Limits], url: str = NOWHERE) -> None:
        self.now = START
        self.limits = limits
        self.url = url
        self.history = History()
        self.asked: list[tuple[str, int]] = []
        self.waits: list[tuple[str, float]] = []
        self.pulses: list[CountingPulse] = []
        self.sleepers: list[tuple[int, int, asyncio.Event]] = []
        self._naps = 0
        self._stirred = 0

    def process(self) -> Pace:
        """Another process's pace."""
        pulse = CountingPulse(self.url)
        self.pulses.append(pulse)
        return Pace(pulse, self._ledger, lambda: self.limits, lambda: self.now, self._waited, self.sleep)

    def _waited(self, connection: str, seconds: float) -> None:
        self.waits.append((connection, seconds))

    async def _ledger(self, scope: Scope, now: int) -> History:
        self.asked.append((scope.key, now))
        return History(
            list(self.history.recent), dict(self.history.day), self.history.month, self.history.month_requests
        )

    async def sleep(self, woken: asyncio.Event, seconds: float) -> None:
        self._naps += 1
        self._stirred += 1
        heapq.heappush(self.sleepers, (self.now + math.ceil(seconds * 1000), self._naps, woken))
        await woken.wait()
        self._stirred += 1

    async def pause(self, seconds: float) -> None:
        await self.sleep(asyncio.Event(), seconds)

    async def run(self, *work: Coroutine[Any, Any, Any]) -> list[Any]:
        """What each piece of work brings, in as much simulated time as it takes."""
        tasks = [asyncio.ensure_future(one) for one in work]
        while not all(task.done() for task in tasks):
            await self.quiet(tasks)
            if self.sleepers and not all(task.done() for task in tasks):
                at, _, woken = heapq.heappop(self.sleepers)
                self.now = max(self.now, at)
                woken.set()
        return await asyncio.gather(*tasks)

    @property
    def upcoming(self) -> int:
        """When the next sleeper wakes."""
        return self.sleepers[0][0]

    async def quiet(self, tasks: list[asyncio.Task[Any]]) -> None:
        """Lets all that can be done now be done."""
        turns, seen = 0, -1
        while turns < QUIET_TURNS and not all(task.done() for task in tasks):
            await asyncio.sleep(0)
            busy = any(pulse.under_way for pulse in self.pulses)
            turns = 0 if busy or seen != self._stirred else turns + 1
            seen = self._stirred


@asynccontextmanager
async def simulated(limits: dict[str, Limits], url: str = NOWHERE) -> AsyncIterator[Sim]:
    sim = Sim(limits, url)
    try:
        yield sim
    finally:
        for pulse in sim.pulses:
            await pulse.close()


def want(alias: str = "m1", tokens: int = 0, left_s: float = 600.0, **facts: Any) -> Want:
    given: dict[str, Any] = {"connection": "hive", "own": {}, "call_s": left_s, "estimate": lambda: Estimate(tokens)}
    return Want(alias=alias, left_s=left_s, **(given | facts))


async def go(pace: Pace, wanted: Want, end: End | None = None) -> Ticket:
    """Takes a ticket and settles it at once."""
    ticket = await pace.take(wanted)
    pace.settle(ticket, end or End(answered=True))
    return ticket


def fullest(times: list[int], span: int = 60_000) -> int:
    """The most of these (ms) in any sliding span."""
    times = sorted(times)
    most, first = 0, 0
    for last, at in enumerate(times):
        while times[first] <= at - span:
            first += 1
        most = max(most, last - first + 1)
    return most
