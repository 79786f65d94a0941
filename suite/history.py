"""How the score of a model stood day by day: what it would have been told at the end of each day on which it answered.
Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, tzinfo
from statistics import fmean
from typing import Final

from msgspec import Struct

from collections_app.intervals import Interval, wilson
from suite.results import Result

MOST_POINTS: Final = 40
"""Of a longer history the days are thinned out evenly; the first and the last stay."""


class Point(Struct, frozen=True):
    """At the end of `day` the mean credit over `tasks` tasks, each by its newest version that was answered by then and
    its repetitions averaged, was `score`; `answers` came that day."""

    day: date
    score: float
    tasks: int
    answers: int

    @property
    def interval(self) -> Interval | None:
        """Of the score, taking each task for one trial."""
        return wilson(self.score * self.tasks, self.tasks)


def histories(results: Iterable[Result], zone: tzinfo) -> dict[str, tuple[Point, ...]]:
    """By model, oldest first. `zone` says when a day ends."""
    answers: dict[str, list[Result]] = {}
    for one in results:
        if one.answered:
            answers.setdefault(one.model, []).append(one)
    return {model: _history(sorted(its, key=lambda one: one.at), zone) for model, its in sorted(answers.items())}


def _history(answers: list[Result], zone: tzinfo) -> tuple[Point, ...]:
    stands: dict[str, tuple[str, list[float]]] = {}
    means: dict[str, float] = {}
    points: dict[date, Point] = {}
    total = 0.0
    for one in answers:
        version, credits = stands.get(one.task, ("", []))
        credits = [*credits, one.credit] if version == one.version else [one.credit]
        stands[one.task] = (one.version, credits)
        mean = fmean(credits)
        total += mean - means.get(one.task, 0.0)
        means[one.task] = mean
        day = one.at.astimezone(zone).date()
        before = points[day].answers if day in points else 0
        # Adding and taking away leaves a hair that is no part of the score.
        points[day] = Point(day, min(max(round(total / len(means), 9), 0.0), 1.0), len(means), before + 1)
    return _thin(list(points.values()))


def _thin(points: list[Point]) -> tuple[Point, ...]:
    if len(points) <= MOST_POINTS:
        return tuple(points)
    step = (len(points) - 1) / (MOST_POINTS - 1)
    return tuple(points[round(number * step)] for number in range(MOST_POINTS))
