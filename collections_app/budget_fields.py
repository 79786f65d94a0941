"""The budgets of a key as six fields of a form: one for each unit and period, empty for none, money in dollars."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms

from collections_app.budgets import MOST_COUNT, MOST_DOLLARS, PERIODS, UNITS, Budget, write_budget

NAMES = tuple(f"{unit}_{period}" for unit in UNITS for period in PERIODS)


def _whole(label: str) -> forms.IntegerField:
    return forms.IntegerField(required=False, min_value=1, max_value=MOST_COUNT, label=label)


def _dollars(label: str) -> forms.DecimalField:
    return forms.DecimalField(required=False, min_value=0, max_value=MOST_DOLLARS, decimal_places=9, label=label)


class BudgetForm(forms.Form):
    """To be mixed into the form of a key."""

    requests_day = _whole("Requests a day")
    requests_month = _whole("Requests a month")
    tokens_day = _whole("Tokens a day")
    tokens_month = _whole("Tokens a month")
    money_day = _dollars("USD a day")
    money_month = _dollars("USD a month")


def read_fields(cleaned: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The budgets that a valid form holds, as the actions take them."""
    filled = [name for name in NAMES if cleaned.get(name) is not None]
    return [{"unit": name.split("_")[0], "period": name.split("_")[1], "amount": cleaned[name]} for name in filled]


def fill_fields(budgets: Iterable[Budget]) -> dict[str, Any]:
    """What the fields show for these budgets."""
    return {f"{one.unit}_{one.period}": write_budget(one)["amount"] for one in budgets}
