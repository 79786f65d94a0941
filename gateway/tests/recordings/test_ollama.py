"""Recorded replies of Ollama servers say here what they say there.

Each file holds one reply, of chat or of generate. What it should amount to is worked out below from the server's own
JSON, by code that shares nothing with the reader. The files beside this test are made by hand in the shapes seen; a
folder of recordings of real traffic beside the checkout, `../shared/recordings`, is read as well where there is one.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from gateway.canon.event import Event, Finish, Usage
from gateway.canon.fault import ErrorInReply
from gateway.canon.reply import Reply, fold
from gateway.wire.ollama import CLIENT

OWN = Path(__file__).parent / "ollama"
SHARED = Path(__file__).resolve().parents[4] / "shared" / "recordings"
FILES = [
    *sorted(OWN.glob("*.json")),
    *sorted(SHARED.glob("[!_]*/ollama-chat__*.json")),
    *sorted(SHARED.glob("[!_]*/ollama-generate__*.json")),
]


def test_the_recordings_are_there() -> None:
    if not SHARED.is_dir():
        pytest.skip("no ../shared/recordings beside this checkout: only the hand-made replies are read")
    assert len(FILES) > 15


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_recorded_reply_is_read_as_what_it_says(file: Path, seed: int) -> None:
    response = json.loads(file.read_text())["response"]
    streamed = response.get("stream") is not None
    body = (response["stream"] if streamed else json.dumps(response["body"], ensure_ascii=False, indent=seed)).encode()
    if response["status"] >= 400:
        assert CLIENT.read_error(response["status"], body)[0] == response["body"]["error"]
        return
    reply = read_in_pieces(body, seed)
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


def read_in_pieces(body: bytes, seed: int) -> Reply:
    cutter = random.Random(seed)
    reader = CLIENT.reader(content_type="application/x-ndjson")
    events: list[Event] = []
    while body:
        size = cutter.choice([1, 2, 5, 40, 700, 9_000])
        events += reader.feed(body[:size])
        body = body[size:]
    return fold([*events, *reader.end()])


def usage_of(last: dict[str, Any]) -> Usage | None:
    if "prompt_eval_count" not in last and "eval_count" not in last:
        return None
    return Usage(last.get("prompt_eval_count", 0), last.get("eval_count", 0))


def finish_of(reason: str, calls: list[Any]) -> Finish:
    if reason == "length":
        return Finish.LENGTH
    return Finish.TOOL_USE if calls else Finish.STOP
