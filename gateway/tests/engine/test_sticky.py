"""Which conversation a turn belongs to."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Text, Tool, Turn
from gateway.engine.sticky import ATTRIBUTION, conversation_key, instructions, session_of
from gateway.tests.engine.world import ask
from gateway.wire.registry import SERVERS

CODE = "x-claude-code-session-id"
SESSION = "x-session-id"
SYSTEM = Turn("system", (Text("Be kind."),))


def key(asked: Ask, hints: dict[str, str] | None = None, collection: str = "core", caller: str = "ci") -> str:
    return conversation_key(collection, caller, asked, hints or {})


def raw(value: Any) -> Raw:
    return Raw(json.dumps(value).encode())


def opening(*turns: Turn, **facts: Any) -> Ask:
    return ask(turns=turns, **facts)


def says(text: str) -> Turn:
    return Turn("user", (Text(text),))


def answers(text: str) -> Turn:
    return Turn("assistant", (Text(text),))


def test_the_key_is_24_hex_digits() -> None:
    assert len(key(ask())) == 24
    assert set(key(ask())) <= set("0123456789abcdef")


def test_later_turns_of_a_conversation_have_the_key_of_its_first() -> None:
    first = opening(SYSTEM, says("Hello"))
    later = opening(SYSTEM, says("Hello"), answers("Hi."), says("And now?"), Turn("system", (Text("Hurry."),)))
    assert key(first) == key(later)


@pytest.mark.parametrize(
    "other",
    [
        opening(says("Hello")),
        opening(SYSTEM, says("Hello!")),
        opening(Turn("system", (Text("Be brief."),)), says("Hello")),
    ],
)
def test_another_opening_is_another_conversation(other: Ask) -> None:
    assert key(other) != key(opening(SYSTEM, says("Hello")))


def test_callers_and_collections_are_apart() -> None:
    assert len({key(ask()), key(ask(), caller="bob"), key(ask(), collection="other")}) == 3


def test_the_parts_of_a_key_do_not_run_into_each_other() -> None:
    assert key(ask(), collection="ab", caller="c") != key(ask(), collection="a", caller="bc")
    assert key(opening(says("ab"))) != key(opening(Turn("system", (Text("a"),)), says("b")))


def test_neither_the_protocol_nor_the_name_nor_the_suffix_is_a_part() -> None:
    assert key(ask(protocol="anthropic", model="bench/core:route", stream=True)) == key(ask())


def test_text_that_is_no_unicode_has_a_key() -> None:
    assert len(key(ask("\ud800"))) == 24


SPOKEN: dict[str, dict[str, Any]] = {
    "openai_chat": {
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello"}],
        "model": "bench/core",
    },
    "openai_responses": {"instructions": "Be kind.", "input": "Hello", "model": "bench/core"},
    "anthropic": {
        "system": [
            {"type": "text", "text": f"{ATTRIBUTION} cc_version=9.1;"},
            {"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}},
        ],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello"}]}],
        "max_tokens": 9,
        "model": "bench/core:route",
    },
    "gemini": {
        "systemInstruction": {"parts": [{"text": "Be kind."}]},
        "contents": [{"role": "user", "parts": [{"text": "Hello"}]}],
    },
    "ollama": {
        "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello"}],
        "model": "bench/core",
    },
    "ollama_generate": {"system": "Be kind.", "prompt": "Hello", "model": "bench/core"},
}


def read(name: str, body: dict[str, Any]) -> Ask:
    path = "/v1beta/models/bench/core:generateContent" if name == "gemini" else ""
    return SERVERS[name].read_ask(json.dumps(body).encode(), path, "")


@pytest.mark.parametrize("name", SPOKEN)
def test_the_same_opening_is_one_conversation_in_every_format(name: str) -> None:
    assert key(read(name, SPOKEN[name])) == key(opening(SYSTEM, says("Hello")))


HELLO = opening(SYSTEM, says("Hello"))
NAMES = {
    CODE: ({CODE: "s1"}, {}),
    "metadata": ({}, {"metadata": raw({"user_id": "s2"})}),
    "prompt_cache_key": ({}, {"prompt_cache_key": raw("s3")}),
    SESSION: ({SESSION: "s4"}, {}),
}


@pytest.mark.parametrize(
    ("stronger", "weaker"), [(a, b) for a in NAMES for b in NAMES if list(NAMES).index(a) < list(NAMES).index(b)]
)
def test_names_of_a_session_count_in_their_order(stronger: str, weaker: str) -> None:
    (hints, extras), (others, more) = NAMES[stronger], NAMES[weaker]
    alone = session_of(ask(extras=extras), hints)
    assert alone != session_of(ask(extras=more), others)
    assert session_of(ask(extras={**extras, **more}), {**hints, **others}) == alone


@pytest.mark.parametrize("name", NAMES)
def test_a_session_is_one_conversation_whatever_it_opens_with_now(name: str) -> None:
    hints, extras = NAMES[name]
    first = opening(SYSTEM, says("Hello"), extras=extras)
    compacted = opening(SYSTEM, says("A summary of it all"), answers("Go on."), extras=extras)
    assert key(first, hints) == key(compacted, hints)
    assert key(first, hints) != key(HELLO)


@pytest.mark.parametrize("extras", [{}, {"tools": 1}])
def test_requests_beside_a_session_are_conversations_of_their_own(extras: dict[str, int]) -> None:
    hints = {CODE: "s1"}
    agent = opening(SYSTEM, says("Hello"), tools=(Tool("look"),))
    beside = (
        HELLO if not extras else opening(Turn("system", (Text("Give a title."),)), says("Hello"), tools=agent.tools)
    )
    assert key(agent, hints) != key(beside, hints)


@pytest.mark.parametrize(
    "extras",
    [
        {"metadata": Raw(b"[1]")},
        {"metadata": raw({"user_id": 7})},
        {"metadata": Raw(b"{broken")},
        {"metadata": raw({"user_id": ""}), "prompt_cache_key": raw("")},
        {"prompt_cache_key": raw(None)},
    ],
)
def test_a_name_that_is_none_leaves_the_opening_to_tell(extras: dict[str, Raw]) -> None:
    assert session_of(ask(extras=extras), {}) == ""
    assert key(opening(SYSTEM, says("Hello"), extras=extras)) == key(HELLO)


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("anthropic", {"metadata": {"user_id": "s2"}}),
        ("openai_chat", {"prompt_cache_key": "s2"}),
        ("openai_responses", {"prompt_cache_key": "s2"}),
    ],
)
def test_formats_bring_the_names_that_their_clients_send(name: str, more: dict[str, Any]) -> None:
    assert session_of(read(name, {**SPOKEN[name], **more}), {}) == "s2"


def test_instructions_end_where_the_conversation_begins_and_know_no_attribution() -> None:
    block = Text(f"{ATTRIBUTION} cc_version=2.1.332; cch=a1;")
    turns = (Turn("system", (block, Text("Be kind."))), Turn("developer", (Text("Be brief."),)), says("Hello"), SYSTEM)
    assert instructions(opening(*turns)) == "Be kind.\n\nBe brief."
    assert key(opening(*turns)) == key(
        opening(
            Turn("system", (Text(f"{ATTRIBUTION} cc_version=3;"), Text("Be kind."), Text("Be brief."))), says("Hello")
        )
    )
