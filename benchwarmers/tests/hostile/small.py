"""A server with our limits around an application of a few lines, in a thread: connections need no more."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from benchwarmers.connections import Bounded, bounded_by
from benchwarmers.env_limits import Limits
from gateway.api.exchange import CallerGone, WhilePresent

WAIT_S = 60.0
LARGE = 16_000_000
"""More than the system holds for somebody who does not read."""


class Small:
    """`port` and the running `server`; `seen` are the bodies that the application read whole."""

    def __init__(self, limits: Limits, files: int) -> None:
        self.seen: list[bytes] = []
        self.left = 0
        self.staying = 0
        self.release = threading.Event()
        self._socket = socket.socket()
        self._socket.bind(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self.protocol: type[Bounded] = bounded_by(limits, files)
        config = uvicorn.Config(
            self.app,
            http=self.protocol,
            ws="none",
            interface="asgi3",
            proxy_headers=False,
            lifespan="off",
            log_config=None,
            access_log=False,
            timeout_keep_alive=60,
            timeout_graceful_shutdown=1,
            backlog=2_048,
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.server.run, args=([self._socket],), daemon=True)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        """Reads the body and says its length. `/early` answers before it reads, `/wait` once it may, `/large` at
        length. `/stay` and, after a while, `/stay-later` do so for as long as the caller does."""
        path = scope["path"]
        body, more = b"", path != "/early"
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.left += 1
                return
            body, more = body + message.get("body", b""), message.get("more_body", False)
        if path.startswith("/stay"):
            await self.stay(scope, receive, 0.3 if path == "/stay-later" else 0.0)
            return
        if path == "/wait":
            await asyncio.to_thread(self.release.wait)
        self.seen.append(body)
        said = b"x" * LARGE if path == "/large" else b"%d" % len(body)
        headers = [(b"content-length", b"%d" % len(said))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": said})

    async def stay(self, scope: Any, receive: Any, first_s: float) -> None:
        await asyncio.sleep(first_s)
        try:
            with WhilePresent(scope, receive):
                self.staying += 1
                await asyncio.sleep(WAIT_S)
        except CallerGone:
            self.left += 1

    def connect(self) -> socket.socket:
        """A connection that gives up after WAIT_S."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=WAIT_S)

    def say(self, data: bytes) -> bytes:
        """All that comes back until the server closes."""
        with self.connect() as caller:
            caller.sendall(data)
            return hear(caller)


def hear(caller: socket.socket) -> bytes:
    """Everything until the end; a reset is an end as well."""
    said = b""
    try:
        while piece := caller.recv(65_536):
            said += piece
    except ConnectionError:
        pass
    return said


@contextmanager
def running(limits: Limits, files: int = 4_096) -> Iterator[Small]:
    small = Small(limits, files)
    small.thread.start()
    while not small.server.started:
        small.thread.join(0.01)
        assert small.thread.is_alive()
    try:
        yield small
    finally:
        small.release.set()
        small.server.should_exit = True
        small.thread.join(WAIT_S)
