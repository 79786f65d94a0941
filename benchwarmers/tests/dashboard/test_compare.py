"""Two answers compared: nothing is lost, what differs is told to the word, and no pair of texts takes for ever."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from django.test import Client

from benchwarmers.dashboard import differ
from benchwarmers.dashboard.compare import LONGEST, Comparison, Part, compare
from benchwarmers.dashboard.differ import match
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, make_panel

As = Callable[[str], Client]


def sides(found: Comparison) -> tuple[str, str]:
    """Both texts put together again from the rows."""
    left = right = ""
    for row in found.rows:
        alike = "".join(part.text for part in row.both) + row.folded + row.after if row.alike else ""
        left += alike or "".join(part.text for part in row.left)
        right += alike or "".join(part.text for part in row.right)
    return left, right


def told(left: str, right: str) -> list[tuple[str, str]]:
    return [(part.kind, part.text) for row in compare(left, right).rows for part in row.both]


@pytest.mark.parametrize(
    ("left", "right", "parts"),
    [
        ("", "", []),
        ("one two", "one two", [("same", "one two")]),
        ("", "new", [("in", "new")]),
        ("old", "", [("out", "old")]),
        ("a b c d", "a b x d e", [("same", "a b "), ("out", "c d"), ("in", "x d e")]),
        (
            "we release the lock early",
            "we release the old lock early",
            [("same", "we release the "), ("in", "old "), ("same", "lock early")],
        ),
        ("x = 1\ny = 2\n", "x = 1\ny = 3\n", [("same", "x = 1\n"), ("same", "y = "), ("out", "2\n"), ("in", "3\n")]),
        (
            "first line here\nsecond",
            "first line there\nsecond",
            [("same", "first line "), ("out", "here\n"), ("in", "there\n"), ("same", "second")],
        ),
    ],
)
def test_what_differs_is_told_to_the_word(left: str, right: str, parts: list[tuple[str, str]]) -> None:
    assert told(left, right) == parts


def test_a_word_or_two_that_both_happen_to_have_are_no_common_ground() -> None:
    kinds = [kind for kind, _ in told("The cache is cold at first", "My lock is held by nobody else")]
    assert kinds == ["out", "in"]


def test_rows_end_where_both_go_on_to_a_new_line() -> None:
    found = compare("one small step\ntwo small steps\nthree", "one big step\ntwo big steps\nthree")
    assert [row.alike for row in found.rows] == [False, False, True]
    assert (found.out, found.added, found.equal) == (2, 2, False)


def test_long_stretches_alike_are_folded_but_for_their_ends() -> None:
    lines = "".join(f"line {number}\n" for number in range(20))
    (row,) = compare(lines, lines).rows
    assert (row.both, row.lines, row.after) == ([Part("same", "line 0\nline 1\n")], 16, "line 18\nline 19\n")
    assert compare(lines, lines).equal


def test_both_texts_can_be_put_together_again() -> None:
    draw = random.Random(7)
    for _ in range(300):
        left, right = ("".join(draw.choices("ab \n.", k=draw.randint(0, 40))) for _ in "12")
        ours, theirs = sides(compare(left, right))
        assert "".join(ours.split()) == "".join(left.split())
        assert "".join(theirs.split()) == "".join(right.split())


def test_runs_that_both_have_are_in_order_and_alike() -> None:
    draw = random.Random(3)
    for _ in range(500):
        left, right = (draw.choices("abcdef", k=draw.randint(0, 14)) for _ in "12")
        found = match(left, right)
        assert all(left[a : a + size] == right[b : b + size] for a, b, size in found)
        assert all(a + size <= c and b + size <= d for (a, b, size), (c, d, _) in pairwise(found))


def test_the_shortest_way_is_found_between_anchors() -> None:
    assert sum(size for *_, size in match("abcabba", "cbabac")) == 4


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("ab " * (LONGEST // 3), "ba " * (LONGEST // 3)),
        ("\n" * LONGEST, "\n" * (LONGEST - 5)),
        ("(" * LONGEST, "()" * (LONGEST // 2)),
        (" ".join(map(str, range(30_000))), " ".join(map(str, reversed(range(30_000))))),
    ],
)
def test_two_hundred_thousand_characters_take_a_bounded_number_of_steps(
    left: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted and not timed: a step is a unit that is compared between anchors."""
    taken = []
    shortest = differ._shortest

    def counting(*given: object) -> tuple[list[differ.Match], int]:
        found = shortest(*given)  # type: ignore[arg-type]
        taken.append(found[1])
        return found

    monkeypatch.setattr(differ, "_shortest", counting)
    compare(left, right)
    assert sum(taken) < 2 * differ.MOST_STEPS + 2 * LONGEST


def test_longer_answers_are_cut_and_that_is_told() -> None:
    assert compare("a" * (LONGEST + 1), "b").cut
    assert not compare("a" * LONGEST, "b").cut


def test_two_answers_of_a_panel_stand_beside_each_other(as_person: As) -> None:
    seats = [
        Played("member", "wren", "ok", 1.0, "Use <b>one</b> lock here"),
        Played("member", "osprey", "error", 1.0),
        Played("explorer", "heron-70b", "ok", 1.0, "Use <b>two</b> locks here"),
    ]
    panel = make_panel(NOON, "core", "x", seats, owner="ben")
    client, address = as_person("ben"), f"/panels/{panel}/"
    plain = client.get(address).content.decode()
    assert "Compare two answers" in plain
    assert "<del>" not in plain
    for query in ("?diff=1,3", "?diff=1&diff=3&view=side"):
        page = client.get(address + query).content.decode()
        assert re.findall(r"<(?:del|ins)>([^<]*)<", page) == ["one&lt;/b&gt; lock ", "two&lt;/b&gt; locks "]
        assert 'class="diff-pair"' in page
        assert "<b>" not in page[page.index('id="compared"') :]
    inline = client.get(address + "?diff=3,1&view=inline").content.decode()
    assert 'class="diff-pair"' not in inline
    assert "words only in heron-70b" in inline
    for query in ("?diff=1,2", "?diff=1", "?diff=9,10", "?diff=x"):
        answer = client.get(address + query)
        assert (answer.status_code, "<del>" in answer.content.decode()) == (200, False)
