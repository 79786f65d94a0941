"""Which source's word holds, field by field. Pure.

From the weakest: OpenRouter, models.dev, FreeLLMAPI, the endpoint's own listing. What a feed says of the very model at
the very provider beats what another says of one of the same name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from msgspec import Struct

from probes.catalog.said import Said

LISTING: Final = "listing of "
_OF_FREE_MODELS: Final = ("limits", "quirk_notes")


class Decided(Struct, frozen=True):
    """A value and who says so, at most 200 characters; it may name a source that says otherwise."""

    value: Any
    text: str


def decide(
    *, openrouter: Said | None, models_dev: Said | None, free: Said | None, listing: Said | None
) -> dict[str, Decided]:
    """The value of every field that a source speaks of."""
    found: dict[str, Decided] = {}
    elsewhere: set[str] = set()  # fields that are OpenRouter's word on a model that is not called there
    if openrouter is not None:
        for field, value in _priced(openrouter).items():
            found[field] = Decided(value, openrouter.text)
            if not openrouter.exact:
                elsewhere.add(field)
    if models_dev is not None:
        for field, value in _priced(models_dev).items():
            if field not in found or (models_dev.exact and field in elsewhere):
                found[field] = Decided(value, models_dev.text)
    if listing is not None:
        for field, value in listing.values.items():
            before = found[field].value if field == "prices" and field in found else {}
            found[field] = Decided({**before, **value} if field == "prices" else value, listing.text)
    if free is not None:
        _take_free(found, free)
    return {field: Decided(one.value, one.text[:200]) for field, one in found.items()}


def _priced(said: Said) -> Mapping[str, Any]:
    """Its values; prices only where they are this provider's own."""
    return said.values if said.exact else {field: one for field, one in said.values.items() if field != "prices"}


def _take_free(found: dict[str, Decided], free: Said) -> None:
    for field in _OF_FREE_MODELS:
        if field in free.values:
            found[field] = Decided(free.values[field], free.text)
    window, known = free.values.get("context_window"), found.get("context_window")
    if window is None:
        return
    if known is None:
        found["context_window"] = Decided(window, free.text)
    elif known.value != window:
        found["context_window"] = Decided(known.value, f"{known.text}; {free.text} says {window:,}")
