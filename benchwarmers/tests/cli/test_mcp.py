"""The context protocol over a pipe: lines in, lines out, a gateway behind that is scripted."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.cli import mcp_session
from benchwarmers.cli.mcp_session import Session, serve
from benchwarmers.tests.cli.scripted import Answer, Scripted
from gateway.mcp.reminders import Reminders, read_transcript
from gateway.mcp.routes import Answer as RouteAnswer
from gateway.mcp.tools import Desk

ASK = {"name": "ask", "arguments": {"collection": "core", "prompt": "Who?"}}
REPLY = {
    "choices": [{"message": {"content": "Me."}}],
    "bench": {"panel": "p1", "seats": [{"call": "p1.member1", "seat": "member", "alias": "a", "status": "ok"}]},
}


def line(method: str, at: Any = None, **params: Any) -> bytes:
    told = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if at is None else {"id": at})
    return json.dumps(told).encode() + b"\n"


def talk(url: str, *lines: bytes, timeout_s: float = 10.0) -> list[Any]:
    """What is answered to these lines, after which stdin closes."""
    said: list[bytes] = []
    asyncio.run(serve(url, timeout_s, io.BytesIO(b"".join(lines)), said.append))
    assert not any(b"\n" in one for one in said)
    return [json.loads(one) for one in said]


def text(told: Any) -> str:
    assert told["result"]["isError"] is True
    return str(told["result"]["content"][0]["text"])


def test_blank_lines_and_notifications_get_no_answer_and_bad_lines_one() -> None:
    lines = (b"\n", b"  \n", line("notifications/initialized"), b"{\n", line("ping", 1))
    told = talk("http://127.0.0.1:1", *lines)
    assert [(one["id"], one.get("error", {}).get("code")) for one in told] == [(None, -32700), (1, None)]


def test_what_is_under_way_when_stdin_closes_is_finished(server: Scripted, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWARMERS_KEY", "bwk_mine")
    server.says("POST /v1/chat/completions", Answer(REPLY, after_s=0.2))
    told = talk(server.url, line("tools/call", 1, **ASK), line("ping", 2))
    assert [one["id"] for one in told] == [2, 1], "a ping is answered while the panel runs"
    assert told[1]["result"]["structuredContent"]["answer"] == "Me."
    assert server.asked[0].headers["authorization"] == "Bearer bwk_mine"


def test_nobody_there_a_refusal_a_late_answer_and_a_stranger_are_told_apart(server: Scripted) -> None:
    route = "POST /v1/chat/completions"
    gone = text(talk("http://127.0.0.1:1", line("tools/call", 1, **ASK))[0])
    assert gone.startswith("Benchwarmers is not running at http://127.0.0.1:1.")
    assert "`bench up`" in gone
    server.says(route, Answer({"error": {"message": "No such collection."}}, 404))
    refused = text(talk(server.url, line("tools/call", 1, **ASK))[0])
    assert refused == "refused POST /v1/chat/completions (404): No such collection."
    server.says(route, Answer(REPLY, after_s=5.0))
    late = text(talk(server.url, line("tools/call", 1, **ASK), timeout_s=0.5)[0])
    assert late == "No answer within 0.5 s; BENCHWARMERS_TIMEOUT is how many seconds this waits."
    server.says(route, Answer(b"<h1>", kind="text/html"))
    assert "Is the address that of a Benchwarmers server?" in text(talk(server.url, line("tools/call", 1, **ASK))[0])


def test_transcripts_are_read_on_this_machine_and_each_call_is_named_once(server: Scripted, tmp_path: Path) -> None:
    call = "p20270105-091500-7c1e.member1"
    (tmp_path / "talk.jsonl").write_text(f'{{"said": "{call}"}}\n')
    server.says("POST /bench/pending", {"pending": [call]})
    said: list[bytes] = []
    arguments = {"session": "s", "transcript": str(tmp_path / "talk.jsonl"), "active": False}
    hook = line("tools/call", 1, name="pending_verdicts", arguments=arguments)

    async def go() -> None:
        routes = mcp_session.Over(server.url, 10.0)
        session = Session(Desk(routes, Reminders(), read_transcript), said.append)
        for _ in range(2):
            session.hear(hook)
            await session.finish()
        await routes.close()

    asyncio.run(go())
    first, second = (json.loads(one)["result"]["content"][0]["text"] for one in said)
    assert (call in first, second) == (True, "")
    assert server.calls[0] == ("POST /bench/pending", {"calls": [call]})


class Gate:
    """Routes that answer when they are let, and tell when they were left."""

    def __init__(self) -> None:
        self.asked, self.open, self.left = asyncio.Event(), asyncio.Event(), False

    async def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> RouteAnswer:
        self.asked.set()
        try:
            await self.open.wait()
        except asyncio.CancelledError:
            self.left = True
            raise
        return RouteAnswer(200, json.dumps(REPLY).encode())


def test_a_cancelled_request_is_left_and_gets_no_answer() -> None:
    async def go() -> tuple[bool, list[bytes]]:
        gate, said = Gate(), list[bytes]()
        session = Session(Desk(gate, Reminders(), lambda path: ""), said.append)
        session.hear(line("tools/call", 7, **ASK))
        await gate.asked.wait()
        session.hear(line("notifications/cancelled", requestId=8))
        session.hear(line("notifications/cancelled", requestId=7))
        await session.finish()
        session.hear(line("ping", 9))
        await session.finish()
        return gate.left, said

    left, said = asyncio.run(go())
    assert (left, [json.loads(one)["id"] for one in said]) == (True, [9])


def test_a_long_panel_gives_signs_of_life_to_who_asked_for_them() -> None:
    async def go() -> list[Any]:
        gate, said = Gate(), list[bytes]()
        news = asyncio.Event()

        def write(message: bytes) -> None:
            said.append(message)
            news.set()

        session = Session(Desk(gate, Reminders(), lambda path: ""), write, news_s=0.01)
        session.hear(line("tools/call", 7, **ASK, _meta={"progressToken": "t"}))
        await news.wait()
        gate.open.set()
        await session.finish()
        return [json.loads(one) for one in said]

    told = asyncio.run(go())
    assert told[0]["method"] == "notifications/progress"
    assert told[0]["params"]["progressToken"] == "t"
    assert told[-1]["id"] == 7


def test_a_reader_that_hears_nothing_keeps_no_thread_of_the_loop() -> None:
    held = threading.Event()

    class Silent:
        def __iter__(self) -> Any:
            yield line("ping", 1)
            held.wait()

    async def go() -> None:
        answered = asyncio.Event()
        running = asyncio.ensure_future(serve("http://127.0.0.1:1", 1.0, Silent(), lambda _: answered.set()))
        await answered.wait()
        running.cancel()
        await asyncio.wait([running])

    asyncio.run(go())
    held.set()
