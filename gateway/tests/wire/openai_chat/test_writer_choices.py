"""Several answers side by side: each chunk under its index, each answer with its own end."""

import json
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Text
from gateway.canon.event import Closed, Event, Finish, TextDelta, Usage
from gateway.canon.reply import Reply, fold, unfold
from gateway.tests.wire.openai_chat.streams import chunks_of, write, writer

BENCH = Raw(b'{"panel":"p1"}')
OPENED: list[Event] = [TextDelta(""), TextDelta("", choice=1), TextDelta("", choice=2)]


def told(events: list[Event], **settings: Any) -> list[tuple[int, Any, Any]]:
    """(index, delta, finish) of each choice in each chunk."""
    chunks = chunks_of(write(events, **settings))
    return [(one["index"], one["delta"], one["finish_reason"]) for chunk in chunks for one in chunk["choices"]]


ROLE = {"role": "assistant", "content": ""}


def test_answers_open_at_once_and_their_pieces_come_as_they_are_told() -> None:
    assert told([*OPENED, TextDelta("b", choice=1), TextDelta("a"), TextDelta("b", choice=1), Closed()]) == [
        (0, ROLE, None),
        (1, ROLE, None),
        (2, ROLE, None),
        (1, {"content": "b"}, None),
        (0, {"content": "a"}, None),
        (1, {"content": "b"}, None),
        (1, {}, "stop"),
        (2, {}, "stop"),
        (0, {}, "stop"),
    ]


def test_an_answer_that_ends_early_has_its_end_at_once_and_the_last_one_carries_the_bench_object() -> None:
    events = [
        *OPENED,
        TextDelta("a", finish=Finish.LENGTH),
        TextDelta("", choice=2, finish=Finish.CONTENT_FILTER),
        TextDelta("b", choice=1),
        Closed(Finish.STOP, bench=BENCH),
    ]
    assert told(events)[3:] == [
        (0, {"content": "a"}, None),
        (0, {}, "length"),
        (2, {}, "content_filter"),
        (1, {"content": "b"}, None),
        (1, {}, "stop"),
    ]
    chunks = chunks_of(write(events))
    assert [chunk.get("bench") for chunk in chunks] == [None] * (len(chunks) - 1) + [{"panel": "p1"}]


def test_the_bench_object_rides_on_usage_where_that_was_asked_for() -> None:
    events = [*OPENED[:1], TextDelta("a"), Usage(1, 2), Closed(bench=BENCH)]
    *_, finish, usage = chunks_of(write(events, include_usage=True))
    assert "bench" not in finish
    assert (usage["choices"], usage["bench"]) == ([], {"panel": "p1"})


def test_where_every_answer_has_ended_by_itself_the_end_has_none() -> None:
    *_, last = chunks_of(write([TextDelta("a", finish=Finish.STOP), Closed(bench=BENCH)]))
    assert (last["choices"], last["bench"]) == ([], {"panel": "p1"})


def test_an_answer_that_begins_before_the_first_opens_it_all_the_same() -> None:
    assert told([TextDelta("b", choice=1), TextDelta("a"), Closed()])[:4] == [
        (1, ROLE, None),
        (1, {"content": "b"}, None),
        (0, ROLE, None),
        (0, {"content": "a"}, None),
    ]


def test_a_beat_goes_to_an_answer_that_has_not_ended() -> None:
    writing = writer()
    for event in [*OPENED, TextDelta("a", finish=Finish.STOP)]:
        writing.feed(event)
    assert b'{"index":1,"delta":{}' in writing.beat()


@pytest.mark.parametrize("finishes", [(), (Finish.LENGTH, Finish.STOP)])
def test_a_whole_reply_has_the_reason_of_each_answer(finishes: tuple[Finish, ...]) -> None:
    reply = Reply((Text("a"),), finish=Finish.STOP, choices=("b", "c"), finishes=finishes)
    body = json.loads(writer().whole(reply))
    reasons = ["stop", *(finish.value for finish in finishes)] if finishes else ["stop"] * 3
    assert [choice["finish_reason"] for choice in body["choices"]] == reasons
    assert [choice["message"]["content"] for choice in body["choices"]] == ["a", "b", "c"]
    assert fold(unfold(reply)) == reply
