"""How often each model was confidently wrong, beside all of them."""

from __future__ import annotations

import pytest

from collections_app.standings import Key, Tally
from collections_app.wrong import Chances, rate_wrong, review_chances


def test_worst_first_and_of_equals_those_with_more_to_show() -> None:
    counts = {"a": Chances(1, 10), "b": Chances(5, 10), "c": Chances(10, 20), "d": Chances(0, 9), "e": Chances(0, 0)}
    rated = rate_wrong(counts)
    assert [one.who for one in rated] == ["c", "b", "a", "d"]
    assert {one.base for one in rated} == {16 / 49}
    assert rated[0].rate == pytest.approx((0.5, 0.299, 0.701), abs=1e-3)


@pytest.mark.parametrize(("wrong", "worse"), [(2, False), (4, False), (9, True)])
def test_only_whose_lower_bound_is_above_the_base_is_worse(wrong: int, worse: bool) -> None:
    counts = {"a": Chances(wrong, 10), "b": Chances(20, 100)}
    assert {one.who: one.worse for one in rate_wrong(counts)} == {"a": worse, "b": False}


def test_a_review_has_room_for_several_false_claims() -> None:
    rated = rate_wrong({"a": Chances(12, 6), "b": Chances(0, 6)}, several=True)
    assert [(one.who, one.rate.share, one.base) for one in rated] == [("a", 2.0, 1.0), ("b", 0.0, 1.0)]
    assert (rated[0].rate.low, rated[0].rate.high) == pytest.approx((1.03, 3.49), abs=0.01)
    assert rated[1].rate.low == 0.0


def test_nobody_had_an_occasion() -> None:
    assert rate_wrong({"a": Chances(0, 0)}) == []


def test_reviews_are_the_judged_work_over_all_shapes_and_collections() -> None:
    whole, part = Tally(judged=4, false_claims=3), Tally(judged=1, false_claims=1)
    standings = {Key(1): whole, Key(1, "core"): part, Key(1, "", "code"): part, Key(2): Tally(offloads=5)}
    assert review_chances(standings, {1: "fast", 2: "slow"}) == {"fast": Chances(3, 4), "slow": Chances(0, 0)}
