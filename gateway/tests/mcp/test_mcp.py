"""Messages, tools, fences and reminders, with scripted routes behind them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.mcp import words
from gateway.mcp.fence import fence
from gateway.mcp.reminders import Reminders, calls_in, read_transcript
from gateway.mcp.routes import Answer
from gateway.mcp.rpc import Message, Problem, read_message
from gateway.mcp.server import answer
from gateway.mcp.tools import Desk

CALL = "p20270105-091500-7c1e.member1"
REPLY = {
    "choices": [{"message": {"content": "Sit."}}],
    "bench": {
        "panel": "p20270105-091500-7c1e",
        "collection": "bench/core",
        "shape": "review",
        "reply": "merged",
        "seats": [
            {
                "call": CALL,
                "seat": "member",
                "alias": "wren",
                "status": "ok",
                "seconds": 1.5,
                "answer": "A",
                "error": "",
            },
            {"call": "x", "seat": "explorer", "alias": "tern", "status": "error", "seconds": 2, "error": "e" * 400},
        ],
        "merger": {"call": "m", "seat": "merger", "alias": "wren", "status": "ok", "seconds": 3, "answer": "Sit."},
        "skipped": [],
    },
}


class Scripted:
    """Answers by path, and notes what it was asked."""

    def __init__(self, **by_path: Any) -> None:
        self.by_path = {name.replace("_", "/"): told for name, told in by_path.items()}
        self.asked: list[tuple[str, str, Any]] = []

    async def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        self.asked.append((method, path, body))
        status, told = self.by_path.get(path, (404, {"error": {"message": "nothing there"}}))
        return Answer(status, told if isinstance(told, bytes) else json.dumps(told).encode())


async def call(routes: Scripted, tool: str, read: Any = lambda path: "", **said: Any) -> Any:
    desk = Desk(routes, Reminders(), read)
    message = Message("tools/call", {"name": tool, "arguments": said}, 1, wants_answer=True)
    return json.loads(await answer(desk, message, "9.9"))["result"]


async def test_ask_gives_the_answer_as_data_and_the_seats_without_what_is_empty() -> None:
    routes = Scripted(**{"/v1/chat/completions": (200, REPLY)})
    result = await call(
        routes, "ask", collection="core", prompt="Sit?", system="Be brief", merged=True, **{"with": ["tern"]}
    )
    method, path, body = routes.asked[0]
    assert (method, path) == ("POST", "/v1/chat/completions")
    assert body == {
        "model": "bench/core",
        "messages": [{"role": "system", "content": "Be brief"}, {"role": "user", "content": "Sit?"}],
        "stream": False,
        "bench": {"reply": "merged", "with": ["tern"]},
    }
    assert "\nSit.\n" in result["content"][0]["text"]
    seats = result["structuredContent"]["seats"]
    assert seats[0] == {"call": CALL, "seat": "member", "alias": "wren", "status": "ok", "seconds": 1.5, "answer": "A"}
    assert len(seats[1]["error"]) == 300
    assert "answer" not in result["structuredContent"]["merger"]
    assert "skipped" not in result["structuredContent"]


@pytest.mark.parametrize(
    ("said", "words_"),
    [
        ({"collection": " ", "prompt": "x"}, "neither may be blank"),
        ({"collection": "core"}, "'prompt' is a required property"),
        ({"collection": "core", "prompt": "x", "loud": True}, "'loud' was unexpected"),
        ({"collection": "core", "prompt": "x", "with": "tern"}, "with: 'tern' is not of type 'array'"),
        ({"collection": "core", "prompt": "x"}, "refused POST /v1/chat/completions (404): nothing there"),
    ],
)
async def test_what_cannot_be_asked_is_told_by_the_tool(said: dict[str, Any], words_: str) -> None:
    result = await call(Scripted(), "ask", **said)
    assert result["isError"] is True
    assert words_ in result["content"][0]["text"]


async def test_an_answer_that_is_no_json_asks_whether_the_address_is_right() -> None:
    result = await call(Scripted(**{"/v1/models": (200, b"<html>")}), "list_collections")
    assert "Is the address that of a Benchwarmers server?" in result["content"][0]["text"]


async def test_no_collection_is_a_sentence() -> None:
    folded = {"data": [{"id": "bench/core:merged"}, {"id": "gpt-5.5"}]}
    result = await call(Scripted(**{"/v1/models": (200, folded)}), "list_collections")
    assert result["content"][0]["text"] == words.NOBODY


async def test_what_is_owed_is_told_once_a_session_from_ids_and_transcripts() -> None:
    routes = Scripted(**{"/bench/pending": (200, {"pending": [CALL]})})
    desk = Desk(routes, Reminders(), lambda path: f"saw {CALL} in {path}")
    said = {"session": "s1", "transcript": "/t.jsonl", "calls": ["other"]}
    message = Message("tools/call", {"name": "pending_verdicts", "arguments": said}, 1, wants_answer=True)
    first, second = [json.loads(await answer(desk, message, "1"))["result"]["content"][0]["text"] for _ in "ab"]
    assert routes.asked[0][2] == {"calls": ["other", CALL]}
    hook = json.loads(first)["hookSpecificOutput"]
    assert hook["hookEventName"] == "Stop"
    assert CALL in hook["additionalContext"]
    assert second == ""
    assert (await call(routes, "pending_verdicts", active=True, calls=[CALL]))["content"][0]["text"] == ""


async def test_a_defect_is_answered_too() -> None:
    class Broken(Scripted):
        async def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
            raise ZeroDivisionError

    message = Message("tools/call", {"name": "list_collections"}, "a", wants_answer=True)
    told = json.loads(await answer(Desk(Broken(), Reminders(), str), message, "1"))
    assert (told["id"], told["error"]["code"]) == ("a", -32603)


@pytest.mark.parametrize("spoken", ["2026-07-28", "2025-06-18"])
async def test_only_the_version_without_handshake_says_that_a_result_is_complete(spoken: str) -> None:
    params = {"_meta": {"io.modelcontextprotocol/protocolVersion": spoken}}
    message = Message("tools/list", params, 1, wants_answer=True)
    result = json.loads(await answer(Desk(Scripted(), Reminders(), str), message, "1"))["result"]
    assert ("resultType" in result) == (spoken == "2026-07-28")


async def test_an_unknown_version_is_told_which_there_are() -> None:
    params = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}}
    message = Message("tools/list", params, 1, wants_answer=True)
    error = json.loads(await answer(Desk(Scripted(), Reminders(), str), message, "1"))["error"]
    assert error["code"] == -32022
    assert "2025-11-25" in error["data"]["supported"]


def test_a_fence_is_never_in_what_it_fences() -> None:
    once = fence("text", "p1")
    line = once.splitlines()[1]
    assert once.splitlines() == [words.DATA_BEGINS.format(fence=line), line, "text", line]
    twice = fence(once, "p1")
    assert twice.splitlines()[1] not in once


def test_reminders_forget_the_oldest_session() -> None:
    told = Reminders(sessions=2)
    assert told.fresh("a", ["1"]) == ["1"]
    assert told.fresh("a", ["1", "2"]) == ["2"]
    told.fresh("b", [])
    told.fresh("c", [])
    assert told.fresh("a", ["1"]) == ["1"]


def test_only_the_end_of_a_transcript_is_read(tmp_path: Path) -> None:
    file = tmp_path / "t.jsonl"
    file.write_bytes(b"x" * (9 << 20) + b" " + CALL.encode())
    assert calls_in(read_transcript(str(file))) == [CALL]
    assert read_transcript(str(tmp_path / "t.txt")) == read_transcript(str(tmp_path / "no.jsonl")) == ""


@pytest.mark.parametrize(
    "body", [b'{"jsonrpc":"2.0","id":true,"method":"ping"}', b'"ping"', b'{"id":1,"method":"ping"}']
)
def test_what_is_no_request_is_a_problem(body: bytes) -> None:
    with pytest.raises(Problem):
        read_message(body)


def test_an_answer_of_the_client_is_taken_and_left_alone() -> None:
    assert not read_message(b'{"jsonrpc":"2.0","id":1,"result":{}}').wants_answer
