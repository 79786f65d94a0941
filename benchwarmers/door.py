"""Where a web process takes its connections in. Of several processes at one port, each takes the next connection only
while it has no more than the others: long ones, as agents keep them, would otherwise gather where they came first.

Runs in the event loop. Decides who takes a connection, never what becomes of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import socket
from collections.abc import Callable, Sized
from typing import Final

from benchwarmers.tally import NOBODY, Tally

YIELD_S: Final = 0.01
"""How long a connection is left to those who have fewer. One of them may be busy, paused or dying: then one is taken
all the same, and each time that nobody else has come, twice as many."""
AT_ONCE: Final = 64
PAUSE_S: Final = 1.0
NO_ROOM: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
log = logging.getLogger(__name__)


class Seat:
    """This process's place among its siblings; alone when there is no tally."""

    def __init__(self, connections: Sized, tally: Tally | None = None, number: int = 0) -> None:
        self._connections = connections
        self._tally = tally
        self._number = number
        self._left = False
        self.coming = 0

    def note(self) -> int:
        """Tell the others how many this process has."""
        here = len(self._connections) + self.coming
        if self._tally is not None and not self._left:
            self._tally.note(self._number, here)
        return here

    def room(self) -> int:
        """How many more it may take before it has more than another."""
        here = self.note()
        fewest = None if self._tally is None else self._tally.fewest_beside(self._number)
        return AT_ONCE if fewest is None else min(fewest - here + 1, AT_ONCE)

    def leave(self) -> None:
        """It takes no more."""
        self._left = True
        if self._tally is not None:
            self._tally.note(self._number, NOBODY)


class Door:
    """One listening socket. `inherited`: somebody else holds it open too, and takes what comes after `close`."""

    def __init__(
        self, listener: socket.socket, factory: Callable[[], asyncio.Protocol], seat: Seat, *, inherited: bool
    ) -> None:
        self._listener = listener
        self._factory = factory
        self._seat = seat
        self._inherited = inherited
        self._loop = asyncio.get_running_loop()
        self._coming: set[asyncio.Task[None]] = set()
        self._later: asyncio.TimerHandle | None = None
        self._late_ones = 1
        listener.setblocking(False)
        self._watch()

    async def close(self) -> None:
        """Take no more; who had already been let in by the system is taken along where nobody else would."""
        if self._later is not None:
            self._later.cancel()
        self._loop.remove_reader(self._listener.fileno())
        if not self._inherited:
            while self._let_in(AT_ONCE):
                pass
        await asyncio.gather(*self._coming, return_exceptions=True)
        self._listener.close()

    def _watch(self) -> None:
        self._later = None
        self._loop.add_reader(self._listener.fileno(), self._knocked)

    def _knocked(self) -> None:
        if (room := self._seat.room()) > 0:
            self._late_ones = 1
            self._let_in(room)
        else:
            self._rest(YIELD_S, self._late)

    def _late(self) -> None:
        self._watch()
        self._late_ones = min(self._late_ones * 2, AT_ONCE) if self._let_in(self._late_ones) else 1

    def _rest(self, seconds: float, then: Callable[[], None]) -> None:
        self._loop.remove_reader(self._listener.fileno())
        self._later = self._loop.call_later(seconds, then)

    def _let_in(self, most: int) -> int:
        """Take so many at most; how many there were."""
        for taken in range(most):
            try:
                connection, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError):
                return taken
            except ConnectionAbortedError:
                continue
            except OSError as error:
                if error.errno not in NO_ROOM:
                    raise
                log.error("no connection can be taken (%s); trying again in %g s", error.strerror, PAUSE_S)
                self._rest(PAUSE_S, self._watch)
                return 0
            self._seat.coming += 1
            task = self._loop.create_task(self._welcome(connection))
            self._coming.add(task)
            task.add_done_callback(self._coming.discard)
        return most

    async def _welcome(self, connection: socket.socket) -> None:
        try:
            connection.setblocking(False)
            with contextlib.suppress(OSError):  # gone already
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                await self._loop.connect_accepted_socket(self._factory, connection)
        finally:
            self._seat.coming -= 1
            self._seat.note()
