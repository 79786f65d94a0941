"""Decides which value of a fact holds when several sources speak of it.

Pure: takes rows or any objects with `field`, `value` and `source`, reads no database and no clock. Values of unknown
fields or sources are passed over; a null value says nothing.

An operator's word wins over all. What was learned from errors only ever tightens a number and only ever grants a
capability. A probe wins over a feed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Protocol

SOURCES = ("operator", "learned", "probe", "feed")
"""From the strongest to the weakest."""

NUMBERS = ("context_window", "max_output")
CAPABILITIES = ("tools", "vision", "documents", "audio", "structured_output", "reasoning")
TEXTS = {"knowledge_cutoff": 20, "description": 300}
"""Text fields and the most characters they hold."""

LIMIT_AXES = ("rpm", "rpd", "tpm", "tpd")
PRICE_AXES = ("input", "cached", "cache_write", "output", "reasoning")
"""What is priced, in USD per million tokens: a share without a price of its own costs what its whole does."""

PRICE_SOURCES = ("operator", "feed")
DEAREST = 1_000_000
DECIMALS = 6
FIELDS = (*NUMBERS, *CAPABILITIES, "limits", "prices", *TEXTS)
"""What operators may state."""

DESCRIBED = ("input_modalities", "output_modalities", "release_date", "open_weights", "quirk_notes")
"""What feeds and listings alone tell, for people to read: kinds of input and output, a date, whether the weights can be
had, and titles of known peculiarities. No call is decided by it."""

DECIDING = (*NUMBERS, *CAPABILITIES, "limits", "prices", "quirks")
"""What calls are decided by, so that it is known in every process."""


class FactLike(Protocol):
    """What `merge` needs of a fact."""

    @property
    def field(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def source(self) -> str: ...


def merge(facts: Iterable[FactLike]) -> tuple[dict[str, Any], dict[str, str]]:
    """(values by field, source by field). A field nobody knows is absent.

    `limits` is a dict of the known axes; its sources stand under `limits.rpm`, `limits.tpm` and so on, since each
    axis is decided by itself. `prices` likewise, from operators and feeds alone.
    """
    said: dict[str, dict[str, Any]] = {}
    quirks: dict[str, Any] = {}
    for fact in facts:
        if fact.source not in SOURCES or fact.value is None:
            continue
        if fact.field in ("limits", "prices"):
            for axis, value in (_limits(fact) if fact.field == "limits" else _prices(fact)).items():
                said.setdefault(f"{fact.field}.{axis}", {})[fact.source] = value
        elif fact.field == "quirks":
            quirks.update(fact.value if isinstance(fact.value, dict) else {})
        elif fact.field in FIELDS or fact.field in DESCRIBED:
            said.setdefault(fact.field, {})[fact.source] = fact.value
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for field, by_source in said.items():
        source = _winner(field, by_source)
        if source is None:
            continue
        sources[field] = source
        whole, dot, axis = field.partition(".")
        if dot:
            values.setdefault(whole, {})[axis] = by_source[source]
        else:
            values[field] = by_source[source]
    if quirks:
        values["quirks"] = quirks
    return values, sources


def _limits(fact: FactLike) -> dict[str, Any]:
    said = fact.value if isinstance(fact.value, dict) else {}
    return {axis: said[axis] for axis in LIMIT_AXES if said.get(axis) is not None}


def is_price(value: Any) -> bool:
    """A number of USD per million tokens, from 0 on, with at most six decimals."""
    if type(value) not in (int, float) or not math.isfinite(value):
        return False
    return bool(0 <= value <= DEAREST and round(value, DECIMALS) == value)


def _prices(fact: FactLike) -> dict[str, float]:
    """The prices in a fact that can be believed, in as many decimals as there are."""
    if fact.source not in PRICE_SOURCES or not isinstance(fact.value, dict):
        return {}
    said = {axis: fact.value.get(axis) for axis in PRICE_AXES}
    rounded: dict[str, Any] = {
        axis: round(price, DECIMALS) if type(price) is float else price for axis, price in said.items()
    }
    return {axis: price for axis, price in rounded.items() if is_price(price)}


def _winner(field: str, by_source: dict[str, Any]) -> str | None:
    if "operator" in by_source:
        return "operator"
    plain = next((source for source in ("probe", "feed") if source in by_source), None)
    if "learned" not in by_source:
        return plain
    if field in CAPABILITIES:
        return "learned" if by_source["learned"] is True else plain
    if plain is None or field in TEXTS or by_source["learned"] < by_source[plain]:
        return "learned"
    return plain
