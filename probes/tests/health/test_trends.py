"""Day by day, how models answered."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from collections_app.tests.world import World
from probes.health.trends import Day, nearest_rank, trend, trends
from probes.models import ProbeSample

NOW = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def sample(world: World, alias: str, days_ago: float, answered: bool = True, seconds: float = 1.0, **more: Any) -> None:
    given = {"kind": "availability", "prompt": "tiny", "at": NOW - timedelta(days=days_ago)} | more
    ProbeSample.objects.create(language_model=world.model(alias), answered=answered, seconds=seconds, **given)


def test_each_day_has_what_was_asked_and_answered_and_how_fast(world: World) -> None:
    for seconds in (1.0, 2.0, 3.0, 40.0):
        sample(world, "fast", 1, seconds=seconds)
    sample(world, "fast", 1, answered=False, seconds=90.0)
    sample(world, "fast", 1, answered=False, account_wide=True)
    sample(world, "fast", 0, answered=False)
    sample(world, "fast", 8)
    sample(world, "slow", 1)
    found = trend(world.model("fast").pk, NOW, days=3)
    assert found == [
        Day(date(2026, 11, 27)),
        Day(date(2026, 11, 28), 5, 4, 2.0, 40.0),
        Day(date(2026, 11, 29), 1, 0),
    ]
    assert [day.share for day in found] == [None, 0.8, 0.0]


def test_one_question_alone_may_be_looked_at(world: World) -> None:
    sample(world, "fast", 0)
    sample(world, "fast", 0, answered=False, prompt="large")
    pk = world.model("fast").pk
    assert trend(pk, NOW, days=1, prompt="tiny") == [Day(NOW.date(), 1, 1, 1.0, 1.0)]
    assert trend(pk, NOW, days=1) == [Day(NOW.date(), 2, 1, 1.0, 1.0)]


def test_many_models_take_one_query(world: World, django_assert_num_queries: Any) -> None:
    wanted = [world.model(alias).pk for alias in ("fast", "slow", "coder", "tiny")]
    for alias in ("fast", "slow"):
        sample(world, alias, 2)
    with django_assert_num_queries(1):
        found = trends(wanted, NOW, days=30)
    assert list(found) == wanted
    assert [sum(day.asked for day in days) for days in found.values()] == [1, 1, 0, 0]
    assert {len(days) for days in found.values()} == {30}


@pytest.mark.parametrize(
    ("values", "share", "told"),
    [([], 0.5, None), ([3.0], 0.95, 3.0), ([4.0, 1.0, 3.0, 2.0], 0.5, 2.0), (list(range(1, 101)), 0.95, 95)],
)
def test_the_nearest_rank_is_a_value_that_came(values: list[float], share: float, told: float | None) -> None:
    assert nearest_rank(values, share) == told
