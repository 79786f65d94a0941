"""Requests go out to members as they came, or say what could not go along."""

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
from gateway.tests.wire.openai_responses.asking import ask_of, read, said, sent
from gateway.wire.base import Facts
from gateway.wire.openai_responses import CLIENT

OWN = Raw(b'{"openai_responses":{"type":"reasoning","id":"rs_1", "summary":[],"encrypted_content":"gAAA=="}}')
SHOWN = Raw(b'{"openai_responses":{"type":"reasoning","id":"rs_bench_1","summary":[],"encrypted_content":"g"}}')


def items(*turns: Turn, **facts: Any) -> tuple[list[Any], bool]:
    """The items of the input, and whether anything was noted."""
    body, notes = sent(ask_of(*turns), **facts)
    return body["input"], bool(notes)


def test_a_plain_request_goes_out_as_a_stream_and_is_stored_nowhere() -> None:
    outgoing = CLIENT.write_ask(ask_of(), Facts("served/m"))

    assert outgoing.path == "/responses"
    assert outgoing.headers["Accept"] == "text/event-stream"
    assert json.loads(outgoing.body) == {
        "model": "served/m",
        "input": [said("user", "hi")],
        "store": False,
        "stream": True,
    }
    assert "stream" not in sent(ask_of(), stream=False, options={"stream": Raw(b"true")})[0]


def test_the_callers_settings_go_over_the_operators() -> None:
    options = {
        "temperature": Raw(b"0"),
        "max_output_tokens": Raw(b"100"),
        "store": Raw(b"true"),
        "reasoning": Raw(b'{"summary":"auto","effort":"high"}'),
        "text": Raw(b'{"verbosity":"low"}'),
    }
    knobs = Knobs(max_tokens=7, temperature=0.5, reasoning_effort="low")
    written = sent(ask_of(knobs=knobs, output=OutputFormat("json_object")), options=options)[0]

    assert (written["temperature"], written["max_output_tokens"], written["store"]) == (0.5, 7, True)
    assert written["reasoning"] == {"summary": "auto", "effort": "low"}
    assert written["text"] == {"verbosity": "low", "format": {"type": "json_object"}}
    assert sent(ask_of(), options=options)[0]["max_output_tokens"] == 100
    assert sent(ask_of(output=OutputFormat("json_object")), options={"text": Raw(b"5")})[0]["text"] == {
        "format": {"type": "json_object"}
    }


@pytest.mark.parametrize(
    ("asked", "options", "facts", "written", "noted"),
    [
        (50, {}, {"max_output": 20}, 20, True),
        (10, {}, {"max_output": 20}, 10, False),
        (None, {"max_output_tokens": Raw(b"50")}, {"max_output": 20}, 20, True),
        (None, {"max_output_tokens": Raw(b'"many"')}, {"max_output": 20}, "many", False),
        (None, {}, {"max_output": 20}, None, False),
    ],
)
def test_the_token_limit_has_a_ceiling(
    asked: int | None, options: dict[str, Raw], facts: dict[str, Any], written: Any, noted: bool
) -> None:
    body, notes = sent(ask_of(knobs=Knobs(max_tokens=asked)), options=options, **facts)

    assert body.get("max_output_tokens") == written
    assert bool(notes) is noted


def test_what_another_api_brought_and_this_one_lacks_is_named() -> None:
    body, notes = sent(
        ask_of(
            Turn("user", (Text("hi", Raw(b'{"type":"ephemeral"}')),), name="ann", extras={"id": Raw(b'"m1"')}),
            protocol="anthropic",
            knobs=Knobs(None, None, None, 4, ("END",), 7, 0.1, 0.2, reasoning_tokens=100),
            extras={"context_management": Raw(b"{}"), "text.verbosity": Raw(b'"low"')},
            tools=(Tool("web_search", kind="vendor", definition=Raw(b"{}")), Tool("f", extras={"eager": Raw(b"1")})),
            tool_choice=ToolChoice("named", "web_search", parallel=True),
        )
    )

    assert set(body) == {"model", "input", "tools", "parallel_tool_calls", "store", "stream"}
    assert body["input"] == [said("user", {"type": "input_text", "text": "hi"})]
    assert [note.split()[0] for note in notes] == [
        "The",
        "`id`",
        "Cache",
        "`stop`",
        "`top_k`",
        "`seed`",
        "`presence_penalty`",
        "`frequency_penalty`",
        "The",
        "The",
        "`eager`",
        "`tool_choice`",
        "`context_management`",
        "`text.verbosity`",
    ]


def test_an_opening_system_message_is_the_instructions_and_others_stay_where_they_are() -> None:
    turns = (Turn("system", (Text("be kind"),)), Turn("developer", (Text("be brief"),)), Turn("user", (Text("hi"),)))
    body, notes = sent(ask_of(*turns))

    assert body["instructions"] == "be kind"
    assert [item["role"] for item in body["input"]] == ["developer", "user"]
    assert notes == ()
    two_parts = Turn("system", (Text("a"), Text("b")))
    assert "instructions" not in sent(ask_of(two_parts))[0]
    late = sent(ask_of(turns[2], turns[0]))[0]
    assert [item["role"] for item in late["input"]] == ["user", "system"]


def test_a_model_without_a_system_role_gets_the_instructions_in_the_first_message() -> None:
    turns = (Turn("system", (Text("be kind"),)), Turn("developer", (Text("be brief"),)))

    assert items(*turns, Turn("user", (Text("hi"),)), system_role=False) == (
        [said("user", "be kind\n\nbe brief\n\nhi")],
        True,
    )
    picture = Turn("user", (Media("image", url="https://h/a"),))
    found = items(turns[0], picture, system_role=False)[0]
    assert found[0]["content"][0] == {"type": "input_text", "text": "be kind"}
    assert items(turns[0], system_role=False)[0] == [said("user", "be kind")]


def test_a_turn_becomes_items_in_the_order_of_its_parts_with_results_first() -> None:
    turns = (
        Turn("assistant", (Text("a"), Refusal("no"), ToolCall("t", "f", ""), Text("b"), ToolCall("u", "g", "", True))),
        Turn("user", (Text("see"), ToolResult("t", (Text("x"), Media("image", url="https://h/a"))), ToolResult("u"))),
    )
    found, noted = items(*turns)

    assert found == [
        said("assistant", {"type": "output_text", "text": "a"}, {"type": "refusal", "refusal": "no"}),
        {"type": "function_call", "call_id": "t", "name": "f", "arguments": "{}"},
        said("assistant", "b"),
        {"type": "custom_tool_call", "call_id": "u", "name": "g", "input": ""},
        {
            "type": "function_call_output",
            "call_id": "t",
            "output": [{"type": "input_text", "text": "x"}, {"type": "input_image", "image_url": "https://h/a"}],
        },
        {"type": "custom_tool_call_output", "call_id": "u", "output": ""},
        said("user", "see"),
    ]
    assert not noted


def test_what_this_api_has_no_place_for_is_named() -> None:
    assert items(Turn("assistant", (Text("a"), Media("image", data="AA", mime="image/png")))) == (
        [said("assistant", "a")],
        True,
    )
    assert items(Turn("tool", (ToolResult("t", (Text("oh"),), error=True),)))[1]
    assert items(Turn("assistant", (ToolCall("t", "f", "{}", seal=Raw(b'"sig"')),)))[1]
    assert items(Turn("user"), Turn("tool", (Text("x"),))) == ([said("user", ""), said("user", "x")], False)


def test_media_have_the_forms_of_this_api() -> None:
    media = (
        Media("image", data="AAAA", mime="image/png", detail="low"),
        Media("audio", data="BB", mime="audio/mpeg"),
        Media("document", data="CC", mime="application/pdf", name="a.pdf"),
        Media("document", url="https://h/b.pdf"),
        Media("document", file_id="file-1", cache=Raw(b'{"mode":"explicit"}')),
    )

    assert items(Turn("user", media))[0][0]["content"] == [
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "low"},
        {"type": "input_audio", "input_audio": {"data": "BB", "format": "mp3"}},
        {"type": "input_file", "file_data": "data:application/pdf;base64,CC", "filename": "a.pdf"},
        {"type": "input_file", "file_url": "https://h/b.pdf"},
        {"type": "input_file", "file_id": "file-1", "prompt_cache_breakpoint": {"mode": "explicit"}},
    ]


def test_a_model_for_plain_text_gets_it_joined_and_loses_cache_marks_by_name() -> None:
    turn = Turn("user", (Text("a", Raw(b'{"mode":"explicit"}')), Text("b")))

    assert items(turn, content_lists=False) == ([said("user", "a\n\nb")], True)
    assert items(Turn("user", (Text("a"), Text("b"))), content_lists=False) == ([said("user", "a\n\nb")], False)


# --- reasoning --------------------------------------------------------------------------------------------------------


def test_reasoning_goes_back_whole_to_its_maker_and_never_under_a_made_up_id() -> None:
    outgoing = CLIENT.write_ask(ask_of(Turn("assistant", (Thought("hm", OWN), Text("a")))), Facts("m"))
    assert bytes(OWN)[20:-1] in outgoing.body

    found = items(Turn("assistant", (Thought("", SHOWN), Text("a"))))[0]
    assert found[0] == {"type": "reasoning", "summary": [], "encrypted_content": "g"}


def test_reasoning_of_others_is_left_out_unless_the_model_wants_its_words() -> None:
    turn = Turn("assistant", (Thought("hm"), Text("a")))

    assert items(turn) == ([said("assistant", "a")], True)
    assert items(Turn("assistant", (Thought("", Raw(b'"sig"')), Text("a")))) == ([said("assistant", "a")], True)
    assert items(turn, reasoning_field="content") == (
        [
            {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]},
            said("assistant", "a"),
        ],
        False,
    )
    assert items(Turn("assistant", (Thought("hm"), ToolCall("t", "f", "{}"))))[1]


def test_words_that_belong_to_a_sealed_item_are_not_sent_beside_it() -> None:
    seal = Raw(
        b'{"openai_responses":{"type":"reasoning","summary":[{"text":"a"},{"text":"b"}],"encrypted_content":"g"}}'
    )
    found, noted = items(Turn("assistant", (Thought("a"), Thought("b", seal), Text("x"))))
    assert ([item["type"] for item in found], noted) == (["reasoning", "message"], False)

    found, noted = items(Turn("assistant", (Thought("other"), Thought("a"), Thought("b", seal), Text("x"))))
    assert ([item["type"] for item in found], noted) == (["reasoning", "message"], True)


def test_reasoning_that_nothing_follows_is_left_out() -> None:
    assert items(Turn("user", (Text("hi"),)), Turn("assistant", (Thought("", OWN),))) == ([said("user", "hi")], True)


def test_records_of_a_providers_tools_go_back_to_it() -> None:
    record = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    ask = read(input=[said("user", "hi"), record, said("assistant", "found")])

    assert sent(ask)[0]["input"][1] == record
    body = sent(ask_of(*ask.turns, protocol="openai_chat"))[0]
    assert body["input"][1] == record


def test_encrypted_reasoning_is_asked_for_where_a_caller_of_another_api_can_send_it_back() -> None:
    def included(protocol: str = "openai_chat", effort: str = "", *parts: Any, **extras: Raw) -> Any:
        turns = (Turn("user", (Text("hi"),)), Turn("assistant", (*parts, Text("a"))))
        ask = ask_of(*turns, protocol=protocol, knobs=Knobs(reasoning_effort=effort), extras=extras)
        return sent(ask)[0].get("include")

    assert included() is None
    assert included("openai_chat", "none") is None
    assert included("openai_chat", "low") == ["reasoning.encrypted_content"]
    assert included("openai_chat", "", Thought("", OWN)) == ["reasoning.encrypted_content"]
    assert included("openai_responses", "low") is None
    assert included("openai_responses", "low", include=Raw(b'["x"]')) == ["x"]


def test_fields_of_this_api_pass_and_those_without_use_are_named() -> None:
    extras = {
        "prompt_cache_key": "k",
        "metadata": {"a": "b"},
        "top_logprobs": 3,
        "include": ["message.output_text.logprobs"],
        "store": True,
        "reasoning": {"summary": "auto"},
    }
    body, notes = sent(read(**extras))

    assert (body["prompt_cache_key"], body["metadata"], body["reasoning"]) == ("k", {"a": "b"}, {"summary": "auto"})
    assert ("top_logprobs" in body, body["store"]) == (False, False)
    assert len(notes) == 2


def test_a_format_without_a_name_gets_one() -> None:
    output = OutputFormat("json_schema", schema=Raw(b'{"type":"object"}'), strict=False, description="d")

    assert sent(ask_of(output=output))[0]["text"]["format"] == {
        "type": "json_schema",
        "name": "response",
        "schema": {"type": "object"},
        "strict": False,
        "description": "d",
    }
