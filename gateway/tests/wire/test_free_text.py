"""Free text comes out of the JSON that a model wrapped it in, as it streams."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from gateway.canon.ask import Tool, ToolCall
from gateway.canon.event import ArgsDelta, Closed, Event, TextDelta, ToolOpened
from gateway.canon.reply import fold
from gateway.wire import free_text

PATCH = Tool("patch", "Edits files.", kind="custom", grammar=Raw(b'{"type":"text"}'))


def undone(*pieces: str, name: str = "patch") -> list[Event]:
    unwrapping = free_text.Unwrapping(free_text.names_of([PATCH, Tool("f")]))
    events: list[Event] = [ToolOpened(0, "t", name), *(ArgsDelta(0, piece) for piece in pieces), Closed()]
    return [out for event in events for out in unwrapping.feed(event)]


def test_a_free_text_tool_is_a_function_with_one_text_and_its_grammar_in_words() -> None:
    function = free_text.as_function(PATCH)

    assert (function.kind, function.grammar) == ("function", None)
    assert function.parameters == free_text.PARAMETERS
    assert "Edits files." in function.description
    assert '{"type":"text"}' in function.description


def test_the_text_streams_without_its_wrapping_and_the_call_is_a_free_text_call() -> None:
    assert undone('{"in', 'put": "a\\', "nb", '\\u00e9"', "}") == [
        ToolOpened(0, "t", "patch", custom=True),
        ArgsDelta(0, "a"),
        ArgsDelta(0, "\nb"),
        ArgsDelta(0, "é"),
        Closed(),
    ]


def test_functions_and_everything_else_pass_as_they_are() -> None:
    events: list[Event] = [TextDelta("x"), ToolOpened(1, "t", "f"), ArgsDelta(1, '{"input":"a"}'), Closed()]
    unwrapping = free_text.Unwrapping(free_text.names_of([PATCH]))

    assert [out for event in events for out in unwrapping.feed(event)] == events
    assert free_text.unwrap_call(ToolCall("t", "f", '{"input":"a"}'), frozenset({"patch"})).arguments == '{"input":"a"}'
    assert free_text.unwrap_call(ToolCall("t", "patch", "a", custom=True), frozenset({"patch"})).arguments == "a"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('{"input": "a"}', "a"),
        ('{"input": "line\nbreak"}', "line\nbreak"),
        ('{"patch": "a"}', "a"),
        ("{}", ""),
        ("", ""),
        ("*** Begin Patch\n" * 9, "*** Begin Patch\n" * 9),
        ('{"a": "b", "c": "d"}', '{"a": "b", "c": "d"}'),
        ('{"input": 5}', '{"input": 5}'),
        ('["a"]', '["a"]'),
        ('"a"', '"a"'),
        ('{"input": "\\ud83c\\udf0d \\ud83c"}', "🌍 \ufffd"),
        ('{"input": "cut short', "cut short"),
        ('{"input": "odd \\x escape"}', 'odd \\x escape"}'),
    ],
)
def test_what_a_model_meant_is_found_in_what_it_wrote(written: str, meant: str) -> None:
    for cut in range(len(written) + 1):
        (call,) = fold(undone(written[:cut], written[cut:])).calls
        assert (call.arguments, call.custom) == (meant, True)


@given(st.text(), st.lists(st.integers(0, 200), max_size=6))
def test_any_text_survives_wrapping_and_unwrapping_in_any_pieces(text: str, cuts: list[int]) -> None:
    for written in (free_text.wrap(text), json.dumps({"input": text})):
        edges = [0, *sorted(cut for cut in cuts if cut < len(written)), len(written)]
        pieces = [written[start:end] for start, end in pairwise(edges)]
        (call,) = fold(undone(*pieces)).calls

        assert call.arguments == text
        assert free_text.unwrap_call(ToolCall("t", "patch", written), frozenset({"patch"})).arguments == text
