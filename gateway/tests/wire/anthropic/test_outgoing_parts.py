"""Parts and tools on their way to members that speak Messages."""

from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import (
    Ask,
    Media,
    Refusal,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.tests.wire.anthropic.asking import HELLO, TOOL, ask_of, messages_of, notes_of, read, sent
from gateway.wire.anthropic import CLIENT, SERVER
from gateway.wire.base import Facts

SIGNED = Thought("why", Raw(b'{"anthropic":{"type":"thinking","signature":"c2ln"}}'))


def test_reasoning_goes_back_only_where_it_was_made() -> None:
    redacted = Thought("", Raw(b'{"anthropic":{"type":"redacted_thinking","data":"b64"}}'))
    foreign = Thought("hm", Raw(b'{"openai_chat":{"reasoning_details":[1]}}'))
    ask = ask_of(HELLO, Turn("assistant", (SIGNED, redacted, foreign, Thought("bare"), Text("x"))))
    body, notes = sent(ask)

    assert body["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "why", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "b64"},
        {"type": "text", "text": "x"},
    ]
    assert "signature" in notes[0]
    body, _ = sent(ask, reasoning_field="thinking")
    assert {"type": "thinking", "thinking": "bare"} in body["messages"][1]["content"]


@pytest.mark.parametrize("seal", [b"3", b'{"anthropic":3}', b'{"gemini":"x"}'])
def test_a_seal_that_was_not_made_here_goes_nowhere(seal: bytes) -> None:
    turn = Turn("assistant", (Thought("hm", Raw(seal)), ToolCall("a", "f", "{}", seal=Raw(seal))))

    assert messages_of(HELLO, turn)[1]["content"] == [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]


def test_a_thinking_block_that_came_goes_back_byte_for_byte() -> None:
    block = b'{"type":"thinking","thinking":"","signature":"Eq\\/+==","cache_control":{"type":"ephemeral"}}'
    body = b'{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[' + block + b"]}]}"
    assert block in CLIENT.write_ask(SERVER.read_ask(body), Facts("m")).body


@pytest.mark.parametrize(
    ("arguments", "custom", "input"),
    [
        ('{"a": 1}', False, {"a": 1}),
        ("  ", False, {}),
        ("[1]", False, {"arguments": [1]}),
        ('"x"', False, {"arguments": "x"}),
        ('{"a": ', False, {"arguments": '{"a": '}),
        ("free text", True, {"input": "free text"}),
    ],
)
def test_arguments_are_always_an_object(arguments: str, custom: bool, input: Any) -> None:
    message = messages_of(HELLO, Turn("assistant", (ToolCall("a", "f", arguments, custom),)))[1]

    assert message["content"][0]["input"] == input


def test_ids_of_other_apis_are_put_in_this_ones_letters_and_stay_paired_and_apart() -> None:
    turns = (
        HELLO,
        Turn("assistant", (ToolCall("functions.f:0", "f", "{}"), ToolCall("functions.f.0", "f", "{}"))),
        Turn("tool", (ToolResult("functions.f:0"), ToolResult("functions.f.0"))),
    )
    _, calls, results = messages_of(*turns)

    ids = [block["id"] for block in calls["content"]]
    assert ids == [block["tool_use_id"] for block in results["content"]]
    assert len(set(ids)) == 2
    assert all(id.replace("_", "").isalnum() for id in ids)


def test_media_go_out_in_this_apis_forms() -> None:
    image, pdf = Media("image", data="AA", mime="image/png"), Media("document", data="JVBERi0", name="t")
    parts = (image, Media("image", url="https://h/a"), pdf, Media("document", data="Z3LDvG4=", mime="text/csv"))
    (message,) = messages_of(Turn("user", (*parts, Media("document", file_id="x", cache=Raw(b'{"a":1}')))))

    assert message["content"] == [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA"}},
        {"type": "image", "source": {"type": "url", "url": "https://h/a"}},
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERi0"},
            "title": "t",
        },
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "grün"}},
        {"type": "document", "source": {"type": "file", "file_id": "x"}, "cache_control": {"a": 1}},
    ]


@pytest.mark.parametrize(
    ("media", "role"),
    [
        (Media("audio", data="AA", mime="audio/mpeg"), "user"),
        (Media("document", data="AA", mime="application/zip"), "user"),
        (Media("document", data="%", mime="text/plain"), "user"),
        (Media("image", data="AA"), "user"),
        (Media("image", url="https://h/a"), "assistant"),
    ],
)
def test_media_that_this_api_does_not_take_are_named(media: Media, role: Any) -> None:
    ask = ask_of(HELLO, Turn(role, (media, Text("x"))))

    assert "does not take" in notes_of(ask)


def test_pictures_stay_inside_the_result_of_a_tool() -> None:
    result = ToolResult("a", (Text("see"), Media("image", url="https://h/a")), cache=Raw(b'{"a":1}'))
    (message,) = messages_of(Turn("user", (result,)))

    assert message["content"][0]["content"] == [
        {"type": "text", "text": "see"},
        {"type": "image", "source": {"type": "url", "url": "https://h/a"}},
    ]
    assert message["content"][0]["cache_control"] == {"a": 1}


def test_refusals_go_out_as_text_and_names_are_named() -> None:
    ask = ask_of(Turn("user", (Text("hi"),), name="ann"), Turn("assistant", (Refusal("no"), Refusal(" "))))
    body, notes = sent(ask)

    assert body["messages"][1] == {"role": "assistant", "content": "no"}
    assert "Names" in notes[0]


# --- tools ------------------------------------------------------------------------------------------------------------


def test_tools_go_out_with_their_marks_and_fields() -> None:
    web = {"type": "web_search_20250305", "name": "web_search"}
    offered = [{**TOOL, "strict": True, "cache_control": {"type": "ephemeral"}, "defer_loading": True}, web]
    body, notes = sent(read(tools=offered))

    assert body["tools"] == offered
    assert "tool_choice" not in body
    assert notes == ()


def test_tools_of_other_apis_go_out_as_functions() -> None:
    custom = Tool("patch", "applies", kind="custom", grammar=Raw(b'{"syntax":"lark"}'))
    vendor = Tool("web_search", kind="vendor", definition=Raw(b"{}"))
    plain = Tool("f", extras={"x": Raw(b"1")})
    body, notes = sent(ask_of(protocol="openai_chat", tools=(custom, vendor, plain)))

    assert [tool["name"] for tool in body["tools"]] == ["patch", "f"]
    assert body["tools"][0]["input_schema"]["required"] == ["input"]
    assert "lark" in body["tools"][0]["description"]
    assert body["tools"][1] == {"name": "f", "input_schema": {"type": "object", "properties": {}}}
    assert [any(word in note for note in notes) for word in ("patch", "web_search", "`x`")] == [True] * 3


@pytest.mark.parametrize(
    ("choice", "written"),
    [
        (ToolChoice(), None),
        (ToolChoice("none"), {"type": "none"}),
        (ToolChoice("required"), {"type": "any"}),
        (ToolChoice("named", "f"), {"type": "tool", "name": "f"}),
        (ToolChoice(parallel=False), {"type": "auto", "disable_parallel_tool_use": True}),
        (ToolChoice("required", parallel=True), {"type": "any", "disable_parallel_tool_use": False}),
    ],
)
def test_how_tools_may_be_used_is_written(choice: ToolChoice, written: Any) -> None:
    assert sent(ask_of(tools=(Tool("f"),), tool_choice=choice))[0].get("tool_choice") == written


def test_a_choice_goes_with_the_tool_that_it_names() -> None:
    tools = (Tool("f"), Tool("web_search", kind="vendor", definition=Raw(b"{}")))
    ask = ask_of(protocol="openai_responses", tools=tools, tool_choice=ToolChoice("named", "web_search"))
    body, notes = sent(ask)

    assert "tool_choice" not in body
    assert any("tool_choice" in note for note in notes)
    assert "tools" not in sent(Ask("x", "m", (HELLO,), tools=tools[1:]))[0]
