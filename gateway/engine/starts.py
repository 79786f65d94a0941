"""Panels that come at once are begun one after the other.

Begun together, they would share the processor step by step, be answered together, and end together: each as late as the
last, again and again, for callers who ask anew as soon as they are answered. One after the other, the first is on its
way while the last still waits, and their answers come apart.
"""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Final

STEPS: Final = 2
"""Turns of the event loop that a request takes from its task to the network."""


class Starts:
    """One per process. A block of those that begin; first come, first served."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> None:
        await self._turn.acquire()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Lets the next begin once what this one has begun is on its way."""
        try:
            for _ in range(STEPS):
                await asyncio.sleep(0)
        finally:
            self._turn.release()
