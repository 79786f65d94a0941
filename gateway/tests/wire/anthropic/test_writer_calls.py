"""Tool calls as callers that speak Messages get them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Event,
    Finish,
    TextDelta,
    ToolOpened,
)
from gateway.canon.reply import fold
from gateway.tests.wire.anthropic.streams import blocks_of, frames_of, types_of, whole, write, writer


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


def test_signs_inside_texts_of_a_call_do_not_end_it() -> None:
    text = '{"a":"}\\\\\\"{","b":[{}]}'
    events: list[Event] = [ToolOpened(0, "t", "f"), ToolOpened(1, "u", "g")]
    events += [ArgsDelta(0, letter) for letter in text]

    assert blocks_of(write([*events, Closed(Finish.TOOL_USE)]))[0]["input"] == json.loads(text)


def test_what_waits_goes_as_soon_as_the_call_before_it_is_whole() -> None:
    writing = writer()
    for event in INTERLEAVED[:7]:
        writing.feed(event)

    assert b'"name":"beta"' in writing.feed(INTERLEAVED[7])


@pytest.mark.parametrize("pieces", [[], [""], ["{}"], ["", " "]])
def test_a_call_with_nothing_has_an_empty_object(pieces: list[str]) -> None:
    events: list[Event] = [ToolOpened(0, "t", "f"), *(ArgsDelta(0, piece) for piece in pieces), Closed(Finish.TOOL_USE)]

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
    events: list[Event] = [
        ToolOpened(0, "t", "patch", custom=True),
        ArgsDelta(0, 'a "b'),
        ArgsDelta(0, '"\n'),
        TextDelta("x", 1),
    ]
    blocks = blocks_of(write([*events, Closed(Finish.TOOL_USE)]))

    assert blocks[0]["input"] == {"input": 'a "b"\n'}
    assert blocks[1]["text"] == "x"
    assert b"input_json_delta" in writer().feed(events[0])
    assert whole(fold(events))["content"][0]["input"] == {"input": 'a "b"\n'}


def test_pieces_of_calls_that_are_unknown_or_over_add_nothing() -> None:
    events: list[Event] = [
        ArgsDelta(7, "{}"),
        ToolOpened(0, "t", "f"),
        ArgsDelta(0, "{}"),
        TextDelta("x", 1),
        ArgsDelta(0, " "),
    ]
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
