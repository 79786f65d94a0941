"""Requests are read in full, or refused with the right shape."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import (
    Ask,
    BenchField,
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
from gateway.canon.fault import BadRequest
from gateway.tests.wire.openai_responses.asking import FUNCTION, body, read, refusal, said
from gateway.wire.losses import FORM
from gateway.wire.openai_responses import SERVER, ResponsesServer

USER = {"role": "user", "content": "hi"}
SEALED = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA=="}


def parts(*items: Any) -> tuple[Any, ...]:
    """The parts of the only turn that these items make."""
    (turn,) = read(input=list(items)).turns
    return turn.parts


def test_a_request_with_everything_is_read_in_full() -> None:
    ask = read(
        instructions="be kind",
        input=[
            {"role": "developer", "content": "be brief", "phase": "x"},
            said(
                "user",
                {"type": "input_text", "text": "look", "prompt_cache_breakpoint": {"mode": "explicit"}},
                {"type": "input_image", "image_url": "https://h/a.png", "detail": "low"},
                {"type": "input_image", "image_url": {"url": "data:image/png;base64,AAAA"}},
                {"type": "input_audio", "input_audio": {"data": "BBBB", "format": "mp3"}},
                {"type": "input_file", "file_data": "data:application/pdf;base64,CCCC", "filename": "a.pdf"},
                {"type": "input_file", "file_url": "https://h/b.pdf"},
                {"type": "input_file", "file_id": "file-1"},
            ),
            {"type": "reasoning", "id": "rs_0", "summary": [{"type": "summary_text", "text": "hm"}], "content": None},
            {**said("assistant", {"type": "output_text", "text": "yes", "annotations": []}), "id": "msg_1"},
            {
                "type": "function_call",
                "id": "fc_1",
                "call_id": "t0",
                "name": "f",
                "arguments": "",
                "status": "completed",
            },
            {"type": "custom_tool_call", "call_id": "t1", "name": "g", "input": "raw"},
            {"type": "function_call", "call_id": "t2", "name": "f", "arguments": {"a": 1}},
            {"type": "function_call_output", "call_id": "t0", "output": "noon"},
            {
                "type": "custom_tool_call_output",
                "call_id": "t1",
                "output": [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}],
            },
            {
                "type": "function_call_output",
                "call_id": "t2",
                "output": [{"type": "input_image", "image_url": "https://h/c.png"}],
            },
        ],
        stream=True,
        max_output_tokens=9,
        temperature=1,
        top_p=0.5,
        reasoning={"effort": "low", "summary": "auto", "context": None},
        tools=[FUNCTION],
        tool_choice={"type": "function", "name": "f"},
        parallel_tool_calls=False,
        text={"format": {"type": "json_object"}, "verbosity": "low"},
        store=False,
        include=["reasoning.encrypted_content"],
        metadata=None,
        bench={"reply": "route"},
        **{"with": ["alpha"]},
    )

    assert ask == Ask(
        protocol="openai_responses",
        model="bench/core",
        turns=(
            Turn("system", (Text("be kind"),)),
            Turn("developer", (Text("be brief"),), extras={"phase": Raw(b'"x"')}),
            Turn(
                "user",
                (
                    Text("look", Raw(b'{"mode": "explicit"}')),
                    Media("image", url="https://h/a.png", detail="low"),
                    Media("image", data="AAAA", mime="image/png"),
                    Media("audio", data="BBBB", mime="audio/mpeg"),
                    Media("document", data="CCCC", mime="application/pdf", name="a.pdf"),
                    Media("document", url="https://h/b.pdf"),
                    Media("document", file_id="file-1"),
                ),
            ),
            Turn(
                "assistant",
                (
                    Thought("hm"),
                    Text("yes"),
                    ToolCall("t0", "f", "{}"),
                    ToolCall("t1", "g", "raw", custom=True),
                    ToolCall("t2", "f", '{"a":1}'),
                ),
                extras={FORM: Raw(b'[[{"type": "output_text", "text": "yes", "annotations": []}]]')},
            ),
            Turn("tool", (ToolResult("t0", (Text("noon"),)),)),
            Turn("tool", (ToolResult("t1", (Text("a"), Text("b"))),)),
            Turn("tool", (ToolResult("t2", (Media("image", url="https://h/c.png"),)),)),
        ),
        stream=True,
        include_usage=True,
        tools=(Tool("f", parameters=Raw(b'{"type": "object"}')),),
        tool_choice=ToolChoice("named", "f", parallel=False),
        output=OutputFormat("json_object"),
        knobs=Knobs(9, 1.0, 0.5, reasoning_effort="low"),
        nominated=("alpha",),
        bench=BenchField("route"),
        extras={
            "include": Raw(b'["reasoning.encrypted_content"]'),
            "text.verbosity": Raw(b'"low"'),
            "reasoning.summary": Raw(b'"auto"'),
        },
    )


def test_text_alone_is_the_users() -> None:
    assert read().turns == (Turn("user", (Text("hi"),)),)
    assert read(input=[{"content": "hi"}]).turns == (Turn("user", (Text("hi"),)),)


@pytest.mark.parametrize("model", ["", None])
def test_a_missing_model_is_left_to_who_knows_the_collections(model: str | None) -> None:
    assert read(model=model).model == ""
    assert SERVER.read_ask(b'{"input":"hi"}').model == ""


def test_tokens_can_be_counted_of_instructions_alone() -> None:
    server = ResponsesServer()

    assert server.read_count(b'{"instructions":"be kind"}').turns == (Turn("system", (Text("be kind"),)),)
    assert server.read_count(body(tools=[FUNCTION])) == read(tools=[FUNCTION])


def test_what_an_assistant_did_in_a_row_is_one_turn_and_other_fields_begin_another() -> None:
    items = [
        {**said("assistant", "a"), "phase": "commentary"},
        {"type": "function_call", "call_id": "t", "name": "f", "arguments": "{}"},
        {**said("assistant", "b"), "phase": "commentary"},
        {**said("assistant", "c"), "phase": "final_answer"},
    ]
    turns = read(input=items).turns

    assert [(len(turn.parts), bytes(turn.extras["phase"])) for turn in turns] == [
        (3, b'"commentary"'),
        (1, b'"final_answer"'),
    ]


def test_reasoning_that_is_sent_back_keeps_its_seal_byte_for_byte() -> None:
    (thought,) = parts(SEALED)
    assert thought == Thought("", Raw(b'{"openai_responses":' + json.dumps(SEALED).encode() + b"}"))

    words = {"summary": [{"type": "summary_text", "text": "a"}, {"type": "summary_text", "text": "b"}]}
    first, second = parts({**SEALED, **words})
    assert (first, second.text, second.seal is None) == (Thought("a"), "b", False)
    assert parts({**SEALED, "encrypted_content": None, **words}) == (Thought("a"), Thought("b"))


def test_a_seal_of_another_format_is_unpacked() -> None:
    def packed(**wrapped: Any) -> dict[str, Any]:
        return {**SEALED, "id": "rs_bench_1", "encrypted_content": json.dumps(wrapped, separators=(",", ":"))}

    shown = {"type": "reasoning", "summary": [{"type": "summary_text", "text": "why"}]}
    assert parts({**packed(bench_seal="sig"), "summary": shown["summary"]}) == (Thought("why", Raw(b'"sig"')),)
    late = parts(shown, said("assistant", "x"), packed(bench_seal="sig", text="why"))
    assert late == (Text("x"), Thought("why", Raw(b'"sig"')))
    call = {"type": "function_call", "call_id": "t", "name": "f", "arguments": "{}"}
    assert parts(packed(bench_seal="sig", call_id="t"), call) == (ToolCall("t", "f", "{}", seal=Raw(b'"sig"')),)
    odd = parts({**SEALED, "encrypted_content": '{"bench_seal":'})
    assert b"openai_responses" in bytes(odd[0].seal)


def test_records_of_tools_that_a_provider_ran_go_back_to_it_alone() -> None:
    record = {"type": "web_search_call", "id": "ws_1", "status": "completed"}
    (thought,) = parts(record)

    assert json.loads(bytes(thought.seal)) == {"openai_responses": record}
    assert thought.text == ""


def test_structured_output_is_read() -> None:
    schema = {"type": "json_schema", "name": "x", "schema": {"type": "object"}, "strict": True, "description": "d"}

    assert read(text={"format": {"type": "text"}}).output is None
    assert read(text={"format": None}).output is None
    assert read(text={"format": schema}).output == OutputFormat(
        "json_schema", "x", Raw(b'{"type": "object"}'), True, "d"
    )


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"model": 5}, "`model` must be text"),
        ({"input": None}, "at least one item"),
        ({"input": []}, "at least one item"),
        ({"input": ""}, "at least one item"),
        ({"input": 5}, "`input` must be text or a list"),
        ({"input": ["hi"]}, "`input[0]` must be an object"),
        ({"input": [{"role": "user", "content": 5}]}, "`input[0].content` must be text or a list"),
        ({"input": [{"role": "user", "content": [5]}]}, "`input[0].content[0]` must be an object"),
        ({"input": [USER, {"role": "tool", "content": ""}]}, "`input[1].role` is 'tool'"),
        ({"input": [{"role": "model", "content": ""}]}, "Send one of system, developer, user, assistant"),
        ({"input": [{"type": "function_call", "call_id": "t"}]}, "names no tool"),
        ({"input": [{"type": "function_call", "name": "f"}]}, "has no `call_id`"),
        ({"input": [{"type": "function_call_output", "output": "x"}]}, "has no `call_id`"),
        ({"input": [{"type": "function_call_output", "call_id": "t", "output": 5}]}, "`input[0].output` must be text"),
        ({"input": [{"type": "item_reference", "id": "rs_1"}]}, "Send the items themselves"),
        ({"input": [{"type": "compaction", "encrypted_content": "x"}]}, "Send the items themselves"),
        ({"input": [{"type": "computer_call", "call_id": "t"}]}, "Offer functions or custom tools"),
        ({"input": [{"type": "image_generation_call", "result": "x"}]}, "Offer functions or custom tools"),
        ({"input": [{"type": "hologram"}]}, "Items are of type message, reasoning"),
        ({"input": [{"type": "reasoning", "summary": "x"}]}, "`input[0].summary` must be a list"),
        ({"previous_response_id": "resp_1"}, "Send the whole conversation"),
        ({"conversation": {"id": "conv_1"}}, "Send the whole conversation"),
        ({"prompt": {"id": "pmpt_1"}}, "Send its text"),
        ({"background": True}, "this server keeps no responses"),
        ({"max_output_tokens": 0}, "`max_output_tokens` must be at least 1"),
        ({"temperature": "hot"}, "`temperature` must be a number"),
        ({"stream": "yes"}, "`stream` must be true or false"),
        ({"instructions": ["x"]}, "`instructions` must be text"),
        ({"reasoning": "low"}, "`reasoning` must be an object"),
        ({"reasoning": {"effort": 5}}, "`reasoning.effort` must be text"),
        ({"with": "alpha"}, "`with` must be a list"),
        ({"bench": {"reply": "one"}}, "all, merged, route or choices"),
        ({"text": {"format": "json"}}, "`text.format` must be an object"),
        ({"text": {"format": {"type": "xml"}}}, "text, json_object or json_schema"),
        ({"text": {"format": {"type": "json_schema", "name": "x"}}}, "text, json_object or json_schema"),
    ],
)
def test_malformed_requests_are_refused_with_what_is_right(fields: dict[str, Any], words: str) -> None:
    assert words in refusal(**fields)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"type": "image", "source": {}}, '{"type": "input_image"'),
        ({"type": "image_url", "image_url": "https://h/a"}, '{"type": "input_image"'),
        ({"type": "document"}, '{"type": "input_file"'),
        ({"type": "tool_result"}, "function_call_output"),
        ({"type": "hologram"}, "parts are of type input_text"),
        ({"text": "x"}, "has no `type`"),
        ({"type": "input_text"}, "has no `text`"),
        ({"type": "refusal"}, "has no `refusal`"),
        ({"type": "input_image"}, "has no `image_url`"),
        ({"type": "input_image", "file_id": "file-1"}, "stored at a provider"),
        ({"type": "input_image", "image_url": "file:///etc/passwd"}, "[image: [url]]"),
        ({"type": "input_image", "image_url": "data:text/html;base64," + "A" * 8_000}, "data URL, 7 KB]"),
        ({"type": "input_audio"}, "has no `input_audio.data`"),
        ({"type": "input_file", "filename": "a"}, "has no `file_data`, `file_url` or `file_id`"),
    ],
)
def test_parts_that_would_be_lost_are_refused_with_the_right_shape(part: dict[str, Any], words: str) -> None:
    message = refusal(input=[said("user", {"type": "input_text", "text": "x"}, part)])

    assert words in message
    assert "AAAA" not in message


def test_results_hold_words_and_media_only() -> None:
    part = {"type": "refusal", "refusal": "no"}

    assert "text and media only" in refusal(input=[{"type": "function_call_output", "call_id": "t", "output": [part]}])
    assert parts(said("assistant", part, part)) == (Refusal("no"), Refusal("no"))


@pytest.mark.parametrize("field", ["input", "tools", "tool_choice", "text"])
def test_a_body_nested_a_thousand_deep_is_refused(field: str) -> None:
    with pytest.raises(BadRequest, match=r"nested too deeply|must be"):
        SERVER.read_ask(b'{"input":"hi","%b":' % field.encode() + b"[" * 1_000 + b"]" * 1_000 + b"}")
