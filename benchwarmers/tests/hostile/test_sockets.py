"""Whoever floods a WebSocket is heard as slowly as they read."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn

from benchwarmers.sockets import LARGEST, BoundedSocket

HANDSHAKE = (
    b"GET /live/ HTTP/1.1\r\nhost: h\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
    b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
PING = b"\x89\xfd\0\0\0\0" + b"x" * 125  # masked by zeros
FLOOD = 64_000_000


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Hears everything and says nothing."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        pass


@pytest.fixture
def port() -> Iterator[int]:
    bound = socket.socket()
    bound.bind(("127.0.0.1", 0))
    config = uvicorn.Config(
        app,
        ws=BoundedSocket,
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        interface="asgi3",
        lifespan="off",
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([bound],), daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
        assert thread.is_alive()
    yield int(bound.getsockname()[1])
    server.should_exit = True
    thread.join(30)


def open_one(port: int) -> socket.socket:
    one = socket.create_connection(("127.0.0.1", port), timeout=60)
    one.sendall(HANDSHAKE)
    assert one.recv(4_096).startswith(b"HTTP/1.1 101")
    return one


def test_pings_that_nobody_reads_the_pongs_of_are_not_heard_for_ever(port: int) -> None:
    with open_one(port) as one:
        one.settimeout(1.0)
        sent, many = 0, PING * 500
        try:
            while sent < FLOOD:
                sent += one.send(many)
        except TimeoutError:
            pass
        assert sent < FLOOD


def test_whoever_reads_the_pongs_may_go_on(port: int) -> None:
    with open_one(port) as one:
        for _ in range(200):
            one.sendall(PING * 100)
            left = 100 * 127
            while left > 0:
                left -= len(one.recv(65_536))


def test_a_message_that_is_too_large_ends_the_socket(port: int) -> None:
    with open_one(port) as one:
        one.sendall(b"\x81\xff" + (LARGEST + 1).to_bytes(8, "big") + b"\0\0\0\0")
        said = one.recv(4_096)
        assert said[:1] == b"\x88"
        assert int.from_bytes(said[2:4], "big") == 1009
