"""Recorded replies of Ollama servers say here what they say there.

Each file holds one reply, of chat or of generate. What it should amount to is worked out below from the server's own
JSON, by code that shares nothing with the reader.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from gateway.canon.event import Finish, Usage
from gateway.canon.fault import ErrorInReply
from gateway.tests.recordings.loading import find, name_of, read_in_pieces, require, response_of
from gateway.wire.ollama import CLIENT

FILES = find("ollama", "[!_]*/ollama-chat__*.json", "[!_]*/ollama-generate__*.json")


def test_the_recordings_are_there() -> None:
    require(FILES, 15)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("file", FILES, ids=name_of)
def test_a_recorded_reply_is_read_as_what_it_says(file: Path, seed: int) -> None:
    response, body, streamed = response_of(file, indent=seed)
    if response["status"] >= 400:
        assert CLIENT.read_error(response["status"], body)[0] == response["body"]["error"]
        return
    reply = read_in_pieces(CLIENT, body, "application/x-ndjson", seed)
    said = [json.loads(line) for line in response["stream"].splitlines() if line] if streamed else [response["body"]]

    messages = [line.get("message", line) for line in said if "error" not in line]
    assert reply.text == "".join(message.get("content") or message.get("response") or "" for message in messages)
    assert reply.reasoning == "".join(message.get("thinking") or "" for message in messages)
    calls = [call["function"] for message in messages for call in message.get("tool_calls") or []]
    assert [(call.name, json.loads(call.arguments)) for call in reply.calls] == [
        (call["name"], call["arguments"]) for call in calls
    ]
    assert all(call.id for call in reply.calls)
    if "error" in said[-1]:
        assert reply.fault == ErrorInReply(said[-1]["error"])
        return
    assert reply.fault is None
    assert reply.usage == usage_of(said[-1])
    reason = said[-1].get("done_reason", "")
    assert (reply.finish, reply.native) == (finish_of(reason, calls), reason)


def usage_of(last: dict[str, Any]) -> Usage | None:
    if "prompt_eval_count" not in last and "eval_count" not in last:
        return None
    return Usage(last.get("prompt_eval_count", 0), last.get("eval_count", 0))


def finish_of(reason: str, calls: list[Any]) -> Finish:
    if reason == "length":
        return Finish.LENGTH
    return Finish.TOOL_USE if calls else Finish.STOP
