"""What a key may use in a day or a calendar month: units, periods and their words. Pure.

Money is whole nano-dollars (1e-9 USD) wherever it is stored, and dollars wherever people write it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

UNITS = ("requests", "tokens", "money")
PERIODS = ("day", "month")
NANO = 1_000_000_000
MOST_COUNT = 1_000_000_000_000
MOST_DOLLARS = 1_000_000
FORM = 'A budget is written { unit = "money", period = "month", amount = 20 }'


@dataclass(frozen=True, order=True)
class Budget:
    """`amount` is requests, tokens, or nano-dollars, and above 0."""

    unit: str
    period: str
    amount: int

    @property
    def words(self) -> str:
        """As in “20.00 USD a month”."""
        return f"{tell_amount(self.unit, self.amount)} a {self.period}"


def read_budget(given: Mapping[str, Any]) -> Budget | str:
    """The budget that a person wrote, with money in dollars; or one sentence that says what is wrong with it."""
    unit, period, amount = given.get("unit"), given.get("period"), given.get("amount")
    unknown = sorted(set(given) - {"unit", "period", "amount"})
    if unknown:
        return f"{unknown[0]} is no part of a budget. {FORM}."
    if unit not in UNITS:
        return f"The unit of a budget is one of {', '.join(UNITS)}. {FORM}."
    if period not in PERIODS:
        return f"The period of a budget is day or month. {FORM}."
    if unit == "money":
        nano = _read_dollars(amount)
        return Budget(unit, period, nano) if nano else f"A budget of money is above 0, up to {MOST_DOLLARS:,} dollars."
    if type(amount) is not int or not 0 < amount <= MOST_COUNT:
        return f"A budget of {unit} is a whole number from 1 to {MOST_COUNT:,}."
    return Budget(unit, period, amount)


def write_budget(budget: Budget) -> dict[str, Any]:
    """As `read_budget` takes it; dollars are a whole number where they can be, else a Decimal."""
    amount: int | Decimal = budget.amount
    if budget.unit == "money":
        dollars = Decimal(budget.amount) / NANO
        amount = int(dollars) if dollars == dollars.to_integral_value() else dollars.normalize()
    return {"unit": budget.unit, "period": budget.period, "amount": amount}


def tell_amount(unit: str, amount: int) -> str:
    """As in “1,000 requests” or “20.00 USD”; money to the cent, and finer only below one."""
    if unit != "money":
        return f"{amount:,} {unit if amount != 1 else unit[:-1]}"
    dollars = Decimal(amount) / NANO
    fine = 0 < abs(dollars) < Decimal("0.01")
    return f"{dollars.normalize():f} USD" if fine else f"{dollars:,.2f} USD"


def period_start(period: str, today: date) -> date:
    """The first day of the period that `today` is in."""
    return today if period == "day" else today.replace(day=1)


def period_end(period: str, start: date) -> date:
    """The first day of the period after the one that starts so."""
    if period == "day":
        return start + timedelta(days=1)
    return (start.replace(day=1) + timedelta(days=32)).replace(day=1)


def _read_dollars(amount: Any) -> int:
    """Nano-dollars, 0 where it is no amount. A float is taken for the decimal that was written."""
    if isinstance(amount, bool) or not isinstance(amount, int | float | Decimal):
        return 0
    dollars = Decimal(str(amount))
    if not dollars.is_finite() or not 0 < dollars <= MOST_DOLLARS:
        return 0
    return int(dollars * NANO)
