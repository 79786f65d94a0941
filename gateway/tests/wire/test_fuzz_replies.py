"""Whatever an upstream answers, its reader tells a whole story that ends once; and every caller can be told it.

`FUZZ_REPLIES` is the number of replies for each format.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Refusal, Text, Thought, Tool, ToolCall, Turn
from gateway.canon.event import Closed, Event, Failed, Finish, Usage
from gateway.canon.fault import ErrorInReply
from gateway.canon.reply import Reply, fold, unfold
from gateway.tests.wire.mutate import mutate
from gateway.wire.base import Stamp
from gateway.wire.registry import CLIENTS, SERVERS

OWN = Path(__file__).resolve().parents[1] / "recordings"
SHARED = Path(__file__).resolve().parents[4] / "shared" / "recordings"
REPLIES = int(os.environ.get("FUZZ_REPLIES", "600"))
LONGEST_S = 1.0
LARGEST = 40_000
STAMP = Stamp("id_1", 1_796_000_000, "bench/core")
SOURCES = {
    "openai_chat": ("chat", "openai-chat__"),
    "openai_responses": ("responses", "openai-responses__"),
    "anthropic": ("anthropic", "anthropic-messages__"),
    "gemini": ("gemini", "gemini-generate__"),
    "ollama": ("ollama", "ollama-chat__"),
}
OFFER = (Tool("f", parameters=Raw(b"{}")), Tool("g", kind="custom"))
SAID = Reply(
    (
        Thought("hm", Raw(b'{"openai_chat":{"reasoning_details":[{"text":"hm"}]}}')),
        Text("It is é 🌍."),
        Refusal("no"),
        ToolCall("c1", "f", '{"a":1}'),
        ToolCall("c2", "g", "free", True),
    ),
    "m",
    "id",
    Usage(5, 6, 1, 1, 1),
    Finish.TOOL_USE,
    "tool_calls",
)


def ask_in(protocol: str) -> Ask:
    offer = OFFER if protocol not in ("openai_completions", "ollama_generate") else ()
    return Ask(protocol, "bench/core", (Turn("user", (Text("hi"),)),), stream=True, tools=offer)


@lru_cache
def load_replies(name: str) -> list[bytes]:
    """What providers said with a 200: our own writer's words, our recordings, those beside the checkout."""
    writer = SERVERS[name].writer(ask_in(name), STAMP)
    found = [b"".join(map(writer.feed, unfold(SAID))), SERVERS[name].writer(ask_in(name), STAMP).whole(SAID)]
    folder, start = SOURCES[name]
    for file in [*sorted((OWN / folder).glob("*.json")), *sorted(SHARED.glob(f"[!_]*/{start}*.json"))]:
        response = json.loads(file.read_text())["response"]
        stream = response.get("stream")
        said = stream if isinstance(stream, str) else json.dumps(response.get("body"))
        if response.get("status", 200) == 200 and len(said) <= LARGEST:
            found.append(said.encode())
    return found


def spoil(rng: Random, said: bytes) -> bytes:
    """The reply with something wrong in some of its documents, or with documents lost, doubled or in another order."""
    lines = said.split(b"\n")
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(lines))
        match rng.randrange(8):
            case 0:
                del lines[at:]
            case 1:
                lines[at:at] = lines[at : at + rng.randint(1, 4)]
            case 2:
                other = rng.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case _:
                lines[at] = _spoil_line(rng, lines[at])
        lines = lines or [b""]
    return b"\n".join(lines)


def _spoil_line(rng: Random, line: bytes) -> bytes:
    start = b"data: " if line.startswith(b"data: ") else b""
    try:
        document: Any = json.loads(line.removeprefix(start))
    except (ValueError, RecursionError):
        return line[: rng.randrange(len(line) + 1)]
    return start + mutate(rng, document).replace(b"\n", b" ")


def read_in_pieces(name: str, said: bytes, rng: Random) -> list[Event]:
    """All events, the bytes cut anywhere."""
    reader = CLIENTS[name].reader(content_type="text/event-stream")
    events: list[Event] = []
    start = 0
    while start < len(said):
        end = start + rng.choice((1, 7, 100, 1_000, 100_000))
        events += reader.feed(said[start:end])
        start = end
    return [*events, *reader.end()]


def tell_everybody(events: list[Event]) -> None:
    reply = fold(events)
    for name, server in SERVERS.items():
        writer = server.writer(ask_in(name), STAMP)
        told = b"".join(map(writer.feed, events))
        assert told
        assert not writer.beat()
        try:
            msgspec.json.decode(server.writer(ask_in(name), STAMP).whole(reply), type=Raw)
        except ErrorInReply:
            assert reply.calls


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", list(CLIENTS))
def test_a_reply_is_a_story_that_ends_once(name: str) -> None:
    rng = Random(f"fuzz replies {name}")
    replies = load_replies(name)
    weights = [1 / (500 + len(said)) for said in replies]
    outcomes: Counter[str] = Counter()
    for number in range(REPLIES):
        said = spoil(rng, rng.choices(replies, weights)[0])
        began = time.thread_time()
        try:
            events = read_in_pieces(name, said, rng)
            ends = [event for event in events if isinstance(event, Closed | Failed)]
            assert events[-1:] == ends
            tell_everybody(events)
        except Exception as error:
            error.add_note(f"reply {number} of {name}: {said[:3_000]!r}")
            raise
        assert time.thread_time() - began < LONGEST_S
        outcomes[type(ends[0]).__name__] += 1
    assert min(outcomes[kind] for kind in ("Closed", "Failed")) > REPLIES // 20
    print(f"{name}: {dict(outcomes)} of {len(replies)} replies to begin from")


# --- what was found this way ------------------------------------------------------------------------------------------


def test_nothing_follows_a_failure_inside_a_whole_message() -> None:
    blocks = b'[{"type":"text","text":"a"},5,{"type":"text","text":"b"}]'
    said = b'{"type":"message","content":%b,"stop_reason":"end_turn"}' % blocks
    events = read_in_pieces("anthropic", said, Random(1))
    assert [type(event).__name__ for event in events[-2:]] == ["TextDelta", "Failed"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("openai_chat", b'{"choices":[{"message":{"content":"a","reasoning_details":[{"x":"?"}]}}]}'),
        ("openai_responses", b'{"status":"completed","output":[{"type":"web_search_call","x":"?"}]}'),
        ("anthropic", b'{"content":[{"type":"redacted_thinking","data":"?"}],"stop_reason":"end_turn"}'),
        ("gemini", b'{"candidates":[{"content":{"parts":[{"toolCall":"?"}]},"finishReason":"STOP"}]}'),
        ("ollama", b'{"message":{"content":"a","bench_thoughts":["?"]},"done":true}'),
    ],
)
def test_opaque_state_must_be_utf8(name: str, said: bytes) -> None:
    (failed,) = read_in_pieces(name, said.replace(b"?", b"\xed\xa0\x80"), Random(1))
    assert isinstance(failed, Failed)
    assert "UTF-8" in failed.fault.message


def test_opaque_state_that_is_no_list_stays_json() -> None:
    said = b'{"message":{"content":"a","bench_thoughts":10000},"done":true}'
    events = read_in_pieces("ollama", said, Random(1))
    tell_everybody(events)
