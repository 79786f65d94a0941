"""Answers of upstreams that speak Messages."""

import json
from typing import Any

import pytest

from gateway.canon.ask import Text, Thought, ToolCall
from gateway.canon.event import ArgsDelta, Closed, Finish, Opened, TextDelta, ToolOpened, Usage
from gateway.tests.wire.anthropic.streams import (
    START,
    STOP,
    args,
    begin,
    delta,
    ended,
    events_of,
    read,
    said,
    sse,
    stop,
    text,
)
from gateway.wire.anthropic import CLIENT, seal

CALL = (begin(0, "tool_use", id="t1", name="f", input={}), args(0, '{"a"'), args(0, ":1}"), stop(0))
MIXED = said(
    begin(0, "thinking", thinking="", signature=""),
    delta(0, "thinking_delta", thinking="ähm 北"),
    delta(0, "signature_delta", signature="c2ln"),
    stop(0),
    begin(1, "text", text=""),
    text(1, "Grüße, 北京 🌍"),
    stop(1),
    begin(2, "tool_use", id="t1", name="f", input={}),
    begin(3, "tool_use", id="t2", name="g", input={}),
    args(2, '{"q":"é'),
    args(3, '{"n"'),
    args(2, '🌍"}'),
    args(3, ":2}"),
    stop(2),
    stop(3),
    reason="tool_use",
)


def test_a_streamed_answer_is_told_as_it_comes() -> None:
    events = events_of(said(begin(0, "text", text=""), text(0, "Hel"), text(0, "lo"), stop(0)))

    assert events == [
        Opened("m", "m1"),
        Usage(9),
        TextDelta("Hel", 0),
        TextDelta("lo", 0),
        Usage(9, 5),
        Closed(Finish.STOP, "end_turn"),
    ]


def test_a_tool_call_streams_under_its_id() -> None:
    events = events_of(said(*CALL, reason="tool_use"))

    assert events[2:5] == [ToolOpened(0, "t1", "f"), ArgsDelta(0, '{"a"'), ArgsDelta(0, ":1}")]
    assert events[-1] == Closed(Finish.TOOL_USE, "tool_use")


def test_every_cut_gives_the_same_events() -> None:
    for body in (MIXED, MIXED.replace(b"\n", b"\r\n")):
        whole = events_of(body)
        assert all(events_of(body, cut) == whole for cut in range(1, len(body)))
        assert events_of(body, *range(1, len(body))) == whole


def test_calls_that_a_provider_mixes_stay_apart() -> None:
    reply = read(MIXED)

    assert reply.calls == (ToolCall("t1", "f", '{"q":"é🌍"}'), ToolCall("t2", "g", '{"n":2}'))
    assert reply.text == "Grüße, 北京 🌍"
    assert reply.reasoning == "ähm 北"


@pytest.mark.parametrize("names", [True, False])
def test_event_lines_are_not_needed(names: bool) -> None:
    assert read(sse(START, begin(0, "text", text=""), text(0, "x"), ended(), STOP, names=names)).text == "x"


def test_a_type_that_stands_in_the_event_line_alone_is_enough() -> None:
    body = sse(START, begin(0, "text", text="x"), ended(), STOP).replace(b'"type": "message_stop"', b'"x": 1')

    assert read(body).finish is Finish.STOP


def test_a_whole_message_says_the_same_as_its_stream() -> None:
    whole = {
        "id": "m1",
        "type": "message",
        "model": "m",
        "content": [
            {"type": "thinking", "thinking": "ähm 北", "signature": "c2ln"},
            {"type": "text", "text": "Grüße, 北京 🌍"},
            {"type": "tool_use", "id": "t1", "name": "f", "input": {"q": "é🌍"}},
            {"type": "tool_use", "id": "t2", "name": "g", "input": {"n": 2}},
        ],
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "usage": {"input_tokens": 9, "output_tokens": 5},
    }
    body = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()

    assert read(body) == read(MIXED)
    assert all(read(body, cut) == read(MIXED) for cut in range(1, len(body), 7))


# --- reasoning and other opaque state ---------------------------------------------------------------------------------


def test_a_signature_is_kept_byte_for_byte_even_without_words() -> None:
    (thought,) = read(
        said(begin(0, "thinking", thinking=""), delta(0, "signature_delta", signature="Eq/+=="), stop(0))
    ).parts

    assert isinstance(thought, Thought)
    assert seal.write_thought(thought) == {
        "type": seal.THINKING,
        "thinking": "",
        "signature": seal.open_seal(thought.seal)["signature"],  # type: ignore[index]
    }
    assert b'"Eq/+=="' in bytes(thought.seal or b"")


def test_reasoning_without_a_signature_has_no_seal() -> None:
    assert read(said(begin(0, "thinking", thinking="hm", signature=""), stop(0))).parts == (Thought("hm"),)


def test_redacted_reasoning_is_kept_as_it_came() -> None:
    (thought,) = read(said(begin(0, "redacted_thinking", data="b64=="), stop(0))).parts

    assert isinstance(thought, Thought)
    assert thought.text == ""
    assert bytes(thought.seal or b"") == b'{"anthropic":{"type":"redacted_thinking","data":"b64=="}}'


def test_what_the_providers_own_tools_did_is_kept_and_is_no_call() -> None:
    reply = read(
        said(
            begin(0, "server_tool_use", id="s1", name="web_search", input={}),
            args(0, '{"query":'),
            args(0, '"x"}'),
            stop(0),
            begin(1, "web_search_tool_result", tool_use_id="s1", content=[{"url": "u"}]),
            stop(1),
            begin(2, "text", text=""),
            delta(2, "citations_delta", citation={"url": "u"}),
            text(2, "found"),
            stop(2),
        )
    )

    blocks = [seal.opaque_block(part.seal) for part in reply.parts if isinstance(part, Thought)]
    assert [bytes(block["type"]) for block in blocks if block] == [b'"server_tool_use"', b'"web_search_tool_result"']
    assert blocks[0] is not None
    assert bytes(blocks[0]["input"]) == b'{"query":"x"}'
    assert reply.calls == ()
    assert reply.text == "found"
    assert [note.kind for note in reply.notes] == ["left_out"]


def test_a_summary_that_stands_for_earlier_turns_is_kept_with_its_content() -> None:
    (summary,) = read(
        said(begin(0, "compaction", content=None), delta(0, "compaction_delta", content="so far"), stop(0))
    ).parts

    assert isinstance(summary, Thought)
    assert bytes(summary.seal or b"") == b'{"anthropic":{"type":"compaction","content":"so far"}}'


def test_fields_of_a_call_that_canon_does_not_know_are_sealed() -> None:
    (call,) = read(said(begin(0, "tool_use", id="t", name="f", input={}, caller={"type": "x"}), stop(0))).calls

    assert bytes(call.seal or b"") == b'{"anthropic":{"caller":{"type": "x"}}}'


# --- calls ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", [[], [""], ["{}"], ["", "{}"]])
def test_a_call_with_nothing_has_an_empty_object(pieces: list[str]) -> None:
    (call,) = read(
        said(begin(0, "tool_use", id="t", name="f", input={}), *(args(0, piece) for piece in pieces), stop(0))
    ).calls

    assert call.arguments == "{}"


def test_an_input_given_whole_at_the_start_is_taken() -> None:
    (call,) = read(said(begin(0, "tool_use", id="t", name="f", input={"a": 1}), stop(0))).calls

    assert json.loads(call.arguments) == {"a": 1}


def test_a_call_without_an_id_gets_one() -> None:
    (call,) = read(said(begin(0, "tool_use", name="f"), args(0, "{}"), stop(0))).calls

    assert call.id.startswith("call_")


def test_an_index_that_is_used_again_is_another_block() -> None:
    reply = read(said(*CALL, begin(0, "tool_use", id="t2", name="f"), args(0, "{}"), stop(0)))

    assert [call.id for call in reply.calls] == ["t1", "t2"]


def test_blocks_that_are_never_stopped_are_whole_at_the_end() -> None:
    reply = read(said(begin(0, "text", text="a"), begin(1, "tool_use", id="t", name="f")))

    assert reply.parts == (Text("a"), ToolCall("t", "f", "{}"))


# --- ends -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("end_turn", Finish.STOP),
        ("pause_turn", Finish.STOP),
        ("max_tokens", Finish.LENGTH),
        ("model_context_window_exceeded", Finish.LENGTH),
        ("refusal", Finish.REFUSAL),
        ("content_filter", Finish.CONTENT_FILTER),
        ("something_new", Finish.STOP),
    ],
)
def test_words_for_the_end_have_their_meaning_and_are_kept(word: str, finish: Finish) -> None:
    reply = read(said(begin(0, "text", text="x"), reason=word))

    assert (reply.finish, reply.native) == (finish, word)


def test_the_stop_sequence_is_told() -> None:
    reply = read(sse(START, begin(0, "text", text="x"), ended("stop_sequence", "END"), STOP))

    assert (reply.finish, reply.sequence) == (Finish.STOP_SEQUENCE, "END")


def test_a_finish_for_tools_without_a_call_is_a_plain_stop_and_noted() -> None:
    reply = read(said(begin(0, "text", text="I will look."), reason="tool_use"))

    assert reply.finish is Finish.STOP
    assert [note.kind for note in reply.notes] == ["anomaly"]


def test_a_call_makes_a_finish_for_tools_but_not_of_a_cut_answer() -> None:
    assert read(said(*CALL, reason="end_turn")).finish is Finish.TOOL_USE
    assert read(said(*CALL, reason="max_tokens")).finish is Finish.LENGTH


def test_nothing_comes_after_the_end() -> None:
    reader = CLIENT.reader(content_type="text/event-stream")
    list(reader.feed(said(begin(0, "text", text="x"))))

    assert list(reader.feed(said(begin(0, "text", text="more")))) == []
    assert list(reader.end()) == []


# --- usage ------------------------------------------------------------------------------------------------------------


def counted(first: dict[str, int], last: dict[str, Any]) -> Usage | None:
    start = {"type": "message_start", "message": {"usage": first}}
    return read(sse(start, begin(0, "text", text="x"), ended(**last), STOP)).usage


def test_counts_that_are_told_again_are_not_added() -> None:
    first = {"input_tokens": 9, "cache_read_input_tokens": 1, "output_tokens": 1}

    assert counted(first, {**first, "output_tokens": 16}) == Usage(10, 16, 1)


def test_counts_that_are_left_out_or_told_as_nothing_are_kept() -> None:
    first = {"input_tokens": 9, "cache_read_input_tokens": 3, "cache_creation_input_tokens": 4, "output_tokens": 1}

    assert counted(first, {"output_tokens": 16}) == Usage(16, 16, 3, 4)
    assert counted(first, {"input_tokens": 0, "output_tokens": 16}) == Usage(16, 16, 3, 4)
    assert counted(first, {"input_tokens": None, "output_tokens": 16}) == Usage(16, 16, 3, 4)


def test_counts_that_come_late_are_taken() -> None:
    assert counted({"input_tokens": 0, "output_tokens": 0}, {"input_tokens": 7, "output_tokens": 2}) == Usage(7, 2)


def test_reasoning_is_a_share_of_the_output() -> None:
    last = {"output_tokens": 16, "output_tokens_details": {"thinking_tokens": 11}}

    assert counted({"input_tokens": 1}, last) == Usage(1, 16, reasoning=11)
