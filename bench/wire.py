"""The wire formats alone: events read from one format and written in another, and an agent's request taken apart and
put together again. One process, no network; by processor time, the best of the rounds, since a busy machine only
slows it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from bench.agent import BODIES, rewrite
from bench.ground import Ground, Pace
from bench.report import Column, count, two
from gateway.wire.base import Stamp
from gateway.wire.registry import CLIENTS, SERVERS

STAMP: Final = Stamp("id-1", 1_790_000_000, "bench/core")
QUESTION: Final = {
    "model": "bench/core",
    "max_tokens": 1_000,
    "stream": True,
    "messages": [{"role": "user", "content": "Hi"}],
}
FORMATS: Final = {"openai_chat": "chat", "anthropic": "Anthropic Messages", "openai_responses": "Responses"}
TOGETHER: Final = (1, 8)
SHARE: Final = 0.4
"""Of a visit's time that a round takes."""
COLUMNS: Final = (
    Column("from", "from"),
    Column("to", "to"),
    Column("per_s_1", "events a second, one event a read", count),
    Column("per_s_8", "eight events a read", count),
)
AGENT_COLUMNS: Final = (
    Column("protocol", "protocol"),
    Column("bytes", "bytes", "{:,}".format),
    Column("ms", "read and written again, ms", two),
)


def measure(on: Ground, pace: Pace) -> list[dict[str, Any]]:
    """A row a format: chat's events as its own."""
    rows = []
    for caller, told in FORMATS.items():
        rates = {f"per_s_{many}": best(partial(translate, caller, many), pace) for many in TOGETHER}
        rows.append({"from": "chat", "to": told, **rates})
    return rows


def measure_agent(on: Ground, pace: Pace) -> list[dict[str, Any]]:
    """A row a protocol."""
    rows = []
    for name, made in BODIES.items():
        body = made()
        rate = best(partial(rewrite, name, body), pace)
        rows.append({"protocol": FORMATS[name], "bytes": len(body), "ms": 1000 / rate})
    return rows


def best(work: Callable[[], int], pace: Pace) -> float:
    """The most units that any round did in a second of processor time."""
    rates = []
    for _ in range(pace.rounds):
        began, done = time.process_time(), 0
        while time.process_time() - began < pace.seconds * SHARE:
            done += work()
        rates.append(done / (time.process_time() - began))
    return max(rates)


CHUNKS = [
    b'data: {"id":"c1","object":"chat.completion.chunk","created":1790000000,"model":"m","choices":'
    b'[{"index":0,"delta":{"content":"word %d "},"finish_reason":null}]}\n\n' % number
    for number in range(400)
]
ENDING = (
    b'data: {"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n'
    b'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":400,"total_tokens":409}}\n\n'
    b"data: [DONE]\n\n"
)


def translate(caller: str, together: int) -> int:
    """One stream of 400 pieces from a chat upstream to this caller; how many pieces."""
    server = SERVERS[caller]
    body = QUESTION if caller != "openai_responses" else {"model": "bench/core", "stream": True, "input": "Hi"}
    writer = server.writer(server.read_ask(json.dumps(body).encode()), STAMP)
    reader = CLIENTS["openai_chat"].reader(content_type="text/event-stream")
    written = 0
    for start in range(0, len(CHUNKS), together):
        for event in reader.feed(b"".join(CHUNKS[start : start + together])):
            written += len(writer.feed(event))
    for event in (*reader.feed(ENDING), *reader.end()):
        written += len(writer.feed(event))
    if written < len(CHUNKS) * 20:
        raise RuntimeError(f"{caller} wrote only {written} bytes")
    return len(CHUNKS)
