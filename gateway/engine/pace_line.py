"""Waiting for room: first come, first served among the calls of one model in this process."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from gateway.engine.pace_rules import Blocked, refusal

SPARE_MS: Final = 2_000
"""What must be left of the time for the call itself once the wait is over."""
LOOK_MS: Final = 5_000
LOOK_WHEN_FULL_MS: Final = 500
"""How often to look when nobody knows how long: another process may have ended a call."""

Nap = Callable[[asyncio.Event, float], Awaitable[None]]
Try = Callable[[], Awaitable[Blocked | None]]


async def nap(woken: asyncio.Event, seconds: float) -> None:
    """Waits so long, or until woken."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await woken.wait()


class Line:
    """Those who wait. The first one looks whether there is room; the others know what it saw last."""

    def __init__(self) -> None:
        self._gates: deque[asyncio.Event] = deque()
        self._seen: Blocked | None = None
        self._seen_at = 0

    def __bool__(self) -> bool:
        return bool(self._gates)

    def wake(self) -> None:
        """Something has changed: the first one looks again."""
        if self._gates:
            self._gates[0].set()

    async def wait(
        self,
        seen: Blocked | None,
        attempt: Try,
        clock: Callable[[], int],
        give_up: Callable[[Blocked | None], int],
        sleep: Nap,
    ) -> None:
        """Returns once `attempt` has found room. `seen` is what it has found already, None when it was not tried.
        Raises NotSent when there will be no room by the time (ms) that `give_up` tells for what is in the way."""
        async with self._place() as gate:
            while True:
                first = self._gates[0] is gate
                if first and seen is not None:
                    self._seen, self._seen_at, seen = seen, clock(), None
                elif first:
                    self._seen, self._seen_at = await attempt(), clock()
                    if self._seen is None:
                        return
                now = clock()
                pause, give_up_at = LOOK_MS, give_up(self._seen)
                if (known := self._seen) is not None:
                    left = max(self._seen_at + known.wait_ms - now, 0)
                    if now + left > give_up_at or now >= give_up_at:
                        raise refusal(known, left / 1000)
                    if first:
                        pause = min(left, LOOK_MS) if known.wait_ms else LOOK_WHEN_FULL_MS
                await sleep(gate, max(min(pause, give_up_at - now), 1) / 1000)
                gate.clear()

    @contextlib.asynccontextmanager
    async def _place(self) -> AsyncIterator[asyncio.Event]:
        gate = asyncio.Event()
        self._gates.append(gate)
        try:
            yield gate
        finally:
            first = self._gates[0] is gate
            self._gates.remove(gate)
            if first:
                self.wake()
