"""The requests of the context protocol that are under way in one web process, by what a cancellation tells of them.

Ids are the client's own, and every client counts from nought: who asks, from where and with which program tell two of
them apart. Where that does not, nothing is cancelled, for the wrong panel might be.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from msgspec import Struct

from collections_app.whence import judge_address
from gateway.mcp.rpc import Id

log = logging.getLogger(__name__)
FORWARDED: Final = b"x-forwarded-for"
AGENT: Final = b"user-agent"
Tasks = set[asyncio.Task[bytes]]


class Mark(Struct, frozen=True):
    """Which request is meant. Plain values, so that it can be sent to another process."""

    caller: str
    address: str
    agent: str
    id: Id


def mark_of(scope: Any, trusted: Sequence[str], caller: str, at: Id) -> Mark:
    """The mark of a request with this id that comes by this connection. `trusted` are the networks of our proxies."""
    told = dict(scope["headers"])
    peer = (scope.get("client") or ("",))[0]
    address = judge_address(peer, told.get(FORWARDED, b"").decode("latin-1"), trusted)
    return Mark(caller, address, told.get(AGENT, b"").decode("latin-1"), at)


class Open:
    """What is under way here."""

    def __init__(self) -> None:
        self._work: dict[Mark, Tasks] = {}

    @contextmanager
    def kept(self, mark: Mark, work: asyncio.Task[bytes]) -> Iterator[None]:
        """Known for the length of the block, at whose end the work is over or ended."""
        tasks = self._work.setdefault(mark, set())
        tasks.add(work)
        try:
            yield
        finally:
            tasks.discard(work)
            if not tasks:
                self._work.pop(mark, None)
            work.cancel()

    def cancel(self, mark: Mark) -> bool:
        """End the request; False when it is not here."""
        tasks = self._work.get(mark)
        if not tasks:
            return False
        if len(tasks) > 1:
            log.warning("%d requests of %s have the id %r; none of them is cancelled", len(tasks), mark.caller, mark.id)
        else:
            next(iter(tasks)).cancel()
        return True
