"""The sums of all answers for the page of benchmarks, kept in the cache under a stamp of what they are made of.

While a pass runs, every answer makes the stamp another. Sums that took long to make are shown for a while all the same,
so that pages that listen do not keep the machine busy; and of many answers nobody waits for the sums before the page is
there.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils import timezone
from msgspec import Struct

from benchwarmers.dashboard.kept import Kept, keep
from benchwarmers.operations.benchmarks.grid import Grid, make_grid
from gateway.canon.kinds import TaskShape
from suite.comparison import Comparison, compare
from suite.history import Point, histories
from suite.metrics import Share, Sheet, sheets
from suite.models import Attempt
from suite.needles.selectors import tries
from suite.needles.sheet import Row, rows
from suite.selectors import Which, found_shares, load_results, stamp

MANY: Final = 5_000
"""Of more answers than that the sums take longer than a page may."""
COURSES: Final = 12
"""Histories that are kept: those of the models with most tasks."""


class Summary(Struct, frozen=True):
    """`tasks` counts those that anybody was asked. `histories` goes by model, `needles` by model and size; `drawn`
    counts the models that have a history."""

    at: datetime
    sheets: tuple[Sheet, ...]
    grid: Grid
    tasks: int
    histories: dict[str, tuple[Point, ...]]
    drawn: int
    needles: tuple[Row, ...] = ()


def load_summary(which: Which, *, now: bool = False) -> Kept[Summary]:
    """Made anew only when something it is made of has changed, and of many answers only for whoever asks `now`."""
    return keep(f"suite sums {which!r}", stamp(), lambda: _sum_up(which), heavy=_many(), now=now)


def load_comparison(which: Which, first: str, second: str) -> Comparison | None:
    """Of two models, by alias, on the tasks as they are now."""
    both = Which(which.shape, which.origin, which.language, models=(first, second))
    return keep(f"suite pair {both!r}", stamp(), lambda: compare(load_results(both).today, first, second)).value


def load_found() -> dict[int, Share]:
    """By model: how much of what keys ask for it found, over all tasks of today."""
    return keep("suite found", stamp(), found_shares).value or {}


def _many() -> bool:
    """Whether there are many answers; no more rows are looked at than it takes to know."""
    return Attempt.objects.order_by("pk")[MANY : MANY + 1].exists()


def _sum_up(which: Which) -> Summary:
    loaded = load_results(which)
    today = loaded.today
    told = sheets(today)
    models = {one.model for one in told}
    past = histories(loaded.every, timezone.get_default_timezone())
    longest = sorted(past.items(), key=lambda item: (-item[1][-1].tasks, item[0]))
    return Summary(
        at=timezone.now(),
        sheets=tuple(told),
        grid=make_grid(today),
        tasks=len({one.task for one in today}),
        histories=dict(longest[:COURSES]),
        drawn=len(longest),
        needles=tuple(rows(one for one in tries() if one.model in models)) if _deep(which) else (),
    )


def _deep(which: Which) -> bool:
    """Whether needles in long code are among what is meant."""
    return which.shape in ("", TaskShape.NEEDLE)
