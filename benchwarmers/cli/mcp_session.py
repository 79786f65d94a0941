"""The context protocol's server over a pipe, on top of a gateway that is asked by HTTP.

One message a line each way, and nothing else on stdout. Messages are worked on at once, each by itself, so that a ping
is answered while a panel runs; what is under way when stdin closes is finished first.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import sys
import threading
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

from benchwarmers.cli.line import LOOPBACK
from benchwarmers.cli.server import CONNECT_S, credential, not_running, too_late
from benchwarmers.version import version
from gateway.mcp.reminders import Reminders, read_transcript
from gateway.mcp.routes import Answer, Refusal
from gateway.mcp.rpc import Id, Message, Problem, read_message, write_notification, write_problem
from gateway.mcp.server import answer
from gateway.mcp.tools import Desk

NEWS_S: Final = 10.0
"""Seconds between two signs of life, for clients that asked for them. Some give a silent tool up after 300."""
CANCELLED: Final = "notifications/cancelled"


class Over:
    """The gateway's routes over HTTP."""

    def __init__(self, url: str, timeout_s: float) -> None:
        self._url = url
        self._timeout_s = timeout_s
        parts = urlsplit(url)
        trusted: Any = True if parts.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        limit = httpx.Timeout(timeout_s, connect=min(CONNECT_S, timeout_s), pool=None)
        self._client = httpx.AsyncClient(timeout=limit, verify=trusted, trust_env=parts.hostname not in LOOPBACK)

    async def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        """Raises Refusal."""
        _kind, headers = credential(path)
        try:
            async with asyncio.timeout(self._timeout_s):
                told = await self._client.request(method, self._url + path, json=body, headers=headers)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            raise Refusal(not_running(self._url)) from None
        except (TimeoutError, httpx.TimeoutException):
            raise Refusal(too_late(self._timeout_s)) from None
        except httpx.TransportError as error:
            raise Refusal(f"{method} {path}: the server broke off before its answer was whole ({error}).") from None
        return Answer(told.status_code, told.content)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.aclose()


def write_line(message: bytes) -> None:
    """One message to stdout."""
    sys.stdout.buffer.write(message + b"\n")
    sys.stdout.buffer.flush()


async def serve(url: str, timeout_s: float, lines: Any, write: Callable[[bytes], None], news_s: float = NEWS_S) -> None:
    """Until `lines` ends and all is answered. `write` takes one message."""
    routes = Over(url, timeout_s)
    session = Session(Desk(routes, Reminders(), read_transcript), write, news_s)
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def listen() -> None:
        with contextlib.suppress(RuntimeError):  # the loop was ended, and nobody listens any more
            for line in lines:
                loop.call_soon_threadsafe(heard.put_nowait, line)
            loop.call_soon_threadsafe(heard.put_nowait, b"")

    # A thread of its own, not one of the loop's: the loop would wait for it, and it waits for the other side.
    threading.Thread(target=listen, daemon=True).start()
    try:
        while line := await heard.get():
            if line.strip():
                session.hear(line)
        await session.finish()
    finally:
        await routes.close()


class Session:
    """The messages of one client."""

    def __init__(self, desk: Desk, write: Callable[[bytes], None], news_s: float = NEWS_S) -> None:
        self._desk = desk
        self._write = write
        self._news_s = news_s
        self._version = version().number
        self._open: dict[Id, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def hear(self, line: bytes) -> None:
        """Begin on a message, or heed a notification."""
        try:
            message = read_message(line)
        except Problem as problem:
            self._write(write_problem(problem))
            return
        if message.wants_answer:
            task = asyncio.ensure_future(self._answer(message))
            self._open[message.id] = task
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif message.method == CANCELLED and (under_way := self._open.get(message.params.get("requestId"))):
            under_way.cancel()

    async def finish(self) -> None:
        """Wait for what is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def _answer(self, message: Message) -> None:
        """A request that is cancelled gets no answer, as the protocol has it."""
        news = asyncio.ensure_future(self._tell_news(message))
        try:
            self._write(await answer(self._desk, message, self._version))
        finally:
            news.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await news
            if self._open.get(message.id) is asyncio.current_task():
                del self._open[message.id]

    async def _tell_news(self, message: Message) -> None:
        """Progress, where the client gave a token for it."""
        meta = message.params.get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        began = asyncio.get_running_loop().time()
        while token is not None:
            await asyncio.sleep(self._news_s)
            seconds = int(asyncio.get_running_loop().time() - began)
            told = {"progressToken": token, "progress": seconds, "message": f"The panel is running, {seconds} s"}
            self._write(write_notification("notifications/progress", told))
