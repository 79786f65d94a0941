"""Requests by hand: written as a caller would, read, and sent on to a member."""

import json
from typing import Any

import pytest

from gateway.canon.ask import Ask, Part, Text, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.anthropic import CLIENT, SERVER
from gateway.wire.base import Facts

USER = {"role": "user", "content": "hi"}
TOOL = {"name": "f", "description": "does f", "input_schema": {"type": "object"}}
CALL = {"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}}
RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "21 C"}
MARK = {"type": "ephemeral"}
PNG = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo"}

HELLO = Turn("user", (Text("hi"),))


def body(**fields: Any) -> bytes:
    sent = {"model": "bench/core", "max_tokens": 99, "messages": [USER], **fields}
    return json.dumps(sent, ensure_ascii=False, separators=(",", ":")).encode()


def read(**fields: Any) -> Ask:
    return SERVER.read_ask(body(**fields))


def parts_of(role: str, *blocks: Any) -> tuple[Part, ...]:
    """The parts of one message's blocks."""
    return read(messages=[{"role": role, "content": list(blocks)}]).turns[0].parts


def refusal(**fields: Any) -> str:
    with pytest.raises(BadRequest) as refused:
        SERVER.read_ask(body(**fields))
    return refused.value.message


def sent(ask: Ask, **facts: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    outgoing = CLIENT.write_ask(ask, Facts("served/m", **facts))
    return json.loads(outgoing.body), outgoing.notes


def ask_of(*turns: Turn, protocol: str = "anthropic", **more: Any) -> Ask:
    return Ask(protocol, "bench/core", turns or (HELLO,), **more)


def messages_of(*turns: Turn, **more: Any) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = sent(ask_of(*turns, **more))[0]["messages"]
    return messages


def notes_of(ask: Ask, **facts: Any) -> str:
    return " ".join(sent(ask, **facts)[1])
