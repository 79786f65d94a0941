"""Replies that unpack to more than anybody holds are given up early, whatever is around them."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from gateway.canon.fault import Broken
from gateway.engine.fetch import fetch_document
from gateway.engine.transport import ERROR_CAP, Transport
from gateway.tests.engine.upstream import Line, Request, Script, upstream

UNPACKED = b"\0" * 60_000_000
BOMBS = {"gzip": gzip.compress(UNPACKED, 9), "deflate": zlib.compress(UNPACKED, 9)}
MOST_HELD = 16_000_000


@pytest_asyncio.fixture
async def transport() -> AsyncIterator[Transport]:
    one = Transport()
    yield one
    await one.close()


def bomb(kind: str, status: int = 200) -> Script:
    async def script(line: Line, request: Request) -> None:
        await line.whole(BOMBS[kind], status, f"content-encoding: {kind}")

    return script


async def size_of(transport: Transport, url: str) -> int:
    async with transport.post(url, {}, b"{}") as answer:
        return sum([len(chunk) async for chunk in answer.chunks()])


@pytest.mark.parametrize("kind", BOMBS)
async def test_a_bomb_is_given_up_at_the_cap_and_never_held(transport: Transport, kind: str) -> None:
    async with upstream(bomb(kind)) as provider:
        tracemalloc.start()
        try:
            with pytest.raises(Broken, match="larger than"):
                await size_of(transport, provider.base)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < MOST_HELD


async def test_a_bomb_in_an_error_is_read_at_its_start_alone(transport: Transport) -> None:
    async with upstream(bomb("gzip", 500)) as provider, transport.post(provider.base, {}, b"{}") as answer:
        assert len(await answer.body_of_error()) == ERROR_CAP


async def test_a_list_of_models_that_is_a_bomb_is_no_list(transport: Transport) -> None:
    async with upstream(bomb("deflate")) as provider:
        with pytest.raises(Broken, match="larger than"):
            await fetch_document(transport, "GET", provider.base)
