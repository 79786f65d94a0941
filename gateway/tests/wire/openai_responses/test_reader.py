"""What providers send is read as what they mean."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Refusal, Text, Thought, ToolCall
from gateway.canon.event import ArgsDelta, Closed, Failed, Finish, Opened, TextDelta, ToolOpened, Usage
from gateway.canon.fault import Broken, ErrorInReply
from gateway.tests.wire.openai_responses.streams import (
    added,
    call,
    completed,
    created,
    delta,
    done,
    event,
    events_of,
    message,
    read,
    sse,
    whole,
)
from gateway.wire.openai_responses import CLIENT

USAGE = {
    "input_tokens": 20,
    "input_tokens_details": {"cached_tokens": 5, "cache_write_tokens": 2},
    "output_tokens": 9,
    "output_tokens_details": {"reasoning_tokens": 3},
    "total_tokens": 29,
}
SEALED = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"}


def piece(at: int, text: str) -> dict[str, Any]:
    return event("function_call_arguments.delta", output_index=at, item_id=f"fc_t{at}", delta=text)


INTERLEAVED = sse(
    created(),
    event("in_progress", response={"id": "r1"}),
    added(0, **message()),
    delta("北京 "),
    added(1, **call("t1", "alpha", "")),
    added(2, **call("t2", "beta", "")),
    piece(2, '{"b"'),
    piece(1, '{"a":'),
    delta("🌍"),
    piece(2, ":2}"),
    piece(1, "1}"),
    done(2, **call("t2", "beta", '{"b":2}')),
    done(1, **call("t1", "alpha", '{"a":1}')),
    done(0, **message("北京 🌍")),
    completed(message("北京 🌍"), call("t1", "alpha", '{"a":1}'), call("t2", "beta", '{"b":2}'), usage=USAGE),
    end="\r\n\r\n",
)


def test_interleaved_items_are_the_same_for_every_cut() -> None:
    reply = read(INTERLEAVED)

    assert reply.parts == (Text("北京 🌍"), ToolCall("t1", "alpha", '{"a":1}'), ToolCall("t2", "beta", '{"b":2}'))
    assert (reply.finish, reply.native, reply.usage) == (Finish.TOOL_USE, "completed", Usage(20, 9, 5, 2, 3))
    assert (reply.id, reply.model, reply.notes) == ("r1", "m", ())
    for cut in range(len(INTERLEAVED)):
        assert read(INTERLEAVED, cut) == reply
    assert read(INTERLEAVED, *range(len(INTERLEAVED))) == reply


def test_text_and_calls_are_told_as_they_come() -> None:
    reader = CLIENT.reader(content_type="text/event-stream")

    assert list(reader.feed(sse(created()))) == [Opened("m", "r1")]
    assert list(reader.feed(sse(delta("a")))) == [TextDelta("a", 0)]
    assert list(reader.feed(sse(added(1, **call("t1", "f", ""))))) == [ToolOpened(1, "t1", "f")]
    assert list(reader.feed(sse(piece(1, "{")))) == [ArgsDelta(1, "{")]


ITEMS: list[tuple[list[Any], tuple[Any, ...]]] = [
    ([message("a")], (Text("a"),)),
    ([message("a", "b")], (Text("a"), Text("b"))),
    ([{"type": "message", "content": "plain"}], (Text("plain"),)),
    ([{"type": "message", "content": [{"type": "refusal", "refusal": "no"}]}], (Refusal("no"),)),
    ([{**SEALED, "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": None}], (Thought("hm"),)),
    (
        [{"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "hm"}]}, message("a")],
        (Thought("hm"), Text("a")),
    ),
    ([call("t", "f", {"a": [1]})], (ToolCall("t", "f", '{"a":[1]}'),)),
    ([call("t", "f", "")], (ToolCall("t", "f", "{}"),)),
    ([call("t", "f", None)], (ToolCall("t", "f", "{}"),)),
    ([{"type": "function_call", "id": "fc_1", "name": "f", "arguments": "{}"}], (ToolCall("fc_1", "f", "{}"),)),
    ([call("t", "sleep", "{}", namespace="clock")], (ToolCall("t", "clock__sleep", "{}"),)),
    ([call("t", "exec", "{}", namespace="exec")], (ToolCall("t", "exec", "{}"),)),
    ([call("t", "exec", "{}", namespace="functions")], (ToolCall("t", "exec", "{}"),)),
    (
        [{"type": "custom_tool_call", "call_id": "t", "name": "patch", "input": "*** raw"}],
        (ToolCall("t", "patch", "*** raw", custom=True),),
    ),
    (
        [{"type": "tool_search_call", "call_id": "t", "execution": "client", "arguments": {"query": "x"}}],
        (ToolCall("t", "tool_search", '{"query":"x"}'),),
    ),
]


@pytest.mark.parametrize(("items", "parts"), ITEMS)
def test_items_read_the_same_whole_streamed_and_with_nothing_but_the_end(
    items: list[Any], parts: tuple[Any, ...]
) -> None:
    alone = read(json.dumps(whole(*items)).encode())
    finished = read(sse(created(), *(done(at, **item) for at, item in enumerate(items)), completed(*items)))
    at_the_end = read(sse(created(), completed(*items)))
    twice = read(sse(created(), *(done(at, **item) for at, item in enumerate(items)), completed()))

    assert alone.parts == parts
    assert alone == finished == at_the_end == twice


def test_what_streamed_is_not_told_again_and_what_did_not_is_told_at_the_end() -> None:
    reply = read(sse(created(), delta("a"), delta("b"), done(0, **message("abc", "d")), completed(message("abc", "d"))))

    assert reply.parts == (Text("abc"), Text("d"))
    assert read(sse(created(), delta("abc"), completed(message("abc")))).text == "abc"
    assert read(sse(created(), added(0, **call("t", "f", "")), completed(call("t", "f", '{"a":1}')))).calls == (
        ToolCall("t", "f", "{}"),
    )


def test_parts_counted_from_another_number_in_the_stream_are_the_same_parts() -> None:
    body = sse(created(), delta("a", content=1), delta("b", content=2), done(0, **message("a", "bc")), completed())

    assert read(body).parts == (Text("a"), Text("bc"))


def test_an_id_that_changes_from_event_to_event_does_not_split_an_item() -> None:
    body = sse(
        created(),
        added(0, **{**message(), "id": "one"}),
        {**delta("a"), "item_id": "two"},
        {**delta("b"), "item_id": "three"},
        done(0, **{**message("ab"), "id": "four"}),
        completed({**message("ab"), "id": "five"}),
    )

    assert read(body).parts == (Text("ab"),)


def test_without_places_in_the_output_ids_count() -> None:
    def bare(found: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in found.items() if name != "output_index"}

    body = sse(
        created(),
        bare(added(**call("t0", "f", ""))),
        bare(added(**call("t1", "g", ""))),
        bare(piece(0, '{"a"')),
        bare(piece(1, '{"b"')),
        bare(piece(0, ":1}")),
        bare(piece(1, ":2}")),
        bare(done(**call("t0", "f", '{"a":1}'))),
        completed(),
    )

    assert [found.arguments for found in read(body).calls] == ['{"a":1}', '{"b":2}']


def test_a_stream_that_disagrees_with_its_finished_item_counts_and_is_noted() -> None:
    text = read(sse(created(), delta("a"), done(0, **message("other")), completed()))
    arguments = read(
        sse(created(), added(0, **call("t", "f", "")), piece(0, "{}"), done(0, **call("t", "f", "[]")), completed())
    )

    assert (text.text, [note.kind for note in text.notes]) == ("a", ["anomaly"])
    assert (arguments.calls[0].arguments, [note.kind for note in arguments.notes]) == ("{}", ["anomaly"])


def test_reasoning_is_sealed_byte_for_byte_with_its_last_words() -> None:
    item = (
        '{"id":"rs_1", "type":"reasoning","summary":[{"type":"summary_text","text":"a"},'
        '{"type":"summary_text","text":"b"}], "encrypted_content":"gAAA=="}'
    )
    steps = [
        event("reasoning_summary_text.delta", output_index=0, summary_index=0, delta="a"),
        event("reasoning_summary_text.delta", output_index=0, summary_index=1, delta="b"),
    ]
    body = sse(
        created(), *steps, '{"type":"response.output_item.done","output_index":0,"item":' + item + "}", completed()
    )

    assert read(body).parts == (Thought("a"), Thought("b", Raw(b'{"openai_responses":' + item.encode() + b"}")))


def test_a_seal_without_words_is_a_thought_of_its_own() -> None:
    (thought,) = read(sse(created(), done(0, **SEALED), completed(SEALED))).parts

    assert isinstance(thought, Thought)
    assert thought.text == ""
    assert json.loads(bytes(thought.seal or b"")) == {"openai_responses": SEALED}


def test_what_a_provider_ran_itself_is_noted_once_for_each_kind() -> None:
    item = {"type": "web_search_call", "id": "ws_1"}
    reply = read(sse(created(), done(0, **item), done(1, **item), done(2, **message("a")), completed()))

    assert (reply.text, [note.kind for note in reply.notes]) == ("a", ["left_out"])
    assert "web_search_call" in reply.notes[0].text


@pytest.mark.parametrize(
    ("fields", "finish", "native"),
    [
        ({}, Finish.STOP, "completed"),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, Finish.LENGTH, None),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, Finish.CONTENT_FILTER, None),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_odd"}}, Finish.LENGTH, "max_odd"),
        ({"status": "incomplete", "incomplete_details": None}, Finish.LENGTH, "incomplete"),
        ({"native_finish_reason": "refusal"}, Finish.REFUSAL, "refusal"),
        ({"native_finish_reason": "eos"}, Finish.STOP, "eos"),
        ({"status": None}, Finish.STOP, "completed"),
    ],
)
def test_why_an_answer_ended_is_understood_and_kept(fields: dict[str, Any], finish: Finish, native: str | None) -> None:
    kind = "incomplete" if fields.get("status") == "incomplete" else "completed"
    streamed = read(sse(created(), event(kind, response=whole(message("x"), **fields))))
    alone = read(json.dumps(whole(message("x"), **fields)).encode())

    assert streamed == alone
    assert (streamed.finish, streamed.native) == (finish, native or fields["incomplete_details"]["reason"])


def test_a_cut_answer_with_a_call_stays_cut() -> None:
    fields = {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}

    assert read(json.dumps(whole(call("t", "f", "{}"), **fields)).encode()).finish is Finish.LENGTH


@pytest.mark.parametrize(
    ("told", "message_of_it", "status", "code"),
    [
        ({"type": "error", "code": "rate_limit_exceeded", "message": "slow", "param": None}, "slow", 429, None),
        (
            {"type": "error", "error": {"type": "tokens", "code": "insufficient_quota", "message": "no"}},
            "no",
            429,
            None,
        ),
        ({"type": "error", "message": "no"}, "no", None, ""),
        (
            event("failed", response={"status": "failed", "error": {"code": "server_error", "message": "no"}}),
            "no",
            500,
            None,
        ),
        (event("failed", response={"status": "failed", "error": None}), "failed", None, "failed"),
        (event("completed", response={"status": "failed", "error": {"message": "no"}}), "no", None, ""),
        (event("cancelled", response={"status": "cancelled"}), "cancelled", None, "cancelled"),
        ({"error": {"code": 502, "message": "full"}}, "full", 502, None),
    ],
)
def test_a_failure_inside_a_stream_is_one_with_its_words(
    told: dict[str, Any], message_of_it: str, status: int | None, code: str | None
) -> None:
    events = events_of(sse(created(), delta("half"), told, delta("never seen")))

    assert isinstance(events[-1], Failed)
    fault = events[-1].fault
    assert isinstance(fault, ErrorInReply)
    assert message_of_it in fault.message
    assert fault.upstream_status == status
    assert code is None or fault.provider_code == code
    assert [type(found) for found in events[:-1]] == [Opened, TextDelta]


def test_an_event_named_error_is_one_whatever_it_holds() -> None:
    assert read(b"event: error\ndata: too busy\n\n").fault == ErrorInReply("too busy")


@pytest.mark.parametrize("status", ["queued", "in_progress"])
def test_a_background_response_is_an_error_that_says_what_to_do(status: str) -> None:
    fault = read(json.dumps(whole(status=status)).encode()).fault

    assert isinstance(fault, ErrorInReply)
    assert "`background`" in fault.message


def test_a_background_response_that_streams_is_read() -> None:
    queued = event("queued", response={"id": "r1", "status": "queued"})

    assert read(sse(created(), queued, delta("a"), completed(message("a")))).text == "a"


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"message": "no", "code": "invalid_api_key"}},
        {"error": "no", "code": "odd"},
        {"detail": "no"},
        [{"error": {"message": "no"}}],
        {"status": "failed", "output": [], "error": {"message": "no"}},
    ],
)
def test_an_error_document_with_status_200_is_an_error(body: Any) -> None:
    fault = read(json.dumps(body).encode()).fault

    assert isinstance(fault, ErrorInReply)
    assert fault.message == "no"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "nothing came"),
        (b"<html><body>Bad gateway", "<html><body>Bad gateway"),
        (b": processing\n\n", ": processing"),
        (b"data: [DONE]\n\n", "data: [DONE]"),
        (b'{"id":"x"}', '{"id":"x"}'),
        (sse(created(), delta("half")), "broke off"),
        (sse(created(), delta("all"), done(0, **message("all")), "[DONE]"), "broke off"),
        (sse(created(), "{not json"), "{not json"),
        (sse(created(), '{"type":"response.output_text.delta","output_index":"x"}'), "not a response"),
        (sse(created(), '{"type":"response.output_item.done","item":{"name":5}}'), "not a response"),
        (b'{"output":[{"type":"message","content":5}],"status":"completed"}', "not a response"),
        (b'data: {"type":"response.output_text.delta","delta":"\xe5\x8c"}\n\n', "UTF-8"),
        (b'data: {"type":' + b"[" * 2_000 + b"]" * 2_000 + b"}\n\n", "not a response"),
        (sse({"id": "chatcmpl-1", "choices": []}), "no event of a response"),
    ],
)
def test_what_is_cut_garbled_or_empty_is_broken_and_says_how(body: bytes, said: str) -> None:
    events = events_of(body)

    assert isinstance(events[-1], Failed)
    assert isinstance(events[-1].fault, Broken)
    assert said in events[-1].fault.message


def test_nothing_comes_after_the_end() -> None:
    reader = CLIENT.reader(content_type="text/event-stream")

    assert isinstance(list(reader.feed(sse(created(), completed(message("a"), usage=USAGE))))[-1], Closed)
    assert list(reader.feed(sse(delta("b"), event("failed", response={"status": "failed"})))) == []
    assert list(reader.end()) == []


def test_several_events_without_blank_lines_between_them_and_other_peoples_events_are_read() -> None:
    body = b"".join(
        line + b"\n"
        for line in sse(created(), {"type": "keepalive"}, delta("a"), event("odd", x=1), completed()).split(b"\n\n")
        if line
    )

    assert read(body).text == "a"


def test_a_json_reply_to_a_request_for_a_stream_is_read_and_so_is_a_mislabelled_stream() -> None:
    body = b"\n " + json.dumps(whole(message("hi"))).encode()

    assert [read(body, cut).text for cut in range(len(body))] == ["hi"] * len(body)
    assert TextDelta("a", 0) in events_of(sse(created(), delta("a"), completed()), content_type="application/json")


@pytest.mark.parametrize(
    ("usage", "read_as"),
    [
        (USAGE, Usage(20, 9, 5, 2, 3)),
        ({"input_tokens": 9, "output_tokens": 4, "total_tokens": 13}, Usage(9, 4)),
        (
            {
                "input_tokens": 9,
                "output_tokens": 4,
                "output_tokens_details": {"reasoning_tokens": 3},
                "total_tokens": 16,
            },
            Usage(9, 7, reasoning=3),
        ),
        ({"input_tokens": 9.0, "output_tokens": None, "input_tokens_details": None}, Usage(9, 0)),
        ({}, None),
        (None, None),
    ],
)
def test_counts_are_read(usage: Any, read_as: Usage | None) -> None:
    assert read(sse(created(), completed(message("x"), usage=usage))).usage == read_as
