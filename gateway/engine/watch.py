"""Whoever watches the engine at work: metrics and traces. A watcher is told, never asked, and must not wait or fail."""

from __future__ import annotations

from typing import Protocol

from gateway.engine.records import CallMade


class Watcher(Protocol):
    """Told within the event loop, in the context of the request that the work is for."""

    def called(self, call: CallMade) -> None:
        """An upstream call is over, be it well or ill."""

    def failed_over(self, collection: str, alias: str) -> None:
        """A member of a collection failed before the first piece of its answer, and another is asked."""

    def waited(self, connection: str, seconds: float) -> None:
        """A call had to wait for room on its connection."""
