"""A process of its own that paces callers, its clock told by whoever started it: `URL FIRST STEP` on the command line.

After each line on standard input, the time in ms, it does all that is due and writes a JSON line: `sent`, the times of
the requests that went; `next`, when it would wake next, or null when all its callers are done.
"""

from __future__ import annotations

import asyncio
import heapq
import json
import sys

from gateway.engine.pace_rules import Limits
from gateway.tests.engine.pacing import START, Sim, go, simulated, want

CALLERS = 40
SPAN_MS = 180_000


async def main(url: str, first: int, step: int) -> None:
    async with simulated({"hive": Limits(rpm=60)}, url) as sim:
        pace, sent = sim.process(), []

        async def caller(number: int) -> None:
            await sim.pause(number * 0.05)
            while sim.now < START + SPAN_MS:
                sent.append((await go(pace, want(f"m{number % 3}"))).taken_at)
                await sim.pause(0.3)

        tasks = [asyncio.ensure_future(caller(number)) for number in range(first, CALLERS, step)]
        while True:
            await sim.quiet(tasks)
            told, sent[:] = list(sent), []
            upcoming = None if all(task.done() for task in tasks) else sim.upcoming
            sys.stdout.write(json.dumps({"sent": told, "next": upcoming}) + "\n")
            sys.stdout.flush()
            if upcoming is None:
                return
            _advance(sim, int(sys.stdin.readline()))


def _advance(sim: Sim, now: int) -> None:
    sim.now = max(sim.now, now)
    while sim.sleepers and sim.sleepers[0][0] <= now:
        heapq.heappop(sim.sleepers)[2].set()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
