"""What callers get, line by line and whole."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Refusal, Text, Thought, ToolCall
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
from gateway.canon.fault import ErrorInReply, Unavailable
from gateway.canon.reply import Reply, fold, unfold
from gateway.tests.wire.ollama.streams import ASK, CREATED, lines_of, whole, write, writer
from gateway.wire.base import Stamp
from gateway.wire.ollama import SERVER

BENCH = Raw(b'{"panel":"p1"}')
COUNTS = {
    "total_duration": 1_500_000_000,
    "load_duration": 0,
    "prompt_eval_count": 3,
    "prompt_eval_duration": 0,
    "eval_count": 2,
    "eval_duration": 1_500_000_000,
}


def test_a_panel_streams_its_text_and_its_end_with_the_bench_object() -> None:
    stream = write([TextDelta("head\n"), TextDelta("北"), Usage(3, 2), Closed(bench=BENCH)])
    head = {"model": "bench/core", "created_at": CREATED}

    assert "北" in stream.decode()
    assert lines_of(stream) == [
        {**head, "message": {"role": "assistant", "content": "head\n"}, "done": False},
        {**head, "message": {"role": "assistant", "content": "北"}, "done": False},
        {
            **head,
            "message": {"role": "assistant", "content": ""},
            "done": True,
            "done_reason": "stop",
            **COUNTS,
            "bench": {"panel": "p1"},
        },
    ]


def test_generate_has_the_same_lines_with_the_words_elsewhere() -> None:
    stream = write([ThoughtDelta("hm"), TextDelta("a"), Usage(3, 2), Closed(bench=BENCH)], generate=True)
    head = {"model": "bench/core", "created_at": CREATED}

    assert lines_of(stream) == [
        {**head, "response": "", "thinking": "hm", "done": False},
        {**head, "response": "a", "done": False},
        {**head, "response": "", "done": True, "done_reason": "stop", **COUNTS, "bench": {"panel": "p1"}},
    ]


def test_calls_come_in_one_line_of_their_own_before_the_last() -> None:
    written = lines_of(
        write(
            [
                ToolOpened(1, "t0", "alpha"),
                ToolOpened(2, "t1", "beta", custom=True),
                ArgsDelta(1, '{"a"'),
                TextDelta("so"),
                ArgsDelta(2, "raw"),
                ArgsDelta(1, ":\n1.0}"),
                ToolOpened(3, "t2", "gamma"),
                Closed(Finish.TOOL_USE, "tool_use"),
            ]
        )
    )

    assert [line["message"].get("tool_calls") for line in written] == [
        None,
        [
            {"id": "t0", "function": {"index": 0, "name": "alpha", "arguments": {"a": 1.0}}},
            {"id": "t1", "function": {"index": 1, "name": "beta", "arguments": {"input": "raw"}}},
            {"id": "t2", "function": {"index": 2, "name": "gamma", "arguments": {}}},
        ],
        None,
    ]
    assert written[-1]["done_reason"] == "stop"
    assert written[-1]["native_finish_reason"] == "tool_use"


@pytest.mark.parametrize("arguments", ["not json", '{"a":', '"text"', "[1]"])
def test_arguments_that_are_no_object_are_put_into_one(arguments: str) -> None:
    (line, _) = lines_of(write([ToolOpened(0, "t", "f"), ArgsDelta(0, arguments), Closed()]))
    (entry,) = line["message"]["tool_calls"]

    assert list(entry["function"]["arguments"]) == ["arguments"]


@pytest.mark.parametrize(
    ("closed", "fields"),
    [
        (Closed(Finish.STOP, "stop"), {"done_reason": "stop"}),
        (Closed(Finish.LENGTH, "max_tokens"), {"done_reason": "length", "native_finish_reason": "max_tokens"}),
        (Closed(Finish.STOP_SEQUENCE, "stop", "END"), {"done_reason": "stop", "stop_reason": "END"}),
        (Closed(Finish.STOP_SEQUENCE), {"done_reason": "stop", "native_finish_reason": "stop_sequence"}),
        (Closed(Finish.CONTENT_FILTER), {"done_reason": "content_filter"}),
        (Closed(Finish.REFUSAL, "refusal"), {"done_reason": "refusal"}),
    ],
)
def test_every_end_has_its_word(closed: Closed, fields: dict[str, str]) -> None:
    (line,) = lines_of(write([closed]))
    named = ("done_reason", "native_finish_reason", "stop_reason")

    assert {name: line[name] for name in named if name in line} == fields


def test_times_are_at_least_a_nanosecond_and_counts_are_estimated_where_nobody_counted() -> None:
    writing = SERVER.writer(ASK, Stamp("x", 0, "m"))
    (*_, line) = lines_of(writing.feed(TextDelta("words " * 40)) + writing.feed(Closed()))

    assert (line["total_duration"], line["eval_duration"]) == (1, 1)
    assert (line["prompt_eval_count"], line["eval_count"]) == (1, 66)
    assert line["created_at"] == "1970-01-01T00:00:00.000000Z"


@pytest.mark.parametrize("generate", [False, True])
def test_a_beat_is_a_line_that_says_nothing(generate: bool) -> None:
    writing = writer(generate=generate)
    (line,) = lines_of(writing.beat())

    assert line["done"] is False
    assert (line["response"] if generate else line["message"]["content"]) == ""
    writing.feed(Closed())
    assert writing.beat() == writing.feed(TextDelta("late")) == b""


def test_notes_and_the_upstreams_name_write_nothing() -> None:
    writing = writer()

    assert writing.feed(Note("skipped", "x")) == writing.feed(Opened("m")) == writing.feed(Usage(1, 1)) == b""


def test_a_failure_is_the_error_line_and_a_clean_end() -> None:
    written = lines_of(write([TextDelta("a"), Failed(Unavailable("nobody home")), TextDelta("late")]))

    assert written[1:] == [{"error": "nobody home"}]
    assert whole(Reply(fault=Unavailable("no"))) == {"error": "no"}
    assert SERVER.error_body(Unavailable("no")) == b'{"error":"no"}'


def test_generate_cannot_tell_of_calls_and_says_what_can() -> None:
    (line,) = lines_of(write([ToolOpened(0, "t", "f"), ArgsDelta(0, "{}"), Closed()], generate=True))

    assert "/api/chat" in line["error"]
    with pytest.raises(ErrorInReply, match="/api/chat"):
        whole(Reply((ToolCall("t", "f", "{}"),)), generate=True)


def test_answers_side_by_side_follow_each_other_with_a_blank_line_between() -> None:
    further = [TextDelta("x", choice=2), TextDelta("b", choice=1), TextDelta("c", choice=1)]
    events: list[Event] = [TextDelta("a"), *further, Closed()]
    streamed = "".join(line["message"]["content"] for line in lines_of(write(events)))

    assert streamed == whole(fold(events))["message"]["content"] == "a\n\nbc\n\nx"


def test_a_panels_whole_reply_has_these_keys_and_no_more() -> None:
    assert whole(Reply((Text("hi"),), usage=Usage(3, 2), finish=Finish.STOP, bench=BENCH)) == {
        "model": "bench/core",
        "created_at": CREATED,
        "message": {"role": "assistant", "content": "hi"},
        "done": True,
        "done_reason": "stop",
        **COUNTS,
        "bench": {"panel": "p1"},
    }


def test_a_whole_reply_is_one_line() -> None:
    body = writer().whole(Reply((Text("a\nb"), ToolCall("t", "f", '{\n"a": 1\n}', seal=Raw(b'{\n"x": 1}')))))

    assert b"\n" not in body
    (entry,) = json.loads(body)["message"]["tool_calls"]
    assert entry == {"id": "t", "function": {"index": 0, "name": "f", "arguments": {"a": 1}}, "bench_seal": {"x": 1}}


def test_seals_of_other_formats_are_shown_with_the_words_they_vouch_for() -> None:
    seal = Raw(b'{"anthropic":{"signature":"s"}}')
    written = lines_of(write([ThoughtDelta("wh"), ThoughtDelta("y"), ThoughtDelta("", 0, seal), Closed()]))
    shown = [{"text": "why", "seal": {"anthropic": {"signature": "s"}}}]

    assert [line["message"].get("thinking") for line in written] == ["wh", "y", None, None]
    assert written[2]["message"]["bench_thoughts"] == shown
    assert whole(Reply((Thought("why", seal),)))["message"]["bench_thoughts"] == shown


CASES: list[list[Event]] = [
    [TextDelta("a"), TextDelta("b"), Closed()],
    [ThoughtDelta("hm"), ThoughtDelta("so", 0, Raw(b'"s"')), TextDelta("a", 1), Usage(1, 2), Closed(Finish.LENGTH)],
    [TextDelta("no", refusal=True), Closed(Finish.REFUSAL)],
    [ToolOpened(0, "t", "f"), ArgsDelta(0, '{"a":1}'), ToolOpened(1, "u", "f"), Closed(Finish.TOOL_USE)],
    [Failed(Unavailable("no"))],
    [Closed()],
]


@pytest.mark.parametrize("events", CASES)
@pytest.mark.parametrize("generate", [False, True])
def test_a_stream_amounts_to_the_whole_reply(events: list[Event], generate: bool) -> None:
    reply = fold(events)
    stream = lines_of(write(unfold(reply), generate=generate))
    if generate and reply.calls:
        assert "error" in stream[-1]
        return
    document = whole(reply, generate=generate)
    if "error" in document:
        assert stream[-1] == document
        return
    joined = stream[-1] | joined_words(stream)
    if not generate:
        joined["message"] = {"role": "assistant"} | joined_words([line["message"] for line in stream])
    assert joined == document


def joined_words(pieces: list[dict[str, Any]]) -> dict[str, Any]:
    """What the pieces of one answer amount to: words joined, lists as they came."""
    joined: dict[str, Any] = {}
    for piece in pieces:
        for name in ("content", "response", "thinking"):
            if name in piece:
                joined[name] = joined.get(name, "") + piece[name]
        joined |= {name: piece[name] for name in ("tool_calls", "bench_thoughts") if name in piece}
    return joined


def test_a_refusal_is_text_here() -> None:
    assert whole(Reply((Refusal("no"),)))["message"]["content"] == "no"
