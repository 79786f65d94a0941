"""One timer that is put off again and again at the price of an assignment: an open stream needs one for its head and
then for its beats, and hardly ever lets it ring."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

_EARLY_S: Final = 0.002
"""A loop may know the time to the millisecond only."""


class Alarm:
    """Used within one event loop."""

    __slots__ = ("_at", "_do", "_rings_at", "_timer", "loop")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._do: Callable[[], None] | None = None
        self._at = self._rings_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float, do: Callable[[], None]) -> None:
        """Calls `do` after so many seconds. What was set before does not count any more."""
        self._do = do
        self._at = at = self.loop.time() + seconds
        if self._timer is not None:
            if self._rings_at <= at:
                return  # it rings too early, and is set again then
            self._timer.cancel()
        self._rings_at, self._timer = at, self.loop.call_at(at, self._ring)

    def rest(self) -> None:
        """Calls nothing until it is set again."""
        self._do = None

    def off(self) -> None:
        """Calls nothing any more, and keeps nothing."""
        self._do = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _ring(self) -> None:
        do, self._timer = self._do, None
        if do is None:
            return
        left = self._at - self.loop.time()
        if left > _EARLY_S:
            self.set(left, do)
        else:
            do()
