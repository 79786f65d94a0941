"""The least that passes a chat completion on and is still a server: reads the body as JSON, asks the upstream, sends
its bytes back as they come. Plain ASGI and aiohttp. `UPSTREAM` says where it asks."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import aiohttp
import msgspec

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
HEADERS = {"content-type": "application/json", "authorization": "Bearer none"}
URL = os.environ.get("UPSTREAM", "") + "/chat/completions"


class Held:
    """The one session of the process; it needs a running loop to be made."""

    session: aiohttp.ClientSession


async def live(receive: Receive, send: Send) -> None:
    """Makes the session when the server starts, and closes it at the end."""
    await receive()
    Held.session = aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=60),
        timeout=aiohttp.ClientTimeout(total=None, sock_connect=5, sock_read=600),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
    )
    await send({"type": "lifespan.startup.complete"})
    await receive()
    await Held.session.close()
    await send({"type": "lifespan.shutdown.complete"})


async def read(receive: Receive) -> bytes:
    """The whole body."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
    return body


async def answer(send: Send, status: int, body: bytes) -> None:
    """A JSON reply."""
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def app(scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        return await live(receive, send)
    body = await read(receive)
    streamed = msgspec.json.decode(body).get("stream")
    async with Held.session.post(URL, data=body, headers=HEADERS) as reply:
        if not streamed:
            return await answer(send, reply.status, await reply.read())
        kind = reply.headers["content-type"].encode()
        await send({"type": "http.response.start", "status": reply.status, "headers": [(b"content-type", kind)]})
        async for piece in reply.content.iter_any():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
