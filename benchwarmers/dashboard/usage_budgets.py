"""The budgets of the keys that a person sees: what is used, what is left, and whether it lasts. Never writes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Sum

from benchwarmers.dashboard.forecast import WEEK, Forecast, forecast
from benchwarmers.sight import visible_keys
from collections_app.budgets import PERIODS, period_end, period_start, tell_amount
from collections_app.models import GatewayKey, KeyBudget
from gateway.models import KeySpend, UsageDay

MOST: Final = 100
"""How many budgets a page shows, the fullest first."""


@dataclass(frozen=True, slots=True)
class BudgetRow:
    """One budget of one key. `share` is whole percent, at most 100; a day's budget has no forecast."""

    key: GatewayKey
    words: str
    used: str
    left: str
    share: int
    resets: date
    forecast: Forecast | None

    @property
    def full(self) -> bool:
        """Nothing is left."""
        return self.share >= 100


def load_budgets(person: User, today: date) -> list[BudgetRow]:
    """The fullest budgets of this person's live keys. Three queries, whatever their number."""
    keys = visible_keys(person).filter(revoked_at__isnull=True)
    budgets = list(KeyBudget.objects.filter(key__in=keys).select_related("key"))
    if not budgets:
        return []
    spent = _load_spent(budgets, today)
    paces = _load_paces(budgets, today)
    rows = [_row(budget, spent, paces, today) for budget in budgets]
    return sorted(rows, key=lambda row: (-row.share, row.key.name, row.words))[:MOST]


def _load_spent(budgets: Sequence[KeyBudget], today: date) -> dict[tuple[int, str, str], int]:
    starts = {period: period_start(period, today) for period in PERIODS}
    found = KeySpend.objects.filter(key__in=[one.key_id for one in budgets], start__in=starts.values())
    return {
        (row.key_id, row.unit, row.period): row.spent for row in found.order_by() if row.start == starts[row.period]
    }


def _load_paces(budgets: Sequence[KeyBudget], today: date) -> dict[int, dict[str, int]]:
    """What each key used in the last week, by unit."""
    monthly = [one.key_id for one in budgets if one.period == "month"]
    if not monthly:
        return {}
    week = UsageDay.objects.filter(key_id__in=monthly, day__gt=today - timedelta(days=WEEK), day__lte=today)
    sums = week.order_by().values_list("key_id").annotate(*map(Sum, ("requests", "tokens_in", "tokens_out", "cost")))
    paces: dict[int, dict[str, int]] = defaultdict(dict)
    for key, requests, read, written, cost in sums:
        paces[key] = {"requests": requests, "tokens": read + written, "money": cost}
    return paces


def _row(
    budget: KeyBudget, spent: dict[tuple[int, str, str], int], paces: dict[int, dict[str, int]], today: date
) -> BudgetRow:
    used = spent.get((budget.key_id, budget.unit, budget.period), 0)
    resets = period_end(budget.period, period_start(budget.period, today))
    told = None
    if budget.period == "month":
        age = (today - budget.key.created_at.date()).days + 1
        week = paces.get(budget.key_id, {}).get(budget.unit, 0)
        told = forecast(budget.amount, used, week, min(max(age, 1), WEEK), today, resets)
    return BudgetRow(
        key=budget.key,
        words=f"{tell_amount(budget.unit, budget.amount)} a {budget.period}",
        used=tell_amount(budget.unit, used),
        left=tell_amount(budget.unit, max(budget.amount - used, 0)),
        share=min(100 * used // budget.amount, 100),
        resets=resets,
        forecast=told,
    )
