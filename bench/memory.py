"""What an open stream weighs: a chunk every half second in each, and how much more resident memory the process that
answers has with hundreds more of them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Any, Final

import uvloop

from bench.client import Run, now
from bench.ground import Ground, Pace
from bench.report import Column, one
from bench.rounds import Failed
from bench.route import MANY
from bench.setup import CHUNKS, SLOW
from bench.targets import Target, gateway, minimal

WARMED_S: Final = 2.0
SOME: Final = 50
ALL_OPEN_S: Final = 25.0
SETTLED_S: Final = 3.0
WATCHED_S: Final = 3.0
MEGA: Final = 1024 * 1024
COLUMNS: Final = (
    Column("target", "target"),
    Column("some_mb", f"MB with {SOME} open", one),
    Column("streams", "streams more", "{:,}".format),
    Column("open_mb", "MB with them", one),
    Column("stream_kb", "KB a stream", one),
    Column("core_percent", "of a core while open, %", one),
)


def measure(on: Ground, pace: Pace) -> list[dict[str, Any]]:
    """A row a target, one after the other; the relay and ours are started anew, since work done before leaves memory to
    use again. Another gateway that opens fewer is weighed with those.

    :raises Failed: ours did not open all of them in time.
    """
    with minimal("minimal relay", "relay", on.base, on.folder) as relay, gateway(on.base, on.folder) as ours:
        rows = [uvloop.run(weigh(one, pace.streams)) for one in (relay, ours, *on.others)]
    for row in rows[:2]:
        if row["streams"] < pace.streams:
            raise Failed(f"{row['target']}: {row['streams']} of {pace.streams} streams open")
    return rows


async def weigh(target: Target, streams: int) -> dict[str, Any]:
    """Its growth from some open streams to so many more, or as many as there are in time, after work that warms it."""
    await Run(target.chat(CHUNKS, stream=True), MANY, WARMED_S * target.patience).go()
    async with _held(target, SOME):
        some = target.resident()
        async with _held(target, streams) as opened:
            before = target.served_s()
            await asyncio.sleep(WATCHED_S)
            full, worked = target.resident(), target.served_s() - before
    return {
        "target": target.name,
        "streams": opened,
        "some_mb": some / MEGA,
        "open_mb": full / MEGA,
        "stream_kb": (full - some) / opened / 1024,
        "core_percent": worked * 100 / WATCHED_S,
    }


@contextlib.asynccontextmanager
async def _held(target: Target, streams: int) -> AsyncIterator[int]:
    """So many more streams, all of them speaking, or as many as do in time; how many.

    :raises Failed: streams broke, or none began.
    """
    run = Run(target.chat(SLOW, stream=True), streams, 600, warm_s=0)
    going, until = asyncio.create_task(run.go()), now() + ALL_OPEN_S * target.patience
    try:
        while run.heard < streams and now() < until:
            if run.tally.errors:
                break
            await asyncio.sleep(0.05)
        await asyncio.sleep(SETTLED_S)
        yield min(run.heard, streams)
    finally:
        run.stop()
        tally = await going
    if tally.errors or not run.heard:
        raise Failed(f"{target.name}: {run.heard} streams open, {tally.errors} broken")
