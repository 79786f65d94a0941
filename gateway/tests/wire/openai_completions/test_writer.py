"""What callers get, chunk by chunk and whole."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from gateway.canon.ask import Ask, Text, Thought, ToolCall, Turn
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
from gateway.canon.reply import Reply, fold
from gateway.wire.base import Stamp, Writer
from gateway.wire.openai_completions import SERVER

RECORDED = Path(__file__).resolve().parents[5] / "shared" / "recordings"
STAMP = Stamp("cmpl-1", 1_790_000_000, "bench/core:all")
HEAD = {"id": "cmpl-1", "object": "text_completion", "created": 1_790_000_000, "model": "bench/core:all"}
BENCH = Raw(b'{"panel":"p1"}')


def writer(include_usage: bool = False) -> Writer:
    turns = (Turn("user", (Text("hi"),)),)
    return SERVER.writer(Ask("openai_completions", "bench/core", turns, include_usage=include_usage), STAMP)


def write(events: Iterable[Event], include_usage: bool = False) -> bytes:
    writing = writer(include_usage)
    return b"".join(writing.feed(event) for event in events)


def chunks_of(stream: bytes) -> list[dict[str, Any]]:
    """The parsed chunks of a stream, which must end in `[DONE]`."""
    frames = stream.decode().split("\n\n")
    assert frames[-2:] == ["data: [DONE]", ""]
    return [json.loads(frame.removeprefix("data: ")) for frame in frames[:-2]]


def whole(reply: Reply) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(writer().whole(reply))
    return document


def choice(text: str, finish: str | None = None, index: int = 0) -> dict[str, Any]:
    return {"text": text, "index": index, "logprobs": None, "finish_reason": finish}


def test_a_panel_streams_its_text_and_its_end_with_the_bench_object() -> None:
    stream = write(
        [Opened("m"), TextDelta("head\n"), TextDelta("北"), Usage(1, 1), Note("x", "y"), Closed(bench=BENCH)]
    )

    assert "北" in stream.decode()
    assert chunks_of(stream) == [
        {**HEAD, "choices": [choice("head\n")]},
        {**HEAD, "choices": [choice("北")]},
        {**HEAD, "choices": [choice("", "stop")], "bench": {"panel": "p1"}},
    ]


def test_usage_comes_last_without_choices_where_asked_for_and_carries_the_bench_object() -> None:
    *_, end, usage = chunks_of(write([TextDelta("a"), Usage(10, 5, 4), Closed(bench=BENCH)], include_usage=True))

    assert "bench" not in end
    assert (usage["choices"], usage["bench"]) == ([], {"panel": "p1"})
    assert usage["usage"]["total_tokens"] == 15
    assert usage["usage"]["prompt_tokens_details"] == {"cached_tokens": 4}


def test_usage_is_estimated_where_nobody_counted() -> None:
    streamed = chunks_of(write([ThoughtDelta("hm"), TextDelta("a" * 98), Closed()], include_usage=True))[-1]["usage"]

    assert streamed == whole(Reply((Thought("hm"), Text("a" * 98))))["usage"]
    assert (streamed["prompt_tokens"], streamed["completion_tokens"]) == (1, 27)


def test_reasoning_is_left_out() -> None:
    stream = write([ThoughtDelta("hm"), TextDelta("a"), Closed()])

    assert b"hm" not in stream
    assert whole(Reply((Thought("hm"), Text("a"))))["choices"] == [choice("a", "stop")]


def test_an_answer_that_calls_a_tool_fails_and_says_what_can_tell_of_it() -> None:
    started = chunks_of(write([TextDelta("a"), ToolOpened(1, "t", "f"), ArgsDelta(1, "{}"), Closed()]))

    assert "/v1/chat/completions" in started[-1]["error"]["message"]
    with pytest.raises(ErrorInReply, match="/v1/chat/completions"):
        whole(Reply((ToolCall("t", "f", "{}"),)))


@pytest.mark.parametrize(
    ("closed", "fields"),
    [
        (Closed(Finish.STOP, "stop"), {"finish_reason": "stop"}),
        (Closed(Finish.LENGTH), {"finish_reason": "length"}),
        (Closed(Finish.LENGTH, "max_tokens"), {"finish_reason": "length", "native_finish_reason": "max_tokens"}),
        (Closed(Finish.CONTENT_FILTER), {"finish_reason": "content_filter"}),
        (Closed(Finish.REFUSAL), {"finish_reason": "content_filter", "native_finish_reason": "refusal"}),
        (
            Closed(Finish.STOP_SEQUENCE, "stop", "END"),
            {"finish_reason": "stop", "native_finish_reason": "stop_sequence", "stop_reason": "END"},
        ),
        (Closed(Finish.TOOL_USE, "tool_calls"), {"finish_reason": "stop"}),
    ],
)
def test_every_end_has_its_word_streamed_and_whole(closed: Closed, fields: dict[str, str]) -> None:
    (chunk,) = chunks_of(write([closed]))
    expected = {"text": "", "index": 0, "logprobs": None, **fields}

    assert chunk["choices"] == whole(fold([closed]))["choices"] == [expected]


def test_a_beat_is_a_chunk_that_says_nothing() -> None:
    writing = writer()

    assert (
        writing.beat()
        == b"data: "
        + json.dumps({**HEAD, "choices": [choice("")]}).replace(", ", ",").replace(": ", ":").encode()
        + b"\n\n"
    )
    writing.feed(Closed())
    assert writing.beat() == writing.feed(TextDelta("late")) == b""


def test_a_failure_is_the_error_document_and_a_clean_end() -> None:
    error = {"error": {"message": "nobody home", "type": "bench_gateway", "code": 503}}
    fault = Unavailable("nobody home")

    assert chunks_of(write([TextDelta("a"), Failed(fault)]))[-1] == error
    assert whole(Reply(fault=fault)) == json.loads(SERVER.error_body(fault)) == error


def test_answers_side_by_side_each_have_their_text_and_their_end() -> None:
    events: list[Event] = [TextDelta("a"), TextDelta("b", choice=1), TextDelta("c", choice=1), Closed(bench=BENCH)]
    chunks = chunks_of(write(events))

    assert [chunk["choices"] for chunk in chunks] == [
        [choice("a")],
        [choice("b", index=1)],
        [choice("c", index=1)],
        [choice("", "stop", 1)],
        [choice("", "stop")],
    ]
    assert "bench" in chunks[-1]
    assert whole(fold(events))["choices"] == [choice("a", "stop"), choice("bc", "stop", 1)]


def test_a_panels_whole_reply_has_these_keys_and_no_more() -> None:
    body = whole(Reply((Text("hi"),), usage=Usage(1, 2), finish=Finish.STOP, bench=BENCH))

    assert {name: body[name] for name in HEAD} == HEAD
    assert body["choices"] == [choice("hi", "stop")]
    assert body["usage"]["total_tokens"] == 3
    assert set(body) == {*HEAD, "choices", "usage", "bench"}


@given(st.lists(st.text(min_size=1, max_size=12), max_size=5), st.sampled_from(Finish))
def test_a_stream_amounts_to_the_whole_reply(pieces: list[str], finish: Finish) -> None:
    events: list[Event] = [*(TextDelta(piece) for piece in pieces), Usage(1, 2), Closed(finish, "x", bench=BENCH)]
    chunks = chunks_of(write(events, include_usage=True))
    said = "".join(each["text"] for chunk in chunks for each in chunk["choices"])

    joined = {**chunks[-1], "choices": [{**chunks[-2]["choices"][0], "text": said}]}
    assert joined == whole(fold(events))


def test_recorded_replies_have_the_same_fields() -> None:
    """Every field a provider always sends in this format is in what is written here."""
    files = sorted(RECORDED.glob("openai/openai-completions__*.json"))
    if not files:
        pytest.skip("no ../shared/recordings beside this checkout")
    bodies = [
        body for file in files if "choices" in (body := json.loads(file.read_text())["response"].get("body") or {})
    ]
    document = whole(Reply((Text("hi"),)))

    assert len(bodies) > 2
    for body in bodies:
        assert set(body) - {"service_tier", "system_fingerprint"} <= set(document)
        assert all(set(each) == set(document["choices"][0]) for each in body["choices"])
        assert body["object"] == document["object"]
