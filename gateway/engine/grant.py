"""What one request was let in with. It goes along with its caller, so that every call made for the request knows what
it draws on."""

from __future__ import annotations

from msgspec import Struct


class Amounts(Struct, frozen=True):
    """What budgets count: requests, tokens in and out, and money in nano-dollars (1e-9 USD)."""

    requests: int = 0
    tokens: int = 0
    money: int = 0

    def __add__(self, other: Amounts) -> Amounts:
        return Amounts(self.requests + other.requests, self.tokens + other.tokens, self.money + other.money)

    def without(self, other: Amounts) -> Amounts:
        """What is left after `other`, never less than nothing."""
        return Amounts(
            max(self.requests - other.requests, 0),
            max(self.tokens - other.tokens, 0),
            max(self.money - other.money, 0),
        )

    def most(self, other: Amounts) -> Amounts:
        """The larger of each."""
        return Amounts(max(self.requests, other.requests), max(self.tokens, other.tokens), max(self.money, other.money))


class Grant(Struct, eq=False):
    """`reserved` is held for the request under `name` (empty where nothing is held), `used` is what its rows in the
    ledger say. `alone` marks a reservation that only this process knows of, since Redis was away."""

    key_id: int = 0
    name: str = ""
    reserved: Amounts = Amounts()
    used: Amounts = Amounts()
    alone: bool = False
    counted: bool = False

    @property
    def left(self) -> Amounts:
        """What is still held."""
        return self.reserved.without(self.used)

    def count(self) -> int:
        """1 for the first call that is recorded for the request, 0 for the others: the sum counts requests."""
        first, self.counted = not self.counted, True
        return int(first)

    def aside(self) -> Grant:
        """The same for a call that is made on the way and must not stand for the request."""
        return Grant(self.key_id, self.name, counted=True)
