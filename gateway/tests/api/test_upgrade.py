"""What a client that tries a WebSocket, or only says hello, is told."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gateway.api.greeting import is_greeting
from gateway.api.upgrade import refuse_upgrade

DENIAL = "websocket.http.response"


async def upgrade(path: str, extensions: dict[str, Any] | None) -> list[Any]:
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {"type": "websocket", "path": path, "query_string": b"", "headers": [], "extensions": extensions}
    await refuse_upgrade(scope, receive, send)
    return sent


async def test_an_upgrade_is_answered_with_a_426_and_never_accepted() -> None:
    start, body = await upgrade("/v1/responses", {DENIAL: {}})
    assert (start["type"], start["status"]) == (f"{DENIAL}.start", 426)
    assert (b"content-type", b"application/json") in start["headers"]
    assert body["type"] == f"{DENIAL}.body"
    assert json.loads(body["body"])["error"]["code"] == "426"


async def test_the_426_speaks_the_format_of_the_path() -> None:
    _, body = await upgrade("/v1/messages", {DENIAL: {}})
    assert json.loads(body["body"])["type"] == "error"


@pytest.mark.parametrize("extensions", [None, {}])
async def test_a_server_that_cannot_answer_closes(extensions: dict[str, Any] | None) -> None:
    assert await upgrade("/v1/responses", extensions) == [{"type": "websocket.close", "code": 1008}]


@pytest.mark.parametrize(
    ("method", "path", "greeting"),
    [
        ("HEAD", "/", True),
        ("HEAD", "/api/hello", True),
        ("GET", "/api/hello", True),
        ("GET", "/", False),
        ("POST", "/api/hello", False),
        ("HEAD", "/v1/models", False),
    ],
)
def test_clients_that_say_hello_are_answered(method: str, path: str, greeting: bool) -> None:
    assert is_greeting(method, path) is greeting
