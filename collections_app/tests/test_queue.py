"""Which verdict is asked for first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from collections_app.queue import Waiting, in_order, tell_why, weigh

PLAIN = Waiting(call="p1.member", kind="member", judged=4, age_days=1.0)


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ({"judged": 0}, {"judged": 1}),
        ({"judged": 3}, {"judged": 30}),
        ({}, {"kind": "explorer"}),
        ({"kind": "explorer"}, {"kind": "merger"}),
        ({"age_days": 0.0}, {"age_days": 7.0}),
        ({"useful": 1, "not_useful": 1}, {}),
        ({"useful": 2, "not_useful": 2}, {"useful": 3, "not_useful": 1}),
        ({"useful": 3, "not_useful": 1}, {"useful": 4}),
        ({"judged": 50, "age_days": 40.0}, {"judged": 0, "failed": True}),
        ({"judged": 0, "kind": "explorer"}, {"judged": 9}),
    ],
)
def test_what_moves_more_is_asked_for_first(more: dict[str, Any], less: dict[str, Any]) -> None:
    first, second = replace(PLAIN, **more), replace(PLAIN, call="p2.member", **less)
    assert weigh(first) > weigh(second)
    assert in_order([second, first]) == [first, second]


def test_of_equal_ones_the_newest_and_then_the_first_to_come() -> None:
    old, new = replace(PLAIN, age_days=0.5), replace(PLAIN, call="p2.member", age_days=0.5 - 1e-6)
    same = replace(new, call="p3.member")
    assert in_order([old, new, same]) == [new, same, old]


def test_the_weight_can_be_another() -> None:
    few, many = PLAIN, replace(PLAIN, call="p2.member", judged=9)
    assert in_order([few, many], by=lambda one: one.judged) == [many, few]


def test_a_clock_that_ran_ahead_gives_no_extra_weight() -> None:
    assert weigh(replace(PLAIN, age_days=-3.0)) == weigh(replace(PLAIN, age_days=0.0))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"judged": 0}, "never judged here"),
        ({"judged": 1}, "judged 1 time here"),
        ({"judged": 2, "useful": 1, "not_useful": 1}, "judged 2 times here, people disagree about the others"),
        ({"failed": True}, "failed; nothing but the record needs it"),
    ],
)
def test_the_reason_is_told(change: dict[str, Any], words: str) -> None:
    assert tell_why(replace(PLAIN, **change)) == words
