"""The end of a web process: that it has begun, and until when what is under way may go on. Decides no limit."""

from __future__ import annotations

import time
from typing import Final


class Drain:
    """Of one process."""

    def __init__(self) -> None:
        self._until: float | None = None
        self.quick = False
        """Nobody takes over: what nobody waits for need not go on."""

    def begin(self, seconds: float, *, quick: bool = False) -> None:
        """No more is taken on, and what runs has so long. A second time may only shorten it."""
        until = time.monotonic() + seconds
        self._until = until if self._until is None else min(self._until, until)
        self.quick = self.quick or quick

    @property
    def begun(self) -> bool:
        return self._until is not None

    @property
    def left_s(self) -> float:
        """Seconds that are left; 0 before it has begun, and after its end."""
        return 0.0 if self._until is None else max(0.0, self._until - time.monotonic())


DRAIN: Final = Drain()
"""This process's: what serves and what is served know of one end."""
