"""One run: the installation, its callers, the faults, and what is found at the end."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchwarmers.tests.chaos import accounts
from benchwarmers.tests.chaos.callers import Callers
from benchwarmers.tests.chaos.faults import Done, Faults
from benchwarmers.tests.chaos.journal import Journal
from benchwarmers.tests.chaos.kept import load_kept
from benchwarmers.tests.chaos.place import Place
from benchwarmers.tests.chaos.quiet import Holding, leaks, look
from benchwarmers.tests.chaos.recovery import SWEEP_S, Recovery, rows
from benchwarmers.tests.chaos.schedule import Fault

CALLERS: Final = 24
WARM_S: Final = 6.0
QUIET_S: Final = 90.0
"""How long jobs may take to end and idle connections to close; on an idle machine."""
UPSTREAMS: Final = ("upstream-a", "upstream-b")
RECOVERED_S: Final = 10.0
SWEEP: Final = "from probes.tasks import sweep_panels; sweep_panels.run()"
"""What the worker does every minute: takes up what dead processes left."""
QUESTIONS: Final = 6
"""What taking a model on in the quick way asks of it."""


@dataclass
class Found:
    """What a run has shown. `wrong` holds a sentence for each broken promise."""

    seed: int
    seconds: float = 0.0
    faults: list[Done] = field(default_factory=list)
    journal: Journal = field(default_factory=Journal)
    seen: int = 0
    ledger: int = 0
    interrupted: int = 0
    again: int = 0
    held: dict[str, tuple[Holding, Holding]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


async def run(
    place: Place, plan: Iterable[Fault], seed: int, seconds: float, slack: float, many: int = CALLERS
) -> Found:
    """Load and faults until the time is up or the plan is, then quiet, then the accounts. `slack` as in Callers."""
    found = Found(seed)
    recovery = Recovery(place, slack)
    callers, faults = Callers(place, found.journal, seed, slack), Faults(place, recovery)
    try:
        loading = asyncio.create_task(callers.run(many))
        await asyncio.sleep(WARM_S)
        callers.stop.set()
        await loading
        await _until(lambda: not _open_jobs(place), QUIET_S * slack)
        before = await asyncio.to_thread(look, place)
        callers.stop.clear()
        began = time.time()
        loading = asyncio.create_task(callers.run(many))
        await faults.run(plan, began + seconds)
        callers.stop.set()
        await loading
        found.seconds, found.faults = time.time() - began, faults.done
        await _until(lambda: not _open_jobs(place), QUIET_S * slack)
        await faults.end(*UPSTREAMS)  # so that nothing is held for a next call
        after = await _settled(place, faults, before, slack)
    finally:
        callers.stop.set()
        await recovery.close()
    found.held = {name: (before[name], after[name]) for name in after}
    found.wrong += leaks(before, after)
    await asyncio.to_thread(_judge, found, place, slack)
    return found


async def _settled(place: Place, faults: Faults, before: dict[str, Holding], slack: float) -> dict[str, Holding]:
    """The same after the load, as soon as nothing is too much any more, or when the time is up."""
    until = time.monotonic() + QUIET_S * slack
    while True:
        await faults.revive()
        after = await asyncio.to_thread(look, place)
        if not leaks(before, after) or time.monotonic() > until:
            return after
        await asyncio.sleep(1.0)


async def _until(ready: Any, within_s: float) -> None:
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        if await asyncio.to_thread(ready):
            return
        await asyncio.sleep(0.5)


def _open_jobs(place: Place) -> int:
    return int(rows(place.dsn, "SELECT count(*) FROM probes_job WHERE state IN ('queued', 'running')")[0][0])


def _judge(found: Found, place: Place, slack: float) -> None:
    place.manage("shell", "-v", "0", "-c", SWEEP)
    kept, seen = load_kept(place.dsn), list(lines(place.seen))
    found.seen, found.ledger = len(seen), kept.attempts.total() + kept.probes.total()
    found.wrong += accounts.lost(found.journal, kept)
    found.wrong += accounts.unaccounted(seen, kept)
    found.interrupted = kept.interrupted
    deaths = len(place.parts["worker"].deaths)
    told, found.again = accounts.repeated_jobs(seen, kept, deaths, QUESTIONS)
    found.wrong += told
    found.wrong += accounts.unexplained(found.journal, found.faults, slack)
    for done in found.faults:
        bound = RECOVERED_S * slack + (SWEEP_S if done.fault.target in ("worker", "beat") else 0)
        if done.recovered_s is None or done.recovered_s > bound:
            took = "never" if done.recovered_s is None else f"after {done.recovered_s:.1f} s"
            found.wrong.append(f"{done.fault.target} came back {took} from a {done.fault.kind}")


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """What the upstreams saw. A line that a SIGKILL cut is impossible: each is one write."""
    for line in path.read_text().splitlines():
        yield json.loads(line)
