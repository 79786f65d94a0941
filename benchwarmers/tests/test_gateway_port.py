"""A port of its own for programs: it has the gateway's routes alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

PORT = 9001


async def first_word(kind: str, path: str, port: int = PORT) -> dict[str, Any]:
    """What the application says first to a connection that came in by this port."""
    from benchwarmers.asgi import Process

    said: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.connect"} if kind == "websocket" else {"type": "http.request", "body": b""}

    async def send(message: dict[str, Any]) -> None:
        said.append(message)

    scope = {"type": kind, "path": path, "method": "GET", "headers": [], "server": ("127.0.0.1", port)}
    with override_settings(BENCH=replace(settings.BENCH, gateway_port=PORT)):
        await Process()({**scope, "query_string": b"", "extensions": {}, "subprotocols": []}, receive, send)
    return said[0]


@pytest.mark.parametrize(
    "path", ["/people/", "/people/generateContent/", "/login/", "/metrics", "/health", "/practice/v1/models", "/live/"]
)
async def test_no_page_is_there(path: str) -> None:
    assert (await first_word("http", path))["status"] == 404


async def test_no_socket_is_there() -> None:
    assert await first_word("websocket", "/live/") == {"type": "websocket.close", "code": 1008}
