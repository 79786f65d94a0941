"""How models answered over time, for pages: shares of answered calls and latencies, day by day. One query for any
number of models."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from django.utils import timezone
from msgspec import Struct

from probes.models import ProbeSample

DAYS: Final = 30


class Day(Struct, frozen=True):
    """One day, in the server's time zone. `asked` counts probing calls that say something of the model: those held back
    or refused for the account's sake do not. Seconds are of answered calls, None without one."""

    day: date
    asked: int = 0
    answered: int = 0
    p50_s: float | None = None
    p95_s: float | None = None

    @property
    def share(self) -> float | None:
        """Of those asked, how many answered; from 0 to 1."""
        return self.answered / self.asked if self.asked else None


def trend(model_id: int, now: datetime, *, days: int = DAYS, prompt: str = "") -> list[Day]:
    """The last `days` days of one model, oldest first, today last. `prompt` narrows it to one question."""
    return trends([model_id], now, days=days, prompt=prompt)[model_id]


def trends(model_ids: Iterable[int], now: datetime, *, days: int = DAYS, prompt: str = "") -> dict[int, list[Day]]:
    """The same of many models, by id, with every day of each."""
    wanted = list(model_ids)
    today = timezone.localtime(now).date()
    span = [today - timedelta(days=back) for back in range(days - 1, -1, -1)]
    began = timezone.make_aware(datetime.combine(span[0], datetime.min.time()))
    rows = ProbeSample.objects.filter(language_model_id__in=wanted, at__gte=began, at__lte=now, account_wide=False)
    if prompt:
        rows = rows.filter(prompt=prompt)
    asked: dict[tuple[int, date], int] = defaultdict(int)
    seconds: dict[tuple[int, date], list[float]] = defaultdict(list)
    told = rows.order_by().values_list("language_model_id", "at", "answered", "seconds")
    for model_id, at, answered, took in told.iterator(chunk_size=2000):
        key = model_id, timezone.localtime(at).date()
        asked[key] += 1
        if answered:
            seconds[key].append(took)
    return {pk: [_day(day, asked.get((pk, day), 0), seconds.get((pk, day), [])) for day in span] for pk in wanted}


def nearest_rank(values: Sequence[float], share: float) -> float | None:
    """The smallest value that so many of all are not above; None of none."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)] if ordered else None


def _day(day: date, asked: int, seconds: Sequence[float]) -> Day:
    return Day(day, asked, len(seconds), nearest_rank(seconds, 0.5), nearest_rank(seconds, 0.95))
