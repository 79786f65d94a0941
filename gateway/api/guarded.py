"""Puts the guard before an ASGI app: refuses in the request's format, answers preflights, grants CORS, bounds bodies.

On the common path, a program's POST with a length, it reads the head once and adds no wrapper of its own.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from gateway.api import cors, errors, guard
from gateway.api.guard import Head, Policy
from gateway.api.speaker import form_of
from gateway.api.zones import zone_of
from gateway.canon.fault import CallerFault, TooLarge
from gateway.canon.names import LONGEST_REMEMBERED

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


MOST_REMEMBERED: Final = 1_000


class Guarded:
    """An ASGI app that hands `app` only the requests that `policy` lets in. Lifespan passes through."""

    def __init__(self, app: App, policy: Policy) -> None:
        self.app = app
        self.policy = policy
        self._let_in: set[tuple[object, ...]] = set()

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Judge the request, then serve it or refuse it. Every coroutine around an answer is run through again for each
        piece of it, so there is one less."""
        kind = scope["type"]
        if kind == "http":
            return self._http(scope, receive, send)
        if kind == "websocket":
            return self._socket(scope, receive, send)
        return self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = guard.read_head(scope["method"], scope["path"], scope["headers"])
        if head.origin is not None:
            send = self._granting(head, send)
        if head.method == "OPTIONS":
            await self._options(scope, head, send)
            return
        if fault := self._judge(head):
            await refuse(scope, fault, send)
            return
        if head.chunked and head.content_length is None:
            await _bounded(self.app, scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _judge(self, head: Head) -> CallerFault | None:
        """As guard.judge. Nearly all requests have heads that differ in their length alone."""
        looks = head.looks
        if looks in self._let_in:
            return guard.judge_length(head)
        fault = guard.judge(head, self.policy)
        if fault is None and len(head.path) <= LONGEST_REMEMBERED and len(self._let_in) < MOST_REMEMBERED:
            self._let_in.add(looks)
        return fault

    async def _options(self, scope: Scope, head: Head, send: Send) -> None:
        if fault := guard.judge_preflight(head, self.policy):
            await refuse(scope, fault, send)
            return
        if head.origin is None:
            headers = [(b"allow", cors.METHODS.encode())]
        else:
            headers = cors.preflight(head.origin, head.asked_headers)
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body"})

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = guard.read_head("GET", scope["path"], scope["headers"])
        if guard.judge_socket(head, self.policy):
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        await self.app(scope, receive, send)

    def _granting(self, head: Head, send: Send) -> Send:
        """`send` that adds the CORS grant, where the path is the gateway's and the origin is allowed."""
        origin = head.origin or ""
        if origin.lower() not in self.policy.origins or not zone_of(head.path).gateway or head.method == "OPTIONS":
            return send

        async def granting(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": cors.with_grant(message.get("headers", ()), origin)}
            await send(message)

        return granting


async def refuse(scope: Scope, fault: CallerFault, send: Send) -> None:
    """Send `fault` as the whole answer, in the format that the request speaks."""
    answer = errors.refusal(fault, form_of(scope["path"], scope["headers"], scope.get("query_string", b"")))
    await send({"type": "http.response.start", "status": answer.status, "headers": answer.headers})
    await send({"type": "http.response.body", "body": answer.body})


async def _bounded(app: App, scope: Scope, receive: Receive, send: Send) -> None:
    """Serve a body of undeclared length, and refuse it as soon as it is longer than its path allows.

    The refusal goes out at once if the answer has not begun; whatever the app sends after that is dropped.
    """
    cap = zone_of(scope["path"]).cap
    size, started, refused = 0, False, False

    async def counted() -> Message:
        nonlocal size, refused
        message = await receive()
        size += len(message.get("body", b""))
        if size > cap:
            fault = guard.too_large(cap)
            if not started and not refused:
                refused = True
                await refuse(scope, fault, send)
            raise _Overlong(fault.message)
        return message

    async def watched(message: Message) -> None:
        nonlocal started
        if not refused:
            started = True
            await send(message)

    try:
        await app(scope, counted, watched)
    except _Overlong:
        if not refused:
            raise


class _Overlong(TooLarge):
    """A chunked body passed its cap while it was read."""
