"""Tools of every kind are lifted into one flat list, and put back where they came from."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Text, Tool, ToolCall, ToolChoice, ToolResult, Turn
from gateway.tests.wire.openai_responses.asking import (
    CLOCK,
    FUNCTION,
    LARK,
    PATCH,
    SEARCH,
    ask_of,
    read,
    refusal,
    said,
    sent,
)
from gateway.wire.openai_responses.names import flat_name

GRAMMAR = Raw(b'{"type":"grammar","grammar":{"syntax":"lark","definition":"start: /.+/s"}}')
VENDOR = {"type": "web_search", "external_web_access": True}
AGENTS = {
    "type": "namespace",
    "name": "agents",
    "description": "",
    "tools": [{**FUNCTION, "name": "spawn", "defer_loading": True, "strict": False}, {**PATCH, "name": "exec"}],
}
FOUND = {
    "type": "tool_search_output",
    "call_id": "s",
    "status": "completed",
    "execution": "client",
    "tools": [AGENTS],
}
ASKED = {
    "type": "tool_search_call",
    "call_id": "s",
    "status": "completed",
    "execution": "client",
    "arguments": {"query": "x"},
}


def tools_of(ask: Ask) -> list[tuple[str, str]]:
    return [(tool.name, tool.kind) for tool in ask.tools]


def back(ask: Ask, **facts: Any) -> Any:
    """The request as a member gets it, without what is the same for all."""
    written = sent(ask, **facts)[0]
    return {name: written.get(name) for name in ("tools", "input", "tool_choice") if name in written}


def test_tools_of_every_kind_are_on_offer_under_flat_names() -> None:
    ask = read(tools=[FUNCTION, PATCH, CLOCK, AGENTS, SEARCH, VENDOR])

    assert tools_of(ask) == [
        ("f", "function"),
        ("patch", "custom"),
        ("clock__sleep", "function"),
        ("agents__spawn", "function"),
        ("agents__exec", "custom"),
        ("tool_search", "function"),
        ("web_search", "vendor"),
    ]
    assert ask.tools[1].grammar == GRAMMAR
    assert ask.tools[5].parameters == Raw(b'{"type": "object"}')
    assert ask.tools[6].definition is not None
    assert json.loads(bytes(ask.tools[6].definition)) == VENDOR


def test_they_go_back_where_both_sides_speak_this_api() -> None:
    ask = read(tools=[FUNCTION, PATCH, CLOCK, AGENTS, SEARCH, VENDOR], tool_choice={"type": "custom", "name": "patch"})

    assert back(ask)["tools"] == [FUNCTION, PATCH, CLOCK, AGENTS, SEARCH, VENDOR]
    assert back(ask)["tool_choice"] == {"type": "custom", "name": "patch"}
    assert sent(ask)[1] == ()


def test_a_member_that_knows_functions_only_gets_functions_only_and_it_is_said() -> None:
    history = [
        {"type": "custom_tool_call", "call_id": "t", "name": "patch", "input": "raw"},
        {"type": "custom_tool_call_output", "call_id": "t", "output": "ok"},
        {"type": "function_call", "call_id": "u", "name": "sleep", "namespace": "clock", "arguments": "{}"},
        ASKED,
    ]
    choice = {"type": "function", "name": "sleep", "namespace": "clock"}
    ask = read(input=history, tools=[PATCH, CLOCK, AGENTS, SEARCH, VENDOR], tool_choice=choice)
    written, notes = sent(ask, plain_tools=True)

    assert [(tool["type"], tool["name"]) for tool in written["tools"]] == [
        ("function", name) for name in ("patch", "clock__sleep", "agents__spawn", "agents__exec", "tool_search")
    ]
    assert written["tools"][0]["parameters"]["required"] == ["input"]
    assert "start: /.+/s" in written["tools"][0]["description"]
    assert written["tool_choice"] == {"type": "function", "name": "clock__sleep"}
    assert [(item["type"], item.get("name"), item.get("arguments")) for item in written["input"]] == [
        ("function_call", "patch", '{"input":"raw"}'),
        ("function_call_output", None, None),
        ("function_call", "clock__sleep", "{}"),
        ("function_call", "tool_search", '{"query":"x"}'),
    ]
    assert [note.split(" was ")[0] for note in notes] == [
        "A free-text call",
        "The free-text tool patch",
        "The tool sleep of the namespace clock",
        "`defer_loading` of the tool agents__spawn",
        "The tool spawn of the namespace agents",
        "The tool exec of the namespace agents",
        "The free-text tool agents__exec",
        "The tool web_search",
    ]


def test_tools_that_an_item_brings_are_offered_by_such_an_item_again() -> None:
    functions = {"type": "namespace", "name": "functions", "description": "", "tools": [{**PATCH, "name": "exec"}]}
    first = {"type": "additional_tools", "id": "at_1", "role": "developer", "tools": [functions, CLOCK]}
    later = {"type": "additional_tools", "role": "developer", "tools": [FUNCTION]}
    ask = read(instructions="be kind", input=[first, said("user", "hi"), said("assistant", "yes"), later])

    assert tools_of(ask) == [("exec", "custom"), ("clock__sleep", "function"), ("f", "function")]
    written = back(ask)
    assert "tools" not in written
    assert [item.get("role") for item in written["input"]] == ["developer", "user", "assistant", "developer"]
    assert written["input"][0]["tools"][0] == functions
    assert written["input"][3]["tools"] == [FUNCTION]
    plain = back(ask, plain_tools=True)
    assert [tool["name"] for tool in plain["tools"]] == ["exec", "clock__sleep", "f"]
    assert [item["role"] for item in plain["input"]] == ["user", "assistant"]


def test_a_search_for_tools_is_a_call_and_what_it_found_is_on_offer() -> None:
    ask = read(input=[said("user", "hi"), ASKED, FOUND], tools=[SEARCH, CLOCK])

    assert tools_of(ask)[2:] == [("agents__spawn", "function"), ("agents__exec", "custom")]
    call, result = ask.turns[1].parts[0], ask.turns[2].parts[0]
    assert call == ToolCall("s", "tool_search", '{"query":"x"}')
    assert isinstance(result, ToolResult)
    assert json.loads(result.parts[0].text if isinstance(result.parts[0], Text) else "") == [AGENTS]
    written = back(ask)
    assert written["input"][1:] == [ASKED, FOUND]
    assert len(written["tools"]) == 2


def test_what_a_search_found_twice_is_on_offer_once() -> None:
    assert len(read(input=[ASKED, FOUND, ASKED, FOUND], tools=[SEARCH]).tools) == 3


def test_a_search_that_the_provider_runs_is_its_own_tool() -> None:
    ask = read(tools=[{"type": "tool_search"}, {**FUNCTION, "defer_loading": True}])

    assert tools_of(ask) == [("tool_search", "vendor"), ("f", "function")]
    assert ask.tools[1].extras == {"defer_loading": Raw(b"true")}


def test_a_later_definition_takes_the_place_of_an_earlier_one() -> None:
    ask = read(tools=[FUNCTION, PATCH, {**FUNCTION, "description": "new"}])

    assert [(tool.name, tool.description) for tool in ask.tools] == [("f", "new"), ("patch", "Edits files.")]


def test_tools_of_another_api_go_out_flat_and_say_that_they_are_not_strict() -> None:
    tools = (Tool("f"), Tool("g", strict=True), Tool("patch", kind="custom", grammar=GRAMMAR))
    written = back(ask_of(protocol="openai_chat", tools=tools, tool_choice=ToolChoice("named", "patch")))

    assert [tool.get("strict") for tool in written["tools"]] == [False, True, None]
    assert written["tools"][2]["format"] == LARK
    assert written["tool_choice"] == {"type": "custom", "name": "patch"}


@pytest.mark.parametrize(
    ("choice", "read_as"),
    [
        ("none", ToolChoice("none")),
        ("any", ToolChoice("required")),
        ({"type": "custom", "name": "patch"}, ToolChoice("named", "patch")),
        ({"type": "function", "name": "sleep", "namespace": "clock"}, ToolChoice("named", "clock__sleep")),
        ({"type": "tool_search"}, ToolChoice("named", "tool_search")),
        (None, ToolChoice()),
    ],
)
def test_tool_choices_are_read_and_written_back(choice: Any, read_as: ToolChoice) -> None:
    ask = read(tools=[FUNCTION, PATCH, CLOCK, SEARCH], tool_choice=choice)

    assert ask.tool_choice == read_as
    assert ask.extras == {}
    assert back(ask).get("tool_choice") == {"any": "required"}.get(str(choice), choice)


@pytest.mark.parametrize(
    ("choice", "mode"),
    [
        ({"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "f"}]}, "required"),
        ({"type": "allowed_tools"}, "auto"),
        ({"type": "web_search"}, "named"),
    ],
)
def test_a_choice_canon_has_no_word_for_still_reaches_members_of_this_api(choice: Any, mode: str) -> None:
    ask = read(tools=[FUNCTION, VENDOR], tool_choice=choice)

    assert ask.tool_choice.mode == mode
    assert back(ask)["tool_choice"] == choice
    plain, notes = sent(ask, plain_tools=True)
    assert plain.get("tool_choice") in (None, "required")
    assert any("`tool_choice`" in note for note in notes)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"tools": {}}, "`tools` must be a list"),
        ({"tools": [5]}, "`tools[0]` must be an object"),
        ({"tools": [{}]}, "`tools[0]` has no type"),
        ({"tools": [{"type": "function", "function": {"name": "f"}}]}, "the name stands beside the type"),
        ({"tools": [{"type": "custom"}]}, "the name stands beside the type"),
        ({"tools": [{**PATCH, "format": "lark"}]}, "`tools[0].format` must be an object"),
        ({"tools": [{"type": "namespace", "tools": []}]}, "`tools[0]` has no `name`"),
        ({"tools": [{**CLOCK, "tools": [{}]}]}, "`tools[0].tools[0]` has no type"),
        ({"tools": [CLOCK, {**FUNCTION, "name": "clock__sleep"}]}, "Rename one of them"),
        ({"tool_choice": 5}, "`tool_choice` must be text or an object"),
        ({"tool_choice": "maybe"}, "Send auto, none, required"),
        ({"tool_choice": "required"}, "`tools` offers none"),
        ({"tool_choice": {"type": "function", "name": "g"}, "tools": [FUNCTION]}, "not among `tools`"),
        ({"tool_choice": {"type": "function", "function": {"name": "f"}}, "tools": [FUNCTION]}, "names a tool is"),
        ({"tool_choice": {}}, "names a tool is"),
        ({"tool_choice": {"type": "web_search"}, "tools": [FUNCTION]}, "not among `tools`"),
    ],
)
def test_malformed_tools_are_refused_with_what_is_right(fields: dict[str, Any], words: str) -> None:
    assert words in refusal(**fields)


def test_flat_names_fit_everywhere_and_stay_the_same() -> None:
    long = flat_name("n" * 50, "s" * 50)

    assert len(long) == 64
    assert long == flat_name("n" * 50, "s" * 50) != flat_name("n" * 50 + "x", "s" * 50)
    assert flat_name("js", "mcp__node__") == "mcp__node__js"
    assert flat_name("exec", "exec") == flat_name("exec", "functions") == flat_name("exec", None) == "exec"


def test_a_call_of_a_tool_nobody_offers_keeps_its_flat_name() -> None:
    turns = (Turn("assistant", (ToolCall("t", "gone__f", "{}"),)), Turn("tool", (ToolResult("t", (Text("x"),)),)))

    assert back(ask_of(*turns))["input"][0]["name"] == "gone__f"
