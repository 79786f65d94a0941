"""Intervals against values from tables of the binomial and the beta distribution."""

from __future__ import annotations

from math import comb
from random import Random

import pytest

from collections_app.intervals import beta_cdf, beta_quantile, credible, wilson


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (1, 29, 0.0061, 0.1718),
        (81, 263, 0.2553, 0.3662),
        (1.5, 3, 0.1253, 0.8747),
    ],
)
def test_wilsons_interval(hits: float, of: int, low: float, high: float) -> None:
    found = wilson(hits, of)
    assert found is not None
    assert (found.share, found.low, found.high) == pytest.approx((hits / of, low, high), abs=6e-5)


def test_nothing_has_no_interval() -> None:
    assert wilson(0, 0) is None


@pytest.mark.parametrize("x", [0.01, 0.2, 0.5, 0.77, 0.999])
@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 9), (3, 4), (40, 2), (150, 350)])
def test_the_beta_distribution_is_the_binomials_tail(x: float, a: int, b: int) -> None:
    n = a + b - 1
    tail = sum(comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1))
    assert beta_cdf(x, a, b) == pytest.approx(tail, abs=1e-10)


@pytest.mark.parametrize(("x", "chance"), [(-1.0, 0.0), (0.0, 0.0), (1.0, 1.0), (2.0, 1.0)])
def test_nothing_lies_outside(x: float, chance: float) -> None:
    assert beta_cdf(x, 2.5, 3.5) == chance


@pytest.mark.parametrize("chance", [0.025, 0.5, 0.975])
@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (1.0, 1.0), (12.3, 4.5), (2000.0, 3000.0)])
def test_a_quantile_is_what_so_many_draws_stay_below(chance: float, a: float, b: float) -> None:
    assert beta_cdf(beta_quantile(chance, a, b), a, b) == pytest.approx(chance, abs=1e-8)


def test_the_credible_interval_holds_most_draws() -> None:
    belief, rng = credible(7.5, 2.25), Random(1)
    draws = [rng.betavariate(8.5, 3.25) for _ in range(20_000)]
    inside = sum(belief.low <= draw <= belief.high for draw in draws) / len(draws)
    assert inside == pytest.approx(0.95, abs=0.006)
    assert belief.share == pytest.approx(8.5 / 11.75)


def test_nothing_known_is_told_as_such_and_rounding_below_zero_is_zero() -> None:
    assert credible(0.0, 0.0) == pytest.approx((0.5, 0.025, 0.975))
    assert credible(-1e-17, -1e-17) == credible(0.0, 0.0)
