"""What is done around every request that is not inference: it gets an id, and is told of when it is over.

The inference paths do the same for themselves (gateway/api/consumer.py), without a wrapper.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, Final

from django.http import HttpRequest, HttpResponseBase

from gateway.api.served import Note, Served
from gateway.engine.origin import ORIGIN, REQUEST_HEADER, read_origin

PAGES: Final = "pages"
CALLER: Final = "bench.caller"
"""Where in the ASGI scope a page says who asked."""
SILENT: Final = ("/static/", "/health", "/metrics")
"""Asked for all the time, and of no interest."""

App = Callable[[Any, Any, Any], Awaitable[None]]


async def serve_around(app: App, scope: Any, receive: Any, send: Any, rng: Random, note: Note | None) -> None:
    """Serve by `app`, with `x-request-id` on the answer."""
    origin = read_origin(scope["headers"], rng)
    ORIGIN.set(origin)
    began, began_at, status = time.monotonic(), time.time(), 500

    async def told(message: Any) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            headers = [*message.get("headers", ()), (REQUEST_HEADER, origin.request.encode())]
            message = {**message, "headers": headers}
        await send(message)

    try:
        await app(scope, receive, told)
    finally:
        if note is not None and not scope["path"].startswith(SILENT):
            seconds = time.monotonic() - began
            caller = scope.get(CALLER, "-")
            note(Served(scope["method"], scope["path"], status, caller, seconds, None, PAGES, origin, began_at))


class NameCaller:
    """Middleware: writes into the scope who asked for a page, where the view found out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        scope = getattr(request, "scope", None)
        person = getattr(request, "_cached_user", None)  # set by the first look at `request.user`, which costs a query
        if scope is not None and person is not None and person.is_authenticated:
            scope[CALLER] = person.get_username()
        return response
