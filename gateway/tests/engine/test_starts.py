"""Who begins while others begin: one after the other, as they came, and nobody in the way for good."""

from __future__ import annotations

import asyncio

import pytest

from gateway.engine.starts import STEPS, Starts


async def begin(starts: Starts, name: str, told: list[str]) -> None:
    async with starts:
        told.append(f"{name} begins")
        asyncio.get_running_loop().call_soon(told.append, f"{name} is on its way")
    told.append(f"{name} has begun")


async def test_the_next_begins_once_the_first_is_on_its_way() -> None:
    starts = Starts()
    told: list[str] = []
    await asyncio.gather(*(begin(starts, name, told) for name in "abc"))
    order = [line for line in told if not line.endswith("has begun")]
    assert order == [f"{name} {what}" for name in "abc" for what in ("begins", "is on its way")]


async def test_whoever_is_alone_waits_for_nobody() -> None:
    starts, turns = Starts(), 0
    task = asyncio.create_task(begin(starts, "a", []))
    while not task.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns <= STEPS + 2


async def test_who_gives_up_while_waiting_holds_nobody_up() -> None:
    starts = Starts()
    told: list[str] = []
    first, second, third = (asyncio.create_task(begin(starts, name, told)) for name in "abc")
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.gather(first, third)
    assert "c has begun" in told
    assert "b begins" not in told
    with pytest.raises(asyncio.CancelledError):
        await second


async def test_who_gives_up_or_fails_while_it_begins_lets_the_next_in() -> None:
    starts = Starts()
    told: list[str] = []
    first, second = (asyncio.create_task(begin(starts, name, told)) for name in "ab")
    await asyncio.sleep(0)
    assert told == ["a begins"]
    first.cancel()
    await second
    with pytest.raises(ValueError, match="mine"):
        async with starts:
            raise ValueError("mine")
    await begin(starts, "c", told)
    assert told[-1] == "c has begun"
