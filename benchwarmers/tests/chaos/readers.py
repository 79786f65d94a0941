"""Callers who read badly: they leave in the middle, read a kilobyte a second, or read nothing at all."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Final

HEAD_S: Final = 60.0
DRIP: Final = 1_024


class Reader:
    """One streamed turn, of which as much is read as one likes. Little is kept on this side."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.read = 0

    @classmethod
    async def open(cls, port: int, collection: str, words: str, seconds: float = HEAD_S) -> Reader:
        """The turn, once its head is there. Raises AssertionError where it is refused, TimeoutError, OSError."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=DRIP)
        messages = [{"role": "user", "content": words}]
        body = json.dumps({"model": f"bench/{collection}", "stream": True, "messages": messages}).encode()
        head = f"POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
        writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        async with asyncio.timeout(seconds):
            status = await reader.readline()
            assert b" 200 " in status, status
            while (await reader.readline()).strip():
                pass
        return cls(reader, writer)

    async def take(self, size: int) -> bool:
        """Reads up to so many bytes; False at the end."""
        piece = await self._reader.read(size)
        self.read += len(piece)
        return bool(piece)

    def leave(self, *, rudely: bool = False) -> None:
        """Closes the connection; `rudely` with a reset."""
        if rudely:
            self._writer.transport.abort()
        else:
            self._writer.close()


async def leave_in_the_middle(port: int, words: str, rng: Random) -> None:
    """Some of a stream, and away."""
    reader = await Reader.open(port, "talk", words)
    try:
        async with asyncio.timeout(rng.uniform(0.0, 1.2)):
            while await reader.take(DRIP):
                pass
    except TimeoutError:
        pass
    finally:
        reader.leave(rudely=rng.random() < 0.5)


async def drip(port: int, words: str, seconds: float) -> None:
    """A kilobyte a second of an answer that has no end."""
    reader = await Reader.open(port, "flood", words)
    try:
        for _ in range(round(seconds)):
            await reader.take(DRIP)
            await asyncio.sleep(1.0)
    finally:
        reader.leave()


async def stare(port: int, words: str, seconds: float) -> None:
    """Nothing of an answer that has no end."""
    reader = await Reader.open(port, "flood", words)
    try:
        await asyncio.sleep(seconds)
    finally:
        reader.leave(rudely=True)
