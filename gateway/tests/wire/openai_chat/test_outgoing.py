"""What goes out to a member, and what is said of what could not."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import (
    Knobs,
    Media,
    OutputFormat,
    Part,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.tests.wire.openai_chat.asking import USER, ask_of, read, sent
from gateway.wire.base import Facts
from gateway.wire.openai_chat import CLIENT, SERVER


def test_a_plain_request_goes_out_as_a_stream_with_its_usage_asked_for() -> None:
    outgoing = CLIENT.write_ask(ask_of(), Facts("served/m"))

    assert outgoing.path == "/chat/completions"
    assert outgoing.headers["Accept"] == "text/event-stream"
    assert json.loads(outgoing.body) == {
        "model": "served/m",
        "messages": [USER],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert sent(ask_of(), stream=False, options={"stream": Raw(b"true")})[0] == {
        "model": "served/m",
        "messages": [USER],
    }
    assert "stream_options" not in sent(ask_of(), stream_options=False)[0]


def test_the_callers_settings_go_over_the_operators() -> None:
    options = {"temperature": Raw(b"0"), "max_tokens": Raw(b"100"), "provider": Raw(b'{"only":["x"]}')}

    written = sent(ask_of(knobs=Knobs(max_tokens=7, temperature=0.5)), options=options)[0]
    assert (written["temperature"], written["max_tokens"], written["provider"]) == (0.5, 7, {"only": ["x"]})
    assert sent(ask_of(), options=options)[0]["max_tokens"] == 100


@pytest.mark.parametrize(
    ("asked", "options", "facts", "written", "noted"),
    [
        (50, {}, {"max_output": 20}, {"max_tokens": 20}, True),
        (10, {}, {"max_output": 20}, {"max_tokens": 10}, False),
        (None, {"max_tokens": Raw(b"50")}, {"max_output": 20}, {"max_tokens": 20}, True),
        (None, {"max_tokens": Raw(b'"many"')}, {"max_output": 20}, {"max_tokens": "many"}, False),
        (None, {"max_tokens": Raw(b"5")}, {"completion_tokens_field": True}, {"max_completion_tokens": 5}, False),
        (None, {}, {"max_output": 20}, {}, False),
    ],
)
def test_the_token_limit_has_one_field_and_one_ceiling(
    asked: int | None, options: dict[str, Raw], facts: dict[str, Any], written: dict[str, Any], noted: bool
) -> None:
    body, notes = sent(ask_of(knobs=Knobs(max_tokens=asked)), options=options, **facts)

    assert {name: value for name, value in body.items() if name.startswith("max_")} == written
    assert bool(notes) is noted


def test_what_another_api_brought_and_this_one_lacks_is_named() -> None:
    body, notes = sent(
        ask_of(
            Turn("user", (Text("hi"),), extras={"id": Raw(b'"m1"')}),
            protocol="anthropic",
            knobs=Knobs(top_k=4, reasoning_tokens=100),
            extras={"context_management": Raw(b"{}")},
            tools=(Tool("web_search", kind="vendor", definition=Raw(b"{}")),),
            tool_choice=ToolChoice("named", "web_search"),
        )
    )

    assert set(body) == {"model", "messages", "stream", "stream_options"}
    assert [note.split()[0] for note in notes] == ["`id`", "`top_k`", "The", "The", "`context_management`"]


def test_a_choice_goes_with_the_tool_it_names() -> None:
    tools = (Tool("web_search", kind="vendor", definition=Raw(b"{}")), Tool("f"))
    ask = ask_of(protocol="anthropic", tools=tools, tool_choice=ToolChoice("named", "web_search", parallel=True))
    body, notes = sent(ask)

    assert "tool_choice" not in body
    assert body["parallel_tool_calls"] is True
    assert len(notes) == 2


def test_one_answer_is_asked_for_and_log_probabilities_are_not() -> None:
    body, notes = sent(read(n=3, logprobs=True, user="u"))

    assert ("n" in body, "logprobs" in body, body["user"]) == (False, False, "u")
    assert len(notes) == 2


def test_roles_a_model_does_not_know_are_rewritten_and_said_so() -> None:
    turns = (
        Turn("system", (Text("be kind"),)),
        Turn("developer", (Text("be brief"),)),
        Turn("user", (Text("hi"),)),
    )

    assert [message["role"] for message in sent(ask_of(*turns))[0]["messages"]] == ["system", "system", "user"]
    assert sent(ask_of(*turns), developer_role=True)[0]["messages"][1]["role"] == "developer"
    body, notes = sent(ask_of(*turns), system_role=False)
    assert body["messages"] == [{"role": "user", "content": "be kind\n\nbe brief\n\nhi"}]
    assert len(notes) == 1
    picture = Turn("user", (Media("image", url="https://h/a"),))
    assert sent(ask_of(turns[0], picture), system_role=False)[0]["messages"][0]["content"][0] == {
        "type": "text",
        "text": "be kind",
    }
    assert sent(ask_of(turns[0]), system_role=False)[0]["messages"] == [{"role": "user", "content": "be kind"}]


def test_pictures_in_a_tools_result_follow_in_a_user_message() -> None:
    turns = (
        Turn(
            "user",
            (
                ToolResult("t0", (Media("image", url="https://h/a"),), error=True),
                ToolResult("t1", (Text("ok"),)),
                Text("go on"),
            ),
        ),
        Turn("tool", (ToolResult("t2", (Text("see"), Media("image", url="https://h/b"))),)),
    )
    body, notes = sent(ask_of(*turns))

    assert [(message["role"], message["content"]) for message in body["messages"]] == [
        ("tool", "See the next message."),
        ("tool", "ok"),
        (
            "user",
            [
                {"type": "text", "text": "From the tool call t0:"},
                {"type": "image_url", "image_url": {"url": "https://h/a"}},
            ],
        ),
        ("user", "go on"),
        ("tool", "see"),
        (
            "user",
            [
                {"type": "text", "text": "From the tool call t2:"},
                {"type": "image_url", "image_url": {"url": "https://h/b"}},
            ],
        ),
    ]
    assert len(notes) == 2


def test_a_model_for_plain_text_gets_it_joined_and_loses_cache_marks_by_name() -> None:
    turn = Turn("user", (Text("a", Raw(b'{"type":"ephemeral"}')), Text("b")))

    assert sent(ask_of(turn))[0]["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}
    body, notes = sent(ask_of(turn), content_lists=False)
    assert body["messages"][0]["content"] == "a\n\nb"
    assert len(notes) == 1
    unmarked = ask_of(Turn("user", (Text("a"), Text("b"))))
    assert sent(unmarked, content_lists=False) == (
        {**sent(unmarked)[0], "messages": [{"role": "user", "content": "a\n\nb"}]},
        (),
    )


def test_reasoning_goes_back_only_where_it_is_wanted_and_its_seal_only_where_it_was_made() -> None:
    own = Raw(b'{"openai_chat":{"reasoning_details":[{"data":"x"}],"extra_content":{"g":1}}}')

    def message(*parts: Part, **facts: Any) -> tuple[dict[str, Any], bool]:
        body, notes = sent(ask_of(Turn("assistant", parts)), **facts)
        return body["messages"][0], bool(notes)

    assert message(Thought("hm"), Text("a")) == ({"role": "assistant", "content": "a"}, True)
    assert message(Thought("hm"), Text("a"), reasoning_field="reasoning_content") == (
        {"role": "assistant", "content": "a", "reasoning_content": "hm"},
        False,
    )
    assert message(Thought("hm", own), Text("a")) == (
        {"role": "assistant", "content": "a", "reasoning_details": [{"data": "x"}], "extra_content": {"g": 1}},
        False,
    )
    details = Raw(b'{"openai_chat":{"reasoning_details":[{"data":"x"}]}}')
    assert message(Thought("", details), Text("a"))[0]["reasoning_details"] == [{"data": "x"}]
    assert message(Thought("", Raw(b'"sig"')), Text("a")) == ({"role": "assistant", "content": "a"}, True)
    assert message(Thought("hm", Raw(b'{"openai_chat":{"extra_content":1}}')), Text("a"))[1] is True
    assert message(Thought("hm", Raw(b"not json")), Text("a"))[1] is True


def test_calls_go_back_with_their_own_seal_and_never_with_empty_arguments() -> None:
    own = Raw(b'{"openai_chat":{"extra_content":{"g":1}}}')
    calls = (
        ToolCall("t", "f", "", seal=own),
        ToolCall("u", "f", "{}", seal=Raw(b'"sig"')),
        ToolCall("v", "g", "", True),
    )
    (message,) = sent(ask_of(Turn("assistant", calls)), plain_tools=False)[0]["messages"]

    assert message["content"] is None
    assert message["tool_calls"] == [
        {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}, "extra_content": {"g": 1}},
        {"id": "u", "type": "function", "function": {"name": "f", "arguments": "{}"}},
        {"id": "v", "type": "custom", "custom": {"name": "g", "input": ""}},
    ]


def test_a_turn_with_results_only_needs_no_message_of_its_own() -> None:
    (message,) = sent(ask_of(Turn("user", (ToolResult("t", (Text("ok"),)),))))[0]["messages"]

    assert message == {"role": "tool", "tool_call_id": "t", "content": "ok"}


def test_a_cache_mark_on_a_picture_is_kept() -> None:
    part = {"type": "image_url", "image_url": {"url": "https://h/a"}, "cache_control": {"type": "ephemeral"}}
    ask = read(messages=[{"role": "user", "content": [part]}])

    assert sent(ask)[0]["messages"][0]["content"] == [part]


def test_a_turn_without_content_is_still_a_message() -> None:
    assert sent(ask_of(Turn("user"), Turn("tool", (Text("x"),))))[0]["messages"] == [
        {"role": "user", "content": ""},
        {"role": "user", "content": "x"},
    ]


def test_a_format_without_a_name_gets_one() -> None:
    output = OutputFormat("json_schema", schema=Raw(b'{"type":"object"}'))

    assert sent(ask_of(output=output))[0]["response_format"]["json_schema"]["name"] == "response"


def test_the_key_travels_as_a_bearer_token_and_no_key_sends_nothing() -> None:
    assert CLIENT.auth("sk-1") == {"Authorization": "Bearer sk-1"}
    assert CLIENT.auth("") == {}


def test_replies_echo_the_collection_without_its_mode() -> None:
    assert SERVER.echo_model("core:merged") == SERVER.echo_model("bench/core") == "bench/core"
    assert SERVER.echo_model("") == ""
