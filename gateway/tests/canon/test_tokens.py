"""What a whole request is estimated at."""

from __future__ import annotations

from msgspec import Raw

from gateway.canon.ask import Ask, Media, Part, Refusal, Text, Thought, Tool, ToolCall, ToolResult, Turn
from gateway.canon.flatten import flatten
from gateway.canon.tokens import TOKENS_PER_IMAGE, count_ask, estimate, estimate_prompt

FORTY = "0123456789" * 4


def ask(*turns: Turn, tools: tuple[Tool, ...] = ()) -> Ask:
    return Ask("openai_chat", "bench/core", turns, tools=tools)


def said(*parts: Part) -> Ask:
    return ask(Turn("user", (Text("Hi"),)), Turn("assistant", parts))


def test_words_count_as_a_panel_counts_them() -> None:
    asked = ask(Turn("system", (Text("Be brief."),)), Turn("user", (Text(FORTY),)), Turn("assistant", (Text("Yes."),)))
    assert count_ask(asked) == estimate_prompt(*flatten(asked), 0) > 11


def test_nothing_counts_as_nothing() -> None:
    assert count_ask(ask()) == 0


def test_every_image_counts_in_results_too() -> None:
    picture = Media("image", url="https://example.net/a.png")
    alone = ask(Turn("user", (Text("What is this?"), picture)))
    assert 2 * TOKENS_PER_IMAGE > count_ask(alone) > TOKENS_PER_IMAGE
    assert count_ask(ask(*alone.turns, Turn("tool", (ToolResult("c1", (picture,)),)))) > 2 * TOKENS_PER_IMAGE
    assert count_ask(ask(Turn("user", (Media("audio", data="AAAA"),)))) < TOKENS_PER_IMAGE


def test_tools_count_with_their_schemas_and_grammars() -> None:
    bare = ask(Turn("user", (Text("Hi"),)))
    schema = Raw(b'{"type":"object","properties":{"path":{"type":"string"}}}')
    tools = (
        Tool("read_file", FORTY, schema),
        Tool("patch", kind="custom", grammar=Raw(b'{"syntax":"lark"}')),
        Tool("search", kind="vendor", definition=Raw(b'{"type":"web_search"}')),
    )
    characters = len("read_file") + 40 + len(bytes(schema)) + len("patch") + 17 + len("search") + 21
    assert count_ask(ask(*bare.turns, tools=tools)) == estimate("x" * (characters + 2))


def test_calls_results_reasoning_and_refusals_count() -> None:
    bare = count_ask(said())
    assert count_ask(said(ToolCall("c1", "look", FORTY))) == bare + 12
    assert count_ask(said(ToolResult("c1", (Text(FORTY), Text(FORTY))))) == bare + 22
    assert count_ask(said(Thought(FORTY))) == bare + 11
    assert count_ask(said(Refusal(FORTY))) == bare + 11
