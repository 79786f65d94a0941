"""When a model that was free costs money, and when it is free again. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from probes.catalog.names import FREE
from probes.catalog.said import free_of


def paid_since(
    since: datetime | None,
    *,
    served: str,
    before: Mapping[str, Any] | None,
    now: Mapping[str, Any] | None,
    paid_connection: bool,
    at: datetime,
) -> datetime | None:
    """Since when a model costs money that was free, by its prices before and now; None for one that did not go paid.

    A served name that ends `:free` says by itself that it was free. Where the connection is paid anyway, nothing goes
    paid; a price that is not known changes nothing.
    """
    if paid_connection:
        return None
    free = free_of(now)
    if free is None:
        return since
    if free:
        return None
    was = free_of(before)
    went = was is True or (was is None and served.endswith(FREE))
    return since or (at if went else None)


def words_of(prices: Mapping[str, Any] | None) -> str:
    """Prices for people: `$0.50 in, $1.50 out a million tokens`."""
    told = prices or {}
    parts = [f"${_amount(told[axis])} {word}" for axis, word in (("input", "in"), ("output", "out")) if axis in told]
    return f"{', '.join(parts)} a million tokens" if parts else "of unknown price"


def _amount(price: float) -> str:
    return f"{price:.2f}" if price == round(price, 2) else f"{price:.6f}".rstrip("0")
