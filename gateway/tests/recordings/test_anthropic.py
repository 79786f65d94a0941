"""Recorded messages say here what they say there.

Each file holds one provider's reply. What it should amount to is worked out below from the provider's own JSON, by
code that shares nothing with the reader.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.canon.ask import Thought
from gateway.canon.event import Finish, Usage
from gateway.canon.fault import Broken, ErrorInReply
from gateway.canon.reply import Reply
from gateway.tests.recordings.loading import data_of, find, name_of, read_in_pieces, require, response_of
from gateway.wire.anthropic import CLIENT

FILES = find("anthropic", "[!_]*/anthropic-messages__*.json")
FINISHES = {
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP_SEQUENCE,
    "max_tokens": Finish.LENGTH,
    "tool_use": Finish.TOOL_USE,
    "refusal": Finish.REFUSAL,
}
STATUSES = {"overloaded_error": 529, "rate_limit_error": 429, "api_error": 500}


def test_the_recordings_are_there() -> None:
    require(FILES, 50)


@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_a_recorded_reply_is_read_as_what_it_says(file: Path) -> None:
    response, body, streamed = response_of(file)
    if response["status"] >= 400:
        error = response["body"]["error"]
        assert CLIENT.read_error(response["status"], body) == (error["message"], error["type"])
        return

    reply = read_in_pieces(CLIENT, body, response["headers"].get("content-type", ""), file.stem)
    said = message_of(response["stream"]) if streamed else response["body"]

    assert reply.text == "".join(block["text"] for block in said["content"] if block["type"] == "text")
    assert reply.reasoning == "".join(block["thinking"] for block in said["content"] if block["type"] == "thinking")
    assert reply.usage == usage_of(said["usage"])
    if said.get("spliced"):
        assert isinstance(reply.fault, Broken)
        return
    if said.get("error"):
        assert isinstance(reply.fault, ErrorInReply)
        assert reply.fault.message == said["error"]["message"]
        assert reply.fault.upstream_status == STATUSES[said["error"]["type"]]
        return
    assert reply.fault is None
    calls = [block for block in said["content"] if block["type"] == "tool_use"]
    assert [(call.id, call.name, json.loads(call.arguments)) for call in reply.calls] == [
        (block["id"], block["name"], block["input"]) for block in calls
    ]
    assert signatures_of(reply) == [block["signature"] for block in said["content"] if block.get("signature")]
    assert reply.finish is (Finish.TOOL_USE if calls else FINISHES[said["stop_reason"]])
    assert (reply.native, reply.sequence) == (said["stop_reason"] or "", said["stop_sequence"] or "")


def message_of(stream: str) -> dict[str, Any]:
    """The first message in a stream, put together from its events."""
    said: dict[str, Any] = {"content": [], "usage": {}, "stop_reason": None, "stop_sequence": None, "spliced": False}
    blocks: dict[int, dict[str, Any]] = {}
    for event in data_of(stream):
        match event["type"]:
            case "message_start" if blocks:
                said["spliced"] = True
                break
            case "message_start" | "message_delta":
                counts = event.get("message", event).get("usage", {})
                said["usage"].update({name: count for name, count in counts.items() if count is not None})
                said.update(event.get("delta", {}))
            case "content_block_start":
                block = blocks[event["index"]] = {**event["content_block"], "json": ""}
                said["content"].append(block)
            case "content_block_delta":
                add_piece(blocks[event["index"]], event["delta"])
            case "error":
                said["error"] = event["error"]
            case "message_stop":
                break
            case _:
                pass
    for block in said["content"]:
        if block["json"] and not said["spliced"]:
            block["input"] = json.loads(block["json"])
    return said


def add_piece(block: dict[str, Any], piece: dict[str, Any]) -> None:
    for name in ("text", "thinking", "signature"):
        if piece["type"] == f"{name}_delta":
            block[name] = block.get(name, "") + piece[name]
    block["json"] += piece.get("partial_json", "")


def usage_of(counts: dict[str, Any]) -> Usage:
    read, written = counts.get("cache_read_input_tokens") or 0, counts.get("cache_creation_input_tokens") or 0
    thought = (counts.get("output_tokens_details") or {}).get("thinking_tokens") or 0
    return Usage(counts["input_tokens"] + read + written, counts["output_tokens"], read, written, thought)


def signatures_of(reply: Reply) -> list[str]:
    seals = [json.loads(bytes(part.seal)) for part in reply.parts if isinstance(part, Thought) and part.seal]
    return [seal["anthropic"]["signature"] for seal in seals if "signature" in seal["anthropic"]]
