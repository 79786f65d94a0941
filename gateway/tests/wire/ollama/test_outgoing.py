"""What goes out to a member, and what is said of what could not."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import (
    Knobs,
    Media,
    OutputFormat,
    Refusal,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.tests.wire.ollama.asking import HELLO, PNG, USER, ask_of, notes_of, read, sent
from gateway.wire.base import Facts
from gateway.wire.ollama import CLIENT

MARK = Raw(b'{"type":"ephemeral"}')


def messages_of(*turns: Turn, **more: Any) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = sent(ask_of(*turns), **more)[0]["messages"]
    return messages


def test_a_plain_request_says_whether_it_streams() -> None:
    assert sent(ask_of()) == ({"model": "served/m", "messages": [USER], "stream": True}, ())
    assert sent(ask_of(), stream=False)[0]["stream"] is False


@pytest.mark.parametrize(
    ("base", "path"),
    [
        ("", "/api/chat"),
        ("http://h:11434", "/api/chat"),
        ("http://h:11434/api", "/chat"),
        ("https://ollama.com/api/", "/chat"),
        ("http://h/my-api", "/api/chat"),
    ],
)
def test_the_path_goes_on_from_where_the_endpoints_address_ends(base: str, path: str) -> None:
    assert CLIENT.write_ask(ask_of(), Facts("m", base=base)).path == path


def test_credentials_are_sent_where_there_are_any() -> None:
    assert CLIENT.auth("") == {}
    assert CLIENT.auth("k") == {"Authorization": "Bearer k"}


def test_settings_go_into_the_options_over_the_operators() -> None:
    options = {"options": Raw(b'{"num_ctx":8192,"temperature":0}'), "max_tokens": Raw(b"100"), "top_p": Raw(b"0.5")}

    body = sent(ask_of(knobs=Knobs(7, 0.5, None, 3, ("END",), 1, 0.1, 0.2)), options=options)[0]
    assert body["options"] == {
        "num_ctx": 8192,
        "temperature": 0.5,
        "top_p": 0.5,
        "top_k": 3,
        "stop": ["END"],
        "seed": 1,
        "presence_penalty": 0.1,
        "frequency_penalty": 0.2,
        "num_predict": 7,
    }
    assert set(body) == {"model", "messages", "options", "stream"}
    assert sent(ask_of(), options=options)[0]["options"]["num_predict"] == 100
    assert "options" not in sent(ask_of(), options={"options": Raw(b"5")})[0]


@pytest.mark.parametrize(
    ("asked", "preset", "limit", "noted"),
    [(50, None, 20, True), (10, None, 10, False), (None, b"50", 20, True), (None, b'"many"', "many", False)],
)
def test_the_token_limit_has_a_ceiling(asked: int | None, preset: bytes | None, limit: Any, noted: bool) -> None:
    options = {"max_tokens": Raw(preset)} if preset is not None else {}
    body, notes = sent(ask_of(knobs=Knobs(max_tokens=asked)), options=options, max_output=20)

    assert body["options"]["num_predict"] == limit
    assert bool(notes) is noted


def test_the_callers_own_options_go_to_members_of_this_api_but_for_the_size_of_their_window() -> None:
    ask = read(options={"min_p": 0.1, "num_ctx": 100, "temperature": 0.5}, keep_alive="5m", logprobs=True)
    body, notes = sent(ask)

    assert body["options"] == {"min_p": 0.1, "temperature": 0.5}
    assert body["keep_alive"] == "5m"
    assert [note.split()[0] for note in notes] == ["`options.num_ctx`", "`logprobs`"]


@pytest.mark.parametrize(
    ("effort", "think", "noted"),
    [
        ("", None, False),
        ("none", False, False),
        ("medium", True, False),
        ("low", "low", False),
        ("max", "max", False),
        ("minimal", "low", True),
        ("xhigh", "max", True),
        ("odd", True, True),
    ],
)
def test_effort_is_a_level_of_thinking(effort: str, think: Any, noted: bool) -> None:
    body, notes = sent(ask_of(knobs=Knobs(reasoning_effort=effort)))

    assert body.get("think") == think
    assert bool(notes) is noted


def test_a_budget_for_reasoning_only_says_to_think() -> None:
    body, notes = sent(ask_of(knobs=Knobs(reasoning_tokens=2_000)))

    assert body["think"] is True
    assert len(notes) == 1


def test_structured_output_is_a_word_or_a_schema() -> None:
    schema = OutputFormat("json_schema", "x", Raw(b'{"type":"object"}'), True, "what it is")

    assert sent(ask_of(output=OutputFormat("json_object")))[0]["format"] == "json"
    assert sent(ask_of(output=OutputFormat("json_schema", "x")))[0]["format"] == "json"
    body, notes = sent(ask_of(output=schema))
    assert body["format"] == {"type": "object"}
    assert [word for word in ("name", "description", "strict") if word in " ".join(notes)] == [
        "name",
        "description",
        "strict",
    ]


# --- messages ---------------------------------------------------------------------------------------------------------


def test_words_are_one_text_and_pictures_a_list_beside_it() -> None:
    turn = Turn("user", (Text("a"), Media("image", data=PNG, mime="image/png"), Text("b")))

    assert messages_of(turn) == [{"role": "user", "content": "a\n\nb", "images": [PNG]}]


@pytest.mark.parametrize(
    "media",
    [
        Media("image", url="https://h/a.png"),
        Media("image", file_id="f1"),
        Media("audio", data="AAAA", mime="audio/wav"),
        Media("document", data="AAAA", mime="application/pdf"),
    ],
)
def test_media_this_api_does_not_take_is_named(media: Media) -> None:
    ask = ask_of(Turn("user", (Text("see"), media)))

    assert sent(ask)[0]["messages"] == [{"role": "user", "content": "see"}]
    assert "does not take" in notes_of(ask)


def test_roles_a_model_does_not_know_are_rewritten_and_said_so() -> None:
    turns = (Turn("developer", (Text("be brief"),)), HELLO)

    assert messages_of(*turns)[0] == {"role": "system", "content": "be brief"}
    assert "developer" in notes_of(ask_of(*turns))
    assert messages_of(*turns, system_role=False) == [{"role": "user", "content": "be brief\n\nhi"}]
    assert messages_of(turns[0], system_role=False) == [{"role": "user", "content": "be brief"}]
    assert "no system role" in notes_of(ask_of(*turns), system_role=False)


def test_what_this_api_has_no_field_for_is_said_in_text_or_named() -> None:
    turns = (
        Turn("user", (Text("hi", MARK),), "ann", extras={"id": Raw(b'"m1"')}),
        Turn("assistant", (Text("No."), Refusal("I cannot."))),
    )

    assert messages_of(*turns)[1]["content"] == "No.\n\nI cannot."
    notes = notes_of(ask_of(*turns, protocol="anthropic", extras={"thinking": Raw(b"{}")}))
    for said in ("Names", "Cache marks", "`id`", "`thinking`"):
        assert said in notes
    assert messages_of(turns[0])[0] == {"role": "user", "content": "hi", "id": "m1"}


def test_reasoning_goes_back_and_its_seal_only_where_it_was_made() -> None:
    own = Raw(b'{"ollama":[{"text":"hm","seal":"s"}]}')
    turn = Turn("assistant", (Thought("hm", own), Thought("so", Raw(b'{"anthropic":{}}')), Text("x")))

    assert messages_of(turn) == [
        {"role": "assistant", "content": "x", "thinking": "hmso", "bench_thoughts": [{"text": "hm", "seal": "s"}]}
    ]


def test_calls_carry_objects_and_results_name_their_tool() -> None:
    turns = (
        Turn(
            "assistant",
            (
                ToolCall("t0", "f", '{"a": 1.0}', seal=Raw(b'{"ollama":"s"}')),
                ToolCall("t1", "g", "raw", custom=True),
                ToolCall("t2", "h", "", seal=Raw(b'"s"')),
                ToolCall("t3", "h", "not json", cache=MARK),
            ),
        ),
        Turn("tool", (ToolResult("t0", (Text("noon"),)),)),
        Turn("tool", (ToolResult("t9", error=True, cache=MARK),)),
    )

    assert messages_of(*turns) == [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [
                {"id": "t0", "function": {"name": "f", "arguments": {"a": 1.0}}, "bench_seal": "s"},
                {"id": "t1", "function": {"name": "g", "arguments": {"input": "raw"}}},
                {"id": "t2", "function": {"name": "h", "arguments": {}}},
                {"id": "t3", "function": {"name": "h", "arguments": {"arguments": "not json"}}},
            ],
        },
        {"role": "tool", "content": "noon", "tool_call_id": "t0", "tool_name": "f"},
        {"role": "tool", "content": "", "tool_call_id": "t9"},
    ]
    assert "error" in notes_of(ask_of(*turns))
    assert "Cache marks" in notes_of(ask_of(*turns))


def test_pictures_in_a_tools_result_follow_in_a_user_message() -> None:
    picture = Media("image", data=PNG, mime="image/png")
    turns = (
        Turn("user", (ToolResult("t0", (picture,)), Text("go on"))),
        Turn("tool", (ToolResult("t1", (Text("see"), picture)),)),
    )

    assert [(message["role"], message["content"], message.get("images")) for message in messages_of(*turns)] == [
        ("tool", "See the next message.", None),
        ("user", "From the tool call t0:", [PNG]),
        ("user", "go on", None),
        ("tool", "see", None),
        ("user", "From the tool call t1:", [PNG]),
    ]


# --- tools ------------------------------------------------------------------------------------------------------------


def test_tools_go_out_as_functions() -> None:
    tools = (
        Tool("f", "does f", Raw(b'{"type":"object"}'), True, cache=MARK, extras={"items": Raw(b"1")}),
        Tool("patch", "edits", kind="custom"),
        Tool("web_search", kind="vendor", definition=Raw(b"{}")),
    )
    body, notes = sent(ask_of(tools=tools))

    assert body["tools"][0] == {
        "type": "function",
        "function": {"name": "f", "description": "does f", "parameters": {"type": "object"}, "strict": True},
        "items": 1,
    }
    assert body["tools"][1]["function"]["parameters"]["required"] == ["input"]
    assert len(body["tools"]) == 2
    assert len(notes) == 3
    other, notes = sent(ask_of(protocol="openai_chat", tools=tools[:1]))
    assert "items" not in other["tools"][0]
    assert len(notes) == 2


@pytest.mark.parametrize(
    ("choice", "offered", "noted"),
    [
        (ToolChoice(), ["f", "g"], False),
        (ToolChoice("none"), [], True),
        (ToolChoice("required"), ["f", "g"], True),
        (ToolChoice("named", "g"), ["g"], True),
        (ToolChoice("named", "web_search"), ["f", "g"], True),
        (ToolChoice(parallel=True), ["f", "g"], False),
        (ToolChoice(parallel=False), ["f", "g"], True),
    ],
)
def test_a_choice_this_api_cannot_make_is_named(choice: ToolChoice, offered: list[str], noted: bool) -> None:
    body, notes = sent(ask_of(tools=(Tool("f"), Tool("g")), tool_choice=choice))

    assert [tool["function"]["name"] for tool in body.get("tools", [])] == offered
    assert bool(notes) is noted


def test_a_body_is_one_json_object() -> None:
    outgoing = CLIENT.write_ask(ask_of(), Facts("m"))

    assert json.loads(outgoing.body)["model"] == "m"
    assert outgoing.headers["content-type"] == "application/json"
