"""What a budget may be, how it is written, and when its period turns."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from collections_app.budgets import Budget, period_end, period_start, read_budget, tell_amount, write_budget


@pytest.mark.parametrize(
    ("given", "amount"),
    [
        ({"unit": "requests", "period": "day", "amount": 3}, 3),
        ({"unit": "tokens", "period": "month", "amount": 1_000_000_000_000}, 1_000_000_000_000),
        ({"unit": "money", "period": "month", "amount": 20}, 20_000_000_000),
        ({"unit": "money", "period": "day", "amount": Decimal("0.05")}, 50_000_000),
        ({"unit": "money", "period": "day", "amount": 0.1}, 100_000_000),
        ({"unit": "money", "period": "day", "amount": Decimal("0.000000001")}, 1),
    ],
)
def test_a_budget_is_kept_in_whole_units_and_written_as_it_was_given(given: dict[str, Any], amount: int) -> None:
    budget = read_budget(given)
    assert budget == Budget(given["unit"], given["period"], amount)
    again = write_budget(budget)
    assert (again["unit"], again["period"]) == (given["unit"], given["period"])
    assert float(again["amount"]) == float(given["amount"])
    assert read_budget(again) == budget


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"unit": "apples", "period": "day", "amount": 3}, "one of requests, tokens, money"),
        ({"unit": ["money"], "period": "day", "amount": 3}, "one of requests, tokens, money"),
        ({"unit": "money", "period": "year", "amount": 3}, "day or month"),
        ({"unit": "money", "amount": 3}, "day or month"),
        ({"unit": "money", "period": "day", "amount": 3, "per": 1}, "per is no part"),
        *(
            ({"unit": "requests", "period": "day", "amount": amount}, "whole number from 1")
            for amount in (0, -1, 1.5, True, None, "3", 1_000_000_000_001)
        ),
        *(
            ({"unit": "money", "period": "day", "amount": amount}, "above 0")
            for amount in (0, -1, True, None, "3", 1_000_001, float("nan"), Decimal("inf"), Decimal("1e-10"))
        ),
    ],
)
def test_what_is_no_budget_is_told_in_a_sentence(given: dict[str, Any], says: str) -> None:
    said = read_budget(given)
    assert isinstance(said, str)
    assert says in said


@pytest.mark.parametrize(
    ("unit", "amount", "words"),
    [
        ("requests", 1, "1 request"),
        ("tokens", 1234567, "1,234,567 tokens"),
        ("money", 0, "0.00 USD"),
        ("money", 20_000_000_000, "20.00 USD"),
        ("money", 1_234_560_000_000, "1,234.56 USD"),
        ("money", 1_500_000, "0.0015 USD"),
        ("money", 1, "0.000000001 USD"),
    ],
)
def test_amounts_are_told_in_people_s_words(unit: str, amount: int, words: str) -> None:
    assert tell_amount(unit, amount) == words


@pytest.mark.parametrize(
    ("period", "today", "start", "end"),
    [
        ("day", "2026-11-30", "2026-11-30", "2026-12-01"),
        ("day", "2028-02-28", "2028-02-28", "2028-02-29"),
        ("month", "2026-11-30", "2026-11-01", "2026-12-01"),
        ("month", "2026-12-31", "2026-12-01", "2027-01-01"),
        ("month", "2027-02-28", "2027-02-01", "2027-03-01"),
    ],
)
def test_periods_are_days_and_calendar_months(period: str, today: str, start: str, end: str) -> None:
    first = period_start(period, date.fromisoformat(today))
    assert first == date.fromisoformat(start)
    assert period_end(period, first) == date.fromisoformat(end)
