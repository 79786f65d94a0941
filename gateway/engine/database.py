"""Database work off the event loop: one thread with one connection of its own, so that reads and writes never wait for
each other's place in a shared pool."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import InterfaceError, OperationalError, connection

Result = TypeVar("Result")


class DatabaseThread:
    """Runs one piece of work at a time, in order."""

    def __init__(self, name: str) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Callable[[], Result]) -> Result:
        """The work's result; its exception otherwise."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, _attend, work)

    async def close(self) -> None:
        """Ends the thread after the work that is queued, and closes its connection."""
        await self.run(_leave)
        self._pool.shutdown(wait=False)


def _leave() -> None:
    connection.close()  # looked up here: each thread has a connection of its own


def _attend(work: Callable[[], Result]) -> Result:
    try:
        return work()
    except (OperationalError, InterfaceError):
        # The connection may be broken: the next piece of work opens a new one.
        connection.close()
        raise
