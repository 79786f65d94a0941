"""The sums of all answers for the page of benchmarks, kept in the cache under a stamp of what they are made of.

While a pass runs, every answer makes the stamp another. Sums that took long to make are shown for a while all the same,
so that pages that listen do not keep the machine busy: with a hundred thousand answers for a minute or so.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from hashlib import sha256
from time import perf_counter
from typing import Any, Final, TypeVar

import redis
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone
from msgspec import Struct

from gateway.canon.kinds import TaskShape
from suite.comparison import Comparison, compare
from suite.heat_map import Cell, draw_heat_map, heat_map
from suite.history import Point, histories
from suite.metrics import Share, Sheet, sheets
from suite.needles.selectors import tries
from suite.needles.sheet import Row, rows
from suite.results import Result
from suite.selectors import Which, found_shares, load_results, stamp

log = logging.getLogger(__name__)
KEPT_S: Final = 24 * 3_600
LONG_S: Final = 1.0
"""Making sums that took longer is worth avoiding."""
PATIENCE: Final = 20
"""So many times as long as they took to make, such sums are shown after something changed."""
MOST_MODELS: Final = 40
MOST_TASKS: Final = 120
"""Of the heat map; a larger one is no picture any more."""

Made = TypeVar("Made")


class Summary(Struct, frozen=True):
    """`drawing` is the heat map as SVG; of `models` and `tasks` it shows the most asked. `histories` goes by model,
    `needles` by model and size."""

    at: datetime
    sheets: tuple[Sheet, ...]
    drawing: str
    models: int
    tasks: int
    histories: dict[str, tuple[Point, ...]]
    needles: tuple[Row, ...] = ()

    @property
    def cut(self) -> bool:
        """Whether the heat map leaves some out."""
        return self.models > MOST_MODELS or self.tasks > MOST_TASKS


def load_summary(which: Which) -> Summary:
    """Made anew only when something it is made of has changed."""
    return _kept(f"sums {which!r}", lambda: _sum_up(which))


def load_comparison(which: Which, first: str, second: str) -> Comparison:
    """Of two models, by alias, on the tasks as they are now."""
    both = Which(which.shape, which.origin, which.language, models=(first, second))
    return _kept(f"pair {both!r}", lambda: compare(load_results(both).today, first, second))


def load_found() -> dict[int, Share]:
    """By model: how much of what keys ask for it found, over all tasks of today."""
    return _kept("found", found_shares)


def _sum_up(which: Which) -> Summary:
    loaded = load_results(which)
    today = loaded.today
    told = sheets(today)
    models = {one.model for one in told}
    shown = _most_asked(today, told)
    drawn = draw_heat_map(heat_map(shown), "How each model took each task", link=_where) if shown else ""
    return Summary(
        at=timezone.now(),
        sheets=tuple(told),
        drawing=drawn,
        models=len(told),
        tasks=len({one.task for one in today}),
        histories=histories(loaded.every, timezone.get_default_timezone()),
        needles=tuple(rows(one for one in tries() if one.model in models)) if _deep(which) else (),
    )


def _deep(which: Which) -> bool:
    """Whether needles in long code are among what is meant."""
    return which.shape in ("", TaskShape.NEEDLE)


def _most_asked(today: list[Result], told: list[Sheet]) -> list[Result]:
    by_model = sorted(told, key=lambda one: (-one.tasks, one.model))[:MOST_MODELS]
    models = {one.model for one in by_model}
    counts: dict[str, int] = {}
    for one in today:
        counts[one.task] = counts.get(one.task, 0) + 1
    tasks = set(sorted(counts, key=lambda task: (-counts[task], task))[:MOST_TASKS])
    return [one for one in today if one.model in models and one.task in tasks]


def _where(cell: Cell) -> str:
    return f"{reverse('operations:suite-task', args=[cell.task])}#results"


def _kept(name: str, make: Callable[[], Made]) -> Made:
    now, mark = timezone.now(), stamp()
    key = f"suite:{sha256(name.encode()).hexdigest()[:24]}"
    held: Any = None
    with _cache_may_be_away():
        held = cache.get(key)
    if held is not None and (held[0] == mark or now < held[1]):
        kept: Made = held[2]
        return kept
    began = perf_counter()
    made = make()
    took = perf_counter() - began
    until = now + timedelta(seconds=PATIENCE * took) if took > LONG_S else now
    with _cache_may_be_away():
        cache.set(key, (mark, until, made), KEPT_S)
    return made


@contextmanager
def _cache_may_be_away() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as error:
        log.warning("Sums of the suite are made anew: the cache does not answer (%s).", type(error).__name__)
