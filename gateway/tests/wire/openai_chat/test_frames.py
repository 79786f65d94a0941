"""What is read by the bytes around it is what is read by looking at all of it."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from gateway.canon.event import Event, TextDelta
from gateway.wire.openai_chat.frames import frame_of
from gateway.wire.openai_chat.reader import ChatReader

WORDS = (" Blue", 'say "hi"', "back\\slash", "line\n", "\t", "é", "\u2028", "\U0001f600", "{}", '","content":"x', " ")


def chunk(content: str, *, ascii_only: bool = True, **more: Any) -> bytes:
    delta = {"content": content} | more.pop("delta", {})
    whole = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    whole |= {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]} | more
    return json.dumps(whole, ensure_ascii=ascii_only).encode()


def test_an_event_in_the_frame_has_its_text() -> None:
    frame = frame_of(chunk("a"), "a")
    assert frame is not None
    for word in (*WORDS, "x" * 5_000):
        assert frame.text_in(chunk(word)) == word


@pytest.mark.parametrize(
    "data",
    [
        chunk(""),
        chunk("b", id="c2"),
        chunk("b", delta={"tool_calls": []}),
        chunk("b")[:-1],
        chunk("b") + b" ",
        chunk("b").replace(b'"b"', b'"b","content":"c"'),
        chunk("b").replace(b'"b"', b'"b'),
        chunk("b").replace(b'"b"', b"null"),
        chunk("b").replace(b'"b"', b"1"),
        chunk("b").replace(b'"b"', b'"\\ud800"'),
        chunk("b").replace(b'"b"', b'"b", "refusal": "no"'),
        chunk("\u00e9", ascii_only=False),
        b"[DONE]",
        b"",
    ],
)
def test_any_other_event_is_looked_at_closely(data: bytes) -> None:
    frame = frame_of(chunk("a"), "a")
    assert frame is not None
    assert frame.text_in(data) == ""


def test_a_frame_that_cannot_be_told_is_none() -> None:
    twice = chunk("a", note={"content": "a"}).replace(b'"content": "a"}}', b'"content":"a"}}')
    assert frame_of(twice.replace(b'"content": ', b'"content":'), "a") is None
    assert frame_of(b'{"text": "a"}', "a") is None
    assert frame_of(chunk("a"), "b") is None


def test_a_stream_reads_the_same_with_every_frame_and_with_none(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(100):
        draw = Random(seed)
        events = [chunk("Well,", delta={"role": "assistant"})]
        for _ in range(30):
            more: dict[str, Any] = {} if draw.random() < 0.8 else {"id": draw.choice("ab"), "usage": None}
            events.append(chunk(draw.choice(WORDS), ascii_only=draw.random() < 0.8, **more))
        if draw.random() < 0.5:
            call = {"index": 0, "id": "t", "function": {"name": "look", "arguments": "{}"}}
            events.insert(draw.randrange(2, len(events)), chunk("", delta={"tool_calls": [call]}))
        body = b"".join(b"data: " + one + b"\n\n" for one in (*events, b"[DONE]"))
        framed = read(body)
        with monkeypatch.context() as patched:
            patched.setattr("gateway.wire.openai_chat.reader._LOOKS", 0)
            assert read(body) == framed
        assert any(type(event) is TextDelta for event in framed)


def read(body: bytes) -> list[Event]:
    reader = ChatReader()
    return [*reader.feed(body), *reader.end()]
