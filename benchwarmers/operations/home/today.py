"""What was asked today and in the days before, what it cost, and how that stands to the budgets. Reads only.

All of it comes from the sums by day, so that it costs the same however long the ledger is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Sum
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from benchwarmers.dashboard.usage_budgets import BudgetRow, load_budgets
from benchwarmers.sight import visible_usage

DAYS: Final = 14
BUDGETS: Final = 3
"""Those that are fullest."""
HIGH: Final = 40
TURNS: Final = "route"
QUESTIONS: Final = ""
"""The purposes of what callers ask: a seat of a panel has none of its own."""


@dataclass(frozen=True, slots=True)
class Day:
    """What was asked on a day; `cost` in nano-dollars."""

    day: date
    questions: int = 0
    turns: int = 0
    cost: int = 0

    @property
    def asked(self) -> int:
        return self.questions + self.turns

    @property
    def words(self) -> str:
        """The day in a few words."""
        told = {"day": date_format(self.day, "j M"), "questions": self.questions, "turns": self.turns}
        return _("%(day)s: %(questions)d questions, %(turns)d turns") % told


@dataclass(frozen=True, slots=True)
class Bar:
    """A day as it is drawn: where, how high, and what it says."""

    x: int
    y: float
    height: float
    words: str


@dataclass(frozen=True, slots=True)
class Today:
    """`days` are the last DAYS, today last; `busy` the collections that were asked in them, the most asked first;
    `budgets` those of this person's keys that are fullest."""

    days: Sequence[Day]
    busy: Sequence[str]
    budgets: Sequence[BudgetRow]

    @property
    def now(self) -> Day:
        return self.days[-1]

    @property
    def bars(self) -> list[Bar]:
        """The days side by side, ten wide each."""
        top = max([1, *(day.asked for day in self.days)])
        heights = [round(day.asked / top * HIGH, 1) for day in self.days]
        return [
            Bar(place * 10, HIGH - high, high, day.words)
            for place, (day, high) in enumerate(zip(self.days, heights, strict=True))
        ]

    @property
    def words(self) -> str:
        """The drawing in a sentence."""
        most = max(self.days, key=lambda day: day.asked)
        if not most.asked:
            return _("Nothing was asked in %(days)d days.") % {"days": len(self.days)}
        told = {"days": len(self.days), "asked": sum(day.asked for day in self.days), "most": most.words}
        return _("%(asked)d asked in %(days)d days; the most on %(most)s.") % told


def load_today(person: User, today: date) -> Today:
    """What this person may see of it. Four queries at most."""
    first = today - timedelta(days=DAYS - 1)
    found = visible_usage(person).filter(day__gte=first, day__lte=today).order_by()
    rows = found.values_list("day", "purpose", "collection_name").annotate(Sum("requests"), Sum("cost"))
    asked: Counter[tuple[date, str]] = Counter()
    costs: Counter[date] = Counter()
    busy: Counter[str] = Counter()
    for day, purpose, collection, requests, cost in rows:
        asked[day, purpose] += requests
        costs[day] += cost
        if collection:
            busy[collection] += requests
    days = [first + timedelta(days=back) for back in range(DAYS)]
    return Today(
        days=[_day(day, asked, costs) for day in days],
        busy=[name for name, _count in busy.most_common()],
        budgets=load_budgets(person, today)[:BUDGETS],
    )


def _day(day: date, asked: Mapping[tuple[date, str], int], costs: Mapping[date, int]) -> Day:
    return Day(day, asked.get((day, QUESTIONS), 0), asked.get((day, TURNS), 0), costs.get(day, 0))
