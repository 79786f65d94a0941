"""Measures the wire formats alone: events read from one format and written in another, and an agent's request taken
apart and put together again for a member of the same protocol.

    python -m benchwarmers.tests.performance.wire [--seconds 2]

One process, one core, no network. Prints a table; the best of five rounds, since a busy machine only ever slows it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable

from gateway.wire.base import Facts, Stamp
from gateway.wire.registry import CLIENTS, SERVERS

STAMP = Stamp("id-1", 1_790_000_000, "bench/core")
QUESTION = {"model": "bench/core", "max_tokens": 1_000, "stream": True, "messages": [{"role": "user", "content": "Hi"}]}
ROUNDS = 5


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--seconds", type=float, default=2.0)
    seconds = arguments.parse_args().seconds / ROUNDS
    print("| from | to | reads of | events a second |")
    print("|---|---|---|---|")
    for caller in ("openai_chat", "anthropic", "openai_responses"):
        for together in (1, 8):
            rate = best(lambda caller=caller, together=together: translate(caller, together), seconds)  # type: ignore[misc]
            print(f"| chat | {caller} | {together} events | {rate:,.0f} |")
    print()
    print("| protocol | bytes of an agent's request | read and written again, ms |")
    print("|---|---|---|")
    for name, body in (("openai_chat", chat_request()), ("anthropic", messages_request())):
        rate = best(lambda name=name, body=body: rewrite(name, body), seconds)  # type: ignore[misc]
        print(f"| {name} | {len(body):,} | {1000 / rate:.2f} |")


def best(work: Callable[[], int], seconds: float) -> float:
    """The most units a second that any round did."""
    rates = []
    for _ in range(ROUNDS):
        began, done = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            done += work()
        rates.append(done / (time.perf_counter() - began))
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


def rewrite(name: str, body: bytes) -> int:
    """One request read and written again for a member that speaks the same protocol."""
    outgoing = CLIENTS[name].write_ask(SERVERS[name].read_ask(body), Facts(served="m"))
    if len(outgoing.body) < len(body) // 2:
        raise RuntimeError(f"{name} kept only {len(outgoing.body)} of {len(body)} bytes")
    return 1


def tools(count: int) -> list[dict[str, object]]:
    """Definitions as agents send them: a page of prose and a schema each."""
    properties = {f"field_{number}": {"type": "string", "description": "what it means " * 6} for number in range(6)}
    schema = {"type": "object", "properties": properties, "required": ["field_0"]}
    return [
        {"name": f"tool_{number}", "description": "how to use it " * 90, "schema": schema} for number in range(count)
    ]


def chat_request() -> bytes:
    """A hundred kilobytes: system prompt, twenty tools, twenty turns with calls and results."""
    turns: list[dict[str, object]] = [{"role": "system", "content": "You are careful. " * 1_000}]
    for number in range(10):
        call = {"id": f"c{number}", "type": "function", "function": {"name": "tool_1", "arguments": '{"field_0":"a"}'}}
        turns += [
            {"role": "user", "content": "please look " * 60},
            {"role": "assistant", "content": "looking", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": "line of a file\n" * 180},
        ]
    functions = [
        {
            "type": "function",
            "function": {key: tool[key] for key in ("name", "description")} | {"parameters": tool["schema"]},
        }
        for tool in tools(20)
    ]
    return json.dumps({"model": "bench/core", "stream": True, "messages": turns, "tools": functions}).encode()


def messages_request() -> bytes:
    """The same in Anthropic's shape, with cache marks."""
    mark = {"type": "ephemeral"}
    turns: list[dict[str, object]] = []
    for number in range(10):
        call = {"type": "tool_use", "id": f"toolu_{number}", "name": "tool_1", "input": {"field_0": "a"}}
        result = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": "line of a file\n" * 180}
        turns += [
            {"role": "user", "content": [{"type": "text", "text": "please look " * 60}]},
            {"role": "assistant", "content": [{"type": "text", "text": "looking"}, call]},
            {"role": "user", "content": [{**result, "cache_control": mark}]},
        ]
    definitions = [
        {"name": tool["name"], "description": tool["description"], "input_schema": tool["schema"]} for tool in tools(20)
    ]
    system = [{"type": "text", "text": "You are careful. " * 1_000, "cache_control": mark}]
    body = {"model": "bench/core", "stream": True, "max_tokens": 32_000, "system": system, "messages": turns}
    return json.dumps({**body, "tools": definitions}).encode()


if __name__ == "__main__":
    main()
