"""Requests by hand: written as a caller would, read, and sent on to a member."""

import json
from typing import Any

import pytest

from gateway.canon.ask import Ask, Text, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.base import Facts
from gateway.wire.openai_responses import CLIENT, SERVER

FUNCTION: dict[str, Any] = {"type": "function", "name": "f", "parameters": {"type": "object"}}
LARK: dict[str, Any] = {"type": "grammar", "syntax": "lark", "definition": "start: /.+/s"}
PATCH: dict[str, Any] = {"type": "custom", "name": "patch", "description": "Edits files.", "format": LARK}
CLOCK: dict[str, Any] = {
    "type": "namespace",
    "name": "clock",
    "description": "Time.",
    "tools": [{"type": "function", "name": "sleep"}],
}
SEARCH: dict[str, Any] = {
    "type": "tool_search",
    "execution": "client",
    "description": "Finds tools.",
    "parameters": {"type": "object"},
}


def body(**fields: Any) -> bytes:
    return json.dumps({"model": "bench/core", "input": "hi", **fields}, ensure_ascii=False).encode()


def read(**fields: Any) -> Ask:
    return SERVER.read_ask(body(**fields))


def refusal(**fields: Any) -> str:
    with pytest.raises(BadRequest) as refused:
        SERVER.read_ask(body(**fields))
    return refused.value.message


def sent(ask: Ask, **facts: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    outgoing = CLIENT.write_ask(ask, Facts("served/m", **facts))
    return json.loads(outgoing.body), outgoing.notes


def ask_of(*turns: Turn, protocol: str = "openai_responses", **more: Any) -> Ask:
    return Ask(protocol, "bench/core", turns or (Turn("user", (Text("hi"),)),), include_usage=True, **more)


def said(role: str, *content: Any) -> dict[str, Any]:
    """A message item."""
    return {"type": "message", "role": role, "content": content[0] if isinstance(content[0], str) else list(content)}
