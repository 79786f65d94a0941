"""What providers send is read as what they mean."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Refusal, Text, Thought, ToolCall
from gateway.canon.event import Closed, Failed, Finish, Note, TextDelta, Usage
from gateway.canon.fault import Broken, ErrorInReply
from gateway.tests.wire.openai_chat.streams import delta, events_of, read, sse, tool

INTERLEAVED = sse(
    delta(role="assistant", content="北京 🌍"),
    delta(tool_calls=[tool(0, "t0", "alpha", "")]),
    delta(tool_calls=[tool(1, "t1", "beta", '{"b"')]),
    delta(tool_calls=[{"index": 0, "function": {"arguments": '{"a":'}}]),
    delta(tool_calls=[{"index": 1, "id": None, "type": None, "function": {"name": None, "arguments": ":2}"}}]),
    delta(tool_calls=[{"index": 0, "function": {"arguments": "1}"}}]),
    delta("tool_calls"),
    {"id": "c1", "choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 9, "total_tokens": 29}},
    end="\r\n\r\n",
)


def test_interleaved_calls_and_late_usage_are_the_same_for_every_cut() -> None:
    whole = read(INTERLEAVED)

    assert whole.parts == (Text("北京 🌍"), ToolCall("t0", "alpha", '{"a":1}'), ToolCall("t1", "beta", '{"b":2}'))
    assert (whole.finish, whole.usage, whole.fault) == (Finish.TOOL_USE, Usage(20, 9), None)
    for cut in range(len(INTERLEAVED)):
        assert read(INTERLEAVED, cut) == whole
    assert read(INTERLEAVED, *range(len(INTERLEAVED))) == whole


@pytest.mark.parametrize("pieces", [[""], ["{}"], ["", "{}"], [None], ["", "{", "}"]])
def test_a_call_without_arguments_has_an_empty_object(pieces: list[str | None]) -> None:
    body = sse(*(delta(tool_calls=[tool(0, "t0", "now", piece)]) for piece in pieces), delta("tool_calls"))

    assert read(body).calls == (ToolCall("t0", "now", "{}"),)


def test_an_error_inside_a_success_is_a_failure_with_its_status_and_words() -> None:
    reply = read(sse({"id": "c2", "choices": [], "error": {"code": 502, "message": "upstream is full"}}, done=False))

    assert reply.fault == ErrorInReply("upstream is full", upstream_status=502, provider_code="502")


def test_an_error_after_some_text_keeps_the_text_and_nothing_follows_it() -> None:
    events = events_of(
        sse(
            delta(content="half"),
            {"error": {"message": "gone", "type": "server_error"}, "choices": [], "usage": {"prompt_tokens": 3}},
            delta(content="never seen"),
        )
    )

    assert [type(event) for event in events[1:]] == [TextDelta, Usage, Failed]
    assert events[-1] == Failed(ErrorInReply("gone", upstream_status=500, provider_code="server_error"))


def test_a_choice_that_ends_in_an_error_is_one() -> None:
    fault = read(sse(delta("error"))).fault

    assert isinstance(fault, ErrorInReply)
    assert fault.provider_code == "error"


@pytest.mark.parametrize("data", ['{"message":"too busy","code":"busy"}', '{"detail":"too busy"}', "too busy"])
def test_an_event_named_error_is_one_whatever_it_holds(data: Any) -> None:
    fault = read(f"event: error\ndata: {data}\n\n".encode()).fault

    assert isinstance(fault, ErrorInReply)
    assert fault.message == "too busy"


def test_a_finish_for_tools_without_a_call_is_a_plain_stop_and_noted() -> None:
    reply = read(sse(delta(content="I will read the file."), delta("tool_calls", tool_calls=[])))

    assert (reply.text, reply.finish) == ("I will read the file.", Finish.STOP)
    assert [note.kind for note in reply.notes] == ["anomaly"]


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("stop", Finish.TOOL_USE),
        ("end_turn", Finish.TOOL_USE),
        ("whatever", Finish.TOOL_USE),
        ("length", Finish.LENGTH),
        ("content_filter", Finish.CONTENT_FILTER),
    ],
)
def test_a_call_makes_the_finish_tool_use_unless_the_answer_was_cut(word: str, finish: Finish) -> None:
    assert read(sse(delta(tool_calls=[tool(0, "t", "f", "{}")]), delta(word))).finish is finish


@pytest.mark.parametrize(
    ("fields", "finish", "native"),
    [
        ({"finish_reason": "stop"}, Finish.STOP, "stop"),
        ({"finish_reason": "eos"}, Finish.STOP, "eos"),
        ({"finish_reason": "STOP"}, Finish.STOP, "STOP"),
        ({"finish_reason": "stop_sequence"}, Finish.STOP_SEQUENCE, "stop_sequence"),
        ({"finish_reason": "model_length"}, Finish.LENGTH, "model_length"),
        ({"finish_reason": "max_tokens"}, Finish.LENGTH, "max_tokens"),
        ({"finish_reason": "SAFETY"}, Finish.CONTENT_FILTER, "SAFETY"),
        ({"finish_reason": "never heard of"}, Finish.STOP, "never heard of"),
        ({"finish_reason": "stop", "native_finish_reason": "completed"}, Finish.STOP, "completed"),
        ({"finish_reason": "content_filter", "native_finish_reason": "refusal"}, Finish.REFUSAL, "refusal"),
        ({"finish_reason": "length", "native_finish_reason": "refusal"}, Finish.LENGTH, "refusal"),
        ({"finish_reason": "stop", "stop_reason": 128009}, Finish.STOP, "stop"),
    ],
)
def test_the_many_words_for_an_end_are_understood_and_kept(fields: dict[str, Any], finish: Finish, native: str) -> None:
    reply = read(sse({"choices": [{"index": 0, "delta": {"content": "x"}, **fields}]}))

    assert (reply.finish, reply.native) == (finish, native)


def test_the_stop_sequence_that_was_met_is_kept() -> None:
    chunk = {"choices": [{"index": 0, "delta": {"content": "x"}, "finish_reason": "stop", "stop_reason": "END"}]}
    reply = read(sse(chunk))

    assert (reply.finish, reply.sequence) == (Finish.STOP_SEQUENCE, "END")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "nothing came"),
        (b"\xef\xbb\xbf", "nothing came"),
        (b"<html><body>Bad gateway", "<html><body>Bad gateway"),
        (b": processing\n\n", ": processing"),
        (b"data: [DONE]\n\n", "data: [DONE]"),
        (b'{"id":"x"}', '{"id":"x"}'),
        (b'{"choices":[]}', '{"choices":[]}'),
        (sse(delta(content="half"), done=False), "broke off"),
        (sse("{not json"), "{not json"),
        (sse('{"choices":[{"delta":{"content":5}}]}'), "not a chat completion"),
        (b'{"choices":[{"message"', "not a chat completion"),
        (b'data: {"choices":[{"delta":{"content":"\xe5\x8c"}}]}\n\n', "UTF-8"),
        (b'data: {"choices":' + b"[" * 2_000 + b"]" * 2_000 + b"}\n\n", "not a chat completion"),
    ],
)
def test_what_is_cut_garbled_or_empty_is_broken_and_says_how(body: Any, said: str) -> None:
    events = events_of(body)

    assert isinstance(events[-1], Failed)
    assert isinstance(events[-1].fault, Broken)
    assert said in events[-1].fault.message


def test_text_is_not_passed_over_when_a_chunk_in_the_middle_is_broken() -> None:
    reply = read(sse(delta(content="a"), '{"choices":', delta(content="b"), delta("stop")))

    assert (reply.text, type(reply.fault)) == ("a", Broken)


def test_a_stream_may_end_by_done_alone_by_finish_alone_or_without_its_blank_line() -> None:
    assert read(sse(delta(content="a"))).finish is Finish.STOP
    assert read(sse(delta(content="a"), delta("length"), done=False)).finish is Finish.LENGTH
    assert read(sse(delta("stop", content="a"), done=False).rstrip(b"\n")).text == "a"


def test_nothing_comes_after_the_end() -> None:
    from gateway.wire.openai_chat import CLIENT

    reader = CLIENT.reader(content_type="text/event-stream")

    assert isinstance(list(reader.feed(sse(delta("stop", content="a"))))[-1], Closed)
    assert list(reader.feed(sse(delta(content="b")))) == []
    assert list(reader.end()) == []


def test_several_events_without_blank_lines_between_them_are_read_one_by_one() -> None:
    body = b"".join(line + b"\n" for line in sse(delta(content="a"), delta("stop", content="b")).split(b"\n\n") if line)

    assert read(body).text == "ab"


def test_a_json_reply_to_a_request_for_a_stream_is_read_and_so_is_a_mislabelled_stream() -> None:
    body = b'\n {"id":"i","model":"m","choices":[{"message":{"content":"hi"},"finish_reason":"stop"}]}'

    assert [read(body, cut).text for cut in range(len(body))] == ["hi"] * len(body)
    assert events_of(sse(delta("stop", content="a")), content_type="application/json")[1] == TextDelta("a", 0)


def test_a_byte_order_mark_does_not_hide_the_answer() -> None:
    assert read(b"\xef\xbb\xbf\n\n" + sse(delta("stop", content="a")), 1, 2, 3, 4, 5).text == "a"


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "no", "code": "invalid_api_key"}},
        {"error": "no"},
        {"detail": "no"},
        {"message": "no", "type": "x"},
        [{"error": {"message": "no"}}],
        {"object": "error", "message": "no", "choices": None},
    ],
)
def test_an_error_document_with_status_200_is_an_error(body: Any) -> None:
    fault = read(json.dumps(body).encode()).fault

    assert isinstance(fault, ErrorInReply)
    assert fault.message == "no"


def test_an_error_beside_choices_in_a_whole_reply_is_an_error() -> None:
    body = {"choices": [{"message": {"content": "x"}}], "error": {"message": "no"}}

    assert isinstance(read(json.dumps(body).encode()).fault, ErrorInReply)


THINKING = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "yes"}]


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ({"content": "yes", "reasoning_content": "hm"}, (Thought("hm"), Text("yes"))),
        ({"content": "yes", "reasoning": "hm"}, (Thought("hm"), Text("yes"))),
        ({"content": "yes", "reasoning": "hm", "reasoning_content": "hm"}, (Thought("hm"), Text("yes"))),
        ({"content": "yes", "reasoning_details": [{"type": "t", "text": "hm"}]}, (Thought("hm"), Text("yes"))),
        ({"content": "yes", "reasoning_details": [{"summary": "hm"}]}, (Thought("hm"), Text("yes"))),
        ({"content": "yes", "reasoning_details": "odd"}, (Text("yes"),)),
        ({"content": "yes", "reasoning_details": []}, (Text("yes"),)),
        ({"content": THINKING}, (Thought("hm"), Text("yes"))),
        ({"content": [{"type": "thinking", "thinking": "hm"}, "yes"]}, (Thought("hm"), Text("yes"))),
        ({"content": [{"type": "thinking", "thinking": [{"type": "ref"}]}, "", "yes"]}, (Text("yes"),)),
        ({"content": [{"type": "refusal", "refusal": "no"}, {"type": "text"}]}, (Refusal("no"),)),
        ({"content": None, "refusal": "no"}, (Refusal("no"),)),
        ({"content": "", "function_call": {"name": "", "arguments": ""}}, ()),
        ({"content": None, "tool_calls": [tool(0, "t", "f", {"a": [1]})]}, (ToolCall("t", "f", '{"a":[1]}'),)),
        (
            {"content": None, "tool_calls": [{"id": "t", "type": "custom", "custom": {"name": "f", "input": "x"}}]},
            (ToolCall("t", "f", "x", custom=True),),
        ),
        (
            {"content": None, "tool_calls": [{"id": "t", "custom": {"name": "f", "input": "x"}}]},
            (ToolCall("t", "f", "x", custom=True),),
        ),
        (
            {"tool_calls": [{**tool(0, "t", "f", "{}"), "custom": {"name": "", "input": ""}}]},
            (ToolCall("t", "f", "{}"),),
        ),
    ],
)
def test_a_message_reads_the_same_whole_and_streamed(message: Any, parts: Any) -> None:
    whole = read(json.dumps({"id": "c1", "model": "m", "choices": [{"message": message}]}).encode())
    streamed = read(sse(delta(**message)))

    assert whole.parts == streamed.parts == parts
    assert whole == streamed


def test_an_old_function_call_is_a_call_with_an_id_of_our_own() -> None:
    body = sse(delta(function_call={"name": "f", "arguments": '{"a"'}), delta(function_call={"arguments": ":1}"}))
    (call,) = read(body).calls

    assert (call.name, call.arguments) == ("f", '{"a":1}')
    assert call.id.startswith("call_")


def test_a_call_without_its_function_is_not_one() -> None:
    assert read(sse(delta(content="x", tool_calls=[{"index": 0, "id": "t"}]))).calls == ()


def test_opaque_reasoning_state_is_sealed_byte_for_byte_and_once() -> None:
    first, second = '{"type": "reasoning.text","text":"hm"}', '{"type":"x", "signature":"sig"}'
    chunk = '{"choices":[{"delta":{"reasoning_details":[%s]}}]}'
    reply = read(sse(chunk % first, chunk % second, delta("stop", content="yes")))

    assert reply.parts == (
        Thought("hm", Raw(f'{{"openai_chat":{{"reasoning_details":[{first},{second}]}}}}'.encode())),
        Text("yes"),
    )


def test_details_that_repeat_reasoning_already_told_do_not_double_it() -> None:
    reply = read(sse(delta(reasoning="hm"), delta(reasoning_details=[{"text": "hm", "data": "opaque"}])))

    assert reply.reasoning == "hm"


def test_a_signature_beside_a_message_or_a_call_is_kept() -> None:
    signed = {"google": {"thought_signature": "sig"}}
    reply = read(sse(delta(extra_content=signed, tool_calls=[{**tool(0, "t", "f", "{}"), "extra_content": signed}])))

    assert [getattr(part, "seal", None) for part in reply.parts] == [
        Raw(b'{"openai_chat":{"extra_content":{"google": {"thought_signature": "sig"}}}}')
    ] * 2


@pytest.mark.parametrize(
    ("usage", "read_as"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}, Usage(9, 4)),
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 4,
                "prompt_tokens_details": {"cached_tokens": 5, "cache_write_tokens": 2},
                "completion_tokens_details": {"reasoning_tokens": 3},
                "total_tokens": 13,
            },
            Usage(9, 4, 5, 2, 3),
        ),
        (
            {
                "prompt_tokens": 9,
                "completion_tokens": 4,
                "completion_tokens_details": {"reasoning_tokens": 3},
                "total_tokens": 16,
            },
            Usage(9, 7, reasoning=3),
        ),
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_cache_hit_tokens": 5}, Usage(9, 4, 5)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "cached_tokens": 5}, Usage(9, 4, 5)),
        (
            {"prompt_tokens": 9, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 1, "reasoning_tokens": 2},
            Usage(9, 0, 5, 1, 2),
        ),
        ({"prompt_tokens": 9.0, "completion_tokens": None, "prompt_tokens_details": None}, Usage(9, 0)),
        ({}, None),
        (None, None),
    ],
)
def test_counts_are_read_in_every_dialect(usage: Any, read_as: Any) -> None:
    assert read(sse({**delta("stop", content="x"), "usage": usage})).usage == read_as


def test_groqs_own_place_for_usage_counts_where_there_is_no_other() -> None:
    counts = {"prompt_tokens": 9, "completion_tokens": 4}

    assert read(sse({**delta("stop", content="x"), "x_groq": {"id": "r", "usage": counts}})).usage == Usage(9, 4)


def test_usage_repeated_unchanged_is_told_once_and_the_last_one_wins() -> None:
    counts = [{"prompt_tokens": 9, "completion_tokens": number} for number in (1, 1, 2)]
    events = events_of(sse(*({**delta("stop", content="x"), "usage": count} for count in counts)))

    assert [event for event in events if isinstance(event, Usage)] == [Usage(9, 1), Usage(9, 2)]


def test_answers_side_by_side_come_under_their_index_and_what_cannot_is_noted_once() -> None:
    events = events_of(
        sse(
            delta(content="a"),
            delta(index=1, content="b"),
            delta(index=1, tool_calls=[tool(0, "t", "f", "{}")]),
            delta(index=2_000_000_000, content="c"),
            delta(index=1),
            delta("stop"),
        )
    )

    assert [event for event in events if isinstance(event, TextDelta)] == [TextDelta("a", 0), TextDelta("b", choice=1)]
    assert [event.kind for event in events if isinstance(event, Note)] == ["left_out"]


def test_a_part_that_cannot_be_relayed_is_noted() -> None:
    reply = read(sse(delta(content=[{"type": "text", "text": "see"}, {"type": "picture"}])))

    assert (reply.text, [note.kind for note in reply.notes]) == ("see", ["left_out"])


def test_a_choice_without_any_content_is_only_an_end() -> None:
    assert read(sse(delta(content="x"), {"choices": [{"index": 0, "finish_reason": "length"}]})).finish is Finish.LENGTH


def test_an_upstream_names_itself_once() -> None:
    reply = read(sse({"id": 7, "choices": []}, delta("stop", content="x")))

    assert (reply.id, reply.model) == ("7", "")
