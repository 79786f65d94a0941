"""The context protocol's HTTP edge over a scripted application: news while a tool runs, leaving, cancelling, keys."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gateway.api.mcp import Mcp
from gateway.api.mcp_open import Mark
from gateway.engine.bench import Bench

LISTING = json.dumps({"data": []}).encode()


class App:
    """Answers the listing once it is let to, and notes who left."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.asked: list[Any] = []
        self.left = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.append(scope)
        await receive()
        gone = asyncio.ensure_future(receive())
        go = asyncio.ensure_future(self.go.wait())
        await asyncio.wait([gone, go], return_when=asyncio.FIRST_COMPLETED)
        self.left = gone.done()
        gone.cancel()
        go.cancel()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": LISTING})


class Caller:
    """One request: its body, and what came back."""

    def __init__(self, message: Any, **headers: str) -> None:
        self.body: list[Any] = [{"type": "http.request", "body": json.dumps(message).encode()}]
        self.gone = asyncio.Event()
        self.sent: list[Any] = []
        pairs = [(name.replace("_", "-").encode(), text.encode()) for name, text in headers.items()]
        self.scope = {"type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": pairs}

    async def receive(self) -> Any:
        if self.body:
            return self.body.pop()
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    @property
    def text(self) -> str:
        return b"".join(one.get("body", b"") for one in self.sent).decode()


async def until(ready: Callable[[], bool]) -> None:
    """Let others work until it is so."""
    async with asyncio.timeout(10):
        while not ready():  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.001)


def server(app: App, *, require_keys: bool = False, others: list[Mark] | None = None) -> Mcp:
    """`others` keeps what the other processes are told."""
    snapshot = SimpleNamespace(keys={}, signed={})

    async def begin() -> Any:
        return SimpleNamespace(snapshot=snapshot, now=datetime(2026, 1, 1, tzinfo=UTC))

    bench = SimpleNamespace(glance=lambda: snapshot, begin=begin, clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))

    async def tell_others(mark: Mark) -> None:
        if others is not None:
            others.append(mark)

    wants = {"require_keys": require_keys, "version": "9", "news_s": 0.02}
    return Mcp(cast(Bench, bench), app, tell_others=tell_others, trusted=["10.0.0.0/8"], **cast(Any, wants))


def call(at: Any, token: Any = None) -> dict[str, Any]:
    params: dict[str, Any] = {"name": "list_collections", "arguments": {}}
    if token is not None:
        params["_meta"] = {"progressToken": token}
    return {"jsonrpc": "2.0", "id": at, "method": "tools/call", "params": params}


async def test_a_tool_that_takes_long_says_so_until_it_answers() -> None:
    app = App()
    caller = Caller(call(1, token="t"), accept="application/json, text/event-stream", authorization="Bearer bwk_x")
    serving = asyncio.ensure_future(server(app)(caller.scope, caller.receive, caller.send))
    await until(lambda: caller.text.count("notifications/progress") >= 2)
    app.go.set()
    await serving
    events = [json.loads(line[6:]) for line in caller.text.splitlines() if line.startswith("data: ")]
    assert events[0]["params"]["progressToken"] == "t"
    assert events[-1]["id"] == 1
    assert events[-1]["result"]["structuredContent"] == {"collections": []}
    assert dict(app.asked[0]["headers"])[b"authorization"] == b"Bearer bwk_x"
    assert caller.sent[-1] == {"type": "http.response.body", "body": b""}


async def test_without_a_token_the_news_is_a_comment() -> None:
    app = App()
    caller = Caller(call(1), accept="text/event-stream")
    serving = asyncio.ensure_future(server(app)(caller.scope, caller.receive, caller.send))
    await until(lambda: ": still running" in caller.text)
    app.go.set()
    await serving


async def test_who_closes_the_connection_leaves_the_route() -> None:
    app = App()
    caller = Caller(call(1))
    serving = asyncio.ensure_future(server(app)(caller.scope, caller.receive, caller.send))
    await until(lambda: bool(app.asked))
    caller.gone.set()
    await serving
    await until(lambda: app.left)
    assert caller.sent == []


async def test_a_cancelled_request_leaves_the_route_too_and_only_that_one() -> None:
    app = App()
    mcp, one, other = server(app), Caller(call("a")), Caller(call("b"))
    serving = [asyncio.ensure_future(mcp(caller.scope, caller.receive, caller.send)) for caller in (one, other)]
    await until(lambda: len(app.asked) == 2)
    word = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}}
    notice = Caller(word)
    await mcp(notice.scope, notice.receive, notice.send)
    assert notice.sent[0]["status"] == 202
    await serving[0]
    assert one.sent[0]["status"] == 202
    assert not serving[1].done()
    app.go.set()
    await serving[1]
    assert json.loads(other.text)["id"] == "b"


def cancel(at: Any, **headers: str) -> Caller:
    """The word that a request is not waited for any more."""
    return Caller(
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": at, "reason": "x"}}, **headers
    )


async def test_what_does_not_run_here_is_told_to_the_others_as_it_came() -> None:
    told: list[Mark] = []
    notice = cancel(7, user_agent="codex/1", x_forwarded_for="192.0.2.9")
    notice.scope["client"] = ("10.0.0.4", 5)
    await server(App(), others=told)(notice.scope, notice.receive, notice.send)
    assert told == [Mark("local", "192.0.2.9", "codex/1", 7)]
    for at in (None, True, {"a": 1}):
        word = cancel(at)
        await server(App(), others=told)(word.scope, word.receive, word.send)
        assert word.sent[0]["status"] == 202
    assert len(told) == 1


async def test_a_word_from_another_process_cancels_what_runs_here() -> None:
    app, caller = App(), Caller(call(7), user_agent="codex/1")
    mcp = server(app)
    serving = asyncio.ensure_future(mcp(caller.scope, caller.receive, caller.send))
    await until(lambda: bool(app.asked))
    assert not mcp.cancel(Mark("local", "", "codex/2", 7))
    assert mcp.cancel(Mark("local", "", "codex/1", 7))
    await serving
    assert app.left
    assert not mcp.cancel(Mark("local", "", "codex/1", 7)), "it is forgotten at its end"


async def test_an_id_that_two_clients_use_at_once_cancels_neither(caplog: pytest.LogCaptureFixture) -> None:
    app, told = App(), list[Mark]()
    mcp, callers = server(app, others=told), [Caller(call(7)), Caller(call(7)), Caller(call(7), user_agent="other")]
    serving = [asyncio.ensure_future(mcp(caller.scope, caller.receive, caller.send)) for caller in callers]
    await until(lambda: len(app.asked) == 3)
    notice = cancel(7)
    await mcp(notice.scope, notice.receive, notice.send)
    assert "2 requests of local have the id 7" in caplog.text
    word = cancel(7, user_agent="other")
    await mcp(word.scope, word.receive, word.send)
    await serving[2]
    app.go.set()
    await asyncio.gather(*serving)
    assert [json.loads(one.text or "null") for one in callers][2] is None
    assert [json.loads(one.text)["id"] for one in callers[:2]] == [7, 7]
    assert told == []


async def test_where_keys_are_required_nobody_lists_tools_without_one() -> None:
    caller = Caller({"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    await server(App(), require_keys=True)(caller.scope, caller.receive, caller.send)
    assert caller.sent[0]["status"] == 401
    assert dict(caller.sent[0]["headers"])[b"www-authenticate"].startswith(b"Bearer")
