"""A seal that went out to a caller in its format and came back in its next turn is known for whose it is."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Text, Thought, Tool, ToolCall
from gateway.canon.event import Finish, Usage
from gateway.canon.reply import Reply
from gateway.engine.seals import digests_of
from gateway.tests.engine.world import ask
from gateway.wire.base import Stamp
from gateway.wire.registry import SERVERS

SIGNATURE = "EqQBCkYICRgCKkDd+/9aVx3z==" * 8
SEALS = {
    "anthropic": {"anthropic": {"type": "thinking", "signature": SIGNATURE}},
    "a redacted block": {"anthropic": {"type": "redacted_thinking", "data": SIGNATURE}},
    "gemini": {"gemini": {"signature": SIGNATURE}},
    "responses": {"openai_responses": {"type": "reasoning", "id": "rs_1", "encrypted_content": SIGNATURE}},
    "another": {"another": {"blob": SIGNATURE, "n": 1}},
}
HELLO = {"role": "user", "content": "Hello"}
RESULT = "It is a map."
NEXT: dict[str, Callable[[Any], dict[str, Any]]] = {
    "openai_chat": lambda reply: {
        "messages": [HELLO, reply["choices"][0]["message"], {"role": "tool", "tool_call_id": "c1", "content": RESULT}]
    },
    "openai_responses": lambda reply: {
        "input": [HELLO, *reply["output"], {"type": "function_call_output", "call_id": "c1", "output": RESULT}]
    },
    "anthropic": lambda reply: {
        "max_tokens": 9,
        "messages": [
            HELLO,
            {"role": "assistant", "content": reply["content"]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": RESULT}]},
        ],
    },
    "gemini": lambda reply: {
        "contents": [
            {"role": "user", "parts": [{"text": "Hello"}]},
            reply["candidates"][0]["content"],
            {"role": "user", "parts": [{"functionResponse": {"name": "look", "response": {"output": RESULT}}}]},
        ]
    },
    "ollama": lambda reply: {
        "messages": [HELLO, reply["message"], {"role": "tool", "tool_name": "look", "content": RESULT}]
    },
}
"""The body of the next turn as a client of each format makes it from the reply before."""


def rewritten(value: Any) -> Any:
    """JSON as a client writes it anew: without what is null, in another order."""
    if isinstance(value, dict):
        return {name: rewritten(value[name]) for name in sorted(value, reverse=True) if value[name] is not None}
    return [rewritten(one) for one in value] if isinstance(value, list) else value


def returned(name: str, reply: Reply) -> Ask:
    asked = ask(protocol=name, tools=(Tool("look"),))
    written = SERVERS[name].writer(asked, Stamp("id", 0, "bench/core", lambda: 0.0)).whole(reply)
    body = {"model": "bench/core", **NEXT[name](json.loads(written))}
    path = "/v1beta/models/bench/core:generateContent" if name == "gemini" else ""
    return SERVERS[name].read_ask(json.dumps(rewritten(body)).encode(), path, "")


@pytest.mark.parametrize("kind", SEALS)
@pytest.mark.parametrize("name", NEXT)
def test_the_seals_of_an_answer_come_back_under_their_names(name: str, kind: str) -> None:
    seal = Raw(json.dumps(SEALS[kind]).encode())
    reply = Reply(
        (Thought("hm", seal), Text("I look."), ToolCall("c1", "look", "{}")), usage=Usage(), finish=Finish.TOOL_USE
    )
    turns = returned(name, reply).turns
    assert {one for turn in turns for one in digests_of(turn.parts)} == set(digests_of(reply.parts))


@pytest.mark.parametrize("name", NEXT)
def test_the_seal_of_a_call_comes_back_under_its_name(name: str) -> None:
    seal = Raw(json.dumps(SEALS["gemini"]).encode())
    reply = Reply((Text("I look."), ToolCall("c1", "look", "{}", seal=seal)), usage=Usage(), finish=Finish.TOOL_USE)
    turns = returned(name, reply).turns
    assert {one for turn in turns for one in digests_of(turn.parts)} == set(digests_of(reply.parts))
