"""Recorded chat completions say here what they say there.

Each file holds one provider's reply. What it should amount to is worked out below from the provider's own JSON, by
code that shares nothing with the reader. The files beside this test are made by hand in the shapes seen; a folder of
recordings of real traffic beside the checkout, `../shared/recordings`, is read as well where there is one.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from gateway.canon.event import Event, Finish, Usage
from gateway.canon.fault import ErrorInReply
from gateway.canon.reply import Reply, fold
from gateway.wire.openai_chat import CLIENT

OWN = Path(__file__).parent / "chat"
SHARED = Path(__file__).resolve().parents[4] / "shared" / "recordings"
FILES = sorted(OWN.glob("*.json")) + sorted(SHARED.glob("[!_]*/openai-chat__*.json"))
FINISHES = {
    "stop": Finish.STOP,
    "eos": Finish.STOP,
    "length": Finish.LENGTH,
    "content_filter": Finish.CONTENT_FILTER,
    "tool_calls": Finish.TOOL_USE,
    "function_call": Finish.TOOL_USE,
}


def test_the_recordings_are_there() -> None:
    if not SHARED.is_dir():
        pytest.skip("no ../shared/recordings beside this checkout: only the hand-made replies are read")
    assert len(FILES) > 100


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_recorded_reply_is_read_as_what_it_says(file: Path) -> None:
    response = json.loads(file.read_text())["response"]
    streamed = response.get("stream") is not None
    body = (response["stream"] if streamed else json.dumps(response["body"], ensure_ascii=False)).encode()
    if response["status"] >= 400:
        message, _ = CLIENT.read_error(response["status"], body)
        assert said_in_error(response["body"]) in message
        return

    reply = read_in_pieces(body, response["headers"].get("content-type", ""), seed=file.stem)
    said = what_is_said(chunks_of(response["stream"]) if streamed else [response["body"]])

    assert reply.text == said["text"] + said["refusal"]
    assert reply.reasoning == said["reasoning"]
    assert reply.usage == said["usage"]
    if said["error"]:
        assert isinstance(reply.fault, ErrorInReply)
        assert said_in_error({"error": said["error"]}) in reply.fault.message
        assert str(reply.fault.upstream_status) in (
            str(said["error"].get("code")),
            str(said["error"].get("status_code")),
        )
        return
    assert reply.fault is None
    assert [(call.name, arguments_of(call.arguments)) for call in reply.calls] == said["calls"]
    assert all(call.id for call in reply.calls)
    assert reply.finish is finish_of(said)


def read_in_pieces(body: bytes, content_type: str, seed: str) -> Reply:
    cutter = random.Random(seed)
    reader = CLIENT.reader(content_type=content_type)
    events: list[Event] = []
    while body:
        size = cutter.choice([1, 2, 5, 40, 700, 9_000])
        events += reader.feed(body[:size])
        body = body[size:]
    return fold([*events, *reader.end()])


def chunks_of(stream: str) -> list[dict[str, Any]]:
    lines = [line.removeprefix("data:").strip() for line in stream.splitlines() if line.startswith("data:")]
    return [json.loads(line) for line in lines if line != "[DONE]"]


def what_is_said(chunks: list[dict[str, Any]]) -> dict[str, Any]:
    said: dict[str, Any] = {
        "text": "",
        "refusal": "",
        "reasoning": "",
        "calls": [],
        "usage": None,
        "error": None,
        "finish": "",
    }
    calls: dict[Any, list[str]] = {}
    for chunk in chunks:
        said["error"] = chunk.get("error") or said["error"]
        counts = chunk.get("usage") or (chunk.get("x_groq") or {}).get("usage")
        said["usage"] = usage_of(counts) if counts else said["usage"]
        for choice in chunk.get("choices") or []:
            if choice.get("index"):
                continue
            whole = chunk.get("object") == "chat.completion" or "delta" not in choice
            message = choice.get("message" if whole else "delta") or {}
            read_message(message, said, calls)
            said["finish"] = choice.get("finish_reason") or said["finish"]
    said["calls"] = [(name, arguments_of(arguments)) for name, arguments in calls.values()]
    return said


def read_message(message: dict[str, Any], said: dict[str, Any], calls: dict[Any, list[str]]) -> None:
    content = message.get("content") or ""
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for part in content:
        if part["type"] == "thinking":
            said["reasoning"] += "".join(inner["text"] for inner in part["thinking"])
        else:
            said["text"] += part["text"]
    said["refusal"] += message.get("refusal") or ""
    details = message.get("reasoning_details") or []
    said["reasoning"] += (
        message.get("reasoning_content")
        or message.get("reasoning")
        or "".join(detail.get("text") or "" for detail in details)
    )
    old = message.get("function_call")
    pieces = [{"id": "old", "function": old}] if old and old["name"] else []
    for place, piece in enumerate([*(message.get("tool_calls") or []), *pieces]):
        body = piece["custom"] if piece.get("type") == "custom" else piece["function"]
        key = piece.get("index", piece.get("id") or place)
        if piece.get("id") and key in calls:
            key = piece["id"]
        call = calls.setdefault(key, ["", ""])
        call[0] = call[0] or body.get("name") or ""
        call[1] += body.get("arguments") or body.get("input") or ""


def usage_of(counts: dict[str, Any]) -> Usage:
    given, made = counts.get("prompt_tokens_details") or {}, counts.get("completion_tokens_details") or {}
    reasoning = made.get("reasoning_tokens") or counts.get("reasoning_tokens") or 0
    output = counts["completion_tokens"]
    if reasoning and counts["total_tokens"] == counts["prompt_tokens"] + output + reasoning:
        output += reasoning
    cached = given.get("cached_tokens", counts.get("prompt_cache_hit_tokens", counts.get("cached_tokens"))) or 0
    return Usage(counts["prompt_tokens"], output, cached, given.get("cache_write_tokens") or 0, reasoning)


def finish_of(said: dict[str, Any]) -> Finish:
    finish = FINISHES[said["finish"] or "stop"]
    if said["calls"] and finish is Finish.STOP:
        return Finish.TOOL_USE
    return Finish.STOP if finish is Finish.TOOL_USE and not said["calls"] else finish


def arguments_of(text: str) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def said_in_error(body: Any) -> Any:
    error = body.get("error")
    return (error.get("message") if isinstance(error, dict) else error) or body.get("detail")
