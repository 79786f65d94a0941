"""Numbers in a listing's entry: windows in tokens, prices in USD per million tokens. Pure.

Prices stand there in two ways. Whoever calls them `prompt` and `completion` means USD per token, whoever calls them
`input` and `output` USD per million, unless a `unit` beside them says otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Final

from collections_app.facts import DEAREST, DECIMALS

MILLION: Final = 1_000_000
_LARGEST: Final = 1_000_000_000
_PER_TOKEN: Final = {
    "in": ("pricing.prompt", "model_info.input_cost_per_token", "input_cost_per_token"),
    "out": ("pricing.completion", "model_info.output_cost_per_token", "output_cost_per_token"),
}
_PER_MILLION: Final = {
    "in": ("pricing.input", "metadata.pricing.input_tokens"),
    "out": ("pricing.output", "metadata.pricing.output_tokens"),
}


def at(entry: Mapping[str, Any], path: str) -> Any:
    """What stands under a dotted path; None where there is nothing."""
    found: Any = entry
    for step in path.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(step)
    return found


def number(entry: Mapping[str, Any], paths: Iterable[str]) -> int | None:
    """The first whole number above zero under one of the paths."""
    for path in paths:
        found = at(entry, path)
        if isinstance(found, int | float) and not isinstance(found, bool) and 0 < found <= _LARGEST:
            return int(found) or None
    return None


def price(entry: Mapping[str, Any], side: str) -> float | None:
    """What a million tokens `in` or `out` cost in USD; None where it is not told or is no price (some say -1)."""
    unit = at(entry, "pricing.unit")
    words = unit.lower() if isinstance(unit, str) else ""
    for paths, million in ((_PER_TOKEN, False), (_PER_MILLION, True)):
        for path in paths[side]:
            told = _amount(at(entry, path))
            if told is not None:
                by_million = _says_million(words) if words else million
                return _believed(told if by_million else told * MILLION)
    return None


def _says_million(unit: str) -> bool:
    return "million" in unit or "1m" in unit or "mtok" in unit


def _amount(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        amount = float(value)
    except (ValueError, OverflowError):
        return None
    return amount if math.isfinite(amount) and amount >= 0 else None


def _believed(amount: float) -> float | None:
    return round(amount, DECIMALS) if amount <= DEAREST else None
