"""Recorded chat completions say here what they say there.

Each file holds one provider's reply. What it should amount to is worked out below from the provider's own JSON, by
code that shares nothing with the reader.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.canon.event import Finish, Usage
from gateway.canon.fault import ErrorInReply
from gateway.tests.recordings.loading import data_of, find, name_of, read_in_pieces, require, response_of
from gateway.wire.openai_chat import CLIENT

FILES = find("chat", "[!_]*/openai-chat__*.json")
FINISHES = {
    "stop": Finish.STOP,
    "eos": Finish.STOP,
    "length": Finish.LENGTH,
    "content_filter": Finish.CONTENT_FILTER,
    "tool_calls": Finish.TOOL_USE,
    "function_call": Finish.TOOL_USE,
}


def test_the_recordings_are_there() -> None:
    require(FILES, 100)


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_a_recorded_reply_is_read_as_what_it_says(file: Path) -> None:
    response, body, streamed = response_of(file)
    if response["status"] >= 400:
        message, _ = CLIENT.read_error(response["status"], body)
        assert said_in_error(response["body"]) in message
        return

    reply = read_in_pieces(CLIENT, body, response["headers"].get("content-type", ""), file.stem)
    said = what_is_said(data_of(response["stream"]) if streamed else [response["body"]])

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
