"""Why a key's request is refused, in words: pure."""

from __future__ import annotations

import math
from datetime import datetime, time
from typing import Final

from msgspec import Struct

from collections_app.budgets import period_end, period_start, tell_amount
from gateway.canon.fault import RateLimited
from gateway.engine.snapshot import Budget, Caller

WINDOW_S: Final = 60.0
RPM, TPM = "rpm", "tpm"
SOON_S: Final = 5.0
"""When to ask again where what is left is only held for calls under way, which may use less."""


class Full(Struct, frozen=True):
    """A window that is full: of requests (`rpm`) or tokens (`tpm`). `until` (epoch seconds) it has no room."""

    kind: str
    until: float


class UsedUp(Struct, frozen=True):
    """A budget without room: so much of it is spent, and so much reserved for calls under way."""

    budget: Budget
    spent: int
    held: int


Refusal = Full | UsedUp


def in_order(budgets: tuple[Budget, ...]) -> tuple[Budget, ...]:
    """The order in which budgets are looked at: of several that are used up, the one that stays so longest is told."""
    return tuple(sorted(budgets, key=lambda budget: (budget.period != "month", budget.unit)))


def refusal_of(caller: Caller, why: Refusal, now: datetime) -> RateLimited:
    """The fault that says what is used up and when there is room again. `now` is in the server's own time zone."""
    if isinstance(why, UsedUp):
        return _used_up(caller, why, now)
    wait = math.floor(why.until - now.timestamp()) + 1
    limit = f"{caller.rpm} calls a minute" if why.kind == RPM else f"{caller.tpm:,} tokens a minute"
    return RateLimited(
        f"Key {caller.name} has used its {limit}; try again in {wait} s.", wait=wait, code="rate_limit_exceeded"
    )


def leaves_at(began: float) -> float:
    """When what began then leaves the window of a minute."""
    return began + WINDOW_S


def _used_up(caller: Caller, why: UsedUp, now: datetime) -> RateLimited:
    budget = why.budget
    ends = period_end(budget.period, period_start(budget.period, now.date()))
    resets = datetime.combine(ends, time(), now.tzinfo)
    wait = math.ceil(resets.timestamp() - now.timestamp())
    held = f", and {tell_amount(budget.unit, why.held)} are held for calls under way" if why.held else ""
    if why.spent < budget.amount and budget.unit != "requests":
        wait = min(wait, math.ceil(SOON_S))
    return RateLimited(
        f"Key {caller.name} has used up its budget of {tell_amount(budget.unit, budget.amount)} a {budget.period}: "
        f"{tell_amount(budget.unit, why.spent)} of {tell_amount(budget.unit, budget.amount)} are used{held}. "
        f"It starts anew at {resets.isoformat()}.",
        wait=wait,
        code="budget_exceeded",
    )
