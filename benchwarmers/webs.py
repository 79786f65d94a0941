"""The web processes that `up` keeps: so many at once over the same sockets, each with a seat in the tally, and one
after another relieved by a new one when that is asked for.

The sockets stay open here, so that no connection is refused while a process starts, dies or is relieved. A process is
told to end only when its successor takes connections. Standard library only.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass

from benchwarmers.child import Child
from benchwarmers.folder import forget_gauges
from benchwarmers.handed import Handed
from benchwarmers.tally import NOBODY, Tally, make_tally

QUICK_STOP_S = 15.0
PARTING_S = 10.0
"""Beyond its limit, until a process that is relieved is killed."""
START_WITHIN_S = 60.0
SEATS_EACH = 4
"""Seats for each process: those who are being relieved keep theirs until they have gone."""
COMMAND = ("-m", "benchwarmers.serve")

Say = Callable[[str], None]


@dataclass(slots=True)
class Web(Child):
    """A web process: one of so many. `leave_by`: when one that was told to end is killed (monotonic seconds)."""

    place: int = 0
    seat: int = 0
    leave_by: float = 0.0


class Webs:
    """`start` runs a child and reads its output from then on; `say` tells a person."""

    def __init__(
        self,
        home: str | os.PathLike[str],
        sockets: list[socket.socket],
        processes: int,
        drain_s: float,
        start: Callable[[Child], Child],
        say: Say,
    ) -> None:
        self._home = home
        self._sockets = sockets
        self._drain_s = drain_s
        self._start = start
        self._say = say
        self._descriptor = make_tally(processes * SEATS_EACH)
        self._tally = Tally(self._descriptor)
        self._leaving: list[Web] = []
        self._new: Web | None = None
        self._due: list[int] = []
        self._names = ["web"] if processes == 1 else [f"web{place + 1}" for place in range(processes)]
        self.serving = [self._make(place, seat=place) for place in range(processes)]

    @property
    def all(self) -> list[Web]:
        """Every one that may run."""
        return [*self.serving, *self._leaving, *([self._new] if self._new is not None else [])]

    @property
    def busy(self) -> bool:
        """Whether a change is under way."""
        return bool(self._leaving or self._due or self._new is not None)

    def is_open(self, web: Web) -> bool:
        """Whether it takes connections."""
        return web.is_alive() and self._tally.is_open(web.seat)

    def forget(self, web: Web) -> None:
        """It has ended: its seat is nobody's, and what it said it has now is not added up any more."""
        self._tally.note(web.seat, NOBODY)
        if web.process is not None:
            forget_gauges(self._home, web.process.pid)

    def relieve_all(self) -> None:
        """Begin to replace every process by a new one. Asked for again, those that are new already are replaced too."""
        self._due = list(range(len(self.serving)))
        self._say("relieving the web process" if len(self._due) == 1 else f"relieving {len(self._due)} web processes")

    def step(self, now: float) -> bool:
        """Do what is due. True when this step has made the last process a new one."""
        self._see_off(now)
        if self._new is None:
            if self._due and (seat := self._free_seat()) is not None:
                self._new = self._make(self._due.pop(0), seat)
                self._start(self._new)
            return False
        if self.is_open(self._new):
            return self._change_over(now)
        if (how := self._new.ended()) is not None or now - self._new.started_at > START_WITHIN_S:
            self._say(f"the new {self._new.name} did not come up ({how or 'in time'}); those that run go on")
            self._new.signal(signal.SIGKILL)
            self.forget(self._new)
            self._new, self._due = None, []
        return False

    def end_politely(self, number: signal.Signals) -> None:
        """Tell all to end: SIGINT quickly, SIGTERM within the limit. Those that have only begun to start just go."""
        for web in self.all:
            web.signal(number if self.is_open(web) or web in self._leaving else signal.SIGTERM)

    def _change_over(self, now: float) -> bool:
        assert self._new is not None  # noqa: S101 asked by `step`
        place = self._new.place
        old, self.serving[place] = self.serving[place], self._new
        self._new = None
        if old.is_alive():
            old.signal(signal.SIGTERM)
            old.leave_by = now + self._drain_s + PARTING_S
            self._leaving.append(old)
        else:
            self.forget(old)
        self._say(f"{old.name} is new; its predecessor has up to {self._drain_s:g} s to finish")
        return not self._due

    def _see_off(self, now: float) -> None:
        for web in list(self._leaving):
            if not web.is_alive():
                self.forget(web)
                self._leaving.remove(web)
            elif now > web.leave_by:
                self._say(f"a former {web.name} did not stop in time and was killed")
                web.signal(signal.SIGKILL)

    def _free_seat(self) -> int | None:
        taken = {web.seat for web in self.all}
        return next((seat for seat in range(len(self._tally)) if seat not in taken), None)

    def _make(self, place: int, seat: int) -> Web:
        handed = Handed(seat, self._descriptor, tuple(one.fileno() for one in self._sockets))
        web = Web(self._names[place], [sys.executable, *COMMAND], QUICK_STOP_S, place=place, seat=seat)
        web.fds, web.variables = handed.descriptors, handed.to_environment()
        return web
