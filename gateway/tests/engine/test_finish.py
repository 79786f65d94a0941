"""What nobody waits for has its time before a process ends."""

from __future__ import annotations

import asyncio
from pathlib import Path

from gateway.engine.bench import Bench
from gateway.tests.engine.conftest import Limits


async def test_what_runs_is_waited_for_with_what_follows_from_it_and_no_longer_than_is_allowed(
    sqlite: Path, tmp_path: Path
) -> None:
    async def announce(topics: list[str]) -> None:
        """Nobody listens."""

    bench = await Bench.open(Limits(tmp_path), announce)
    done: list[str] = []

    async def after() -> None:
        done.append("after")

    async def first() -> None:
        await asyncio.sleep(0)
        bench.keep(after(), "after")
        done.append("first")

    async def endless() -> None:
        await asyncio.Event().wait()

    bench.keep(first(), "first")
    await bench.finish(60)
    assert done == ["first", "after"]
    for_ever = bench.keep(endless(), "endless")
    await bench.finish(0.01)
    assert not for_ever.done()
    await bench.finish(0)
    await bench.close()
    assert for_ever.cancelled()
