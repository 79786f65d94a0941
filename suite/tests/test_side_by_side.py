"""A planted change beside the code as it was."""

from __future__ import annotations

import pytest

from suite.drafts import numbered
from suite.side_by_side import AROUND, Pair, side_by_side, split_lines


def shown(pair: Pair) -> tuple[str, str]:
    """Both lines, what differs in brackets."""
    sides = [
        "" if one is None else f"{one.before}[{one.changed}]{one.after}" if one.changed else one.text
        for one in (pair.planted, pair.original)
    ]
    return sides[0], sides[1]


@pytest.mark.parametrize(
    ("planted", "original", "differing"),
    [
        ("a\nx < y\nb", "a\nx <= y\nb", [("x < y", "x <[=] y")]),
        ("f(b, a)", "f(a, b)", [("f([b, a])", "f([a, b])")]),
        ("a\nb", "a\ngone()\nb", [("", "[gone()]")]),
        ("a\nnew()\nb", "a\nb", [("[new()]", "")]),
        ("aaa", "aa", [("aa[a]", "aa")]),
        ("same", "same", []),
    ],
)
def test_what_differs_is_marked_in_both(planted: str, original: str, differing: list[tuple[str, str]]) -> None:
    pairs = side_by_side(numbered(planted, 40), numbered(original, 40))
    assert [shown(pair) for pair in pairs if pair.differs] == differing


def test_lines_keep_their_numbers_and_those_of_the_key_are_marked() -> None:
    lines = split_lines(numbered("a\n\nb", 9), (10,))
    assert [(one.number, one.text, one.key) for one in lines] == [
        ("9", "a", False),
        ("10", "", True),
        ("11", "b", False),
    ]


def test_a_text_without_numbers_is_numbered_from_one() -> None:
    assert [(one.number, one.text) for one in split_lines("x | y\n z")] == [("1", "x | y"), ("2", " z")]


def test_what_is_far_from_the_change_is_left_out_of_long_code() -> None:
    lines = [f"line {number}" for number in range(300)]
    other = [*lines[:150], "changed", *lines[151:]]
    pairs = side_by_side(numbered("\n".join(other)), numbered("\n".join(lines)))
    assert [pair.gap for pair in pairs if pair.gap] == [150 - AROUND, 149 - AROUND]
    assert sum(pair.gap or 1 for pair in pairs) == 300
