"""What callers get, chunk by chunk and whole."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
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
from gateway.canon.reply import Reply, ReplyPart, fold, unfold
from gateway.tests.wire.openai_chat.streams import chunks_of, read, write, writer

BENCH = Raw(b'{"panel":"p1"}')


def test_a_panel_streams_its_role_its_text_and_its_end_with_the_bench_object() -> None:
    chunks = chunks_of(write([TextDelta("head\n"), TextDelta("北"), Usage(1, 1), Closed(bench=BENCH)]))

    assert [chunk["choices"] for chunk in chunks] == [
        [{"index": 0, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}],
        [{"index": 0, "delta": {"content": "head\n"}, "finish_reason": None}],
        [{"index": 0, "delta": {"content": "北"}, "finish_reason": None}],
        [{"index": 0, "delta": {}, "finish_reason": "stop"}],
    ]
    assert [chunk.get("bench") for chunk in chunks] == [None, None, None, {"panel": "p1"}]
    assert {(c["id"], c["object"], c["created"], c["model"]) for c in chunks} == {
        ("chatcmpl-1", "chat.completion.chunk", 1_790_000_000, "bench/core")
    }


def test_usage_comes_last_without_choices_where_asked_for_and_carries_the_bench_object() -> None:
    chunks = chunks_of(write([TextDelta("a"), Usage(10, 5, 4, 3, 2), Closed(bench=BENCH)], include_usage=True))

    assert "bench" not in chunks[-2]
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["bench"] == {"panel": "p1"}
    assert chunks[-1]["usage"] == {
        "prompt_tokens": 10,
        "completion_tokens": 5,
        "total_tokens": 15,
        "prompt_tokens_details": {"cached_tokens": 4, "cache_write_tokens": 3},
        "completion_tokens_details": {"reasoning_tokens": 2},
    }


def test_usage_that_nobody_knows_is_not_made_up() -> None:
    assert "usage" not in chunks_of(write([TextDelta("a"), Closed(bench=BENCH)], include_usage=True))[-1]


def test_reasoning_refusals_and_calls_stream_in_their_own_fields() -> None:
    chunks = chunks_of(
        write(
            [
                Opened("m", "x"),
                ThoughtDelta("hm"),
                TextDelta("no", 1, refusal=True),
                ToolOpened(2, "t0", "alpha"),
                ToolOpened(3, "t1", "beta", custom=True),
                ArgsDelta(2, '{"a"'),
                ArgsDelta(3, "raw"),
                ArgsDelta(2, ":1}"),
                Closed(Finish.TOOL_USE),
            ]
        )
    )

    assert [chunk["choices"][0]["delta"] for chunk in chunks[1:-1]] == [
        {"reasoning_content": "hm"},
        {"refusal": "no"},
        {"tool_calls": [{"index": 0, "id": "t0", "type": "function", "function": {"name": "alpha", "arguments": ""}}]},
        {"tool_calls": [{"index": 1, "id": "t1", "type": "custom", "custom": {"name": "beta", "input": ""}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"a"'}}]},
        {"tool_calls": [{"index": 1, "custom": {"input": "raw"}}]},
        {"tool_calls": [{"index": 0, "function": {"arguments": ":1}"}}]},
    ]
    assert chunks[-1]["choices"][0]["finish_reason"] == "tool_calls"


def test_a_function_called_with_nothing_streams_an_empty_object() -> None:
    stream = write([ToolOpened(0, "t", "f"), ToolOpened(0, "t", "f"), ArgsDelta(0, ""), ArgsDelta(9, "x"), Closed()])
    pieces = [chunk["choices"][0]["delta"].get("tool_calls") for chunk in chunks_of(stream)]

    assert [piece[0]["function"]["arguments"] for piece in pieces if piece] == ["", "{}"]


def test_a_beat_is_a_chunk_that_says_nothing() -> None:
    writing = writer()

    assert b'"role":"assistant"' in writing.beat()
    assert b'"delta":{}' in writing.beat()
    writing.feed(Closed())
    assert writing.beat() == writing.feed(TextDelta("late")) == b""


def test_notes_write_nothing_and_the_upstreams_name_only_opens_the_stream() -> None:
    writing = writer()

    assert writing.feed(Note("skipped", "x")) == b""
    assert b'"role":"assistant"' in writing.feed(Opened("m"))
    assert writing.feed(Opened("m")) == b""


def test_a_failure_is_the_error_document_and_a_clean_end() -> None:
    started = chunks_of(write([TextDelta("a"), Failed(Unavailable("nobody home", status=503))]))
    (alone,) = chunks_of(write([Failed(Unavailable("nobody home"))]))

    assert started[-1] == alone == {"error": {"message": "nobody home", "type": "bench_gateway", "code": 503}}


def test_answers_side_by_side_each_have_their_role_their_text_and_their_end() -> None:
    chunks = chunks_of(write([TextDelta("a"), TextDelta("b", choice=1), TextDelta("c", choice=1), Closed(bench=BENCH)]))
    choices = [chunk["choices"][0] for chunk in chunks]

    assert [(choice["index"], choice["delta"]) for choice in choices] == [
        (0, {"role": "assistant", "content": ""}),
        (0, {"content": "a"}),
        (1, {"role": "assistant", "content": ""}),
        (1, {"content": "b"}),
        (1, {"content": "c"}),
        (1, {}),
        (0, {}),
    ]
    assert [choice["finish_reason"] for choice in choices[-2:]] == ["stop", "stop"]
    assert "bench" in chunks[-1]


def test_a_panels_whole_reply_has_these_keys_and_no_more() -> None:
    body = json.loads(writer().whole(Reply((Text("hi"),), finish=Finish.STOP, bench=BENCH)))

    assert body == {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": "bench/core",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}],
        "bench": {"panel": "p1"},
    }


def test_a_whole_reply_with_calls_and_no_text_has_null_content() -> None:
    reply = Reply(
        (Thought("hm"), ToolCall("t", "f", ""), ToolCall("u", "g", "raw", custom=True)),
        usage=Usage(1, 2),
        finish=Finish.TOOL_USE,
    )
    body = json.loads(writer().whole(reply))

    assert body["choices"][0]["message"] == {
        "role": "assistant",
        "content": None,
        "reasoning_content": "hm",
        "tool_calls": [
            {"id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}},
            {"id": "u", "type": "custom", "custom": {"name": "g", "input": "raw"}},
        ],
    }
    assert body["usage"]["total_tokens"] == 3


def test_a_whole_reply_shows_a_refusal_an_empty_answer_and_further_choices() -> None:
    def message(reply: Reply) -> Any:
        return json.loads(writer().whole(reply))["choices"][0]["message"]

    assert message(Reply((Refusal("no"),))) == {"role": "assistant", "content": None, "refusal": "no"}
    assert message(Reply()) == {"role": "assistant", "content": ""}
    choices = json.loads(writer().whole(Reply((Text("a"),), choices=("b",))))["choices"]
    assert [(choice["index"], choice["message"]["content"]) for choice in choices] == [(0, "a"), (1, "b")]


def test_a_whole_reply_that_failed_is_the_error_document() -> None:
    assert json.loads(writer().whole(Reply(fault=Unavailable("no"))))["error"]["code"] == 503


words = st.text(min_size=1, max_size=12)
calls = st.builds(ToolCall, words, words, words.filter(str.strip), st.booleans())
finishes = st.sampled_from(Finish)


@st.composite
def replies(draw: st.DrawFn) -> Reply:
    """Replies in the order that a message of this API has: reasoning, text, refusal, calls."""
    seal = draw(st.none() | st.just(Raw(b'{"openai_chat":{"reasoning_details":[{"data":"x"}]}}')))
    parts: list[ReplyPart] = [Thought(text, seal) for text in draw(st.lists(words, max_size=1))]
    parts += [Text(text) for text in draw(st.lists(words, max_size=1))]
    parts += [Refusal(text) for text in draw(st.lists(words, max_size=1))]
    made = draw(st.lists(calls, max_size=3, unique_by=lambda call: call.id))
    finish = draw(finishes)
    if made:
        finish = Finish.TOOL_USE if finish in (Finish.STOP, Finish.STOP_SEQUENCE) else finish
    elif finish is Finish.TOOL_USE:
        finish = Finish.STOP
    native = {
        Finish.TOOL_USE: "tool_calls",
        Finish.STOP_SEQUENCE: "stop_sequence",
        Finish.REFUSAL: "refusal",
    }.get(finish, str(finish))
    return Reply(
        parts=(*parts, *made),
        model="bench/core",
        id="chatcmpl-1",
        usage=draw(st.none() | st.builds(Usage, *[st.integers(0, 9)] * 5)),
        finish=finish,
        native=native,
        sequence=draw(words) if finish is Finish.STOP_SEQUENCE else "",
        choices=tuple(draw(st.lists(words, max_size=2))),
    )


@given(replies(), st.lists(st.integers(0, 3_000), max_size=5))
def test_what_is_written_is_read_back_streamed_and_whole(reply: Reply, cuts: list[int]) -> None:
    stream = write(unfold(reply), include_usage=True)

    assert read(stream, *(cut for cut in cuts if cut < len(stream))) == reply
    assert read(writer().whole(reply)) == reply


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), st.data())
def test_interleaved_calls_survive_writing_and_reading(order: list[str], data: Any) -> None:
    opened: dict[str, int] = {}
    events: list[Event] = []
    for name in order:
        if name not in opened:
            opened[name] = len(opened)
            events.append(ToolOpened(opened[name], f"id-{name}", name))
        events.append(ArgsDelta(opened[name], data.draw(words.filter(str.strip))))
    events.append(Closed(Finish.TOOL_USE, "tool_calls"))

    assert read(write(events)).calls == fold(events).calls


@pytest.mark.parametrize("seal", [b'"signature"', b'{"anthropic":{"signature":"s"}}', b"[1]"])
def test_another_formats_seal_is_shown_wrapped_with_its_words(seal: Any) -> None:
    (entry,) = chunks_of(write([ThoughtDelta("why"), ThoughtDelta("", 0, Raw(seal)), Closed()]))[2]["choices"][0][
        "delta"
    ]["reasoning_details"]

    assert entry == {"type": "bench.seal", "text": "why", "seal": json.loads(seal)}


def test_a_calls_seal_is_shown_in_its_extra_content_streamed_and_whole() -> None:
    own = Raw(b'{"openai_chat":{"extra_content":{"google":{"thought_signature":"s"}}}}')

    def shown(seal: Raw) -> list[Any]:
        chunks = chunks_of(write([ToolOpened(0, "t", "f", seal=seal), Closed()]))
        whole = json.loads(writer().whole(Reply((ToolCall("t", "f", "{}", seal=seal),))))
        return [
            chunks[1]["choices"][0]["delta"]["tool_calls"][0]["extra_content"],
            whole["choices"][0]["message"]["tool_calls"][0]["extra_content"],
        ]

    assert shown(own) == [{"google": {"thought_signature": "s"}}] * 2
    assert shown(Raw(b'"sig"')) == [{"bench_seal": "sig"}] * 2


def test_a_messages_extra_content_is_shown_whole() -> None:
    own = Raw(b'{"openai_chat":{"extra_content":{"google":1}}}')
    message = json.loads(writer().whole(Reply((Thought("a", own), Text("b")))))["choices"][0]["message"]

    assert message["extra_content"] == {"google": 1}
