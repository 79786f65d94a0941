"""What callers get, chunk by chunk and whole."""

import base64
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
from gateway.canon.fault import Unavailable
from gateway.canon.reply import Reply
from gateway.tests.wire.gemini.streams import chunks_of, parts_of, write, writer

BENCH = Raw(b'{"panel":"p1"}')
SEAL = Raw(b'{"gemini":{"signature":"c2ln"}}')
FOREIGN = Raw(b'{"anthropic":{"signature":"s"}}')


def whole(reply: Reply, *, thoughts: bool = True) -> Any:
    return json.loads(writer(thoughts=thoughts).whole(reply))


def whole_parts(*parts: Any, thoughts: bool = True) -> Any:
    return whole(Reply(parts), thoughts=thoughts)["candidates"][0]["content"]["parts"]


def unpacked(signature: str) -> Any:
    return json.loads(base64.b64decode(signature))


def test_a_panel_streams_its_text_and_its_end_without_the_bench_object() -> None:
    chunks = chunks_of(
        write([Opened("x", "y"), TextDelta("head\n"), TextDelta("北"), Usage(1, 2), Closed(bench=BENCH)])
    )

    def piece(text: str, **last: Any) -> dict[str, Any]:
        return {"content": {"role": "model", "parts": [{"text": text}]}, **last, "index": 0}

    head = {"modelVersion": "bench/core", "responseId": "0123456789abcdef01234567"}
    counts = {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3}
    assert chunks == [
        {"candidates": [piece("head\n")], **head},
        {"candidates": [piece("北")], **head},
        {"candidates": [piece("", finishReason="STOP")], "usageMetadata": counts, **head},
    ]


def test_without_alt_the_stream_is_one_array_that_grows() -> None:
    writing = writer(array=True)
    pieces = [writing.feed(event) for event in (TextDelta("a"), TextDelta("b"), Closed())]

    assert writing.content_type == "application/json"
    assert writer().content_type == "text/event-stream"
    assert [piece[:1] for piece in pieces] == [b"[", b",", b","]
    assert pieces[1].startswith(b",\r\n{")
    assert [one["candidates"][0]["content"]["parts"] for one in json.loads(b"".join(pieces))] == [
        [{"text": "a"}],
        [{"text": "b"}],
        [{"text": ""}],
    ]
    assert len(json.loads(write([Closed()], array=True))) == 1


def test_counts_tell_reasoning_and_cached_tokens_and_add_up() -> None:
    assert chunks_of(write([Usage(10, 5, 4, 3, 2), Closed()]))[0]["usageMetadata"] == {
        "promptTokenCount": 10,
        "candidatesTokenCount": 3,
        "totalTokenCount": 15,
        "thoughtsTokenCount": 2,
        "cachedContentTokenCount": 4,
    }


def test_counts_that_nobody_knows_are_estimated_the_same_streamed_and_whole() -> None:
    streamed = chunks_of(write([TextDelta("a" * 40), Closed()]))[-1]["usageMetadata"]

    assert streamed == whole(Reply((Text("a" * 40),)))["usageMetadata"]
    assert streamed["candidatesTokenCount"] == 11
    assert streamed["promptTokenCount"] > 0


def test_a_call_goes_out_as_soon_as_its_arguments_are_complete() -> None:
    writing = writer()

    assert writing.feed(ToolOpened(0, "t0", "alpha", seal=SEAL)) == b""
    assert writing.feed(ToolOpened(1, "t1", "beta")) == b""
    assert writing.feed(ArgsDelta(0, '{"a":"}')) == b""
    assert writing.feed(ArgsDelta(1, '{"b":{"c":1}')) == b""
    assert parts_of(writing.feed(ArgsDelta(0, '"}'))) == [
        {"functionCall": {"id": "t0", "name": "alpha", "args": {"a": "}"}}, "thoughtSignature": "c2ln"}
    ]
    assert writing.feed(ArgsDelta(0, '"')) == b""
    assert parts_of(writing.feed(ArgsDelta(1, "}"))) == [
        {"functionCall": {"id": "t1", "name": "beta", "args": {"b": {"c": 1}}}}
    ]
    assert parts_of(writing.feed(Closed(Finish.TOOL_USE))) == [{"text": ""}]


def test_a_call_waits_for_those_that_began_before_it() -> None:
    writing = writer()

    assert writing.feed(ToolOpened(0, "t0", "alpha", seal=SEAL)) == b""
    assert writing.feed(ToolOpened(1, "t1", "beta")) == b""
    assert writing.feed(ArgsDelta(0, '{"a":')) == b""
    assert writing.feed(ArgsDelta(1, "{}")) == b""
    told = parts_of(writing.feed(ArgsDelta(0, "1}")))
    assert [part["functionCall"]["name"] for part in told] == ["alpha", "beta"]
    assert ["thoughtSignature" in part for part in told] == [True, False]
    assert parts_of(writing.feed(Closed(Finish.TOOL_USE))) == [{"text": ""}]


@pytest.mark.parametrize(
    ("events", "args"),
    [
        ([ToolOpened(0, "t", "f")], {}),
        ([ToolOpened(0, "t", "f"), ToolOpened(0, "u", "g"), ArgsDelta(0, ""), ArgsDelta(9, "x")], {}),
        ([ToolOpened(0, "t", "f"), ArgsDelta(0, '{"a":1')], {"arguments": '{"a":1'}),
        ([ToolOpened(0, "t", "f", custom=True), ArgsDelta(0, "ra{}w")], {"input": "ra{}w"}),
    ],
)
def test_calls_that_are_not_complete_go_with_the_last_chunk(events: list[Event], args: Any) -> None:
    (last,) = chunks_of(write([*events, Closed(Finish.TOOL_USE)]))

    assert last["candidates"][0]["content"]["parts"] == [{"functionCall": {"id": "t", "name": "f", "args": args}}]
    assert last["candidates"][0]["finishReason"] == "STOP"


@pytest.mark.parametrize(
    ("closed", "reason", "message"),
    [
        (Closed(), "STOP", None),
        (Closed(Finish.LENGTH, "length"), "MAX_TOKENS", None),
        (Closed(Finish.CONTENT_FILTER, "content_filter"), "SAFETY", None),
        (Closed(Finish.CONTENT_FILTER, "RECITATION"), "RECITATION", None),
        (Closed(Finish.REFUSAL, "refusal"), "SAFETY", "The model declined to answer."),
        (Closed(Finish.STOP_SEQUENCE, "stop", "END"), "STOP", "The model met the stop sequence END"),
        (Closed(Finish.TOOL_USE, "tool_calls"), "STOP", None),
        (Closed(Finish.STOP, "SAFETY"), "STOP", None),
    ],
)
def test_every_end_has_its_reason(closed: Closed, reason: str, message: str | None) -> None:
    (streamed,) = chunks_of(write([closed]))
    reply = whole(Reply(finish=closed.finish, native=closed.native, sequence=closed.sequence))

    for candidate in (streamed["candidates"][0], reply["candidates"][0]):
        assert (candidate["finishReason"], candidate.get("finishMessage")) == (reason, message)


def test_a_beat_is_a_chunk_with_an_empty_text() -> None:
    writing = writer()

    (beat,) = chunks_of(writing.beat())
    assert beat["candidates"] == [{"content": {"role": "model", "parts": [{"text": ""}]}, "index": 0}]
    writing.feed(Closed())
    assert writing.beat() == writing.feed(TextDelta("late")) == b""
    growing = writer(array=True)
    assert growing.beat().startswith(b"[{")
    assert growing.beat().startswith(b",\r\n{")


def test_notes_and_empty_pieces_write_nothing() -> None:
    assert write([Note("skipped", "x"), Opened("m"), TextDelta(""), ThoughtDelta("")]) == b""


def test_a_failure_is_the_error_document_and_a_clean_end() -> None:
    failed = Failed(Unavailable("nobody home"))
    error = {"error": {"code": 503, "message": "nobody home", "status": "UNAVAILABLE"}}

    assert chunks_of(write([TextDelta("a"), failed, TextDelta("b")]))[1:] == [error]
    assert json.loads(write([TextDelta("a"), failed], array=True))[1:] == [error]
    assert json.loads(write([failed], array=True)) == [error]
    assert whole(Reply(fault=failed.fault)) == error


# --- reasoning --------------------------------------------------------------------------------------------------------


def test_reasoning_is_shown_to_those_who_asked_for_it() -> None:
    events: list[Event] = [ThoughtDelta("why"), TextDelta("a", 1), Closed()]
    said = {"text": "why", "thought": True}

    assert parts_of(write(events)) == [said, {"text": "a"}, {"text": ""}]
    assert parts_of(write(events, thoughts=False)) == [{"text": "a"}, {"text": ""}]
    assert whole_parts(Thought("why"), Text("a")) == [said, {"text": "a"}]
    assert whole_parts(Thought("why"), Text("a"), thoughts=False) == [{"text": "a"}]


@pytest.mark.parametrize("thoughts", [True, False])
def test_seals_are_shown_to_everybody_for_they_must_come_back(thoughts: bool) -> None:
    events: list[Event] = [ThoughtDelta("why"), ThoughtDelta("!", 0, SEAL), ThoughtDelta("x", 1, FOREIGN), Closed()]
    shown = parts_of(write(events, thoughts=thoughts))
    sealed = [part for part in shown if "thoughtSignature" in part]

    assert sealed[0] == {"text": "", "thought": True, "thoughtSignature": "c2ln"}
    assert unpacked(sealed[1]["thoughtSignature"]) == {"bench_seal": {"anthropic": {"signature": "s"}}, "text": "x"}
    assert "".join(part["text"] for part in shown) == ("why!x" if thoughts else "")


def test_another_formats_seal_takes_its_words_along() -> None:
    shown = parts_of(write([ThoughtDelta("wh"), ThoughtDelta("y"), ThoughtDelta("", 0, FOREIGN), Closed()]))

    assert unpacked(shown[2]["thoughtSignature"])["text"] == "why"
    assert unpacked(whole_parts(Thought("why", FOREIGN))[0]["thoughtSignature"])["text"] == "why"
    assert unpacked(whole_parts(ToolCall("t", "f", "{}", seal=FOREIGN))[0]["thoughtSignature"]) == {
        "bench_seal": {"anthropic": {"signature": "s"}}
    }


def test_seals_of_texts_and_opaque_parts_are_shown_in_their_own_form() -> None:
    on_text = Raw(b'{"gemini":{"signature":"c2ln","on_text":true}}')
    opaque = Raw(b'{"gemini":{"part":{"executableCode":{"code":"1.50"}}}}')
    alone = {"text": "", "thoughtSignature": "c2ln"}

    assert whole_parts(Text("a"), Thought("", on_text)) == [{"text": "a", "thoughtSignature": "c2ln"}]
    assert whole_parts(Thought("", on_text)) == [alone]
    assert parts_of(write([TextDelta("a"), ThoughtDelta("", 1, on_text), Closed()]))[:2] == [{"text": "a"}, alone]
    assert whole_parts(Thought("", opaque), Text("a")) == [{"executableCode": {"code": "1.50"}}, {"text": "a"}]
    assert parts_of(write([ThoughtDelta("", 0, opaque), Closed()]))[0] == {"executableCode": {"code": "1.50"}}


# --- whole ------------------------------------------------------------------------------------------------------------


def test_a_panels_whole_reply_has_these_keys_and_no_more() -> None:
    assert whole(Reply((Text("hi"),), usage=Usage(1, 2), finish=Finish.STOP, bench=BENCH)) == {
        "candidates": [{"content": {"role": "model", "parts": [{"text": "hi"}]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 2, "totalTokenCount": 3},
        "modelVersion": "bench/core",
        "responseId": "0123456789abcdef01234567",
    }


def test_a_whole_reply_shows_refusals_empty_answers_and_further_choices() -> None:
    assert whole_parts(Refusal("no")) == [{"text": "no"}]
    assert whole_parts() == [{"text": ""}]
    candidates = whole(Reply((Text("a"),), choices=("b",)))["candidates"]
    assert [(one["index"], one["content"]["parts"]) for one in candidates] == [
        (0, [{"text": "a"}]),
        (1, [{"text": "b"}]),
    ]


def test_answers_side_by_side_stream_under_their_own_index_and_end_together() -> None:
    chunks = chunks_of(write([TextDelta("a"), TextDelta("b", choice=1), Closed()]))

    assert [[candidate["index"] for candidate in one["candidates"]] for one in chunks] == [[0], [1], [0, 1]]
    assert [candidate["finishReason"] for candidate in chunks[-1]["candidates"]] == ["STOP", "STOP"]
