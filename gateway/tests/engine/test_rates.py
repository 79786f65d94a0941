"""A key's calls a minute, counted over all processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from gateway.canon.fault import RateLimited
from gateway.engine.pulse import PulseReader
from gateway.engine.rates import KeyRates
from gateway.engine.snapshot import Caller
from gateway.tests.engine.stores import Valkey
from gateway.tests.engine.world import LOCAL, NOW

CI = Caller("ci", key_id=7, rpm=3)
NOWHERE = "unix:///nowhere/valkey.sock"


@asynccontextmanager
async def rates(url: str) -> AsyncIterator[KeyRates]:
    pulse = PulseReader(url)
    yield KeyRates(pulse)
    await pulse.close()


async def passes(one: KeyRates, now: float, caller: Caller = CI, process: str = "a/1") -> bool:
    try:
        await one.spend(caller, now, process)
    except RateLimited:
        return False
    return True


@pytest.fixture(params=["redis", "own memory"])
def url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue("valkey").url if request.param == "redis" else NOWHERE


async def test_the_window_slides_to_the_millisecond(url: str) -> None:
    async with rates(url) as one:
        assert [await passes(one, NOW + at) for at in (0.0, 10.0, 20.0, 59.999)] == [True, True, True, False]
        assert [await passes(one, NOW + at) for at in (60.0, 60.001, 69.999, 70.0)] == [True, False, False, True]


async def test_a_refused_call_is_not_counted(url: str) -> None:
    async with rates(url) as one:
        for at in (0, 0, 0, 1, 2, 3, 59):
            await passes(one, NOW + at)
        assert [await passes(one, NOW + 60.5) for _ in range(4)] == [True, True, True, False]


async def test_a_refusal_says_when_the_oldest_call_leaves_the_window(url: str) -> None:
    async with rates(url) as one:
        for at in (0.0, 30.0, 30.0):
            await one.spend(CI, NOW + at, "a/1")
        with pytest.raises(RateLimited) as caught:
            await one.spend(CI, NOW + 40.5, "a/1")
    assert (caught.value.status, caught.value.wait, caught.value.code) == (429, 20, "rate_limit_exceeded")
    assert "Key ci has used its 3 calls a minute; try again in 20 s." in caught.value.message


async def test_two_processes_share_one_window(valkey: Valkey) -> None:
    caller = Caller("ci", key_id=7, rpm=25)
    async with rates(valkey.url) as one, rates(valkey.url) as two:
        tries = [
            passes(each, NOW + n / 100, caller, name) for n in range(30) for each, name in ((one, "a/1"), (two, "b/1"))
        ]
        assert sum(await asyncio.gather(*tries)) == 25


async def test_each_key_has_a_window_of_its_own(url: str) -> None:
    async with rates(url) as one:
        for _ in range(3):
            await one.spend(CI, NOW, "a/1")
        assert await passes(one, NOW, Caller("other", key_id=8, rpm=1))
        assert not await passes(one, NOW)


@pytest.mark.parametrize("caller", [LOCAL, Caller("ci", key_id=7), Caller("ci", key_id=7, rpm=0)])
async def test_a_caller_without_a_limit_is_not_counted(caller: Caller) -> None:
    async with rates(NOWHERE) as one:
        assert all([await passes(one, NOW, caller) for _ in range(50)])


async def test_when_redis_dies_each_process_counts_for_itself(valkey: Valkey) -> None:
    async with rates(valkey.url) as one, rates(valkey.url) as two:
        for _ in range(3):
            await one.spend(CI, NOW, "a/1")
        valkey.kill()
        for each in (one, two):
            assert [await passes(each, NOW + 1) for _ in range(4)] == [True, True, True, False]
