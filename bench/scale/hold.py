"""What open agent streams take: memory and files of the web processes, and processor time for what they carry."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any, Final

import uvloop

from bench.client import Run
from bench.rounds import Failed
from bench.scale.place import CHUNKS, HELD, Place, place

OPEN_S: Final = 170.0
SETTLED_S: Final = 3.0
WATCHED_S: Final = 8.0
WARMED: Final = 200


def hold(upstream: str, folder: Path, *, webs: int, counts: list[int]) -> list[dict[str, Any]]:
    """A row for each count of streams, over so many web processes that are new: memory that was once used is not given
    back, and would hide what the next count takes."""
    rows = []
    for count in counts:
        own = folder / str(count)
        own.mkdir()
        folder.chmod(0o755)
        with place(upstream, own, webs) as at:
            uvloop.run(Run(at.ask(CHUNKS, stream=True), 16, 3.0).go())
            uvloop.run(_held(at, WARMED))
            rows.append(uvloop.run(_held(at, count)))
    return rows


async def _held(at: Place, count: int) -> dict[str, Any]:
    idle, began = _memory(at), time.monotonic()
    run = Run(at.ask(HELD, stream=True), count, 3_600, warm_s=0)
    going = asyncio.create_task(run.go())
    try:
        while run.heard < count:
            if time.monotonic() - began > OPEN_S or run.tally.errors or run.tally.replies:
                ended = f"{run.tally.errors} broken, {dict(run.tally.statuses)} ended"
                raise Failed(f"{run.heard} of {count} open, {ended}")
            await asyncio.sleep(0.05)
        opened_s = time.monotonic() - began
        await asyncio.sleep(SETTLED_S)
        events, worked = _events(run), at.web_s()
        await asyncio.sleep(WATCHED_S)
        events, worked = _events(run) - events, at.web_s() - worked
        full = _memory(at)
        if run.tally.errors or run.tally.replies:
            raise Failed(f"{run.tally.errors} broken, {run.tally.replies} ended early: {dict(run.tally.statuses)}")
        return {
            "webs": len(at.webs),
            "streams": count,
            "opened_s": round(opened_s, 1),
            "kb": (sum(full) - sum(idle)) / count / 1024,
            "mb_each": [round(one / 1e6) for one in full],
            "files_each": [web.num_fds() for web in at.webs],
            "events_per_s": events / WATCHED_S,
            "event_us": worked * 1e6 / max(events, 1),
            "core_percent_each": round(worked * 100 / WATCHED_S / len(at.webs), 1),
        }
    finally:
        run.stop()
        await going
        await asyncio.sleep(SETTLED_S)


def _events(run: Run) -> int:
    return run.tally.events + sum(caller.events for caller in run.callers_now)


def _memory(at: Place) -> list[int]:
    return [web.memory_info().rss for web in at.webs]
