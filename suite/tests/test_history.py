"""How a score stood, day by day."""

from __future__ import annotations

from datetime import UTC, date, timedelta, timezone

import pytest

from suite.history import MOST_POINTS, Point, histories
from suite.results import Result
from suite.tests.made import START, result

FIRST = START.date()


def course(*results: Result) -> list[tuple[int, float, int, int]]:
    """(day, score, tasks, answers)."""
    found = histories(results, UTC).get("m", ())
    return [((one.day - FIRST).days, one.score, one.tasks, one.answers) for one in found]


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ([], []),
        ([result("m", "a")], [(0, 1.0, 1, 1)]),
        ([result("m", "a"), result("m", "b", found=0, day=2)], [(0, 1.0, 1, 1), (2, 0.5, 2, 1)]),
        ([result("m", "b", found=0, day=2), result("m", "a")], [(0, 1.0, 1, 1), (2, 0.5, 2, 1)]),
        ([result("m", "a"), result("m", "a", found=0)], [(0, 0.5, 1, 2)]),
        ([result("m", "a"), result("m", "a", found=0, day=1, version="v2")], [(0, 1.0, 1, 1), (1, 0.0, 1, 1)]),
        ([result("m", "a"), result("m", "b", outcome="timeout", day=1)], [(0, 1.0, 1, 1)]),
    ],
    ids=["nothing", "one", "two days", "in any order", "repetitions", "a new version", "no answer"],
)
def test_each_day_tells_how_the_score_stood_at_its_end(results: list[Result], points: list[object]) -> None:
    assert course(*results) == points


def test_a_day_ends_where_the_server_is() -> None:
    west = timezone(timedelta(hours=-5))
    assert [one.day for one in histories([result("m", "a")], west)["m"]] == [FIRST - timedelta(days=1)]


def test_a_long_history_is_thinned_and_keeps_its_ends() -> None:
    found = course(*(result("m", f"t{day}", day=day) for day in range(200)))
    assert len(found) == MOST_POINTS
    assert (found[0][0], found[-1][0]) == (0, 199)


def test_a_point_says_how_sure_it_is() -> None:
    few, many = Point(date(2026, 1, 1), 0.5, 4, 4).interval, Point(date(2026, 1, 1), 0.5, 400, 4).interval
    assert few is not None
    assert many is not None
    assert few.high - few.low > 4 * (many.high - many.low)
