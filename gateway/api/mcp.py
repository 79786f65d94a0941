"""The context protocol over HTTP: POST /mcp, one message a request, no sessions.

A tool may take as long as its panel does: a caller that takes event streams gets one at once, with news every few
seconds, so that no client takes the silence for death. Whoever closes the connection, or cancels the request, leaves
the panel like any caller.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final

import msgspec

from gateway.api.credentials import identify_signed, read_credential
from gateway.api.exchange import CallerGone, Receive, Send, WhilePresent, header_list, read_body
from gateway.api.mcp_inside import Inside
from gateway.api.mcp_open import Mark, Open, mark_of
from gateway.api.mcp_sign_in import refusal_headers
from gateway.api.zones import parts_of
from gateway.canon.fault import Fault
from gateway.engine.bench import Bench
from gateway.engine.snapshot import Caller
from gateway.mcp.reminders import Reminders
from gateway.mcp.rpc import NOT_JSON, Message, Problem, is_id, read_message, write_notification, write_problem
from gateway.mcp.server import answer
from gateway.mcp.tools import Desk

CANCELLED: Final = "notifications/cancelled"
JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"


def is_mcp(path: str) -> bool:
    """Whether the path is the protocol's."""
    return parts_of(path) in (["mcp"], ["v1", "mcp"])


class Mcp:
    """The protocol's server in one web process. `app` is what answers the gateway's routes; `version` our own;
    `described_at` says where a request without a credential learns how people sign programs in, if they do;
    `trusted` the networks of proxies in front; `tell_others` passes a cancellation to the other web processes; `news_s`
    are the seconds between two signs of life, for some clients give up a tool that is silent for 300."""

    def __init__(
        self,
        bench: Bench,
        app: Any,
        *,
        require_keys: bool,
        version: str,
        tell_others: Callable[[Mark], Awaitable[None]],
        trusted: Sequence[str],
        described_at: Callable[[Any], str] = lambda _scope: "",
        news_s: float,
    ) -> None:
        self._bench = bench
        self._app = app
        self._require_keys = require_keys
        self._version = version
        self._news_s = news_s
        self._reminders = Reminders()
        self._trusted = trusted
        self._tell_others = tell_others
        self._described_at = described_at
        self._open = Open()

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request."""
        match scope["method"]:
            case "POST":
                with contextlib.suppress(CallerGone):
                    await self._post(scope, receive, send)
            case "GET":
                await _whole(send, 405, b"", {"Allow": "POST"})
            case _:
                await _whole(send, 501, b"", {})

    async def _post(self, scope: Any, receive: Receive, send: Send) -> None:
        body = await read_body(receive)
        caller = await self._know(scope)
        if isinstance(caller, Fault):
            told = {"error": {"message": caller.message, "type": "authentication_error"}}
            sent = not read_credential(scope["path"], scope["headers"], scope["query_string"]).problem
            headers = refusal_headers(caller, self._described_at(scope), sent=sent)
            await _whole(send, caller.status, msgspec.json.encode(told), {"Content-Type": JSON, **headers})
            return
        try:
            message = read_message(body)
        except Problem as problem:
            status = 400 if problem.id is None and problem.code == NOT_JSON else 200
            await _whole(send, status, write_problem(problem), {"Content-Type": JSON})
            return
        if not message.wants_answer:
            await self._heed(scope, caller, message)
            await _whole(send, 202, b"", {})
            return
        desk = Desk(Inside(self._app, scope), self._reminders, lambda _path: "")
        work = asyncio.ensure_future(answer(desk, message, self._version))
        mark = mark_of(scope, self._trusted, caller.name, message.id)
        with self._open.kept(mark, work), WhilePresent(scope, receive):
            await self._tell(scope, send, message, work)

    async def _know(self, scope: Any) -> Caller | Fault:
        """Who asks, by what is known now in any process: a program that was signed out must learn it from the refusal,
        for its tool's answer would only say so in words."""
        credential = read_credential(scope["path"], scope["headers"], scope["query_string"])
        beginning = await self._bench.begin()
        return identify_signed(credential, beginning.snapshot, beginning.now.timestamp(), self._require_keys)

    def cancel(self, mark: Mark) -> bool:
        """Leave a request as if its connection had been closed; False when it is not here."""
        return self._open.cancel(mark)

    async def _heed(self, scope: Any, caller: Caller, message: Message) -> None:
        """A cancelled request ends where it runs, in this process or another."""
        at = message.params.get("requestId")
        if message.method != CANCELLED or not is_id(at):
            return
        mark = mark_of(scope, self._trusted, caller.name, at)
        if not self.cancel(mark):
            await self._tell_others(mark)

    async def _tell(self, scope: Any, send: Send, message: Message, work: asyncio.Task[bytes]) -> None:
        if message.method == "tools/call" and _takes_events(scope):
            await self._stream(send, message, work)
            return
        await asyncio.wait([work])
        if work.cancelled():
            await _whole(send, 202, b"", {})
        else:
            await _whole(send, 200, work.result(), {"Content-Type": JSON})

    async def _stream(self, send: Send, message: Message, work: asyncio.Task[bytes]) -> None:
        began = asyncio.get_running_loop().time()
        headers = {"Content-Type": EVENTS, "Cache-Control": "no-cache"}
        await send({"type": "http.response.start", "status": 200, "headers": header_list(headers)})
        while not (await asyncio.wait([work], timeout=self._news_s))[0]:
            await _piece(send, _news(message, int(asyncio.get_running_loop().time() - began)))
        if not work.cancelled():
            await _piece(send, _event(work.result()))
        await send({"type": "http.response.body", "body": b""})


def _news(message: Message, seconds: int) -> bytes:
    """A sign of life: progress where the caller asked for it, else a comment."""
    meta = message.params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    if token is None:
        return b": still running\n\n"
    told = {"progressToken": token, "progress": seconds, "message": f"The panel is running, {seconds} s"}
    return _event(write_notification("notifications/progress", told))


def _event(data: bytes) -> bytes:
    return b"event: message\ndata: " + data + b"\n\n"


def _takes_events(scope: Any) -> bool:
    return any(name == b"accept" and EVENTS.encode() in value for name, value in scope["headers"])


async def _piece(send: Send, data: bytes) -> None:
    await send({"type": "http.response.body", "body": data, "more_body": True})


async def _whole(send: Send, status: int, body: bytes, told: dict[str, str]) -> None:
    headers = header_list({**told, "Content-Length": str(len(body))})
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
