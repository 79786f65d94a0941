"""Uvicorn's server with doors of our own and an end that breaks nobody's connection.

At its end it takes no more connections at once. Callers that keep theirs are told to close it with the next answer,
open streams and panels have until the limit, and what is left then is ended in the words of its format
(`gateway.api`).
"""

from __future__ import annotations

import asyncio
import functools
import logging
import os
import signal
import socket
from types import FrameType
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from benchwarmers.door import Door, Seat
from benchwarmers.drain import Drain
from benchwarmers.handed import Handed
from benchwarmers.tally import Tally

QUICK_S: Final = 10.0
"""How long answers have after SIGINT, which asks for a quick end."""
LAST_S: Final = 3
"""How long a connection that waits for its caller's next request is kept for it, so as to be closed by an answer."""
ORPHAN_S: Final = 2.0
PARTING_S: Final = 2.0
LOOK_S: Final = 0.05
log = logging.getLogger(__name__)


class WebServer(uvicorn.Server):
    """`handed` by a supervisor, which holds the listeners too. `limit_s` is what SIGTERM gives."""

    def __init__(
        self,
        config: uvicorn.Config,
        listeners: list[socket.socket],
        drain: Drain,
        limit_s: float,
        handed: Handed | None = None,
    ) -> None:
        super().__init__(config)
        connections = self.server_state.connections
        self.seat = Seat(connections) if handed is None else Seat(connections, Tally(handed.tally), handed.seat)
        self._listeners = listeners
        self._inherited = handed is not None
        self._parent = os.getppid()
        self._drain = drain
        self._limit_s = limit_s
        self._doors: list[Door] = []

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM gives the whole limit, SIGINT a short one, a second SIGINT none. Without its supervisor it is soon
        killed (`lifeline`)."""
        if self._inherited and os.getppid() != self._parent:
            self._drain.begin(ORPHAN_S, quick=True)
        elif sig == signal.SIGINT:
            self._drain.begin(0.0 if self._drain.quick else QUICK_S, quick=True)
        else:
            self._drain.begin(self._limit_s)
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then open the doors."""
        await super().startup(sockets=[])

        def made() -> asyncio.Protocol:
            protocol: Any = self.config.http_protocol_class
            made: asyncio.Protocol = protocol(
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            )
            return made

        self._doors = [Door(one, made, self.seat, inherited=self._inherited) for one in self._listeners]
        self.seat.note()

    async def on_tick(self, counter: int) -> bool:
        """As uvicorn ten times a second; the siblings hear of connections that have ended."""
        self.seat.note()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """See the callers out, then end the application."""
        self.seat.leave()
        await asyncio.gather(*(door.close() for door in self._doors))
        state = self.server_state
        log.info("ending: %d connections, %.0f s at most", len(state.connections), self._drain.left_s)
        quick = False
        for connection in list(state.connections):
            see_out(connection)
        while (state.connections or state.tasks) and self._drain.left_s:
            if self._drain.quick and not quick:
                quick = True
                for connection in list(state.connections):
                    connection.shutdown()
            await asyncio.sleep(LOOK_S)
        if state.tasks:
            log.warning("%d answers were still under way and are cut", len(state.tasks))
            for task in state.tasks:
                task.cancel()
            await asyncio.wait(state.tasks, timeout=PARTING_S)
        await self.lifespan.shutdown()


def see_out(connection: Any) -> None:
    """Have a connection end with its next answer that has not begun yet, or by itself when no request comes."""
    if not isinstance(connection, HttpToolsProtocol):
        connection.shutdown()  # pages connect their sockets again by themselves
        return
    cycle: RequestResponseCycle | None = connection.cycle
    connection.timeout_keep_alive = LAST_S
    # Not a method of a subclass, through which each request would have to go for as long as the process lives.
    last = functools.partial(_start_last, connection._start_asgi_task)
    connection._start_asgi_task = last  # type: ignore[method-assign]
    if cycle is None or cycle.response_complete:
        connection._unset_keepalive_if_required()
        later = connection.loop.call_later(LAST_S, connection.timeout_keep_alive_handler)
        connection.timeout_keep_alive_task = later
    elif not cycle.response_started:
        cycle.keep_alive = False


def _start_last(start: Any, cycle: RequestResponseCycle, app: Any) -> None:
    cycle.keep_alive = False
    start(cycle, app)
