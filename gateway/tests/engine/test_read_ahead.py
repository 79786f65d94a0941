"""Taking all that waits is reading it, whatever the pieces and however far the reader is behind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any, cast

import pytest
from aiohttp import StreamReader
from aiohttp.base_protocol import BaseProtocol

from gateway.engine.read_ahead import KNOWN, all_there, next_piece

LIMIT = 64


class Connection:
    """What a reader asks of the connection that it reads from."""

    def __init__(self) -> None:
        self.connected = True
        self._reading_paused = False
        self.resumed = 0

    def pause_reading(self) -> None:
        self._reading_paused = True

    def resume_reading(self, resume_parser: bool = True) -> None:
        self._reading_paused = False
        self.resumed += 1


def reader() -> tuple[StreamReader, Connection]:
    connection = Connection()
    made = StreamReader(cast(BaseProtocol, connection), LIMIT, loop=asyncio.get_running_loop())
    return made, connection


def feed(one: StreamReader, *pieces: bytes) -> None:
    for piece in pieces:
        one.begin_http_chunk_receiving()
        one.feed_data(piece)
        one.end_http_chunk_receiving()


async def test_the_library_is_the_one_that_is_known() -> None:
    assert KNOWN


async def test_all_that_waits_comes_in_one_piece_and_nothing_is_left() -> None:
    one, _ = reader()
    feed(one, b"a", b"b", b"c")
    assert all_there(one) == b"abc"
    assert all_there(one) == b""
    feed(one, b"d")
    one.feed_eof()
    assert (await one.read(LIMIT), one.at_eof()) == (b"d", True)


async def test_one_piece_or_none_is_left_to_the_library() -> None:
    one, _ = reader()
    assert all_there(one) == b""
    feed(one, b"a")
    assert all_there(one) == b""
    assert await one.read(LIMIT) == b"a"


async def test_a_connection_that_was_paused_goes_on() -> None:
    one, connection = reader()
    feed(one, b"x" * LIMIT, b"y" * LIMIT, b"z")
    assert connection._reading_paused
    assert all_there(one) == b""
    assert await one.read(4 * LIMIT) == b"x" * LIMIT + b"y" * LIMIT + b"z"
    assert connection.resumed


async def test_an_error_is_raised_by_the_library() -> None:
    one, _ = reader()
    feed(one, b"a", b"b")
    one.set_exception(ConnectionResetError())
    assert all_there(one) == b""


async def test_whatever_the_pieces_the_bytes_are_the_same() -> None:
    for seed in range(200):
        draw = Random(seed)
        sent = draw.randbytes(1_500)
        one, connection = reader()
        got = bytearray()
        for piece in _pieces(sent, draw):
            feed(one, piece)
            while connection._reading_paused or draw.random() < 0.2:
                taken = await next_piece(one, LIMIT) if one._buffer else b""
                got += taken
                if not taken:
                    break
        one.feed_eof()
        while chunk := await next_piece(one, LIMIT):
            got += chunk
        assert bytes(got) == sent
        assert one.at_eof()


def _pieces(sent: bytes, draw: Random) -> Iterator[bytes]:
    at = 0
    while at < len(sent):
        size = draw.randrange(1, 2 * LIMIT)
        yield sent[at : at + size]
        at += size


async def test_whoever_waits_gets_all_that_came_meanwhile() -> None:
    one, _ = reader()
    waiting = asyncio.create_task(next_piece(one, LIMIT))
    await asyncio.sleep(0)
    feed(one, b"a", b"b", b"c")
    assert await waiting == b"abc"
    waiting = asyncio.create_task(next_piece(one, LIMIT))
    await asyncio.sleep(0)
    one.feed_eof()
    assert await waiting == b""


async def test_whoever_waits_hears_of_the_end_of_the_connection() -> None:
    one, _ = reader()
    waiting = asyncio.create_task(next_piece(one, LIMIT))
    await asyncio.sleep(0)
    one.set_exception(ConnectionResetError())
    with pytest.raises(ConnectionResetError):
        await waiting
    with pytest.raises(ConnectionResetError):
        await next_piece(one, LIMIT)


async def test_where_the_insides_are_others_the_library_reads(monkeypatch: Any) -> None:
    monkeypatch.setattr("gateway.engine.read_ahead.KNOWN", False)
    one, _ = reader()
    feed(one, b"a", b"b")
    assert all_there(one) == b""
    assert await one.read(LIMIT) == b"ab"
