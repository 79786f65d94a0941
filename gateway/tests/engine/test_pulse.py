"""What is read from Redis between two requests, and going on without it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import redis

from collections_app.stamp import STAMP_KEY
from gateway.engine.pulse import PAUSE_S, Pulse, PulseReader
from gateway.engine.redis_line import script_of
from gateway.tests.engine.stores import Valkey

SECOND = "20261129-120000"


@asynccontextmanager
async def pulse_of(server: Valkey) -> AsyncIterator[PulseReader]:
    reader = PulseReader(server.url)
    yield reader
    await reader.close()


async def test_an_empty_redis_has_the_stamp_zero(valkey: Valkey) -> None:
    async with pulse_of(valkey) as reader:
        assert await reader.read(SECOND) == Pulse("0", 1, {})
        assert await reader.read_stamp() == "0"


async def test_a_moved_stamp_is_seen(valkey: Valkey) -> None:
    async with pulse_of(valkey) as reader:
        with redis.Redis.from_url(valkey.url) as client:
            client.incr(STAMP_KEY)
        assert (await reader.read(SECOND)).stamp == "1"


async def test_numbers_of_a_second_are_unique_over_two_processes(valkey: Valkey) -> None:
    async with pulse_of(valkey) as one, pulse_of(valkey) as two:
        pulses = await asyncio.gather(*[reader.read(SECOND) for _ in range(100) for reader in (one, two)])
        assert sorted(pulse.number or 0 for pulse in pulses) == list(range(1, 201))
        assert (await one.read("20261129-120001")).number == 1
    with redis.Redis.from_url(valkey.url) as client:
        assert 3_600 < client.ttl("bench:number:" + SECOND) <= 7_500


async def test_the_other_process_hears_who_was_seated(valkey: Valkey) -> None:
    async with pulse_of(valkey) as one, pulse_of(valkey) as two:
        await one.tell_seated({"m1": 1_796_000_000.123456, "m2": 2.0})
        await one.tell_seated({})
        assert (await two.read(SECOND)).seated == {"m1": 1_796_000_000.123456, "m2": 2.0}


async def test_without_redis_the_answer_comes_at_once_and_is_empty() -> None:
    reader = PulseReader("unix:///nowhere/valkey.sock")
    began = time.monotonic()
    assert await reader.read(SECOND) == Pulse()
    assert await reader.read_stamp() is None
    assert await reader.call(script_of("return 1"), ["key"], []) is None
    await reader.tell_seated({"m1": 1.0})
    assert time.monotonic() - began < 0.6
    await reader.close()


async def test_a_redis_that_dies_is_missed_quickly_and_used_again_when_it_is_back(valkey: Valkey) -> None:
    async with pulse_of(valkey) as reader:
        assert (await reader.read(SECOND)).stamp == "0"
        valkey.kill()
        began = time.monotonic()
        assert await reader.read(SECOND) == Pulse()
        assert time.monotonic() - began < 0.6
        assert reader.away
        valkey.start()
        began = time.monotonic()
        while (await reader.read(SECOND)).stamp is None:
            assert time.monotonic() - began < 2
            await asyncio.sleep(0.05)


async def test_a_redis_that_hangs_costs_half_a_second_and_no_more() -> None:
    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    reader = PulseReader(f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0")
    began = time.monotonic()
    assert await reader.read(SECOND) == Pulse()
    assert time.monotonic() - began < 1.2
    await reader.close()
    server.close()


async def test_an_absence_is_told_in_the_log_once(caplog: pytest.LogCaptureFixture) -> None:
    reader = PulseReader("unix:///nowhere/valkey.sock")
    await reader.read(SECOND)
    await reader.read(SECOND)
    await asyncio.sleep(PAUSE_S + 0.1)
    await reader.read(SECOND)
    assert caplog.text.count("going on without it") == 1
    await reader.close()


async def test_five_hundred_requests_at_once_all_get_their_pulse(valkey: Valkey) -> None:
    async with pulse_of(valkey) as reader:
        pulses = await asyncio.gather(*[reader.read(SECOND) for _ in range(500)])
        assert len({pulse.number for pulse in pulses}) == 500
        assert not reader.away
