"""Whoever watches the engine at work: metrics and traces. A watcher is told, never asked, and must not wait or fail."""

from __future__ import annotations

from typing import Protocol

from gateway.engine.records import CallMade


class Watcher(Protocol):
    """Told within the event loop, in the context of the request that the work is for."""

    def called(self, call: CallMade) -> None:
        """An upstream call is over, be it well or ill."""
