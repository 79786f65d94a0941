"""Answers that fail, break off or are none."""

import json
from typing import Any

import pytest

from gateway.canon.ask import Text, Thought
from gateway.canon.event import Closed, Failed, Finish, Note
from gateway.canon.fault import Broken, ErrorInReply
from gateway.tests.wire.anthropic.streams import (
    START,
    STOP,
    begin,
    delta,
    ended,
    events_of,
    read,
    said,
    sse,
    text,
)


def fault_in(body: bytes) -> Any:
    *_, last = events_of(body)
    assert isinstance(last, Failed)
    return last.fault


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("invalid_request_error", 400),
        ("authentication_error", 401),
        ("billing_error", 402),
        ("permission_error", 403),
        ("not_found_error", 404),
        ("request_too_large", 413),
        ("rate_limit_error", 429),
        ("api_error", 500),
        ("timeout_error", 504),
        ("overloaded_error", 529),
        ("something_new", None),
    ],
)
@pytest.mark.parametrize("streamed", [True, False])
def test_an_error_inside_a_200_has_its_status(kind: str, status: int | None, streamed: bool) -> None:
    error = {"type": "error", "error": {"type": kind, "message": "no room"}}
    fault = fault_in(sse(START, begin(0, "text", text="half"), error) if streamed else json.dumps(error).encode())

    assert isinstance(fault, ErrorInReply)
    assert (fault.message, fault.upstream_status, fault.provider_code) == ("no room", status, kind)


def test_errors_in_odd_shapes_are_told() -> None:
    assert fault_in(b"event: error\ndata: upstream at capacity\n\n").message == "upstream at capacity"
    assert fault_in(b'data: {"error":{"code":502,"message":"gone"}}\n\n').upstream_status == 502
    assert fault_in(b'{"detail":"gone"}').message == "gone"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>gateway</html>",
        b'{"choices":[]}',
        b'{"content":[1]}',
        b"{",
        sse(START, begin(0, "text", text="half")),
        sse(START, begin(0, "text", text="half"), ended()),
        sse(START) + b"data: {oops\n\n",
        sse(START) + b'data: {"choices":[{"delta":{"content":"x"}}]}\n\n',
        sse(START) + b'data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"\xff"}}\n\n',
        sse(START) + b'data: {"type":"content_block_start","index":0,"content_block":3}\n\n',
        sse(START, begin(0, "text", text="x"), ended())[:-9],
        sse(START, begin(0, "text", text="x"), START, begin(0, "text", text="x"), ended(), STOP),
    ],
)
def test_what_is_cut_garbled_or_of_another_api_is_broken(body: bytes) -> None:
    events = events_of(body)

    assert isinstance(events[-1], Failed)
    assert isinstance(events[-1].fault, Broken)
    assert sum(isinstance(event, Closed | Failed) for event in events) == 1


def test_an_opening_told_twice_is_no_second_message() -> None:
    assert read(sse(START, START, begin(0, "text", text="x"), ended(), STOP)).text == "x"


def test_what_had_come_before_a_cut_is_kept() -> None:
    reply = read(sse(START, begin(0, "text", text=""), text(0, "half")))

    assert reply.text == "half"
    assert isinstance(reply.fault, Broken)


def test_unknown_events_pings_and_comments_are_passed_over() -> None:
    ping, news = {"type": "ping"}, {"type": "vertex_event", "x": 1}
    body = b": hello\n\n" + sse(START, ping, news, begin(0, "text", text="x"), ping, ended(), STOP)

    assert read(body).text == "x"


def test_events_run_together_and_a_foreign_end_mark_are_read() -> None:
    joined = said(begin(0, "text", text="x")).replace(b"\n\n", b"\n")
    done = sse(START, begin(0, "text", text="x"), ended()) + b"data: [DONE]\n\n"

    assert read(joined).text == "x"
    assert read(done).finish is Finish.STOP


def test_a_delta_without_its_start_is_text_or_reasoning() -> None:
    reply = read(sse(START, delta(0, "thinking_delta", thinking="hm"), text(1, "x"), ended(), STOP))

    assert reply.parts == (Thought("hm"), Text("x"))


def test_a_mark_of_byte_order_is_not_text() -> None:
    assert read(b"\xef\xbb\xbf" + said(begin(0, "text", text="x"))).text == "x"


def test_citations_of_a_whole_text_are_noted_once() -> None:
    block = {"type": "text", "text": "x", "citations": [{"cited_text": "y"}]}
    events = events_of(json.dumps({"content": [block, block], "stop_reason": "end_turn"}).encode())

    assert sum(isinstance(event, Note) for event in events) == 1
