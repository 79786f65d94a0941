"""Requests are read in full, or refused with the right shape."""

from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import (
    Ask,
    BenchField,
    Knobs,
    Media,
    OutputFormat,
    Text,
    Thought,
    Tool,
    ToolCall,
    ToolChoice,
    ToolResult,
    Turn,
)
from gateway.canon.fault import BadRequest
from gateway.tests.wire.openai_chat.asking import FUNCTION, USER, read, refusal, sent
from gateway.wire.losses import FORM
from gateway.wire.openai_chat import SERVER


def test_a_request_with_everything_is_read_in_full() -> None:
    ask = read(
        messages=[
            {"role": "developer", "content": "be kind", "name": "ops"},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "look", "cache_control": {"type": "ephemeral"}},
                    {"type": "image_url", "image_url": {"url": "https://h/a.png", "detail": "low"}},
                    {"type": "image_url", "image_url": "data:image/png;base64,AAAA"},
                    {"type": "input_audio", "input_audio": {"data": "BBBB", "format": "mp3"}},
                    {"type": "file", "file": {"file_data": "data:application/pdf;base64,CCCC", "filename": "a.pdf"}},
                    {"type": "file", "file": {"file_id": "file-1"}},
                ],
            },
            {
                "role": "assistant",
                "content": None,
                "reasoning_content": "hm",
                "prefix": True,
                "refusal": None,
                "audio": None,
                "tool_calls": [
                    {"id": "t0", "type": "function", "function": {"name": "f", "arguments": ""}},
                    {"id": "t1", "type": "custom", "custom": {"name": "g", "input": "raw"}},
                    {"id": "t2", "function": {"name": "f", "arguments": {"a": 1}}},
                ],
            },
            {"role": "tool", "tool_call_id": "t0", "content": [{"type": "text", "text": "noon"}], "name": "f"},
        ],
        stream=True,
        stream_options={"include_usage": True},
        max_completion_tokens=9,
        max_tokens=8,
        temperature=1,
        top_p=0.5,
        top_k=3,
        stop="END",
        seed=7,
        presence_penalty=0.1,
        frequency_penalty=0.2,
        reasoning_effort="low",
        tools=[FUNCTION],
        tool_choice={"type": "function", "function": {"name": "f"}},
        parallel_tool_calls=False,
        response_format={"type": "json_object"},
        user="u",
        metadata=None,
        n=1,
        bench={"reply": "route"},
        **{"with": ["alpha"]},
    )

    assert ask == Ask(
        protocol="openai_chat",
        model="bench/core",
        turns=(
            Turn("developer", (Text("be kind"),), "ops"),
            Turn(
                "user",
                (
                    Text("look", Raw(b'{"type": "ephemeral"}')),
                    Media("image", url="https://h/a.png", detail="low"),
                    Media("image", data="AAAA", mime="image/png"),
                    Media("audio", data="BBBB", mime="audio/mpeg"),
                    Media("document", data="CCCC", mime="application/pdf", name="a.pdf"),
                    Media("document", file_id="file-1"),
                ),
            ),
            Turn(
                "assistant",
                (
                    Thought("hm"),
                    ToolCall("t0", "f", "{}"),
                    ToolCall("t1", "g", "raw", custom=True),
                    ToolCall("t2", "f", '{"a":1}'),
                ),
                extras={"prefix": Raw(b"true")},
            ),
            Turn(
                "tool",
                (ToolResult("t0", (Text("noon"),), name="f"),),
                extras={FORM: Raw(b'[{"type": "text", "text": "noon"}]')},
            ),
        ),
        stream=True,
        include_usage=True,
        tools=(Tool("f"),),
        tool_choice=ToolChoice("named", "f", parallel=False),
        output=OutputFormat("json_object"),
        knobs=Knobs(9, 1.0, 0.5, 3, ("END",), 7, 0.1, 0.2, "low"),
        nominated=("alpha",),
        bench=BenchField("route"),
        extras={"user": Raw(b'"u"')},
    )


@pytest.mark.parametrize("model", ["", None])
def test_a_missing_model_is_left_to_who_knows_the_collections(model: str) -> None:
    assert read(model=model).model == ""
    assert SERVER.read_ask(b'{"messages":[{"content":"hi"}]}').model == ""


def test_a_message_without_a_role_is_the_users_and_old_fields_without_a_value_do_no_harm() -> None:
    ask = read(messages=[{"content": "hi", "function_call": None, "tool_calls": []}], functions=[], function_call=None)

    assert ask.turns == (Turn("user", (Text("hi"),)),)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"model": 5}, "`model` must be text"),
        ({"model": ["x"]}, "`model` must be text"),
        ({"messages": None}, "at least one message"),
        ({"messages": []}, "at least one message"),
        ({"messages": "hi"}, "`messages` must be a list"),
        ({"messages": ["hi"]}, "`messages[0]` must be an object"),
        ({"messages": [{"role": "user", "content": 5}]}, "`messages[0].content` must be text or a list"),
        ({"messages": [{"role": "user", "content": [5]}]}, "`messages[0].content[0]` must be an object"),
        ({"messages": [USER, {"role": "model", "content": ""}]}, "`messages[1].role` is 'model'"),
        ({"messages": [{"role": "function", "name": "f", "content": ""}]}, "`tool_calls`"),
        ({"messages": [{"role": "assistant", "function_call": {"name": "f"}}]}, "`tool_calls`"),
        ({"messages": [{**USER, "tool_calls": [{"id": "t"}]}]}, "only an assistant"),
        ({"functions": [{"name": "f"}]}, "Send `tools`"),
        ({"function_call": "auto"}, "Send `tools`"),
        ({"max_tokens": 0}, "`max_tokens` must be at least 1"),
        ({"max_completion_tokens": -1}, "`max_completion_tokens` must be at least 1"),
        ({"max_tokens": 1.5}, "`max_tokens` must be a whole number"),
        ({"n": 0}, "`n` must be at least 1"),
        ({"temperature": "hot"}, "`temperature` must be a number"),
        ({"stop": [1]}, "`stop[0]` must be text"),
        ({"stop": 1}, "`stop` must be text or a list"),
        ({"stream": "yes"}, "`stream` must be true or false"),
        ({"stream_options": True}, "`stream_options` must be an object"),
        ({"with": "alpha"}, "`with` must be a list"),
        ({"bench": {"reply": "one"}}, "all, merged, route or choices"),
        ({"tools": {}}, "`tools` must be a list"),
        ({"tools": [5]}, "`tools[0]` must be an object"),
        ({"tools": [{}]}, "`tools[0]` has no type"),
        ({"tools": [{"type": "function", "name": "f"}]}, "the name goes inside"),
        ({"tools": [{"type": "custom", "custom": {}}]}, "the name goes inside"),
        ({"tool_choice": 5}, "`tool_choice` must be text or an object"),
        ({"tool_choice": "maybe"}, "Send auto, none, required"),
        ({"tool_choice": "required"}, "`tools` offers none"),
        ({"tool_choice": {"type": "function", "function": {"name": "g"}}, "tools": [FUNCTION]}, "not among `tools`"),
        ({"tool_choice": {"type": "function", "name": "f"}, "tools": [FUNCTION]}, "names a tool is"),
        ({"tool_choice": {}}, "names a tool is"),
        ({"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "odd"}}}, "Send auto, none, required"),
        ({"response_format": "json"}, "`response_format` must be an object"),
        ({"response_format": {"type": "xml"}}, "text, json_object or json_schema"),
        ({"response_format": {"type": "json_schema"}}, "text, json_object or json_schema"),
        ({"response_format": {"type": "json_schema", "json_schema": {"name": "x"}}}, "text, json_object or json_sch"),
    ],
)
def test_malformed_requests_are_refused_with_what_is_right(fields: dict[str, Any], said: str) -> None:
    assert said in refusal(**fields)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"type": "image", "source": {}}, '{"type": "image_url"'),
        ({"type": "input_image", "image_url": "https://h/a"}, '{"type": "image_url"'),
        ({"type": "input_text", "text": "x"}, '{"type": "text"'),
        ({"type": "input_file"}, '{"type": "file"'),
        ({"type": "tool_use"}, "`tool_calls`"),
        ({"type": "tool_result"}, "role tool"),
        ({"type": "hologram"}, "parts are of type text"),
        ({"text": "x"}, "has no `type`"),
        ({"type": "text"}, "has no `text`"),
        ({"type": "refusal"}, "has no `refusal`"),
        ({"type": "image_url"}, "has no `image_url.url`"),
        ({"type": "image_url", "image_url": {}}, "has no `image_url.url`"),
        ({"type": "image_url", "image_url": 5}, "must be text or an object"),
        ({"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}, "[image: [url]]"),
        ({"type": "image_url", "image_url": {"url": "data:text/html;base64," + "A" * 8_000}}, "data URL, 7 KB]"),
        ({"type": "input_audio"}, "has no `input_audio.data`"),
        ({"type": "input_audio", "input_audio": {"format": "mp3"}}, "has no `input_audio.data`"),
        ({"type": "file"}, "has no `file.file_data` or `file.file_id`"),
        ({"type": "file", "file": {"filename": "a"}}, "has no `file.file_data` or `file.file_id`"),
    ],
)
def test_parts_that_would_be_lost_are_refused_with_the_right_shape(part: dict[str, Any], said: str) -> None:
    messages = [{"role": "user", "content": [{"type": "text", "text": "x"}, part]}]
    message = refusal(messages=messages)

    assert said in message
    assert "AAAA" not in message


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ({"id": "t", "type": "function"}, "names no function"),
        ({"id": "t", "type": "function", "function": {"arguments": "{}"}}, "names no function"),
        ({"type": "function", "function": {"name": "f"}}, "has no `id`"),
    ],
)
def test_calls_that_no_result_could_refer_to_are_refused(call: dict[str, Any], said: str) -> None:
    assert said in refusal(messages=[USER, {"role": "assistant", "tool_calls": [call]}])


def test_results_need_the_id_of_their_call_and_hold_words_and_media_only() -> None:
    assert "`tool_call_id`" in refusal(messages=[{"role": "tool", "content": "x"}])
    part = {"type": "refusal", "refusal": "no"}
    assert "text and media only" in refusal(messages=[{"role": "tool", "tool_call_id": "t", "content": [part]}])


def test_a_body_nested_a_thousand_deep_is_refused() -> None:
    with pytest.raises(BadRequest, match="nested too deeply"):
        SERVER.read_ask(b'{"messages":' + b"[" * 1_000 + b"]" * 1_000 + b"}")


@pytest.mark.parametrize(
    ("choice", "read_as"),
    [
        ("none", ToolChoice("none")),
        ("any", ToolChoice("required")),
        ({"type": "custom", "custom": {"name": "g"}}, ToolChoice("named", "g")),
        ({"function": {"name": "f"}}, ToolChoice("named", "f")),
        (None, ToolChoice()),
    ],
)
def test_tool_choices_are_read(choice: Any, read_as: Any) -> None:
    tools = [FUNCTION, {"type": "custom", "custom": {"name": "g", "format": {"type": "text"}}}]
    ask = read(tools=tools, tool_choice=choice)

    assert ask.tool_choice == read_as
    assert ask.extras == {}


@pytest.mark.parametrize(
    ("choice", "mode"),
    [
        ({"type": "allowed_tools", "allowed_tools": {"mode": "required", "tools": [FUNCTION]}}, "required"),
        ({"type": "allowed_tools", "mode": "auto", "tools": []}, "auto"),
        ({"type": "allowed_tools"}, "auto"),
        ({"type": "web_search"}, "named"),
    ],
)
def test_a_choice_canon_has_no_word_for_still_reaches_members_of_this_api(choice: Any, mode: str) -> None:
    ask = read(tools=[FUNCTION, {"type": "web_search"}], tool_choice=choice)

    assert ask.tool_choice.mode == mode
    assert sent(ask)[0]["tool_choice"] == choice


def test_structured_output_is_read() -> None:
    schema = {"name": "x", "schema": {"type": "object"}, "strict": True, "description": "d"}

    assert read(response_format={"type": "text"}).output is None
    assert read(response_format=None).output is None
    assert read(response_format={"type": "json_schema", "json_schema": schema}).output == OutputFormat(
        "json_schema", "x", Raw(b'{"type": "object"}'), True, "d"
    )


def test_reasoning_that_is_sent_back_is_kept_with_its_seal() -> None:
    details = [{"type": "reasoning.text", "text": "hm", "signature": "s"}]

    def thoughts(**message: Any) -> tuple[Any, ...]:
        return read(messages=[USER, {"role": "assistant", "content": "x", **message}]).turns[1].parts[:-1]

    assert thoughts(reasoning="hm") == (Thought("hm"),)
    assert thoughts() == ()
    assert thoughts(reasoning_details=details)[0].text == "hm"
    assert b'"signature": "s"' in bytes(thoughts(reasoning_details=details)[0].seal)
    assert thoughts(reasoning_details="odd")[0].text == ""
    assert thoughts(reasoning_details=[{"type": "bench.seal", "text": "why", "seal": "sig"}]) == (
        Thought("why", Raw(b'"sig"')),
    )
    assert read(messages=[{"role": "assistant", "content": [{"type": "thinking", "thinking": [{"text": "a"}]}]}]).turns[
        0
    ].parts == (Thought("a"),)
    assert read(messages=[{"role": "assistant", "content": [{"type": "thinking", "thinking": "a"}]}]).turns[
        0
    ].parts == (Thought("a"),)


@pytest.mark.parametrize(
    ("extra", "seal"),
    [
        ({"bench_seal": "sig"}, b'"sig"'),
        ({"google": 1}, b'{"openai_chat":{"extra_content":{"google": 1}}}'),
        ("odd", b'{"openai_chat":{"extra_content":"odd"}}'),
        ({}, None),
    ],
)
def test_a_calls_seal_comes_back_out_of_its_extra_content(extra: Any, seal: Any) -> None:
    call = {"id": "t", "function": {"name": "f"}, "extra_content": extra}
    part = read(messages=[{"role": "assistant", "tool_calls": [call]}]).turns[0].parts[0]

    assert isinstance(part, ToolCall)
    assert part.seal == (Raw(seal) if seal else None)
