"""An agent's request of a hundred kilobytes: read from its bytes, and written again for a member that speaks the same
protocol."""

from __future__ import annotations

import json
from typing import Final

from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS, SERVERS


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


BODIES: Final = {"openai_chat": chat_request, "anthropic": messages_request}
