"""A bell wakes the one who waits, keeps one ring for later, and survives who gave up."""

from __future__ import annotations

import asyncio

import pytest

from gateway.engine.bell import Bell

pytestmark = pytest.mark.asyncio


async def test_who_waits_is_woken_by_the_next_ring() -> None:
    bell = Bell(asyncio.get_running_loop())
    waiting = asyncio.create_task(bell.rings())
    await asyncio.sleep(0)
    assert not waiting.done()
    bell.ring()
    await asyncio.wait_for(waiting, 1)


async def test_rings_before_anybody_waits_count_once() -> None:
    bell = Bell(asyncio.get_running_loop())
    bell.ring()
    bell.ring()
    await asyncio.wait_for(bell.rings(), 1)
    again = asyncio.create_task(bell.rings())
    await asyncio.sleep(0)
    assert not again.done()
    again.cancel()
    await asyncio.gather(again, return_exceptions=True)


async def test_a_ring_after_who_waited_gave_up_is_kept() -> None:
    bell = Bell(asyncio.get_running_loop())
    gone = asyncio.create_task(bell.rings())
    await asyncio.sleep(0)
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    bell.ring()
    await asyncio.wait_for(bell.rings(), 1)
