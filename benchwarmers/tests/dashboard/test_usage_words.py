"""The plot of usage in words and as a table."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.test import Client

from benchwarmers.dashboard.usage_plot import Plot, Series
from benchwarmers.dashboard.usage_words import say_plot, table_plot
from benchwarmers.tests.dashboard.test_usage import text_of
from benchwarmers.tests.dashboard.usage_world import add_weeks

As = Callable[[str], Client]
FIRST = date(2026, 11, 1)


def plot(days: int, **layers: int) -> Plot:
    """Each layer counts the same every day, and three times as much on the second."""
    every = [FIRST + timedelta(days=at) for at in range(days)]
    series = [
        Series(name, place, [3 * count if at == 1 else count for at in range(days)])
        for place, (name, count) in enumerate(layers.items(), 1)
    ]
    return Plot(every, series)


@pytest.mark.parametrize(
    ("given", "show", "words"),
    [
        (plot(2, wren=10), "calls", "40 in 2 days, most on 2 November 2026: 30."),
        (plot(1, wren=10), "calls", "10 in 1 day, most on 1 November 2026: 10."),
        (plot(2, osprey=3, wren=1), "calls", "16 in 2 days, most on 2 November 2026: 12. The largest part is osprey "
         "with 75 %."),
        (plot(2, wren=2 * 10**9), "cost", "$8.00 in 2 days, most on 2 November 2026: $6.00."),
        (plot(2, wren=0), "calls", "Nothing in these days."),
        (Plot([FIRST], []), "calls", "Nothing in these days."),
    ],
)  # fmt: skip
def test_the_plot_is_told_in_sentences(given: Plot, show: str, words: str) -> None:
    assert say_plot(given, show) == words


def test_the_table_has_a_row_a_day_the_newest_first() -> None:
    table = table_plot(plot(2, osprey=30, wren=10), "calls")
    assert table.heads == ["osprey", "wren"]
    assert table.rows == [("2 Nov 2026", ["120", "90", "30"]), ("1 Nov 2026", ["40", "30", "10"])]


def test_of_many_days_the_table_has_a_row_a_month() -> None:
    table = table_plot(plot(90, wren=1), "calls")
    assert table.rows == [
        ("January 2027", ["29", "29"]),
        ("December 2026", ["31", "31"]),
        ("November 2026", ["32", "32"]),
    ]


def test_the_page_says_what_its_plot_shows(as_person: As) -> None:
    add_weeks()
    told = text_of(as_person("boss"))
    assert "$16.80 in 29 days, most on 2 November 2026: $0.60. The largest part is wren with 50 %." in told
    assert "29 Nov 2026 $0.60 $0.30 $0.20 $0.10" in told
