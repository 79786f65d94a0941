"""Requests to members that speak Messages."""

import json

import pytest
from msgspec import Raw

from gateway.canon.ask import (
    Ask,
    Knobs,
    OutputFormat,
    Text,
    ToolCall,
    ToolResult,
    Turn,
)
from gateway.tests.wire.anthropic.asking import HELLO, USER, ask_of, messages_of, notes_of, read, sent
from gateway.wire.anthropic import CLIENT
from gateway.wire.base import Facts


def test_a_plain_ask_goes_out_as_a_stream() -> None:
    outgoing = CLIENT.write_ask(ask_of(Turn("system", (Text("Be brief."),)), HELLO), Facts("served/m"))

    assert outgoing.path == "/messages"
    assert outgoing.headers == {
        "content-type": "application/json",
        "accept": "text/event-stream",
        "anthropic-version": "2023-06-01",
    }
    assert json.loads(outgoing.body) == {
        "model": "served/m",
        "system": [{"type": "text", "text": "Be brief."}],
        "messages": [{"role": "user", "content": "hi"}],
        "max_tokens": 8192,
        "stream": True,
    }
    assert outgoing.notes == ()


def test_a_whole_answer_can_be_asked_for() -> None:
    outgoing = CLIENT.write_ask(ask_of(), Facts("m", stream=False, options={"stream": Raw(b"true")}))

    assert "stream" not in json.loads(outgoing.body)
    assert outgoing.headers["accept"] == "application/json"


def test_credentials_go_into_their_own_header() -> None:
    assert CLIENT.auth("k") == {"x-api-key": "k"}
    assert CLIENT.auth("") == {}


# --- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "option", "most", "limit"),
    [
        (None, None, None, 8192),
        (None, b"1024", None, 1024),
        (77, b"1024", None, 77),
        (None, None, 4096, 4096),
        (9_000, None, 4096, 4096),
        (None, b"9000", 4096, 4096),
    ],
)
def test_there_is_always_a_token_limit(asked: int | None, option: bytes | None, most: int | None, limit: int) -> None:
    options = {"max_tokens": Raw(option)} if option else {}
    body, notes = sent(ask_of(knobs=Knobs(max_tokens=asked)), options=options, max_output=most)

    assert body["max_tokens"] == limit
    assert any("lowered" in note for note in notes) == (most is not None and (asked is not None or option is not None))


def test_options_of_the_operator_come_first_and_settings_of_the_caller_over_them() -> None:
    options = {"temperature": Raw(b"0.1"), "top_k": Raw(b"7")}
    body, _ = sent(ask_of(knobs=Knobs(temperature=0.9)), options=options)

    assert (body["temperature"], body["top_k"]) == (0.9, 7)


def test_settings_that_this_api_has_not_are_named() -> None:
    ask = ask_of(
        protocol="openai_chat",
        knobs=Knobs(temperature=1.7, top_p=0.5, seed=1, presence_penalty=0.1, frequency_penalty=0.1, stop=("\n", "E")),
        extras={"logit_bias": Raw(b"{}")},
    )
    body, notes = sent(ask)

    assert body["temperature"] == 1
    assert "top_p" not in body
    assert body["stop_sequences"] == ["E"]
    assert len(notes) == 7
    for name in ("temperature", "top_p", "seed", "presence_penalty", "frequency_penalty", "logit_bias", "white space"):
        assert any(name in note for note in notes)


def test_settings_of_the_same_api_go_on_as_they_are() -> None:
    body, notes = sent(read(temperature=0.2, top_p=0.3, top_k=4, metadata={"user_id": "u"}, service_tier="auto"))

    assert (body["temperature"], body["top_p"], body["top_k"]) == (0.2, 0.3, 4)
    assert body["metadata"] == {"user_id": "u"}
    assert notes == ()


def test_reasoning_settings_go_on_exactly() -> None:
    thinking = {"type": "enabled", "budget_tokens": 2048, "display": "omitted"}
    config = {"effort": "high", "format": {"type": "json_schema", "schema": {"type": "object"}}, "x": 1}

    assert sent(read(max_tokens=4096, thinking=thinking))[0]["thinking"] == thinking
    assert sent(read(thinking={"type": "adaptive"}))[0]["thinking"] == {"type": "adaptive"}
    assert sent(read(output_config=config))[0]["output_config"] == config


def test_a_reasoning_budget_fits_below_the_token_limit() -> None:
    asked = read(max_tokens=32_000, thinking={"type": "enabled", "budget_tokens": 31_999, "display": "omitted"})

    body, notes = sent(asked, max_output=8192)
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 8191, "display": "omitted"}
    assert any("8191" in note for note in notes)
    body, notes = sent(asked, max_output=1000)
    assert "thinking" not in body
    assert any("does not fit" in note for note in notes)


@pytest.mark.parametrize(
    ("effort", "written", "noted"), [("high", "high", False), ("minimal", "low", True), ("none", None, True)]
)
def test_a_reasoning_effort_is_said_in_this_apis_words(effort: str, written: str | None, noted: bool) -> None:
    body, notes = sent(ask_of(protocol="openai_chat", knobs=Knobs(reasoning_effort=effort)))

    assert body.get("output_config") == ({"effort": written} if written else None)
    assert bool(notes) == noted


def test_structured_output_is_asked_for() -> None:
    schema = Raw(b'{"type":"object","properties":{"format":{"type":"string","minLength":2}}}')
    output = OutputFormat("json_schema", "n", schema, True, "d")
    body, notes = sent(ask_of(protocol="openai_chat", output=output))
    assert body["output_config"]["format"]["schema"] == {
        "type": "object",
        "properties": {"format": {"type": "string", "description": "At least 2 characters."}},
        "additionalProperties": False,
    }
    assert "The schema of the answer could not say properties.format.minLength." in notes

    body, notes = sent(ask_of(output=OutputFormat("json_schema", schema=schema)))
    assert body["output_config"]["format"]["schema"] == json.loads(bytes(schema))
    assert not notes

    body, notes = sent(ask_of(protocol="gemini", output=OutputFormat("json_schema", schema=Raw(b'{"type":"object"}'))))
    assert "output_config" not in body
    assert '{"type":"object"}' in body["system"][0]["text"]
    assert "in words" in notes[0]

    body, notes = sent(ask_of(protocol="openai_chat", output=OutputFormat("json_object")))
    assert "JSON" in body["system"][0]["text"]
    assert "JSON" in notes[0]


def test_beta_headers_go_out_as_headers() -> None:
    ask = ask_of(extras={"anthropic-beta": Raw(b'"a-1,b-2"')})
    outgoing = CLIENT.write_ask(ask, Facts("m"))

    assert outgoing.headers["anthropic-beta"] == "a-1,b-2"
    assert "anthropic-beta" not in json.loads(outgoing.body)
    assert "anthropic-beta" not in CLIENT.write_ask(ask_of(extras={"anthropic-beta": Raw(b"3")}), Facts("m")).headers


# --- turns ------------------------------------------------------------------------------------------------------------


def test_turns_of_one_role_become_one_message() -> None:
    assert messages_of(HELLO, HELLO, Turn("assistant", (Text("a"),)), Turn("assistant", (Text("b"),)), HELLO) == [
        {"role": "user", "content": [{"type": "text", "text": "hi"}] * 2},
        {"role": "assistant", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "user", "content": "hi"},
    ]


def test_results_come_first_in_the_message_after_their_calls() -> None:
    messages = messages_of(
        HELLO,
        Turn("assistant", (Text("look"), ToolCall("a", "f", '{"x": 1}'), ToolCall("b", "f", ""))),
        Turn("tool", (ToolResult("a", (Text("1"),)),)),
        Turn("user", (Text("and?"), ToolResult("b", (), error=True))),
    )

    assert messages[1]["content"][1:] == [
        {"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}},
        {"type": "tool_use", "id": "b", "name": "f", "input": {}},
    ]
    assert messages[2:] == [
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "1"},
                {"type": "tool_result", "tool_use_id": "b", "is_error": True},
                {"type": "text", "text": "and?"},
            ],
        }
    ]


def test_a_conversation_begins_with_the_user() -> None:
    ask = ask_of(Turn("assistant", (Text("a"),)), HELLO)
    body, notes = sent(ask)

    assert [message["role"] for message in body["messages"]] == ["user", "assistant", "user"]
    assert "put first" in notes[0]


def test_instructions_alone_are_the_users_message() -> None:
    body, notes = sent(ask_of(Turn("system", (Text("Say hello."),))))

    assert "system" not in body
    assert body["messages"] == [{"role": "user", "content": "Say hello."}]
    assert notes
    assert sent(ask_of(Turn("user", (Text(" "),))))[0]["messages"] == [{"role": "user", "content": "Begin."}]


def test_instructions_among_the_messages_stay_there_only_where_the_request_allows_it() -> None:
    turns = (HELLO, Turn("system", (Text("now"),)))
    beta = {"anthropic-beta": Raw(b'"mid-conversation-system-2026-01-01"')}

    body, notes = sent(ask_of(*turns))
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "hi"}, {"type": "text", "text": "now"}]}
    ]
    assert "Instructions" in notes[0]
    body, notes = sent(ask_of(*turns, extras=beta))
    assert body["messages"][1] == {"role": "system", "content": "now"}
    assert notes == ()


def test_a_member_without_a_system_role_gets_instructions_from_the_user() -> None:
    body, notes = sent(ask_of(Turn("developer", (Text("Be brief."),)), HELLO), system_role=False)

    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "Be brief."}, {"type": "text", "text": "hi"}]}
    ]
    assert "system" not in body
    assert notes


def test_texts_of_nothing_are_left_out_and_a_begun_answer_does_not_end_in_white_space() -> None:
    assert messages_of(Turn("user", (Text(""), Text("hi"), Text(" \n"))), Turn("assistant", (Text("So, "),))) == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "So,"},
    ]


def test_content_kept_as_it_was_sent_goes_to_members_of_this_api_alone() -> None:
    block = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    ask = read(messages=[USER, {"role": "assistant", "content": [block, {"type": "text", "text": "x"}]}])

    assert sent(ask)[0]["messages"][1]["content"] == [block, {"type": "text", "text": "x"}]
    foreign = Ask("openai_chat", "m", ask.turns)
    assert sent(foreign)[0]["messages"][1]["content"] == "x"
    assert "of the parts of a message was left out" in notes_of(foreign)


def test_additions_of_tools_among_the_messages_need_the_requests_leave() -> None:
    block = {"type": "tool_addition", "tool": {"type": "tool_reference", "name": "f"}}
    ask = read(messages=[USER, {"role": "system", "content": [block]}])
    beta = {"anthropic-beta": Raw(b'"mid-conversation-system-2026-01-01"')}

    assert sent(ask)[0]["messages"] == [USER]
    assert "does not allow" in notes_of(ask)
    assert sent(Ask("anthropic", "m", ask.turns, extras=beta))[0]["messages"][1] == {
        "role": "system",
        "content": [block],
    }
