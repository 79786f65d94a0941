"""What an address of the page of usage means, when a budget ends, and how money is written."""

from __future__ import annotations

from datetime import date

import pytest
from django.http import QueryDict

from benchwarmers.dashboard.forecast import forecast
from benchwarmers.dashboard.templatetags.money import dollars
from benchwarmers.dashboard.usage_filters import LONGEST_DAYS, UsageFilters, days_of
from benchwarmers.dashboard.usage_plot import stack

TODAY = date(2026, 12, 10)
RESETS = date(2027, 1, 1)


@pytest.mark.parametrize(
    ("period", "given", "days"),
    [
        ("today", ("", ""), (date(2026, 12, 10), TODAY)),
        ("7d", ("", ""), (date(2026, 12, 4), TODAY)),
        ("30d", ("", ""), (date(2026, 11, 11), TODAY)),
        ("month", ("", ""), (date(2026, 12, 1), TODAY)),
        ("year", ("", ""), (date(2025, 12, 11), TODAY)),
        ("custom", ("2026-10-01", "2026-10-31"), (date(2026, 10, 1), date(2026, 10, 31))),
        ("custom", ("2026-10-31", "2026-10-01"), (date(2026, 10, 1), date(2026, 10, 31))),
        ("custom", ("", "2026-10-31"), (date(2026, 10, 2), date(2026, 10, 31))),
        ("custom", ("nonsense", "0001-01-01"), (date(2026, 11, 11), TODAY)),
    ],
)
def test_a_period_is_a_stretch_of_whole_days(period: str, given: tuple[str, str], days: tuple[date, date]) -> None:
    assert days_of(period, TODAY, *given) == days


def test_no_page_counts_more_days_than_it_can_show() -> None:
    first, last = days_of("custom", TODAY, "2000-01-01", "2026-12-10")
    assert ((last - first).days + 1, last) == (LONGEST_DAYS, TODAY)


@pytest.mark.parametrize(
    "query",
    [
        "",
        "period=7d&by=key&show=tokens&sort=name&page=3",
        "period=custom&from=2026-10-01&to=2026-10-31&model=a%26b%3Dc&person=-&key=12",
        "collection=-&purpose=route&team=4",
    ],
)
def test_an_address_leads_to_itself(query: str) -> None:
    filters = UsageFilters.read(QueryDict(query), TODAY)
    assert UsageFilters.read(QueryDict(filters.here.removeprefix("?")), TODAY) == filters
    assert len(filters.here) <= len(query) + 1


def test_another_sort_begins_with_the_most_and_turns_at_the_second_click() -> None:
    filters = UsageFilters.read(QueryDict("page=2"), TODAY)
    once = filters.sorted_by("calls")
    assert (once.sort, once.page, once.sorted_by("calls").sort) == ("-calls", 1, "calls")
    assert (filters.sorted_by("name").sort, filters.sorted_by("name").sorted_by("name").sort) == ("name", "-name")


@pytest.mark.parametrize(
    ("amount", "used", "week", "days", "words"),
    [
        (100, 100, 0, 7, "used up"),
        (100, 130, 9, 7, "used up"),
        (100, 0, 0, 7, "lasts"),
        (100, 40, 0, 7, "lasts"),
        (100, 40, 35, 7, "ends about 22 December"),
        (100, 99, 70, 7, "ends about 10 December"),
        (100, 40, 5, 1, "ends about 22 December"),
        (1000, 0, 7 * 48, 7, "ends about 30 December"),
        (1000, 0, 7 * 45, 7, "lasts"),
        (20 * 10**9, 5 * 10**9, 7 * 10**9, 7, "ends about 25 December"),
    ],
)
def test_a_budget_ends_when_the_pace_of_the_last_week_has_used_it(
    amount: int, used: int, week: int, days: int, words: str
) -> None:
    told = forecast(amount, used, week, days, TODAY, RESETS)
    assert told.words == words
    assert told.short == (words != "lasts")
    assert told.ends is None or TODAY <= told.ends < RESETS


@pytest.mark.parametrize(
    ("nano", "words"),
    [
        (None, "–"),
        (0, "$0.00"),
        (1, "$0.000000001"),
        (3_512, "$0.0000035"),
        (9_999_999, "$0.01"),
        (10_000_000, "$0.01"),
        (1_234_567_891_000, "$1\u202f234.57"),
    ],
)
def test_money_is_written_to_the_cent_and_finer_only_below_one(nano: int | None, words: str) -> None:
    assert dollars(nano) == words


def test_the_bars_of_a_day_stand_on_each_other_and_what_has_no_colour_is_one_more() -> None:
    first, second = date(2026, 12, 1), date(2026, 12, 2)
    counts = {(first, "a"): 30, (first, "b"): 10, (second, "a"): 5}
    plot = stack(first, second, [("a", "A"), ("b", "B")], counts, {first: 50, second: 5})
    assert [(one.name, one.place, list(one.counts)) for one in plot.series] == [
        ("A", 1, [30, 5]),
        ("B", 2, [10, 0]),
        ("all others", 0, [10, 0]),
    ]
    assert plot.top == 50
    assert [layer.path for layer in plot.layers] == [
        "M50.0 88.0h400.0v132.0h-400.0zM550.0 198.0h400.0v22.0h-400.0z",
        "M50.0 44.0h400.0v44.0h-400.0z",
        "M50.0 0.0h400.0v44.0h-400.0z",
    ]
    assert plot.numbers("calls")["days"] == [1796083200, 1796169600]
    assert plot.numbers("cost")["series"][0]["counts"] == [30e-9, 5e-9]
    assert stack(first, second, [], {}, {}).layers == []
