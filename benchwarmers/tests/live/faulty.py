"""A provider of chat completions on raw sockets that fails as the served name says, and sees when callers leave.

A served name is `FAULT` or `FAULT/CASE`: the case makes it one of its own. With `once-` before the fault only the first
request meets it.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

LONG_LINE = 40_000_000
PAUSE_S = 0.02
"""Between two pieces."""
HEAD = "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\nconnection: close\r\n{more}\r\n"
Send = Callable[[bytes], Awaitable[None]]


def frame(delta: dict[str, Any], finish: str | None = None, **more: Any) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return b"data: " + json.dumps({"id": "c1", "choices": [choice], **more}).encode() + b"\n\n"


USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
TEXT = frame({"content": "Bl"})
THOUGHT = frame({"reasoning_content": "hm"})
STOP = frame({}, "stop", usage=USAGE) + b"data: [DONE]\n\n"
CALL = frame({"tool_calls": [{"index": 0, "id": "t1", "type": "function", "function": {"name": "look"}}]})
ARGUMENTS = frame({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]})
ERROR = b'data: {"id":"c2","choices":[],"error":{"code":502,"message":"at capacity"}}\n\n'
HALF = frame({"content": "gr"}).replace(b'"gr"', b'"gr\xc3"')
GOOD = frame({"content": "We"}) + frame({"content": "ll."}) + STOP


def refusal(status: int, *headers: str) -> tuple[bytes, bytes]:
    """Head and body of an error."""
    body = json.dumps({"error": {"message": f"no, {status}", "code": None}}).encode()
    lines = "".join(f"{line}\r\n" for line in (*headers, f"content-length: {len(body)}"))
    return HEAD.format(status=status, kind="application/json", more=lines).encode(), body


def stream(*pieces: bytes, kind: str = "text/event-stream") -> tuple[bytes, ...]:
    return HEAD.format(status=200, kind=kind, more="").encode(), *pieces


SAYS: dict[str, tuple[bytes, ...]] = {
    "well": stream(GOOD),
    "long": stream(*[TEXT] * 60, STOP),
    "429": refusal(429),
    "429-wait": refusal(429, "retry-after: 1"),
    "429-long": refusal(429, "retry-after: 700"),
    "500": refusal(500),
    "529": refusal(529),
    "401": refusal(401),
    "400": refusal(400),
    "empty": stream(STOP),
    "reasoning-only": stream(THOUGHT, STOP),
    "error-inside": stream(ERROR),
    "no-json": stream(b"data: {broken\n\n"),
    "cut": stream(),
    "html": stream(b"<html>A proxy</html>", kind="text/html"),
    "sse-as-json": stream(GOOD, kind="application/json"),
    "half-character": stream(TEXT, HALF[:-5]),
    "half-character-inside": stream(TEXT, HALF),
    "error-after": stream(TEXT, ERROR),
    "no-json-after": stream(TEXT, b"data: {broken\n\n"),
    "cut-after": stream(TEXT),
    "finish-no-call": stream(TEXT, frame({"tool_calls": []}, "tool_calls", usage=USAGE), b"data: [DONE]\n\n"),
    "call-wrong-finish": stream(CALL, ARGUMENTS, STOP),
}
"""What is sent, piece by piece, before the connection ends cleanly. The others end otherwise: see Faulty."""
RESETS = {"reset": (), "reset-after": stream(TEXT)}
WAITS = {"silence": (), "silence-head": stream(), "silence-thought": stream(THOUGHT), "silence-after": stream(TEXT)}
"""What is sent before nothing more is, until the other side closes."""


@dataclass
class Seen:
    """What one served name was asked: bodies, and when (monotonic) connections came and were seen closed."""

    bodies: list[dict[str, Any]] = field(default_factory=list)
    came: list[float] = field(default_factory=list)
    closed: list[float] = field(default_factory=list)


class Faulty:
    """Runs in a thread of its own. `dead` is an address at which nobody listens."""

    def __init__(self) -> None:
        self.seen: dict[str, Seen] = {}
        self.recordings: dict[str, Any] = {}
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.base = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"
        self._closed = socket.socket()
        self._closed.bind(("127.0.0.1", 0))
        self.dead = f"http://127.0.0.1:{self._closed.getsockname()[1]}/v1"

    def of(self, served: str) -> Seen:
        return self.seen.setdefault(served, Seen())

    async def run(self, stop: asyncio.Event) -> None:
        server = await asyncio.start_server(self._serve, sock=self._listener, limit=2**20)
        await stop.wait()
        server.close()
        self._closed.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        served = ""
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.partition(b"content-length:")[2].split(b"\r\n")[0])
            body = json.loads(await reader.readexactly(length))
            served = body["model"]
            seen = self.of(served)
            seen.bodies.append(body)
            seen.came.append(time.monotonic())
            await self._answer(self._fault_of(served, seen), reader, writer)
        if served:
            self.of(served).closed.append(time.monotonic())
        writer.close()

    @staticmethod
    def _fault_of(served: str, seen: Seen) -> str:
        fault = served.partition("/")[0]
        if not fault.startswith("once-"):
            return fault
        return fault.removeprefix("once-") if len(seen.bodies) == 1 else "well"

    async def _answer(self, fault: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pieces = {**SAYS, **RESETS, **WAITS}.get(fault, ())
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(PAUSE_S)
        if fault == "long-line":
            await _long_line(writer)
        elif fault in WAITS:
            await reader.read()
        elif fault in RESETS:
            linger = struct.pack("ii", 1, 0)  # a reset in place of an end
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            writer.transport.abort()


async def _long_line(writer: asyncio.StreamWriter) -> None:
    (head,) = stream()
    writer.write(head + b'data: {"id":"')
    for _ in range(LONG_LINE // 1_000_000):
        writer.write(b"y" * 1_000_000)
        await writer.drain()
    writer.write(b'"}\n\n')
    await writer.drain()


@contextmanager
def running_faulty() -> Iterator[Faulty]:
    faulty = Faulty()
    ready: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def main() -> None:
        stop = asyncio.Event()
        ready.append((asyncio.get_running_loop(), stop))
        await faulty.run(stop)

    thread = threading.Thread(target=lambda: asyncio.run(main()), daemon=True)
    thread.start()
    while not ready:
        time.sleep(0.01)
    try:
        yield faulty
    finally:
        loop, stop = ready[0]
        loop.call_soon_threadsafe(stop.set)
        thread.join(5)
