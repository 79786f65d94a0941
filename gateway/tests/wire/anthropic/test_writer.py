"""Answers as callers that speak Messages get them."""

import json

import pytest
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
from gateway.tests.wire.anthropic.streams import STAMP, blocks_of, frames_of, read, types_of, whole, write, writer
from gateway.wire.anthropic import SERVER

WEB = Tool("web_search", kind="vendor", definition=Raw(b"{}"))
SEARCH = Raw(b'{"anthropic":{"type":"server_tool_use","id":"s","name":"web_search","input":{"q":1}}}')
REDACTED = Raw(b'{"anthropic":{"type":"redacted_thinking","data":"b64"}}')
SIGNED = Raw(b'{"anthropic":{"type":"thinking","signature":"c2ln"}}')
FOREIGN = Raw(b'{"openai_chat":{"reasoning_details":[{"data":"x"}]}}')


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


# --- reasoning --------------------------------------------------------------------------------------------------------


def test_reasoning_is_a_thinking_block_with_its_signature() -> None:
    events: list[Event] = [ThoughtDelta("hm"), ThoughtDelta("", 0, SIGNED), TextDelta("x", 1), Closed()]
    expected = [{"type": "thinking", "thinking": "hm", "signature": "c2ln"}, {"type": "text", "text": "x"}]

    assert blocks_of(write(events)) == expected
    assert whole(fold(events))["content"] == expected


def test_a_signature_without_words_and_redacted_reasoning_are_shown() -> None:
    events: list[Event] = [ThoughtDelta("", 0, SIGNED), ThoughtDelta("", 1, REDACTED), TextDelta("x", 2), Closed()]
    expected = [
        {"type": "thinking", "thinking": "", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "b64"},
        {"type": "text", "text": "x"},
    ]

    assert blocks_of(write(events)) == expected
    assert whole(fold(events))["content"] == expected


def test_reasoning_without_a_seal_has_an_empty_signature() -> None:
    events: list[Event] = [ThoughtDelta("hm"), TextDelta("x", 1), ThoughtDelta("more"), Closed()]

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
    last: list[Event] = [said, seal] if late else [seal, said]
    events = [ThoughtDelta("h"), ThoughtDelta("m"), *last, Closed()]

    for blocks in (blocks_of(write(events)), whole(fold(events))["content"]):
        parts = parts_of("assistant", *blocks)
        assert sorted(parts, key=str) == sorted((Thought("hm", sealed), Text("x")), key=str)


def test_a_seal_on_a_call_comes_back_from_the_caller() -> None:
    own = Raw(b'{"anthropic":{"caller":{"type":"x"}}}')
    events: list[Event] = [ToolOpened(0, "t", "f", seal=FOREIGN), ArgsDelta(0, "{}"), ToolOpened(1, "u", "f", seal=own)]
    events += [ArgsDelta(1, "{}"), Closed(Finish.TOOL_USE)]

    for blocks in (blocks_of(write(events)), whole(fold(events))["content"]):
        assert parts_of("assistant", *blocks) == (
            ToolCall("t", "f", "{}", seal=FOREIGN),
            ToolCall("u", "f", "{}", seal=own),
        )


def test_what_the_providers_own_tools_did_is_shown_to_those_who_offered_them() -> None:
    events: list[Event] = [ThoughtDelta("", 0, SEARCH), TextDelta("x", 1), Closed()]
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
    events: list[Event] = [TextDelta("a"), TextDelta("c", choice=2), TextDelta("b", choice=1), TextDelta("a"), Closed()]

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
