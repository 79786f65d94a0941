"""Answers as callers that speak Messages get them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from gateway.canon.ask import Ask, Refusal, Text, Thought, Tool, ToolCall, Turn
from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Event,
    Failed,
    Finish,
    Note,
    Opened,
    TextDelta,
    ThoughtDelta,
    ToolOpened,
    Usage,
)
from gateway.canon.fault import BadRequest, Internal, RateLimited, Unavailable
from gateway.canon.reply import Reply, fold
from gateway.tests.wire.anthropic.asking import parts_of
from gateway.tests.wire.anthropic.streams import STAMP, blocks_of, frames_of, read, write, writer
from gateway.wire.anthropic import SERVER

WEB = Tool("web_search", kind="vendor", definition=Raw(b"{}"))
SEARCH = Raw(b'{"anthropic":{"type":"server_tool_use","id":"s","name":"web_search","input":{"q":1}}}')
REDACTED = Raw(b'{"anthropic":{"type":"redacted_thinking","data":"b64"}}')
SIGNED = Raw(b'{"anthropic":{"type":"thinking","signature":"c2ln"}}')
FOREIGN = Raw(b'{"openai_chat":{"reasoning_details":[{"data":"x"}]}}')


def whole(reply: Reply, *tools: Tool) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(writer(*tools).whole(reply))
    return document


def types_of(stream: bytes) -> list[str]:
    return [frame["type"] for frame in frames_of(stream)]


def test_a_text_streams_in_the_events_of_this_api() -> None:
    frames = frames_of(write([Opened("m", "x"), Usage(9), TextDelta("Grüße "), TextDelta("北"), Usage(9, 5), Closed()]))

    assert frames == [
        {
            "type": "message_start",
            "message": {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": "bench/core:route",
                "content": [],
                "stop_reason": None,
                "stop_sequence": None,
                "usage": _counts(9, 0),
            },
        },
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Grüße "}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "北"}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": "end_turn", "stop_sequence": None},
            "usage": _counts(9, 5),
        },
        {"type": "message_stop"},
    ]


def _counts(input: int, output: int, read: int = 0, written: int = 0) -> dict[str, int]:
    return {
        "input_tokens": input,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": read,
        "output_tokens": output,
    }


def test_the_gateways_object_rides_on_the_message_delta_and_on_the_message() -> None:
    frames = frames_of(write([TextDelta("x"), Closed(bench=Raw(b'{"panel":"p"}'))]))

    assert [frame.get("bench") for frame in frames[-2:]] == [{"panel": "p"}, None]
    assert whole(Reply((Text("x"),), finish=Finish.STOP, bench=Raw(b'{"panel":"p"}')))["bench"] == {"panel": "p"}


def test_a_whole_message_has_the_fields_of_this_api() -> None:
    assert whole(Reply((Text("x"),), usage=Usage(9, 5), finish=Finish.STOP)) == {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "bench/core:route",
        "content": [{"type": "text", "text": "x"}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": _counts(9, 5),
    }


def test_the_name_that_was_asked_comes_back() -> None:
    assert SERVER.echo_model("bench/core:merged") == "bench/core:merged"


# --- tool calls -------------------------------------------------------------------------------------------------------


def test_a_call_streams_piece_by_piece() -> None:
    writing = writer()
    opened = writing.feed(ToolOpened(0, "t1", "f"))
    first, second = writing.feed(ArgsDelta(0, '{"a"')), writing.feed(ArgsDelta(0, ":1}"))

    assert frames_of(opened)[1]["content_block"] == {"type": "tool_use", "id": "t1", "name": "f", "input": {}}
    assert frames_of(first)[0]["delta"] == {"type": "input_json_delta", "partial_json": '{"a"'}
    assert frames_of(second)[0]["delta"]["partial_json"] == ":1}"


def test_calls_one_after_another_are_not_held_back() -> None:
    writing = writer()
    for event in (ToolOpened(0, "t1", "f"), ArgsDelta(0, '{"a":1}')):
        writing.feed(event)

    assert "content_block_start" in types_of(writing.feed(ToolOpened(1, "t2", "g")))
    assert writing.feed(ArgsDelta(1, "{")) != b""


INTERLEAVED: list[Event] = [
    TextDelta("So: ", 9),
    ToolOpened(0, "t0", "alpha"),
    ToolOpened(1, "t1", "beta"),
    ArgsDelta(1, '{"b"'),
    ArgsDelta(0, '{"a"'),
    TextDelta("and", 9),
    ArgsDelta(1, ":2}"),
    ArgsDelta(0, ":1}"),
    ToolOpened(2, "t2", "gamma"),
    Closed(Finish.TOOL_USE),
]


def test_calls_that_a_provider_mixes_are_put_in_order() -> None:
    blocks = blocks_of(write(INTERLEAVED))

    assert [block.get("input", block.get("text")) for block in blocks] == ["So: ", {"a": 1}, {"b": 2}, "and", {}]
    assert [block["id"] for block in blocks if "id" in block] == ["t0", "t1", "t2"]


def test_what_waits_goes_as_soon_as_the_call_before_it_is_whole() -> None:
    writing = writer()
    for event in INTERLEAVED[:7]:
        writing.feed(event)

    assert b'"name":"beta"' in writing.feed(INTERLEAVED[7])


@pytest.mark.parametrize("pieces", [[], [""], ["{}"], ["", " "]])
def test_a_call_with_nothing_has_an_empty_object(pieces: list[str]) -> None:
    events = [ToolOpened(0, "t", "f"), *(ArgsDelta(0, piece) for piece in pieces), Closed(Finish.TOOL_USE)]

    assert blocks_of(write(events))[0]["input"] == {}
    assert whole(fold(events))["content"][0]["input"] == {}


@pytest.mark.parametrize(
    ("pieces", "input"),
    [
        (["[1,", "2]"], {"arguments": [1, 2]}),
        (["no json"], {"arguments": "no json"}),
        ([" ", '{"a":1}'], {"a": 1}),
    ],
)
def test_arguments_that_are_no_object_are_put_into_one(pieces: list[str], input: Any) -> None:
    events: list[Event] = [ToolOpened(0, "t", "f"), *(ArgsDelta(0, piece) for piece in pieces)]
    events += [ToolOpened(1, "u", "g"), ArgsDelta(1, "{}"), Closed(Finish.TOOL_USE)]

    assert [block["input"] for block in blocks_of(write(events))] == [input, {}]
    assert whole(fold(events))["content"][0]["input"] == input


def test_free_text_is_one_field_of_an_object_and_streams() -> None:
    events = [ToolOpened(0, "t", "patch", custom=True), ArgsDelta(0, 'a "b'), ArgsDelta(0, '"\n'), TextDelta("x", 1)]
    blocks = blocks_of(write([*events, Closed(Finish.TOOL_USE)]))

    assert blocks[0]["input"] == {"input": 'a "b"\n'}
    assert blocks[1]["text"] == "x"
    assert b"input_json_delta" in writer().feed(events[0])
    assert whole(fold(events))["content"][0]["input"] == {"input": 'a "b"\n'}


def test_pieces_of_calls_that_are_unknown_or_over_add_nothing() -> None:
    events = [ArgsDelta(7, "{}"), ToolOpened(0, "t", "f"), ArgsDelta(0, "{}"), TextDelta("x", 1), ArgsDelta(0, " ")]
    events += [ToolOpened(0, "t", "f"), Closed(Finish.TOOL_USE)]

    assert [block["type"] for block in blocks_of(write(events))] == ["tool_use", "text"]


@given(st.data())
def test_any_mixture_of_parts_comes_out_in_order_and_whole(data: st.DataObject) -> None:
    arguments = [json.dumps({"n": number, "s": "{}" * number}) for number in range(3)]
    left: list[list[Event]] = [
        [ToolOpened(at, f"t{at}", "f"), *(ArgsDelta(at, letter) for letter in text)]
        for at, text in enumerate(arguments)
    ]
    left.append([TextDelta(word, 7) for word in ("a ", "b ", "c ")])
    events: list[Event] = []
    while any(left):
        events.append(data.draw(st.sampled_from([queue for queue in left if queue])).pop(0))

    blocks = blocks_of(write([*events, Closed(Finish.TOOL_USE)]))

    assert sorted(json.dumps(block["input"]) for block in blocks if "input" in block) == sorted(arguments)
    assert "".join(block["text"] for block in blocks if "text" in block) == "a b c "


# --- reasoning --------------------------------------------------------------------------------------------------------


def test_reasoning_is_a_thinking_block_with_its_signature() -> None:
    events = [ThoughtDelta("hm"), ThoughtDelta("", 0, SIGNED), TextDelta("x", 1), Closed()]
    expected = [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "text", "text": "x"}]

    assert blocks_of(write(events)) == expected
    assert whole(fold(events))["content"] == expected


def test_a_signature_without_words_and_redacted_reasoning_are_shown() -> None:
    events = [ThoughtDelta("", 0, SIGNED), ThoughtDelta("", 1, REDACTED), TextDelta("x", 2), Closed()]
    expected = [
        {"type": "thinking", "thinking": "", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "b64"},
        {"type": "text", "text": "x"},
    ]

    assert blocks_of(write(events)) == expected
    assert whole(fold(events))["content"] == expected


def test_reasoning_without_a_seal_has_an_empty_signature() -> None:
    events = [ThoughtDelta("hm"), TextDelta("x", 1), ThoughtDelta("more"), Closed()]

    assert blocks_of(write(events)) == [
        {"type": "thinking", "thinking": "hm", "signature": ""},
        {"type": "text", "text": "x"},
        {"type": "thinking", "thinking": "more", "signature": ""},
    ]
    assert whole(fold(events))["content"][0] == {"type": "thinking", "thinking": "hmmore", "signature": ""}


@pytest.mark.parametrize("late", [True, False])
@pytest.mark.parametrize("sealed", [FOREIGN, SIGNED])
def test_a_seal_comes_back_from_the_caller_with_its_words(late: bool, sealed: Raw) -> None:
    said, seal = TextDelta("x", 1), ThoughtDelta("", 0, sealed)
    events = [ThoughtDelta("h"), ThoughtDelta("m"), *([said, seal] if late else [seal, said]), Closed()]

    for blocks in (blocks_of(write(events)), whole(fold(events))["content"]):
        parts = parts_of("assistant", *blocks)
        assert sorted(parts, key=str) == sorted((Thought("hm", sealed), Text("x")), key=str)


def test_a_seal_on_a_call_comes_back_from_the_caller() -> None:
    own = Raw(b'{"anthropic":{"caller":{"type":"x"}}}')
    events = [ToolOpened(0, "t", "f", seal=FOREIGN), ArgsDelta(0, "{}"), ToolOpened(1, "u", "f", seal=own)]
    events += [ArgsDelta(1, "{}"), Closed(Finish.TOOL_USE)]

    for blocks in (blocks_of(write(events)), whole(fold(events))["content"]):
        assert parts_of("assistant", *blocks) == (
            ToolCall("t", "f", "{}", seal=FOREIGN),
            ToolCall("u", "f", "{}", seal=own),
        )


def test_what_the_providers_own_tools_did_is_shown_to_those_who_offered_them() -> None:
    events = [ThoughtDelta("", 0, SEARCH), TextDelta("x", 1), Closed()]
    shown = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": 1}}

    assert [block["type"] for block in blocks_of(write(events))] == ["text"]
    assert [block["type"] for block in whole(fold(events))["content"]] == ["text"]
    assert blocks_of(write(events, WEB))[0] == shown
    assert whole(fold(events), WEB)["content"][0] == shown


# --- ends -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("closed", "reason"),
    [
        (Closed(), "end_turn"),
        (Closed(Finish.STOP, "pause_turn"), "pause_turn"),
        (Closed(Finish.LENGTH, "length"), "max_tokens"),
        (Closed(Finish.LENGTH, "model_context_window_exceeded"), "model_context_window_exceeded"),
        (Closed(Finish.TOOL_USE, "end_turn"), "tool_use"),
        (Closed(Finish.STOP_SEQUENCE, "stop"), "stop_sequence"),
        (Closed(Finish.CONTENT_FILTER, "SAFETY"), "refusal"),
        (Closed(Finish.REFUSAL), "refusal"),
    ],
)
def test_why_it_ended_is_said_in_this_apis_words(closed: Closed, reason: str) -> None:
    assert frames_of(write([TextDelta("x"), closed]))[-2]["delta"]["stop_reason"] == reason
    assert whole(Reply((Text("x"),), finish=closed.finish, native=closed.native))["stop_reason"] == reason


def test_the_stop_sequence_is_told() -> None:
    closed = Closed(Finish.STOP_SEQUENCE, sequence="END")

    assert frames_of(write([closed]))[-2]["delta"]["stop_sequence"] == "END"
    assert whole(Reply(finish=Finish.STOP_SEQUENCE, sequence="END"))["stop_sequence"] == "END"


def test_an_answer_of_nothing_is_an_empty_text() -> None:
    assert blocks_of(write([Opened("m", "x"), TextDelta(""), Closed()])) == [{"type": "text", "text": ""}]
    assert whole(Reply(finish=Finish.STOP))["content"] == [{"type": "text", "text": ""}]
    assert [block["type"] for block in blocks_of(write([ThoughtDelta("hm"), Closed()]))] == ["thinking", "text"]


def test_a_refusal_is_text() -> None:
    assert blocks_of(write([TextDelta("no", refusal=True), Closed()])) == [{"type": "text", "text": "no"}]
    assert whole(Reply((Refusal("no"),)))["content"] == [{"type": "text", "text": "no"}]


def test_answers_side_by_side_follow_each_other() -> None:
    events = [TextDelta("a"), TextDelta("c", choice=2), TextDelta("b", choice=1), TextDelta("a"), Closed()]

    assert [block["text"] for block in blocks_of(write(events))] == ["aa", "b", "c"]
    assert [block["text"] for block in whole(fold(events))["content"]] == ["aa", "b", "c"]


def test_a_failure_is_the_last_event() -> None:
    writing = writer()
    begun = writing.feed(TextDelta("half"))
    failed = writing.feed(Failed(RateLimited("Wait a minute.")))

    assert types_of(begun + failed)[-1] == "error"
    assert frames_of(failed) == [{"type": "error", "error": {"type": "rate_limit_error", "message": "Wait a minute."}}]
    assert writing.feed(TextDelta("more")) + writing.feed(Closed()) + writing.beat() == b""
    assert whole(Reply(fault=Unavailable("Nobody is free.")))["error"]["type"] == "overloaded_error"


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "invalid_request_error"),
        (401, "authentication_error"),
        (403, "permission_error"),
        (404, "not_found_error"),
        (405, "api_error"),
        (413, "request_too_large"),
        (429, "rate_limit_error"),
        (500, "api_error"),
        (502, "api_error"),
        (503, "overloaded_error"),
        (529, "overloaded_error"),
    ],
)
def test_errors_have_this_apis_types(status: int, kind: str) -> None:
    assert json.loads(SERVER.error_body(Internal("m", status=status))) == {
        "type": "error",
        "error": {"type": kind, "message": "m"},
    }
    assert "details" in json.loads(SERVER.error_body(BadRequest("m", details=Raw(b"{}"))))["error"]


def test_a_beat_is_a_ping_after_the_opening() -> None:
    writing = writer()

    assert types_of(writing.beat()) == ["message_start", "ping"]
    assert types_of(writing.beat()) == ["ping"]
    assert types_of(writing.feed(TextDelta("x"))) == ["content_block_start", "content_block_delta"]


def test_news_of_the_gateway_is_no_content() -> None:
    assert write([Note("skipped", "x"), Opened("m", "i")]) == b""


# --- usage ------------------------------------------------------------------------------------------------------------


def test_kinds_of_input_add_up() -> None:
    usage = Usage(input=1_000, output=50, cached=800, cache_write=100, reasoning=30)
    written = frames_of(write([TextDelta("x"), usage, Closed()]))[-2]["usage"]

    assert written == {**_counts(100, 50, 800, 100), "output_tokens_details": {"thinking_tokens": 30}}
    assert whole(Reply((Text("x"),), usage=usage))["usage"] == written


def test_counts_that_nobody_told_are_estimated() -> None:
    ask = Ask("anthropic", "bench/core", (Turn("user", (Text("x" * 400),)),))
    writing = SERVER.writer(ask, STAMP)
    stream = writing.feed(TextDelta("y" * 80)) + writing.feed(Closed())

    assert frames_of(stream)[0]["message"]["usage"] == _counts(110, 0)
    assert frames_of(stream)[-2]["usage"] == _counts(110, 22)
    document = json.loads(SERVER.writer(ask, STAMP).whole(Reply((Text("y" * 40), ToolCall("t", "f", "z" * 40)))))
    assert document["usage"] == _counts(110, 22)


def test_what_is_written_is_read_the_same_whole_and_streamed() -> None:
    events: list[Event] = [
        Usage(20),
        ThoughtDelta("hm", 0),
        ThoughtDelta("", 0, SIGNED),
        TextDelta("Grüße 🌍", 1),
        ToolOpened(2, "t", "f"),
        ArgsDelta(2, '{"a":1}'),
        Usage(20, 9, 3, 2, 1),
        Closed(Finish.TOOL_USE, "tool_use"),
    ]

    assert read(write(events)) == read(writer().whole(fold(events)))
