"""A fake provider of chat completions that costs far less than anything in front of it: replies are made once for each
model, and one write is one chunk. What it does stands in the model's name:

    fake-delay50-chunks20-gap10-x      50 ms before the first byte; streams of 20 chunks, 10 ms apart; -x only a name
    fake-fail429                       refuses

Run as a program: `python -m bench.upstream PORT`. Listens on loopback alone.
"""

from __future__ import annotations

import asyncio
import functools
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

TRAIT: Final = re.compile(r"-(delay|chunks|gap|fail)(\d+)")
MODEL: Final = re.compile(rb'"model"\s*:\s*"([^"]*)"')
STREAMED: Final = re.compile(rb'"stream"\s*:\s*true')
LENGTH: Final = re.compile(rb"\r\ncontent-length:\s*(\d+)", re.IGNORECASE)
END_OF_HEAD: Final = b"\r\n\r\n"
WORDS: Final = "Hello from the upstream that is not there."


@dataclass(frozen=True, slots=True)
class Script:
    """All that is sent for one model: times in seconds, bytes as they go out. The last of `pieces` ends the reply."""

    delay_s: float
    gap_s: float
    fails: bool
    whole: bytes
    pieces: tuple[bytes, ...]


@functools.cache
def script(model: str) -> Script:
    """The script that a model's name stands for."""
    traits = {trait: int(number) for trait, number in TRAIT.findall(model)}
    status, chunks = traits.get("fail", 200), max(traits.get("chunks", 50), 1)
    about = {"id": "chatcmpl-fake", "created": 1_790_000_000, "model": model}
    usage = {"prompt_tokens": 12, "completion_tokens": chunks, "total_tokens": 12 + chunks}
    if status >= 400:
        reply: dict[str, Any] = {"error": {"message": "refused, as asked", "type": "fake", "code": status}}
    else:
        message = {"role": "assistant", "content": WORDS}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {**about, "object": "chat.completion", "choices": [choice], "usage": usage}
    body = json.dumps(reply).encode()
    head = b"HTTP/1.1 %d Fake\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % (status, len(body))
    return Script(
        delay_s=traits.get("delay", 0) / 1000,
        gap_s=traits.get("gap", 0) / 1000,
        fails=status >= 400,
        whole=head + body,
        pieces=tuple(_pieces(about, usage, chunks)),
    )


def _pieces(about: dict[str, Any], usage: dict[str, int], chunks: int) -> list[bytes]:
    def chunk(choices: list[dict[str, Any]], **more: Any) -> bytes:
        data = {**about, "object": "chat.completion.chunk", "choices": choices, **more}
        return _framed(b"data: " + json.dumps(data, separators=(",", ":")).encode() + b"\n\n")

    def said(number: int) -> dict[str, str]:
        return ({"role": "assistant"} if number == 0 else {}) | {"content": f"word{number} "}

    pieces = [chunk([{"index": 0, "delta": said(number), "finish_reason": None}]) for number in range(chunks)]
    pieces.append(chunk([{"index": 0, "delta": {}, "finish_reason": "stop"}]))
    pieces.append(chunk([], usage=usage) + _framed(b"data: [DONE]\n\n") + b"0\r\n\r\n")
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    return [head + pieces[0], *pieces[1:]]


def _framed(raw: bytes) -> bytes:
    """As a chunk of HTTP/1.1."""
    return b"%x\r\n%s\r\n" % (len(raw), raw)


class Upstream(asyncio.Protocol):
    """One connection; requests on it are answered one after the other."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.transport: asyncio.Transport | None = None
        self.read = b""
        self.waits: asyncio.Handle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by its class

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if self.waits:
            self.waits.cancel()

    def data_received(self, data: bytes) -> None:
        self.read += data
        if self.waits is None:
            self._answer_next()

    def _answer_next(self) -> None:
        end = self.read.find(END_OF_HEAD)
        if end < 0:
            return
        told = LENGTH.search(self.read, 0, end + 2)
        whole = end + len(END_OF_HEAD) + (int(told[1]) if told else 0)
        if len(self.read) < whole:
            return
        request, self.read = self.read[:whole], self.read[whole:]
        if not request.startswith(b"POST"):
            self._write(LISTED)
            return self._answer_next()
        named = MODEL.search(request, end)
        played = script(named[1].decode() if named else "fake")
        streamed = not played.fails and STREAMED.search(request, end) is not None
        first = functools.partial(self._stream if streamed else self._whole, played)
        if played.delay_s:
            self.waits = self.loop.call_later(played.delay_s, first)
        else:
            first()

    def _whole(self, played: Script) -> None:
        self.waits = None
        self._write(played.whole)
        self._answer_next()

    def _stream(self, played: Script, at: int = 0) -> None:
        """A chunk a turn of the loop, so that chunks without a gap are writes of their own all the same."""
        self._write(played.pieces[at])
        if at + 1 == len(played.pieces):
            self.waits = None
            return self._answer_next()
        go_on: Callable[[], None] = functools.partial(self._stream, played, at + 1)
        self.waits = self.loop.call_later(played.gap_s, go_on) if played.gap_s else self.loop.call_soon(go_on)

    def _write(self, data: bytes) -> None:
        if self.transport:
            self.transport.write(data)


def _listing() -> bytes:
    body = json.dumps({"object": "list", "data": []}).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n" % len(body) + body


LISTED: Final = _listing()


async def serve(port: int) -> None:
    """Until it is killed."""
    server = await asyncio.get_running_loop().create_server(Upstream, "127.0.0.1", port, backlog=4096)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    import uvloop

    uvloop.run(serve(int(sys.argv[1])))
