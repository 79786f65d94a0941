"""Does what the schedule says to the processes, and takes down when each was there again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from benchwarmers.tests.chaos.place import Place
from benchwarmers.tests.chaos.recovery import Recovery
from benchwarmers.tests.chaos.schedule import KILL, Fault

RESTART_S: Final = 0.5
"""As the supervisor waits at first."""


@dataclass
class Done:
    """A fault that was done: `began` and `ended` in epoch seconds, the seconds until the target did its work again
    (None: never), and until when callers may have felt it."""

    fault: Fault
    began: float
    ended: float = 0.0
    recovered_s: float | None = None
    over: float = 0.0


class Faults:
    """`run` goes on until the plan is over or the time is up, and ends with everything there again. Whoever ends by
    itself meanwhile, because what it needs is away, is started again, as a supervisor would."""

    def __init__(self, place: Place, recovery: Recovery) -> None:
        self.place = place
        self.recovery = recovery
        self.done: list[Done] = []
        self._away: set[str] = set()

    async def run(self, plan: Iterable[Fault], until: float) -> None:
        keeping = asyncio.create_task(self._keep())
        together: list[Fault] = []
        for fault in plan:
            if together and not fault.with_last:
                await self._do(together)
                together = []
                if time.time() > until:
                    break
            together.append(fault)
        await self._do(together)
        keeping.cancel()
        await asyncio.gather(keeping, return_exceptions=True)

    async def _do(self, together: list[Fault]) -> None:
        """Faults that begin at once. None can be over while another of them lasts."""
        await asyncio.sleep(sum(fault.after_s for fault in together))
        done = await asyncio.gather(*map(self._hold, together))
        ended = max((one.ended for one in done), default=0.0)
        await asyncio.gather(*(self._watch(one, ended) for one in done))

    async def _hold(self, fault: Fault) -> Done:
        part = self.place.parts[fault.target]
        done = Done(fault, time.time())
        self.done.append(done)
        self._away.add(fault.target)
        await asyncio.to_thread(part.kill if fault.kind == KILL else part.pause)
        await asyncio.sleep(fault.for_s)
        done.ended = time.time()
        await asyncio.to_thread(part.start if fault.kind == KILL else part.resume)
        self._away.discard(fault.target)
        return done

    async def _watch(self, done: Done, ended: float) -> None:
        done.recovered_s = await self.recovery.seconds(done.fault.target, ended)
        done.over = time.time()

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(RESTART_S)
            await self.revive()

    async def revive(self) -> None:
        """Starts whoever has ended by itself."""
        for name, part in self.place.parts.items():
            if name not in self._away and not part.lives:
                await asyncio.to_thread(part.start)

    async def end(self, *names: str) -> None:
        """Ends these for good."""
        for name in names:
            self._away.add(name)
            await asyncio.to_thread(self.place.parts[name].end)
