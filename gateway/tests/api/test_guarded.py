"""The guard in front of an app: what a caller sees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from gateway.api.guard import judge, policy_for, read_head
from gateway.api.guarded import Guarded, Message, Receive, Scope, Send
from gateway.api.zones import GATEWAY_CAP

POLICY = policy_for(["127.0.0.1:8122"], ["https://chat.example.net"])
ORIGIN = (b"origin", b"https://chat.example.net")
JSON = (b"content-type", b"application/json")
CHAT = "/v1/chat/completions"


async def echo_size(scope: Scope, receive: Receive, send: Send) -> None:
    size = 0
    while True:
        message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    await send({"type": "http.response.start", "status": 200, "headers": [(b"vary", b"Accept, Origin")]})
    await send({"type": "http.response.body", "body": str(size).encode()})


async def ask(
    path: str = CHAT,
    method: str = "POST",
    headers: Iterable[tuple[bytes, bytes]] = (JSON,),
    chunks: Iterable[bytes] = (b"{}",),
    host: bytes = b"127.0.0.1:8122",
    app: Any = echo_size,
) -> tuple[int, dict[str, str], bytes]:
    incoming: list[Message] = [{"type": "http.request", "body": chunk, "more_body": True} for chunk in chunks]
    incoming.append({"type": "http.request", "body": b"", "more_body": False})
    sent: list[Message] = []

    async def receive() -> Message:
        return incoming.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "headers": [(b"host", host), *headers]}
    await Guarded(app, POLICY)(scope, receive, send)
    assert [message["type"] for message in sent].count("http.response.start") == 1
    found = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], found, b"".join(message.get("body", b"") for message in sent[1:])


async def test_a_program_is_let_through_untouched() -> None:
    assert await ask() == (200, {"vary": "Accept, Origin"}, b"2")


async def test_an_allowed_origin_may_read_the_answer_and_its_headers() -> None:
    _, headers, _ = await ask(headers=[JSON, ORIGIN])
    assert headers["access-control-allow-origin"] == "https://chat.example.net"
    assert headers["vary"] == "Origin, Accept"
    exposed = headers["access-control-expose-headers"].split(", ")
    assert {"X-Bench-Panel", "X-Bench-Seats", "X-Bench-Conversation", "X-Bench-Model"} <= set(exposed)
    assert {"Retry-After", "WWW-Authenticate"} <= set(exposed)
    assert "access-control-allow-credentials" not in headers


async def test_an_allowed_origin_may_read_a_refusal_too() -> None:
    status, headers, _ = await ask(headers=[(b"content-type", b"text/plain"), ORIGIN])
    assert status == 415
    assert headers["access-control-allow-origin"] == "https://chat.example.net"


async def test_the_origin_is_granted_as_it_was_sent() -> None:
    _, headers, _ = await ask(headers=[JSON, (b"origin", b"https://CHAT.example.net")])
    assert headers["access-control-allow-origin"] == "https://CHAT.example.net"


@pytest.mark.parametrize("path", ["/login/", "/api/models", "/practice/v1/models"])
async def test_pages_are_granted_to_no_origin(path: str) -> None:
    _, headers, _ = await ask(path, "GET", headers=[ORIGIN])
    assert "access-control-allow-origin" not in headers


async def test_another_origin_is_granted_nothing() -> None:
    _, headers, _ = await ask(method="GET", headers=[(b"origin", b"https://evil.example")])
    assert not [name for name in headers if name.startswith("access-control")]


async def test_a_preflight_is_answered_without_asking_the_app() -> None:
    async def never(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("a preflight reached the app")

    asked = (b"access-control-request-headers", b"authorization, x-api-key, anthropic-version")
    status, headers, body = await ask(method="OPTIONS", headers=[ORIGIN, asked], app=never)
    assert (status, body) == (204, b"")
    assert headers["access-control-allow-methods"] == "GET, POST, OPTIONS"
    assert headers["access-control-allow-headers"] == "Authorization, Content-Type, x-api-key, anthropic-version"
    assert headers["access-control-max-age"] == "600"
    assert headers["access-control-allow-origin"] == "https://chat.example.net"


@pytest.mark.parametrize(
    "asked",
    [
        ", ".join(f"x-{number}" for number in range(33)),
        "x-" + "a" * 63,
        "x_underscored",
        "x-ok, x bad",
        "*",
        "x-ok,",
    ],
)
async def test_odd_lists_of_asked_headers_add_nothing(asked: str) -> None:
    header = (b"access-control-request-headers", asked.encode())
    _, headers, _ = await ask(method="OPTIONS", headers=[ORIGIN, header])
    assert headers["access-control-allow-headers"] == "Authorization, Content-Type"


async def test_thirty_two_plain_names_are_allowed() -> None:
    names = [f"x-{number}" for number in range(32)]
    header = (b"access-control-request-headers", ",".join(names).encode())
    _, headers, _ = await ask(method="OPTIONS", headers=[ORIGIN, header])
    assert headers["access-control-allow-headers"].split(", ")[2:] == names


@pytest.mark.parametrize(
    ("path", "origin", "status"),
    [(CHAT, b"https://evil.example", 403), ("/login/", b"https://chat.example.net", 501)],
)
async def test_other_preflights_are_refused(path: str, origin: bytes, status: int) -> None:
    assert (await ask(path, "OPTIONS", headers=[(b"origin", origin)]))[0] == status


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        (CHAT, {"type": "bench_gateway", "code": 403}),
        ("/bench/verdict", {"type": "bench_gateway", "code": 403}),
        ("/v1/responses", {"type": "invalid_request_error", "param": None, "code": "403"}),
        ("/v1/messages", {"type": "permission_error"}),
        ("/v1/messages/count_tokens", {"type": "permission_error"}),
        ("/v1beta/models/core:generateContent", {"code": 403, "status": "PERMISSION_DENIED"}),
        ("/v1/models/bench/core:streamGenerateContent", {"code": 403, "status": "PERMISSION_DENIED"}),
    ],
)
async def test_a_refusal_speaks_the_format_of_its_path(path: str, inside: dict[str, object]) -> None:
    status, headers, body = await ask(path, host=b"evil.example")
    error = msgspec.json.decode(body)["error"]
    assert "BENCH_ALLOWED_HOSTS" in error.pop("message")
    assert (status, headers["content-type"], error) == (403, "application/json", inside)


async def test_ollamas_refusal_is_a_bare_message() -> None:
    _, _, body = await ask("/api/chat", host=b"evil.example")
    assert isinstance(msgspec.json.decode(body)["error"], str)


async def test_a_body_without_a_length_is_counted_while_it_is_read() -> None:
    chunked = (b"transfer-encoding", b"chunked")
    half = b"x" * (GATEWAY_CAP // 2)
    assert (await ask(headers=[JSON, chunked], chunks=[half, half]))[2] == str(GATEWAY_CAP).encode()
    status, _, body = await ask(headers=[JSON, chunked, ORIGIN], chunks=[half, half, b"x"])
    assert status == 413
    assert b"20,000,000" in body


async def test_an_app_that_hides_the_overlong_body_still_gets_only_one_answer_out() -> None:
    async def stubborn(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await echo_size(scope, receive, send)
        except Exception:
            await send({"type": "http.response.start", "status": 500, "headers": []})
            await send({"type": "http.response.body", "body": b"lost"})

    status, _, body = await ask(
        "/login/",
        headers=[(b"content-type", b"multipart/form-data"), (b"transfer-encoding", b"chunked")],
        chunks=[b"x" * 1_000_001],
        app=stubborn,
    )
    assert status == 413
    assert b"lost" not in body


async def test_a_websocket_of_another_origin_is_closed_before_the_app_sees_it() -> None:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    async def never(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("the app was reached")

    headers = [(b"host", b"127.0.0.1:8122"), (b"origin", b"https://evil.example")]
    await Guarded(never, POLICY)({"type": "websocket", "path": "/live/", "headers": headers}, receive, send)
    assert sent == [{"type": "websocket.close", "code": 1008}]


FAMILIAR = {b"host": b"127.0.0.1:8122", b"content-type": b"application/json", b"content-length": b"2"}


@pytest.mark.parametrize(
    ("path", "method", "other"),
    [
        ("/v1/chat/completions", "POST", {b"host": b"elsewhere.example"}),
        ("/v1/chat/completions", "POST", {b"origin": b"https://elsewhere.example"}),
        ("/v1/chat/completions", "POST", {b"sec-fetch-site": b"cross-site"}),
        ("/v1/chat/completions", "POST", {b"content-type": b"text/plain"}),
        ("/v1/chat/completions", "POST", {b"content-encoding": b"gzip"}),
        ("/v1/chat/completions", "POST", {b"content-length": b"99999999999"}),
        ("/v1/chat/completions", "POST", {b"content-length": b"two"}),
        ("/panels/", "GET", {b"content-length": b"99999999999"}),
    ],
)
def test_a_head_that_differs_from_a_familiar_one_is_judged_anew(
    path: str, method: str, other: dict[bytes, bytes]
) -> None:
    guarded = Guarded(echo_size, POLICY)
    assert guarded._judge(read_head(method, path, list(FAMILIAR.items()))) is None
    assert guarded._judge(read_head(method, path, list(FAMILIAR.items()))) is None
    head = read_head(method, path, list({**FAMILIAR, **other}.items()))
    again, at_first = guarded._judge(head), judge(head, POLICY)
    assert at_first is not None
    assert (type(again), str(again)) == (type(at_first), str(at_first))
