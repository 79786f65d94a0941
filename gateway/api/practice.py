"""Serves the practice squad below /practice, in each format that members may speak, to this machine only.

Takes no key and looks at none: it is an upstream like any other, reached by the gateway's own client. It plays scripts
in real time and stops as soon as its caller leaves.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import ip_address
from random import Random

from gateway.api.guarded import Message, Receive, Scope, Send
from gateway.api.shelf import recall
from gateway.api.zones import GATEWAY_CAP
from gateway.canon.fault import Fault, Forbidden, NotFound, TooLarge, WrongMethod
from gateway.practice import decider
from gateway.practice.embeddings import embed
from gateway.practice.interfaces import JSON, Asked, Interface, find_interface
from gateway.practice.listings import known
from gateway.practice.squad import Script, play
from gateway.wire.decisions import read_request, write_answers

FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-real-ip"})
Pause = Callable[[float], Awaitable[None]]
_JSON = (b"content-type", JSON.encode())


class _CallerLeft(Exception):
    """Nobody waits for the answer any more."""


class Practice:
    """The ASGI app. `rng` seeds every call that brings no seed of its own; `pause` waits for so many seconds."""

    def __init__(self, rng: Random, *, pause: Pause = asyncio.sleep, clock: Callable[[], float] = time.time) -> None:
        self._rng = rng
        self._pause = pause
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        interface, path = find_interface(scope["path"])
        try:
            if not is_local(scope):
                raise Forbidden("The practice squad answers this machine only.")
            if scope["path"] in decider.PATHS:
                await _decide(scope, receive, send)
            else:
                await self._route(interface, path, scope, receive, send)
        except Fault as fault:
            await _answer(send, fault.status, interface.write_fault(fault))
        except _CallerLeft:
            return

    async def _route(self, interface: Interface, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        method = scope["method"]
        asking, embedding = interface.answers(path), interface.embedding(path)
        if (asking or embedding) and method != "POST":
            raise WrongMethod(f"{interface.prefix}{path} takes POST.")
        body = await _read(receive) if method == "POST" else b""
        if asking:
            await self._chat(
                interface, interface.read(body, path, scope.get("query_string", b"").decode("latin-1")), receive, send
            )
        elif embedding is not None:
            wanted = embedding.read(body, path)
            await _answer(send, 200, embedding.write(wanted, embed(wanted), wanted.model, None))
        elif (document := interface.listing.find(method, path, body)) is not None:
            await _answer(send, 200, document)
        else:
            raise NotFound(f"Routes: {interface.routes}.")

    async def _chat(self, interface: Interface, asked: Asked, receive: Receive, send: Send) -> None:
        request = asked.request
        rng = Random(self._rng.getrandbits(64) if request.seed is None else request.seed)  # noqa: S311 not a secret
        script = play(known(request.model), request, rng, asked.held, recall)
        id = f"{interface.id_prefix}{rng.getrandbits(96):024x}"
        playing = asyncio.ensure_future(self._play(interface, asked, script, id, send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({playing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():
                raise _CallerLeft
            playing.result()
        finally:
            for task in (playing, leaving):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def _play(self, interface: Interface, asked: Asked, script: Script, id: str, send: Send) -> None:
        failure = script.failure
        if failure is not None and failure.after is None:
            await self._pause(script.pieces[0].pause if script.pieces else 0.0)
            wait = [(b"retry-after", str(failure.wait).encode())] if failure.wait else []
            await _answer(send, failure.status, interface.write_failure(failure), wait)
        elif not asked.request.stream:
            await self._pause(sum(piece.pause for piece in script.pieces))
            await _answer(send, 200, asked.write_whole(script, id, int(self._clock())))
        else:
            await self._stream(asked, script, id, send)

    async def _stream(self, asked: Asked, script: Script, id: str, send: Send) -> None:
        headers = [(b"content-type", asked.content_type.encode()), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for pause, data in asked.write_stream(script, id, int(self._clock())):
            if pause:
                await self._pause(pause)
            await send({"type": "http.response.body", "body": data, "more_body": True})
        await send({"type": "http.response.body", "body": b""})


def is_local(scope: Scope) -> bool:
    """True for a caller on this machine: a loopback address, or the very address it called. Nothing that a proxy passed
    on is local, whoever stands behind it."""
    client, server = scope.get("client"), scope.get("server")
    if client is None or any(name in FORWARDED for name, _ in scope["headers"]):
        return False
    if server is not None and client[0] == server[0]:
        return True
    try:
        address = ip_address(client[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


async def _read(receive: Receive) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message: Message = await receive()
        if message["type"] == "http.disconnect":
            raise _CallerLeft
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > GATEWAY_CAP:
            raise TooLarge(f"The body is larger than {GATEWAY_CAP:,} bytes.")
        if not message.get("more_body"):
            return b"".join(parts)


async def _decide(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["method"] != "POST":
        raise WrongMethod(f"{scope['path']} takes POST.")
    await _answer(send, 200, write_answers(decider.decide(read_request(await _read(receive)))))


async def _left(receive: Receive) -> None:
    """Returns when the caller has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(send: Send, status: int, body: bytes, more: list[tuple[bytes, bytes]] | None = None) -> None:
    headers = [_JSON, (b"content-length", str(len(body)).encode()), *(more or [])]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
