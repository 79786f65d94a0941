"""How models answered the short question day by day: a strip of squares, the newest to the right, drawn as SVG."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

from django.utils.translation import gettext as _

from probes.health.status import TINY
from probes.models import ProbeSample

DAYS: Final = 14
SIDE: Final = 8
STEP: Final = 10


@dataclass(frozen=True, slots=True)
class Square:
    """One day. `tone` is ok (all answered), warn (some), err (none), or empty where nobody asked."""

    day: date
    tone: str
    x: int
    words: str


@dataclass(frozen=True, slots=True)
class Strip:
    """The days of one model, the oldest first."""

    squares: Sequence[Square]

    @property
    def width(self) -> int:
        return len(self.squares) * STEP

    @property
    def words(self) -> str:
        """The same in words."""
        asked = [square for square in self.squares if square.tone]
        if not asked:
            return _("not asked in %(days)d days") % {"days": len(self.squares)}
        bad = [square for square in asked if square.tone != "ok"]
        good = len(asked) - sum(square.tone == "err" for square in asked)
        told = _("answered on %(good)d of %(asked)d days asked") % {"good": good, "asked": len(asked)}
        return told + ("; " + "; ".join(square.words for square in bad) if bad else "")


Question = tuple[datetime, bool, str]
"""When a short question was asked, whether it was answered, and the failure class if not."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The short questions to one model, and how many seconds each of its answers took."""

    asked: list[Question]
    seconds: list[float]


def draw_strip(asked: Iterable[Question], today: date, zone: tzinfo, days: int = DAYS) -> Strip:
    """The strip of one model, today last."""
    by_day: dict[date, list[tuple[bool, str]]] = defaultdict(list)
    for at, answered, failure in asked:
        by_day[at.astimezone(zone).date()].append((answered, failure))
    squares = []
    for place in range(days):
        day = today - timedelta(days=days - 1 - place)
        tone, words = _tell(by_day.get(day, []))
        squares.append(Square(day, tone, place * STEP, f"{day:%-d %b}: {words}"))
    return Strip(squares)


def load_asked(models: Iterable[int], now: datetime, days: int = DAYS) -> Mapping[int, Asked]:
    """The short questions of the last days to these models, by their ids, in one query."""
    wanted = list(models)
    asked = {model: Asked([], []) for model in wanted}
    rows = ProbeSample.objects.filter(
        language_model__in=wanted, prompt=TINY, at__gt=now - timedelta(days=days), at__lte=now
    ).order_by()
    columns = ("language_model_id", "at", "answered", "failure", "seconds")
    for model, at, answered, failure, seconds in rows.values_list(*columns):
        asked[model].asked.append((at, answered, failure))
        if answered:
            asked[model].seconds.append(seconds)
    return asked


def load_seconds(now: datetime, days: int = DAYS) -> Mapping[int, list[float]]:
    """How long the answers of every model to the short question took in the last days, by its id."""
    rows = ProbeSample.objects.filter(prompt=TINY, answered=True, at__gt=now - timedelta(days=days), at__lte=now)
    seconds: dict[int, list[float]] = defaultdict(list)
    for model, took in rows.order_by().values_list("language_model_id", "seconds"):
        seconds[model].append(took)
    return seconds


def _tell(asked: list[tuple[bool, str]]) -> tuple[str, str]:
    if not asked:
        return "", _("not asked")
    failures = Counter(failure or "other" for answered, failure in asked if not answered)
    if not failures:
        return "ok", _("answered")
    told = ", ".join(sorted(failures))
    if sum(failures.values()) == len(asked):
        return "err", told
    return "warn", _("answered, and %(failures)s") % {"failures": told}
