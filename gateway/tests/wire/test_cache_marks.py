"""Cache marks of one API go on in the words of another, and not at all to members that refuse them."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Text, Tool, ToolCall, ToolResult, Turn
from gateway.wire.base import Facts
from gateway.wire.registry import CLIENTS

EPHEMERAL = {"type": "ephemeral"}


def sent(api: str, protocol: str, mark: bytes, **facts: Any) -> tuple[str, tuple[str, ...]]:
    cache = Raw(mark)
    turns = (
        Turn("user", (Text("a", cache), Text("b"))),
        Turn("assistant", (ToolCall("t", "f", "{}", cache=cache),)),
        Turn("tool", (ToolResult("t", (Text("ok", cache),), cache=cache),)),
    )
    outgoing = CLIENTS[api].write_ask(Ask(protocol, "m", turns, tools=(Tool("f", cache=cache),)), Facts("m", **facts))
    return json.dumps(json.loads(outgoing.body)["messages"]), outgoing.notes


@pytest.mark.parametrize("api", ["openai_chat", "anthropic"])
@pytest.mark.parametrize(
    ("mark", "written"),
    [
        (b'{"mode":"explicit"}', EPHEMERAL),
        (b"true", EPHEMERAL),
        (b'{"type":"ephemeral","ttl":"1h"}', {**EPHEMERAL, "ttl": "1h"}),
    ],
)
def test_a_mark_goes_on_in_words_that_are_taken(api: str, mark: bytes, written: dict[str, str]) -> None:
    messages, _ = sent(api, "openai_responses", mark)

    assert json.dumps({"cache_control": written})[1:-1] in messages
    assert messages.count("cache_control") == messages.count(json.dumps(written))


def test_a_caller_of_the_same_protocol_keeps_its_marks_as_they_are() -> None:
    assert '{"x": 1}' in sent("anthropic", "anthropic", b'{"x":1}')[0]
    assert '{"x": 1}' in sent("openai_chat", "openai_chat", b'{"x":1}')[0]


@pytest.mark.parametrize("protocol", ["openai_chat", "anthropic"])
def test_a_member_that_refuses_marks_gets_none(protocol: str) -> None:
    cache = Raw(json.dumps(EPHEMERAL).encode())
    ask = Ask(protocol, "m", (Turn("user", (Text("a", cache),)),), tools=(Tool("f", cache=cache),))
    outgoing = CLIENTS["openai_chat"].write_ask(ask, Facts("m", cache_marks=False))

    assert b"cache_control" not in outgoing.body
    assert json.loads(outgoing.body)["messages"] == [{"role": "user", "content": "a"}]
    assert outgoing.notes == ("Cache marks were left out: this model does not take them.",)
