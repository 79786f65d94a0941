"""Requests by hand: written as a caller would, read, and sent on to a member."""

import json
from typing import Any

import pytest

from gateway.canon.ask import Ask, Text, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.base import Facts
from gateway.wire.ollama import CLIENT, GENERATE_SERVER, SERVER

USER = {"role": "user", "content": "hi"}
FUNCTION = {"type": "function", "function": {"name": "f"}}
PNG = "iVBORw0KGgoAAAANSUhEUg=="

HELLO = Turn("user", (Text("hi"),))


def body(**fields: Any) -> bytes:
    return json.dumps({"model": "bench/core", "messages": [USER], **fields}, ensure_ascii=False).encode()


def read(**fields: Any) -> Ask:
    return SERVER.read_ask(body(**fields))


def refusal(**fields: Any) -> str:
    with pytest.raises(BadRequest) as refused:
        SERVER.read_ask(body(**fields))
    return refused.value.message


def generate(**fields: Any) -> Ask:
    return GENERATE_SERVER.read_ask(json.dumps({"model": "bench/core", "prompt": "hi", **fields}).encode())


def refused_generate(**fields: Any) -> str:
    with pytest.raises(BadRequest) as refused:
        generate(**fields)
    return refused.value.message


def sent(ask: Ask, **facts: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    outgoing = CLIENT.write_ask(ask, Facts("served/m", **facts))
    return json.loads(outgoing.body), outgoing.notes


def ask_of(*turns: Turn, protocol: str = "ollama", **more: Any) -> Ask:
    return Ask(protocol, "bench/core", turns or (HELLO,), **more)


def notes_of(ask: Ask, **facts: Any) -> str:
    return " ".join(sent(ask, **facts)[1])
