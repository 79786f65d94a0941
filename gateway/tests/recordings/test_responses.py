"""Recorded responses say here what they say there.

Each file holds one provider's reply. What it should amount to is worked out below from the provider's own JSON, by
code that shares nothing with the reader: from the finished response where there is one, not from its pieces.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.canon.event import Finish, Usage
from gateway.canon.reply import Reply, unfold
from gateway.tests.recordings.loading import data_of, find, name_of, read_in_pieces, require, response_of
from gateway.tests.wire.openai_responses.streams import read as read_back
from gateway.tests.wire.openai_responses.streams import told, write
from gateway.wire.openai_responses import CLIENT

FILES = find("responses", "[!_]*/openai-responses__*.json")
ODD = {
    "openai-responses__stream-falsy-argument-conversation-1-json": "a stream of chat completions",
    "openai-responses__openai-shell-container-1-chunks-txt": "put together by hand: its text and its deltas disagree",
}


def test_the_recordings_are_there() -> None:
    require(FILES, 60)


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_a_recorded_reply_is_read_as_what_it_says(file: Path) -> None:
    response, body, streamed = response_of(file)
    if response["status"] >= 400:
        message, _ = CLIENT.read_error(response["status"], body)
        assert said_in_error(response["body"]) in message
        return

    reply = read_in_pieces(CLIENT, body, response["headers"].get("content-type", ""), file.stem)
    if file.stem in ODD:
        assert reply.fault is not None or reply.notes
        return
    said = finished(response["stream"]) if streamed else response["body"]
    failure = said.get("error") or (said["status"] in ("queued", "in_progress"))
    if failure:
        assert reply.fault is not None
        assert isinstance(failure, bool) or said_in_error(said) == reply.fault.message
        return
    assert reply.fault is None
    check(reply, said)
    again = read_back(write(unfold(reply)))
    assert (again.text, again.reasoning, again.calls) == (reply.text, reply.reasoning, reply.calls)
    told(write(unfold(reply)))


def check(reply: Reply, said: dict[str, Any]) -> None:
    """The reply against the finished response of its provider."""
    items = said["output"]
    text = [
        part.get("text", part.get("refusal")) for item in items if item["type"] == "message" for part in item["content"]
    ]
    thoughts = [
        part["text"]
        for item in items
        if item["type"] == "reasoning"
        for part in [*(item.get("summary") or []), *(item.get("content") or [])]
    ]
    seals = [
        item["encrypted_content"] for item in items if item.get("encrypted_content") and item["type"] == "reasoning"
    ]
    calls = [call_of(item) for item in items if item["type"] in ("function_call", "custom_tool_call")]

    assert reply.text == "".join(text)
    assert sorted(reply.reasoning) == sorted("".join(thoughts))
    assert sum(json.dumps(seal) in bodies(reply) for seal in seals) == len(seals)
    assert [(call.id, call.name.rsplit("__", 1)[-1], arguments_of(call.arguments)) for call in reply.calls] == calls
    assert reply.usage == usage_of(said.get("usage"))
    assert reply.finish is finish_of(said, calls)
    ran = {item["type"] for item in items} - {"message", "reasoning", "function_call", "custom_tool_call"}
    assert {kind for kind in ran if any(kind in note.text for note in reply.notes)} == ran


def bodies(reply: Reply) -> str:
    return "".join(bytes(seal).decode() for part in reply.parts if (seal := getattr(part, "seal", None)) is not None)


def finished(stream: str) -> dict[str, Any]:
    """The last response of a stream, or its error."""
    events = data_of(stream)
    error = next((event for event in events if event.get("type") == "error"), None)
    if error is not None:
        return {"error": error.get("error") or error, "status": "failed"}
    last: dict[str, Any] = events[-1].get("response") or {}
    # Providers encrypt anew for the last event; what clients send back is the item as it was finished.
    done = {event["output_index"]: event["item"] for event in events if event["type"] == "response.output_item.done"}
    last["output"] = [
        item | {"encrypted_content": done.get(at, {}).get("encrypted_content")} if item["type"] == "reasoning" else item
        for at, item in enumerate(last["output"])
    ]
    return last


def call_of(item: dict[str, Any]) -> tuple[str, str, Any]:
    return item["call_id"], item["name"], arguments_of(item.get("arguments", item.get("input")))


def arguments_of(text: str | None) -> Any:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return text


def usage_of(counts: dict[str, Any] | None) -> Usage | None:
    if counts is None:
        return None
    given, made = counts["input_tokens_details"], counts["output_tokens_details"]
    return Usage(
        counts["input_tokens"],
        counts["output_tokens"],
        given["cached_tokens"],
        given.get("cache_write_tokens") or 0,
        made["reasoning_tokens"],
    )


def finish_of(said: dict[str, Any], calls: list[Any]) -> Finish:
    if said["status"] == "incomplete":
        return {"max_output_tokens": Finish.LENGTH, "content_filter": Finish.CONTENT_FILTER}[
            said["incomplete_details"]["reason"]
        ]
    return Finish.TOOL_USE if calls else Finish.STOP


def said_in_error(body: dict[str, Any]) -> str:
    error = body["error"]
    words = error["message"] if isinstance(error, dict) else error
    return str(words)
