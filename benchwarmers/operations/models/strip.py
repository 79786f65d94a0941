"""How models answered the short question day by day: a strip of squares, the newest to the right, drawn as SVG."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from typing import Final

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
            return f"not asked in {len(self.squares)} days"
        bad = [square for square in asked if square.tone != "ok"]
        told = f"answered on {len(asked) - sum(square.tone == 'err' for square in asked)} of {len(asked)} days asked"
        return told + ("; " + "; ".join(square.words for square in bad) if bad else "")


Asked = tuple[datetime, bool, str]
"""When a tiny question was asked, whether it was answered, and the failure class if not."""


def draw_strip(asked: Iterable[Asked], today: date, zone: tzinfo, days: int = DAYS) -> Strip:
    """The strip of one model."""
    by_day: dict[date, list[tuple[bool, str]]] = defaultdict(list)
    for at, answered, failure in asked:
        by_day[at.astimezone(zone).date()].append((answered, failure))
    squares = []
    for place in range(days):
        day = today - timedelta(days=days - 1 - place)
        tone, words = _tell(by_day.get(day, []))
        squares.append(Square(day, tone, place * STEP, f"{day:%-d %b}: {words}"))
    return Strip(squares)


def load_strips(models: Iterable[int], now: datetime, zone: tzinfo) -> Mapping[int, Strip]:
    """The strips of these models, by their ids, in one query."""
    wanted, today = list(models), now.astimezone(zone).date()
    since = now - timedelta(days=DAYS)
    asked: dict[int, list[Asked]] = defaultdict(list)
    rows = ProbeSample.objects.filter(language_model__in=wanted, prompt=TINY, at__gt=since, at__lte=now).order_by()
    for model, at, answered, failure in rows.values_list("language_model_id", "at", "answered", "failure"):
        asked[model].append((at, answered, failure))
    return {model: draw_strip(asked[model], today, zone) for model in wanted}


def _tell(asked: list[tuple[bool, str]]) -> tuple[str, str]:
    if not asked:
        return "", "not asked"
    failures = Counter(failure or "other" for answered, failure in asked if not answered)
    if not failures:
        return "ok", "answered"
    told = ", ".join(sorted(failures))
    return ("err", told) if sum(failures.values()) == len(asked) else ("warn", f"answered, and {told}")
