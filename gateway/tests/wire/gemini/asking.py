"""Requests by hand: written as a caller would, read, and sent on to a member."""

import json
from typing import Any

import pytest

from gateway.canon.ask import Ask, Text, Turn
from gateway.canon.fault import BadRequest
from gateway.wire.base import Facts
from gateway.wire.gemini import CLIENT, SERVER

USER = {"role": "user", "parts": [{"text": "hi"}]}
FUNCTION = {"functionDeclarations": [{"name": "f"}]}
HELLO = Turn("user", (Text("hi"),))
PATH = "/v1beta/models/bench/core:generateContent"
STREAM_PATH = "/v1beta/models/bench/core:streamGenerateContent"


def body(**fields: Any) -> bytes:
    return json.dumps({"contents": [USER], **fields}, ensure_ascii=False).encode()


def read(**fields: Any) -> Ask:
    return SERVER.read_ask(body(**fields), PATH)


def turns(*contents: Any) -> tuple[Turn, ...]:
    return read(contents=list(contents)).turns


def refusal(**fields: Any) -> str:
    with pytest.raises(BadRequest) as refused:
        read(**fields)
    return refused.value.message


def sent(ask: Ask, served: str = "served-m", **facts: Any) -> tuple[dict[str, Any], tuple[str, ...]]:
    outgoing = CLIENT.write_ask(ask, Facts(served, **facts))
    return json.loads(outgoing.body), outgoing.notes


def ask_of(*turns: Turn, protocol: str = "gemini", **more: Any) -> Ask:
    return Ask(protocol, "bench/core", turns or (HELLO,), **more)
