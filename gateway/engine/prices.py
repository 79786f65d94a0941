"""What a call costs: the catalogue's list prices times the tokens told. Pure, and exact: whole numbers throughout.

Prices are in USD per million tokens, as providers print them, with at most six decimals. So a price times a million is
a whole number of pico-dollars (1e-12 USD) a token. Costs are whole nano-dollars (1e-9 USD), rounded once, at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gateway.canon.event import Usage

PICO: Final = 1_000_000
"""Pico-dollars a token in a price of one USD per million tokens."""
_NANO: Final = 1_000
_TURNED_AWAY: Final = range(400, 500)


def cost_of(prices: Mapping[str, float], usage: Usage) -> int | None:
    """Nano-dollars; None when a price is missing for tokens that were used, or the model has none at all.

    `cached` and `cache_write` without a price of their own cost what input costs, `reasoning` what output costs. Shares
    that exceed what they are a share of count as told: nothing is paid back for them.
    """
    if not prices:
        return None
    given, written = prices.get("input"), prices.get("output")
    total = 0
    for tokens, price in (
        (max(usage.input - usage.cached - usage.cache_write, 0), given),
        (usage.cached, prices.get("cached", given)),
        (usage.cache_write, prices.get("cache_write", given)),
        (max(usage.output - usage.reasoning, 0), written),
        (usage.reasoning, prices.get("reasoning", written)),
    ):
        if tokens:
            if price is None:
                return None
            total += tokens * round(price * PICO)
    return _half_even(total)


def cost_of_call(
    prices: Mapping[str, float],
    usage: Usage | None,
    *,
    attempts: int,
    upstream_status: int | None,
    first_token_s: float | None = None,
) -> int | None:
    """Nano-dollars, None where unknown. Nothing is known to be free but what was never sent, and what the provider
    turned away with a 4xx before a word."""
    if usage is not None:
        return cost_of(prices, usage)
    turned_away = upstream_status in _TURNED_AWAY and first_token_s is None
    return 0 if attempts == 0 or turned_away else None


def _half_even(pico: int) -> int:
    whole, rest = divmod(pico, _NANO)
    half = _NANO // 2
    return whole + (rest > half or (rest == half and whole % 2 == 1))
