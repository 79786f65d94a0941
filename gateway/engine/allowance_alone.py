"""The limits of keys as one process counts them while Redis is away: for itself, from what the database says is spent
and from its own requests. Knows no clock."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from datetime import date

from msgspec import Struct

from gateway.engine.allowance_words import RPM, TPM, WINDOW_S, Full, Refusal, UsedUp, leaves_at
from gateway.engine.grant import Amounts, Grant
from gateway.engine.snapshot import Budget, Caller


class Known(Struct):
    """What a key has spent on `day` and in its month, as it was read at `read_at` (seconds of any clock) or has grown
    since."""

    day: date
    of_day: Amounts
    of_month: Amounts
    read_at: float

    def grow(self, day: date, of_day: Amounts, of_month: Amounts) -> None:
        """Takes news of a commit; those of another day say nothing that is asked for."""
        if day == self.day:
            self.of_day, self.of_month = self.of_day.most(of_day), self.of_month.most(of_month)


class Alone:
    """The windows of all keys."""

    def __init__(self) -> None:
        self._requests: dict[int, deque[float]] = {}
        self._tokens: dict[int, dict[str, tuple[float, int]]] = {}

    def take(
        self, caller: Caller, grant: Grant, now: float, budgets: Iterable[Budget], known: Known | None, held: Amounts
    ) -> Refusal | None:
        """Counts the request when there is room everywhere, else says what stands against it. `held` is what this
        process has reserved for the key."""
        if known is not None and (used_up := _without_room(budgets, known, held)) is not None:
            return used_up
        requests = self._requests.setdefault(grant.key_id, deque())
        while requests and requests[0] <= now - WINDOW_S:
            requests.popleft()
        if caller.rpm and len(requests) >= caller.rpm:
            return Full(RPM, leaves_at(requests[0]))
        tokens = self._tokens.setdefault(grant.key_id, {})
        for name in [name for name, (at, _) in tokens.items() if at <= now - WINDOW_S]:
            del tokens[name]
        if caller.tpm and (until := _when_under(tokens, caller.tpm)) is not None:
            return Full(TPM, until)
        if caller.rpm:
            requests.append(now)
        if caller.tpm:
            tokens[grant.name] = now, grant.reserved.tokens
        return None

    def settle(self, grant: Grant, now: float) -> None:
        """The tokens that a request really used take the place of those that were reserved."""
        tokens = self._tokens.get(grant.key_id, {})
        if tokens.pop(grant.name, None) is not None and grant.used.tokens:
            tokens[grant.name] = now, grant.used.tokens


def _without_room(budgets: Iterable[Budget], known: Known, held: Amounts) -> UsedUp | None:
    for budget in budgets:
        spent = getattr(known.of_day if budget.period == "day" else known.of_month, budget.unit)
        reserved = getattr(held, budget.unit)
        if spent + reserved >= budget.amount:
            return UsedUp(budget, spent, reserved)
    return None


def _when_under(tokens: dict[str, tuple[float, int]], limit: int) -> float | None:
    """When the window has room again, None where it has."""
    total = sum(amount for _, amount in tokens.values())
    if total < limit:
        return None
    until = 0.0
    for at, amount in tokens.values():  # in the order of their times
        until, total = leaves_at(at), total - amount
        if total < limit:
            break
    return until
