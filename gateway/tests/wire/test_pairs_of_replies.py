"""An answer of a member of any API reaches a caller of any other, streamed and whole: words, calls, reasoning, usage
and why it ended, as far as the two can say it.

A member's bytes are made by the writer of its own format, read by its client and written for the caller; what the
caller then reads is compared with what was said.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import product
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Raw, Struct
from msgspec.structs import replace

from gateway.canon.ask import Ask, Refusal, Text, Thought, Tool, ToolCall, Turn
from gateway.canon.event import Event, Finish, Usage
from gateway.canon.reply import Reply, ReplyPart, fold, unfold
from gateway.wire.base import Stamp
from gateway.wire.registry import CLIENTS, SERVERS

STAMP = Stamp("id_1", 1_796_000_000, "bench/core")
TOOLS = (Tool("f", parameters=Raw(b"{}")), Tool("g", parameters=Raw(b"{}")))
FREE = Tool("free", kind="custom")
KNOWS_FREE_TEXT = ("openai_chat", "openai_responses")
READERS = {**CLIENTS, "ollama_generate": CLIENTS["ollama"]}
TEXT_ONLY = ("openai_completions", "ollama_generate")
EXAMPLES = settings().max_examples // 2

UNCOUNTED = {
    "gemini": ("cache_write",),
    "ollama": ("cached", "cache_write", "reasoning"),
    "ollama_generate": ("cached", "cache_write", "reasoning"),
}
"""The shares of tokens that a format has no field for."""
FINISHES = {
    "anthropic": {Finish.CONTENT_FILTER: Finish.REFUSAL},
    "gemini": {Finish.REFUSAL: Finish.CONTENT_FILTER, Finish.STOP_SEQUENCE: Finish.STOP},
}
"""Why an answer ended, where a format has no word for it: the nearest one."""


class Said(Struct, frozen=True):
    """What of an answer a caller can tell."""

    text: str
    reasoning: str
    calls: tuple[tuple[str, str, Any, bool], ...]
    usage: Usage | None
    finish: Finish | None


def said(reply: Reply, *through: str) -> Said:
    """What is left of an answer that went through these formats."""
    usage, finish = reply.usage or Usage(), reply.finish
    for name in through:
        usage = replace(usage, **dict.fromkeys(UNCOUNTED.get(name, ()), 0))
        finish = FINISHES.get(name, {}).get(finish or Finish.STOP, finish)
    calls = tuple(
        (call.id, call.name, call.arguments if call.custom else json.loads(call.arguments), call.custom)
        for call in reply.calls
    )
    return Said(reply.text, reply.reasoning, calls, usage, finish)


def ask_of(name: str, *, free: bool) -> Ask:
    """What the caller asked. Only some formats can offer free-text tools."""
    tools = () if name in TEXT_ONLY else (*TOOLS, FREE) if free else TOOLS
    shown = {"generationConfig.thinkingConfig.includeThoughts": Raw(b"true")} if name == "gemini" else {}
    turns = (Turn("user", (Text("hi"),)),)
    return Ask(name, "bench/core", turns, stream=True, include_usage=True, tools=tools, extras=shown)


def streamed(name: str, ask: Ask, events: Iterable[Event]) -> bytes:
    writer = SERVERS[name].writer(ask, STAMP)
    return b"".join(map(writer.feed, events))


def read(name: str, body: bytes) -> tuple[list[Event], Reply]:
    reader = READERS[name].reader(content_type="")
    events = [*reader.feed(body), *reader.end()]
    return events, fold(events)


words = st.text(min_size=1, max_size=8)
objects = st.sampled_from(['{"a":1}', '{"input":"x"}', '{"b":[2],"c":"ü🌍"}', "{}"])


@st.composite
def replies(draw: st.DrawFn, *, calls: bool, free: bool) -> Reply:
    """An answer: reasoning, words, maybe a refusal, maybe calls. Shares of the tokens are less than their
    whole: Messages cannot take an estimate back with a nought."""
    parts: list[ReplyPart] = [Thought(text) for text in draw(st.lists(words, max_size=1))]
    parts += [Text(text) for text in draw(st.lists(words, min_size=1, max_size=1))]
    parts += [Refusal(text) for text in draw(st.lists(words, max_size=1))]
    for number in range(draw(st.integers(0, 2)) if calls else 0):
        if free and draw(st.booleans()):
            parts.append(ToolCall(f"call_{number}", "free", draw(words), custom=True))
        else:
            parts.append(ToolCall(f"call_{number}", draw(st.sampled_from(["f", "g"])), draw(objects)))
    called = any(isinstance(part, ToolCall) for part in parts)
    ends = [Finish.TOOL_USE] if called else [finish for finish in Finish if finish is not Finish.TOOL_USE]
    finish = draw(st.sampled_from(ends))
    usage = Usage(draw(st.integers(31, 99)), draw(st.integers(31, 99)), *(draw(st.integers(0, 15)) for _ in range(3)))
    return Reply(tuple(parts), "m", "id", usage, finish, sequence="END" if finish is Finish.STOP_SEQUENCE else "")


def as_functions(reply: Reply) -> Reply:
    """The answer of a member that knows functions only and was offered the free-text tool as one."""
    parts = tuple(
        replace(part, arguments=json.dumps({"input": part.arguments}), custom=False)
        if isinstance(part, ToolCall) and part.custom
        else part
        for part in reply.parts
    )
    return replace(reply, parts=parts)


@pytest.mark.parametrize(("member", "caller"), list(product(CLIENTS, CLIENTS)))
def test_an_answer_arrives_streamed_and_whole(member: str, caller: str) -> None:
    free = caller in KNOWS_FREE_TEXT

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(replies(calls=True, free=free), st.booleans())
    def check(reply: Reply, native: bool) -> None:
        ask = ask_of(caller, free=free)
        knows = native and member in KNOWS_FREE_TEXT
        told = reply if knows else as_functions(reply)
        events, whole = read(member, streamed(member, ask_of(member, free=knows), unfold(told)))
        assert whole.fault is None

        expected = said(reply, member, caller)
        assert said(read(caller, streamed(caller, ask, events))[1]) == expected
        assert said(read(caller, SERVERS[caller].writer(ask, STAMP).whole(whole))[1]) == expected

    check()


@pytest.mark.parametrize(("member", "caller"), list(product(CLIENTS, TEXT_ONLY)))
def test_an_answer_in_words_arrives_where_there_are_only_words(member: str, caller: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(replies(calls=False, free=False))
    def check(reply: Reply) -> None:
        ask = ask_of(caller, free=False)
        events, whole = read(member, streamed(member, ask_of(member, free=False), unfold(reply)))
        stream = streamed(caller, ask, events)
        body = SERVERS[caller].writer(ask, STAMP).whole(whole)

        if caller == "openai_completions":
            lines = [line.removeprefix("data: ") for line in stream.decode().split("\n\n")[:-2]]
            chunks = [json.loads(line) for line in lines]
            assert "".join(choice["text"] for chunk in chunks for choice in chunk["choices"]) == reply.text
            assert json.loads(body)["choices"][0]["text"] == reply.text
            assert json.loads(body)["usage"] == chunks[-1]["usage"]
            return
        expected = said(reply, member, caller)
        assert said(read(caller, stream)[1]) == said(read(caller, body)[1]) == expected

    check()
