"""Who is believed to be the best, and of whom it pays to learn more."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from collections_app.intervals import beta_cdf
from gateway.engine.ranking import (
    HORIZON,
    POOL,
    SHARPER,
    Belief,
    believe,
    believe_all,
    by_draw,
    by_record,
    overdue_first,
)
from gateway.engine.snapshot import Votes

NOW = 1_796_000_000.0
WEEK = 7 * 86_400.0


@pytest.mark.parametrize(
    ("useful", "findings", "paid", "order"),
    [
        ({}, {}, (), "abc"),
        ({"b": 2.0, "c": 2.5}, {}, (), "cba"),
        ({"b": 2.0, "c": 2.0}, {"c": 1}, (), "cba"),
        ({"b": 1.0}, {"c": 9}, ("a",), "bca"),
        ({"b": 1.0, "c": 1.0, "a": 1.0}, {"a": 3, "b": 3}, ("b",), "bac"),
        ({}, {}, ("c",), "cab"),
    ],
)
def test_the_record_is_verdicts_then_findings_then_who_is_paid_for(
    useful: dict[str, float], findings: dict[str, int], paid: tuple[str, ...], order: str
) -> None:
    assert "".join(by_record("abc", useful, findings, paid)) == order


LATELY = {
    "": {"a": Votes(20.0, 30.0), "b": Votes(3.0, 1.0), "c": Votes(2.0, 2.0)},
    "code": {"a": Votes(10.0, 0.0), "c": Votes(2.0, 2.0)},
}


@pytest.mark.parametrize(
    ("alias", "shape", "belief"),
    [
        ("a", "", (21.0, 31.0)),
        ("a", "code", (1 + 10 + POOL * 10 / 40, 1 + POOL * 30 / 40)),
        ("b", "code", (4.0, 2.0)),  # nothing of this shape, and less than the pool of others
        ("a", "prose", (1 + POOL * 20 / 50, 1 + POOL * 30 / 50)),
        ("c", "code", (3.0, 3.0)),  # all there is is of this shape
        ("ghost", "code", (1.0, 1.0)),
        ("ghost", "", (1.0, 1.0)),
    ],
)
def test_work_of_the_shape_counts_in_full_and_other_work_at_most_as_the_pool(
    alias: str, shape: str, belief: tuple[float, float]
) -> None:
    found = believe(alias, shape, LATELY)
    assert (found.a, found.b) == pytest.approx(belief)


def test_what_rounding_left_below_the_shapes_own_sum_is_nothing() -> None:
    lately = {"": {"a": Votes(2.0, 1.0)}, "code": {"a": Votes(2.0 + 1e-12, 1.0 + 1e-12)}}
    found = believe("a", "code", lately)
    assert (found.a, found.b) == pytest.approx((3.0, 2.0))


def test_a_model_goes_first_as_often_as_its_draw_is_the_highest() -> None:
    lately = {"": {"a": Votes(6.0, 2.0), "b": Votes(3.0, 3.0)}}
    rng, k = Random(4), SHARPER
    firsts = Counter(by_draw("ab", "", lately, rng)[0] for _ in range(4_000))
    # The chance that b's draw is above a's, from the two densities in small steps.
    steps = [(n + 0.5) / 500 for n in range(500)]
    weights = [beta_cdf(x + 0.001, 1 + 3 * k, 1 + 3 * k) - beta_cdf(x - 0.001, 1 + 3 * k, 1 + 3 * k) for x in steps]
    chance = sum(weight * beta_cdf(x, 1 + 6 * k, 1 + 2 * k) for x, weight in zip(steps, weights, strict=True))
    assert firsts["b"] / 4_000 == pytest.approx(chance, abs=0.01)
    assert chance > 0.02


def test_the_same_seed_draws_the_same_order_again() -> None:
    orders = {seed: by_draw("abc", "prose", LATELY, Random(seed)) for seed in range(60)}
    assert orders == {seed: by_draw("abc", "prose", LATELY, Random(seed)) for seed in range(60)}
    assert len({tuple(order) for order in orders.values()}) > 2


def test_beliefs_are_for_those_who_are_asked_about() -> None:
    assert set(believe_all(["a", "ghost"], "code", LATELY)) == {"a", "ghost"}


@pytest.mark.parametrize(("a", "b"), [(1.0, 1.0), (3.0, 7.0), (30.0, 20.0)])
@pytest.mark.parametrize("best", [0.3, 0.5, 0.7])
def test_the_gain_is_what_the_next_verdicts_add_to_the_best(a: float, b: float, best: float) -> None:
    """Against played-out verdicts: draw a share, draw the verdicts, take the better mean."""
    rng, belief = Random(2), Belief(a, b)
    total = 0.0
    for _ in range(20_000):
        share = rng.betavariate(a, b)
        useful = sum(rng.random() < share for _ in range(int(HORIZON)))
        total += max(best, (a + useful) / (a + b + HORIZON)) - max(best, 0.0)
    assert belief.gain(best) == pytest.approx(total / 20_000, abs=0.012)


def test_there_is_more_to_gain_from_whom_less_is_known_and_from_whom_is_nearer_to_the_best() -> None:
    assert Belief(2, 2).gain(0.6) > Belief(20, 20).gain(0.6) > Belief(200, 200).gain(0.6)
    assert Belief(6, 4).gain(0.6) > Belief(5, 5).gain(0.6) > Belief(2, 8).gain(0.6) >= 0.0


@pytest.mark.parametrize(
    ("last", "order"),
    [
        ({}, "abc"),
        ({"a": NOW, "b": NOW - WEEK + 1, "c": NOW}, "abc"),
        ({"a": NOW, "b": NOW - WEEK, "c": NOW}, "bac"),
        ({"a": NOW - 2 * WEEK, "b": NOW - WEEK, "c": NOW - 3 * WEEK}, "cab"),
        ({"c": NOW - WEEK}, "cab"),
    ],
)
def test_whoever_has_been_away_for_longest_goes_first_after_a_week(last: dict[str, float], order: str) -> None:
    assert "".join(overdue_first("abc", last, NOW)) == order
