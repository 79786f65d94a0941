"""This process's way out for work that is no request: an event loop in a thread of its own, with a transport and, where
models are called, a Bench, so that probing calls are paced, counted and learned from like any other.

Sync code hands over coroutines and waits. Both are made at first use, so that a process that calls nobody pays nothing.
"""

from __future__ import annotations

import asyncio
import atexit
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import Future
from threading import Lock, Thread
from typing import Any, TypeVar

from django.conf import settings

from collections_app.announce import announce_now
from gateway.engine.bench import Bench
from gateway.engine.transport import Transport

Came = TypeVar("Came")


class Side:
    """One per process; `side()` has it. Threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._opening: asyncio.Task[Bench] | None = None
        self._transport: Transport | None = None

    def run(self, work: Coroutine[Any, Any, Came]) -> Came:
        """What the coroutine brings, run in the loop. Blocks; never call it from within an event loop."""
        return asyncio.run_coroutine_threadsafe(work, self._started()).result()

    def with_bench(self, work: Callable[[Bench], Awaitable[Came]]) -> Came:
        """What the work brings, given a bench whose catalogue is as new as the database."""
        return self.begin_with_bench(work).result()

    def begin_with_bench(self, work: Callable[[Bench], Awaitable[Came]]) -> Future[Came]:
        """The same, under way: the caller does something else meanwhile, and may cancel it."""
        return asyncio.run_coroutine_threadsafe(self._with_bench(work), self._started())

    def with_transport(self, work: Callable[[Transport], Awaitable[Came]]) -> Came:
        """What the work brings, given a transport."""
        return self.run(self._with_transport(work))

    def close(self) -> None:
        """Writes what is left and ends the loop. A later use begins anew."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._shut(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=self._loop.run_forever, name="side", daemon=True)
                self._thread.start()
            return self._loop

    async def _with_bench(self, work: Callable[[Bench], Awaitable[Came]]) -> Came:
        if self._opening is None or (self._opening.done() and self._opening.exception() is not None):
            self._opening = asyncio.ensure_future(Bench.open(settings.BENCH, announce_now))
        bench = await asyncio.shield(self._opening)
        await bench.catalogue.current(await bench.pulse.read_stamp())
        return await work(bench)

    async def _with_transport(self, work: Callable[[Transport], Awaitable[Came]]) -> Came:
        if self._transport is None:
            self._transport = Transport(allow_private=settings.BENCH.allow_private)
        return await work(self._transport)

    async def _shut(self) -> None:
        opening, transport = self._opening, self._transport
        self._opening = self._transport = None
        if opening is not None and opening.done() and opening.exception() is None:
            await opening.result().close()
        if transport is not None:
            await transport.close()


_side = Side()
atexit.register(_side.close)


def side() -> Side:
    """This process's."""
    return _side
