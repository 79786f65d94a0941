"""Members of every API fail as members of chat completions do: unseen before the first piece, told after it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from collections_app.models import Collection, Endpoint, LanguageModel
from gateway.canon.event import Finish
from gateway.engine.bench import Bench
from gateway.tests.engine.rooms import Room
from gateway.tests.engine.turning import Heard, calls, turn
from gateway.tests.engine.upstream import Line, Request, Script, refuses, says, upstream
from gateway.tests.engine.written import Rows, make_rows

Query = Callable[[Callable[[], Any]], Awaitable[Any]]
GOOD = says("text Blue.", "usage 7 3", "end stop")


def sse(*events: dict[str, Any], named: bool = False) -> bytes:
    heads = [f"event: {event['type']}\n" if named else "" for event in events]
    return "".join(f"{head}data: {json.dumps(event)}\n\n" for head, event in zip(heads, events, strict=True)).encode()


def messages(*events: dict[str, Any]) -> bytes:
    start = {"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 7, "output_tokens": 1}}}
    return sse(start, *events, named=True)


def item(text: str) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}


def block(kind: str, **delta: str) -> tuple[dict[str, Any], dict[str, Any]]:
    begun = {"type": kind, ("thinking" if kind == "thinking" else "text"): ""}
    return (
        {"type": "content_block_start", "index": 0, "content_block": begun},
        {"type": "content_block_delta", "index": 0, "delta": delta},
    )


WORD = block("text", type="text_delta", text="Bl")
THOUGHT = block("thinking", type="thinking_delta", thinking="hm")
BUSY = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
CREATED = {"type": "response.created", "response": {"id": "r", "status": "in_progress", "output": []}}
DELTA = {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "item_id": "msg_1", "delta": "Bl"}


def response(status: str, **more: Any) -> dict[str, Any]:
    return {"type": f"response.{status}", "response": {"id": "r", "status": status, "output": [], **more}}


def candidate(text: str = "", **more: Any) -> dict[str, Any]:
    content = {"content": {"role": "model", "parts": [{"text": text}]}} if text else {}
    return {"candidates": [{**content, **more}]}


BEFORE: dict[str, dict[str, bytes]] = {
    "anthropic": {
        "nothing": b"",
        "an error": sse(BUSY, named=True),
        "an error after the start": messages(BUSY),
        "an error after a thought": messages(*THOUGHT, BUSY),
        "a cut after a thought": messages(*THOUGHT),
        "an end without a word": messages(
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 0}},
            {"type": "message_stop"},
        ),
        "no JSON": b"event: message_start\ndata: {broken\n\n",
    },
    "responses": {
        "nothing": b"",
        "an error": sse({"type": "error", "code": "server_error", "message": "busy"}),
        "a failure": sse(CREATED, response("failed", error={"code": "server_error", "message": "busy"})),
        "a cut after the start": sse(CREATED),
        "an end without a word": sse(CREATED, response("completed")),
        "no JSON": b"data: {broken\n\n",
    },
    "gemini": {
        "nothing": b"",
        "an error": sse({"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}),
        "an end without a word": sse(candidate(finishReason="STOP")),
        "a blocked prompt": sse({"promptFeedback": {"blockReason": "OTHER"}}),
        "no JSON": b"data: {broken\n\n",
    },
    "ollama": {
        "nothing": b"",
        "an error": b'{"error":"busy"}\n',
        "an end without a word": b'{"model":"m","message":{"role":"assistant","content":""},"done":true,'
        b'"done_reason":"stop"}\n',
        "a cut after a thought": b'{"message":{"role":"assistant","content":"","thinking":"hm"},"done":false}\n',
        "no JSON": b"{broken\n",
    },
}
AFTER: dict[str, dict[str, bytes]] = {
    "anthropic": {"a cut": messages(*WORD), "an error": messages(*WORD, BUSY)},
    "responses": {
        "a cut": sse(CREATED, DELTA),
        "a failure": sse(CREATED, DELTA, response("failed", error={"code": "server_error", "message": "busy"})),
    },
    "gemini": {
        "a cut": sse(candidate("Bl")),
        "an error": sse(candidate("Bl"), {"error": {"code": 503, "message": "busy", "status": "UNAVAILABLE"}}),
    },
    "ollama": {
        "a cut": b'{"message":{"role":"assistant","content":"Bl"},"done":false}\n',
        "an error": b'{"message":{"role":"assistant","content":"Bl"},"done":false}\n{"error":"busy"}\n',
    },
}
REFUSALS = {
    "anthropic": b'{"type":"error","error":{"type":"invalid_request_error","message":"too odd"}}',
    "responses": b'{"error":{"message":"too odd","type":"invalid_request_error","param":null,"code":null}}',
    "gemini": b'{"error":{"code":400,"message":"too odd","status":"INVALID_ARGUMENT"}}',
    "ollama": b'{"error":"too odd"}',
}
CALLS = {
    "anthropic": messages(
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I look."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ),
}


def pours(body: bytes, kind: str) -> Script:
    async def script(line: Line, request: Request) -> None:
        await line.send(f"HTTP/1.1 200 X\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n".encode() + body)
        raise ConnectionResetError  # ends the connection cleanly

    return script


def kind_of(api: str) -> str:
    return "application/x-ndjson" if api == "ollama" else "text/event-stream"


@asynccontextmanager
async def mixed_room(bench: Bench, query: Query, api: str, script: Script) -> AsyncIterator[Room]:
    """m1 speaks this API and does as the script says; m2 speaks the little wire and is well."""

    async def by_path(line: Line, request: Request) -> None:
        await (GOOD if request.line.startswith("POST /v1/little") else script)(line, request)

    async with upstream(by_path) as provider:

        def rows() -> Rows:
            made = make_rows(provider.base, models=2)
            other = Endpoint.objects.create(name="other", base=f"{provider.base}/other", api=api)
            LanguageModel.objects.filter(alias="m1").update(endpoint=other)
            Collection.objects.update(reply="route")
            return made

        made = await query(rows)
        bench.catalogue._read_at = 0.0
        yield Room(bench, query, provider, made)


async def told(bench: Bench, query: Query, api: str, script: Script) -> tuple[Heard, list[tuple[Any, ...]]]:
    async with mixed_room(bench, query, api, script) as room:
        return await turn(room), await calls(room)


@pytest.mark.parametrize(("api", "fault"), [(api, fault) for api, faults in BEFORE.items() for fault in faults])
async def test_nobody_sees_what_fails_before_the_first_piece(bench: Bench, query: Query, api: str, fault: str) -> None:
    heard, made = await told(bench, query, api, pours(BEFORE[api][fault], kind_of(api)))
    assert (heard.fault, heard.failed, heard.text) == (None, None, "Blue.")
    assert [failed["alias"] for failed in heard.bench["failed_over"]] == ["m1"]
    assert [(alias, status in ("error", "empty")) for alias, status, *_ in made] == [("m1", True), ("m2", False)]


@pytest.mark.parametrize(("api", "fault"), [(api, fault) for api, faults in AFTER.items() for fault in faults])
async def test_what_fails_after_it_is_told(bench: Bench, query: Query, api: str, fault: str) -> None:
    heard, made = await told(bench, query, api, pours(AFTER[api][fault], kind_of(api)))
    assert heard.text == "Bl"
    assert heard.failed is not None
    assert heard.failed.message.startswith("m1 failed part way through the turn: ")
    assert [row[:2] for row in made] == [("m1", "error")]


@pytest.mark.parametrize("api", REFUSALS)
async def test_a_refusal_is_quoted_in_its_own_words(bench: Bench, query: Query, api: str) -> None:
    heard, _ = await told(bench, query, api, refuses(400, body=REFUSALS[api]))
    assert heard.bench["failed_over"] == [{"alias": "m1", "error": "400: too odd"}]


async def test_a_finish_that_promises_a_call_and_has_none_is_a_stop(bench: Bench, query: Query) -> None:
    heard, _ = await told(bench, query, "anthropic", pours(CALLS["anthropic"], "text/event-stream"))
    assert (heard.text, heard.failed) == ("I look.", None)
    assert getattr(heard.events[-1], "finish", None) is Finish.STOP
