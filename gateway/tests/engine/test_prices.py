"""What a call costs: by a table, and what must hold whatever the prices and the tokens are."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collections_app.facts import PRICE_AXES
from gateway.canon.event import Usage
from gateway.engine.prices import cost_of, cost_of_call

FULL = {"input": 3, "cached": 0.3, "cache_write": 3.75, "output": 15, "reasoning": 20}
PLAIN = {"input": 0.5, "output": 1.5}


@pytest.mark.parametrize(
    ("prices", "usage", "nano"),
    [
        (PLAIN, Usage(1_000_000, 1_000_000), 2_000_000_000),
        (PLAIN, Usage(1, 1), 2_000),
        (PLAIN, Usage(100, 10, cached=60, cache_write=20, reasoning=4), 50_000 + 15_000),
        (FULL, Usage(100, 10, cached=60, cache_write=20, reasoning=4), 60_000 + 18_000 + 75_000 + 90_000 + 80_000),
        (FULL, Usage(0, 0), 0),
        ({"input": 0, "output": 0}, Usage(5_000, 900), 0),
        ({"input": 0.1}, Usage(5, 0), 500),
        ({"input": 0.0005}, Usage(1, 0), 0),  # half a nano-dollar goes to the even side
        ({"input": 0.0015}, Usage(1, 0), 2),
        ({"input": 0.0025}, Usage(1, 0), 2),
        ({"input": 0.000001}, Usage(501, 0), 1),
        ({"cached": 1}, Usage(7, 0, cached=7), 7_000),
        (FULL, Usage(10, 1, cached=12, reasoning=3), 3_600 + 60_000),
    ],
)
def test_a_call_costs_its_tokens_times_their_prices(prices: dict[str, float], usage: Usage, nano: int) -> None:
    assert cost_of(prices, usage) == nano


@pytest.mark.parametrize(
    ("prices", "usage"),
    [
        ({}, Usage(1, 1)),
        ({}, Usage(0, 0)),
        ({"input": 1}, Usage(1, 1)),
        ({"output": 1}, Usage(1, 1)),
        ({"cached": 1, "output": 1}, Usage(9, 1, cached=8)),
        ({"input": 1, "reasoning": 1}, Usage(9, 2, reasoning=1)),
    ],
)
def test_a_price_that_is_missing_is_never_guessed(prices: dict[str, float], usage: Usage) -> None:
    assert cost_of(prices, usage) is None


@pytest.mark.parametrize(
    ("attempts", "status", "first", "nano"),
    [
        (0, None, None, 0),
        (0, 429, None, 0),
        (1, 400, None, 0),
        (3, 429, None, 0),
        (1, 429, 0.2, None),
        (1, 500, None, None),
        (1, None, None, None),
    ],
)
def test_without_tokens_only_what_was_not_sent_or_turned_away_is_free(
    attempts: int, status: int | None, first: float | None, nano: int | None
) -> None:
    cost = cost_of_call(PLAIN, None, attempts=attempts, upstream_status=status, first_token_s=first)
    assert cost == nano


def test_tokens_that_were_told_cost_though_the_call_failed() -> None:
    assert cost_of_call(PLAIN, Usage(2, 0), attempts=1, upstream_status=429) == 1_000


money = st.integers(0, 10**9).map(lambda pico: pico / 1_000_000)
prices_of_all = st.fixed_dictionaries({}, optional={axis: money for axis in PRICE_AXES}).filter(
    lambda prices: {"input", "output"} <= prices.keys()
)
shares = st.tuples(*[st.integers(0, 10**7)] * 5)


def usage_of(plain: int, cached: int, cache_write: int, written: int, reasoning: int) -> Usage:
    return Usage(plain + cached + cache_write, written + reasoning, cached, cache_write, reasoning)


def known(prices: dict[str, float], usage: Usage) -> int:
    cost = cost_of(prices, usage)
    assert cost is not None
    return cost


@given(prices_of_all, shares, shares)
def test_what_is_told_in_two_parts_costs_what_it_costs_in_one(
    prices: dict[str, float], first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    one, other = usage_of(*first), usage_of(*second)
    whole, left, right = known(prices, one + other), known(prices, one), known(prices, other)
    assert abs(whole - left - right) <= 1, "each part is rounded by itself, by half a nano-dollar at most"
    assert whole >= max(left, right), "more tokens never cost less"


@given(prices_of_all, shares, st.integers(0, 4))
def test_one_more_token_of_any_kind_never_costs_less(
    prices: dict[str, float], counts: tuple[int, ...], which: int
) -> None:
    more = [count + (place == which) for place, count in enumerate(counts)]
    assert known(prices, usage_of(*more)) >= known(prices, usage_of(*counts))


@given(prices_of_all, shares)
def test_no_digit_is_lost_on_the_way(prices: dict[str, float], counts: tuple[int, ...]) -> None:
    axes = ("input", "cached", "cache_write", "output", "reasoning")
    whole = {"cached": "input", "cache_write": "input", "reasoning": "output"}
    exact = sum(
        (
            Decimal(repr(float(prices.get(axis, prices[whole.get(axis, axis)])))) * count * 1_000
            for axis, count in zip(axes, counts, strict=True)
        ),
        Decimal(0),
    )
    assert cost_of(prices, usage_of(*counts)) == int(exact.quantize(Decimal(1), ROUND_HALF_EVEN))


def test_the_fields_of_usage_are_those_that_are_priced() -> None:
    assert set(msgspec.structs.asdict(Usage())) == set(PRICE_AXES)
