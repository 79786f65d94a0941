"""Requests are read in full or refused with the right shape, and go out to members as they came."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

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
from gateway.wire.base import Facts
from gateway.wire.openai_chat import CLIENT, SERVER

USER = {"role": "user", "content": "hi"}
FUNCTION = {"type": "function", "function": {"name": "f"}}


def body(**fields):
    return json.dumps({"model": "bench/core", "messages": [USER], **fields}, ensure_ascii=False).encode()


def read(**fields):
    return SERVER.read_ask(body(**fields))


def refusal(**fields):
    with pytest.raises(BadRequest) as refused:
        SERVER.read_ask(body(**fields))
    return refused.value.message


def sent(ask, **facts):
    outgoing = CLIENT.write_ask(ask, Facts("served/m", **facts))
    return json.loads(outgoing.body), outgoing.notes


# --- reading ----------------------------------------------------------------------------------------------------------


def test_a_request_with_everything_is_read_in_full():
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
            Turn("tool", (ToolResult("t0", (Text("noon"),), name="f"),)),
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
def test_a_missing_model_is_left_to_who_knows_the_collections(model):
    assert read(model=model).model == ""
    assert SERVER.read_ask(b'{"messages":[{"content":"hi"}]}').model == ""


def test_a_message_without_a_role_is_the_users_and_old_fields_without_a_value_do_no_harm():
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
def test_malformed_requests_are_refused_with_what_is_right(fields, said):
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
        ({"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 8_000}}, None),
        ({"type": "image_url", "image_url": {"url": "data:text/html;base64," + "A" * 8_000}}, "data URL, 7 KB]"),
        ({"type": "input_audio"}, "has no `input_audio.data`"),
        ({"type": "input_audio", "input_audio": {"format": "mp3"}}, "has no `input_audio.data`"),
        ({"type": "file"}, "has no `file.file_data` or `file.file_id`"),
        ({"type": "file", "file": {"filename": "a"}}, "has no `file.file_data` or `file.file_id`"),
    ],
)
def test_parts_that_would_be_lost_are_refused_with_the_right_shape(part, said):
    messages = [{"role": "user", "content": [{"type": "text", "text": "x"}, part]}]
    if said is None:
        assert read(messages=messages).media
    else:
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
def test_calls_that_no_result_could_refer_to_are_refused(call, said):
    assert said in refusal(messages=[USER, {"role": "assistant", "tool_calls": [call]}])


def test_results_need_the_id_of_their_call_and_hold_words_and_media_only():
    assert "`tool_call_id`" in refusal(messages=[{"role": "tool", "content": "x"}])
    part = {"type": "refusal", "refusal": "no"}
    assert "text and media only" in refusal(messages=[{"role": "tool", "tool_call_id": "t", "content": [part]}])


def test_a_body_nested_a_thousand_deep_is_refused():
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
def test_tool_choices_are_read(choice, read_as):
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
def test_a_choice_canon_has_no_word_for_still_reaches_members_of_this_api(choice, mode):
    ask = read(tools=[FUNCTION, {"type": "web_search"}], tool_choice=choice)

    assert ask.tool_choice.mode == mode
    assert sent(ask)[0]["tool_choice"] == choice


def test_structured_output_is_read():
    schema = {"name": "x", "schema": {"type": "object"}, "strict": True, "description": "d"}

    assert read(response_format={"type": "text"}).output is None
    assert read(response_format=None).output is None
    assert read(response_format={"type": "json_schema", "json_schema": schema}).output == OutputFormat(
        "json_schema", "x", Raw(b'{"type": "object"}'), True, "d"
    )


def test_reasoning_that_is_sent_back_is_kept_with_its_seal():
    details = [{"type": "reasoning.text", "text": "hm", "signature": "s"}]

    def thoughts(**message):
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
def test_a_calls_seal_comes_back_out_of_its_extra_content(extra, seal):
    call = {"id": "t", "function": {"name": "f"}, "extra_content": extra}
    part = read(messages=[{"role": "assistant", "tool_calls": [call]}]).turns[0].parts[0]

    assert part.seal == (Raw(seal) if seal else None)


# --- writing ----------------------------------------------------------------------------------------------------------


def ask_of(*turns, protocol="openai_chat", **more):
    return Ask(protocol, "bench/core", turns or (Turn("user", (Text("hi"),)),), **more)


def test_a_plain_request_goes_out_as_a_stream_with_its_usage_asked_for():
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


def test_the_callers_settings_go_over_the_operators():
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
def test_the_token_limit_has_one_field_and_one_ceiling(asked, options, facts, written, noted):
    body, notes = sent(ask_of(knobs=Knobs(max_tokens=asked)), options=options, **facts)

    assert {name: value for name, value in body.items() if name.startswith("max_")} == written
    assert bool(notes) is noted


def test_what_another_api_brought_and_this_one_lacks_is_named():
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


def test_a_choice_goes_with_the_tool_it_names():
    tools = (Tool("web_search", kind="vendor", definition=Raw(b"{}")), Tool("f"))
    ask = ask_of(protocol="anthropic", tools=tools, tool_choice=ToolChoice("named", "web_search", parallel=True))
    body, notes = sent(ask)

    assert "tool_choice" not in body
    assert body["parallel_tool_calls"] is True
    assert len(notes) == 2


def test_one_answer_is_asked_for_and_log_probabilities_are_not():
    body, notes = sent(read(n=3, logprobs=True, user="u"))

    assert ("n" in body, "logprobs" in body, body["user"]) == (False, False, "u")
    assert len(notes) == 2


def test_roles_a_model_does_not_know_are_rewritten_and_said_so():
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


def test_pictures_in_a_tools_result_follow_in_a_user_message():
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


def test_a_model_for_plain_text_gets_it_joined_and_loses_cache_marks_by_name():
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


def test_reasoning_goes_back_only_where_it_is_wanted_and_its_seal_only_where_it_was_made():
    own = Raw(b'{"openai_chat":{"reasoning_details":[{"data":"x"}],"extra_content":{"g":1}}}')

    def message(*parts, **facts):
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
    assert message(Thought("", Raw(b'"sig"')), Text("a")) == ({"role": "assistant", "content": "a"}, False)
    assert message(Thought("hm", Raw(b'{"openai_chat":{"extra_content":1}}')), Text("a"))[1] is True
    assert message(Thought("hm", Raw(b"not json")), Text("a"))[1] is True


def test_calls_go_back_with_their_own_seal_and_never_with_empty_arguments():
    own = Raw(b'{"openai_chat":{"extra_content":{"g":1}}}')
    calls = (
        ToolCall("t", "f", "", seal=own),
        ToolCall("u", "f", "{}", seal=Raw(b'"sig"')),
        ToolCall("v", "g", "", True),
    )
    (message,) = sent(ask_of(Turn("assistant", calls)))[0]["messages"]

    assert message["content"] is None
    assert message["tool_calls"] == [
        {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}, "extra_content": {"g": 1}},
        {"id": "u", "type": "function", "function": {"name": "f", "arguments": "{}"}},
        {"id": "v", "type": "custom", "custom": {"name": "g", "input": ""}},
    ]


def test_a_turn_with_results_only_needs_no_message_of_its_own():
    (message,) = sent(ask_of(Turn("user", (ToolResult("t", (Text("ok"),)),))))[0]["messages"]

    assert message == {"role": "tool", "tool_call_id": "t", "content": "ok"}


def test_a_cache_mark_on_a_picture_is_kept():
    part = {"type": "image_url", "image_url": {"url": "https://h/a"}, "cache_control": {"type": "ephemeral"}}
    ask = read(messages=[{"role": "user", "content": [part]}])

    assert sent(ask)[0]["messages"][0]["content"] == [part]


def test_a_turn_without_content_is_still_a_message():
    assert sent(ask_of(Turn("user"), Turn("tool", (Text("x"),))))[0]["messages"] == [
        {"role": "user", "content": ""},
        {"role": "user", "content": "x"},
    ]


def test_a_format_without_a_name_gets_one():
    output = OutputFormat("json_schema", schema=Raw(b'{"type":"object"}'))

    assert sent(ask_of(output=output))[0]["response_format"]["json_schema"]["name"] == "answer"


def test_the_key_travels_as_a_bearer_token_and_no_key_sends_nothing():
    assert CLIENT.auth("sk-1") == {"Authorization": "Bearer sk-1"}
    assert CLIENT.auth("") == {}


def test_replies_echo_the_collection_without_its_mode():
    assert SERVER.echo_model("core:merged") == SERVER.echo_model("bench/core") == "bench/core"
    assert SERVER.echo_model("") == ""


# --- round trip -------------------------------------------------------------------------------------------------------

words = st.text(min_size=1, max_size=12)
raws = st.sampled_from([Raw(b'{"type":"object"}'), Raw(b"[1]"), Raw(b'"x"')])
marks = st.none() | st.just(Raw(b'{"type":"ephemeral"}'))
texts = st.builds(Text, words, marks)
media = st.one_of(
    st.builds(Media, st.just("image"), url=st.just("https://h/a"), detail=st.sampled_from(["", "low"]), cache=marks),
    st.builds(Media, st.just("image"), data=st.just("AAAA"), mime=st.just("image/png")),
    st.builds(Media, st.just("audio"), data=st.just("BBBB"), mime=st.sampled_from(["audio/mpeg", "audio/flac", ""])),
    st.builds(Media, st.just("document"), data=st.just("CC"), mime=st.just("application/pdf"), name=words),
    st.builds(Media, st.just("document"), file_id=words, cache=marks),
)
extras = st.dictionaries(st.sampled_from(["prefix", "annotations"]), raws, max_size=2)
users = st.builds(Turn, st.just("user"), st.lists(texts | media, max_size=3).map(tuple), st.just("") | words, extras)
systems = st.builds(Turn, st.sampled_from(["system", "developer"]), st.lists(texts, min_size=1, max_size=2).map(tuple))
seals = st.none() | st.just(Raw(b'{"openai_chat":{"extra_content":{"google":1}}}'))
calls = st.builds(ToolCall, words, words, words.filter(str.strip), st.booleans(), seals)
assistants = st.builds(
    lambda thoughts, said, refusals, made, more: Turn("assistant", (*thoughts, *said, *refusals, *made), extras=more),
    st.lists(st.builds(Thought, words), max_size=1),
    st.lists(texts, max_size=2),
    st.lists(st.builds(Refusal, words), max_size=1),
    st.lists(calls, max_size=2),
    extras,
)
results = st.builds(
    lambda result: Turn("tool", (result,)),
    st.builds(ToolResult, words, st.lists(texts, max_size=2).map(tuple), name=st.just("") | words),
)
tools = st.one_of(
    st.builds(Tool, words, words, st.none() | raws, st.none() | st.booleans(), cache=marks),
    st.builds(Tool, words, words, kind=st.just("custom"), grammar=st.none() | raws),
    st.just(Tool("web_search", kind="vendor", definition=Raw(b'{"type":"web_search","a":1}'))),
)
floats = st.none() | st.floats(0, 2)
knobs = st.builds(
    Knobs,
    st.none() | st.integers(1, 1_000),
    floats,
    floats,
    st.none() | st.integers(1, 9),
    st.lists(words, max_size=2).map(tuple),
    st.none() | st.integers(),
    floats,
    floats,
    st.just("") | words,
)
outputs = st.one_of(
    st.none(),
    st.just(OutputFormat("json_object")),
    st.builds(OutputFormat, st.just("json_schema"), words, raws, st.none() | st.booleans(), st.just("") | words),
)


@st.composite
def asks(draw):
    offered = tuple(draw(st.lists(tools, max_size=3, unique_by=lambda tool: tool.name)))
    modes = ["auto", "none", "required", "named"] if offered else ["auto"]
    mode = draw(st.sampled_from(modes))
    name = draw(st.sampled_from(offered)).name if mode == "named" else ""
    parallel = draw(st.none() | st.booleans()) if offered else None
    more = draw(st.dictionaries(st.sampled_from(["user", "store", "prompt_cache_key"]), raws, max_size=2))
    choice = ToolChoice(mode, name, parallel)
    if name == "web_search":
        more["tool_choice"] = Raw(b'{"type":"web_search"}')
    return Ask(
        "openai_chat",
        "served/m",
        tuple(draw(st.lists(users | systems | assistants | results, min_size=1, max_size=4))),
        stream=True,
        include_usage=True,
        tools=offered,
        tool_choice=choice,
        output=draw(outputs),
        knobs=draw(knobs),
        extras=more,
    )


@given(asks())
def test_an_ask_that_goes_out_and_is_read_again_is_the_same(ask):
    facts = Facts("served/m", developer_role=True, reasoning_field="reasoning_content")
    outgoing = CLIENT.write_ask(ask, facts)

    assert SERVER.read_ask(outgoing.body) == ask
    assert outgoing.notes == ()


@given(asks())
def test_every_ask_can_be_written_for_the_plainest_member(ask):
    facts = Facts("m", stream=False, system_role=False, content_lists=False, completion_tokens_field=True, max_output=5)

    SERVER.read_ask(CLIENT.write_ask(replace(ask, protocol="anthropic"), facts).body)
