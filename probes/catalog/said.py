"""What one source says of one model, as values that can be facts. Pure: believes nothing it reads, so that what is no
number, price or word of the right kind is as if it had not been said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from msgspec import Struct

from collections_app.facts import CAPABILITIES, DECIMALS, LIMIT_AXES, NUMBERS, PRICE_AXES, is_price

LARGEST: Final = 1_000_000_000
LONGEST_DESCRIPTION: Final = 240
MOST_QUIRKS: Final = 5
_MODALITIES: Final = 10
_TAKEN: Final = {"documents": {"pdf", "file"}, "audio": {"audio"}}


class Said(Struct, frozen=True):
    """`values` by field, `text` is who says so. `exact`: of this very model at this very provider, not of one of the
    same name elsewhere."""

    values: Mapping[str, Any]
    text: str
    exact: bool = False


def believed(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values that can be facts, each in its own form."""
    kept = {field: _FORMS[field](value) for field, value in values.items() if field in _FORMS}
    return {field: value for field, value in kept.items() if value not in (None, "", [], {})}


def with_inputs(values: dict[str, Any]) -> dict[str, Any]:
    """The values, with what the kinds of input tell of abilities. Listings often leave files and sound out, so that
    such a list never says that a model does not take them."""
    inputs = words(values.get("input_modalities"))
    if not inputs:
        return values
    seen: dict[str, Any] = {"vision": "image" in inputs}
    seen |= {field: True for field, kinds in _TAKEN.items() if kinds & set(inputs)}
    return {**seen, **{field: value for field, value in values.items() if value is not None}}


def free_of(prices: Mapping[str, Any] | None) -> bool | None:
    """True for a model that costs nothing, None where no price is known; one price alone stands for both."""
    if not prices or ("input" not in prices and "output" not in prices):
        return None
    return not prices.get("input") and not prices.get("output")


def number(value: Any) -> int | None:
    """A whole number above zero."""
    fits = isinstance(value, int | float) and not isinstance(value, bool) and 1 <= value <= LARGEST
    return int(value) if fits else None


def price(value: Any, factor: float = 1.0) -> float | None:
    """USD per million tokens, from a number or its text; below zero means that it is not known."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        amount = round(float(value) * factor, DECIMALS)
    except (ValueError, OverflowError):
        return None
    return amount if is_price(amount) else None


def text(value: Any, most: int) -> str:
    """One line of at most so many characters; empty for what is no text."""
    line = " ".join(value.split()) if isinstance(value, str) else ""
    line = "".join(char for char in line if char.isprintable())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def words(value: Any) -> list[str]:
    """Short words, each once, in order."""
    if not isinstance(value, list | tuple):
        return []
    short = (word.strip().lower() for word in value if isinstance(word, str))
    return list(dict.fromkeys(word for word in short if word.isalnum() and len(word) <= 20))[:_MODALITIES]


def _yes_or_no(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _by_axis(axes: Iterable[str], form: Callable[[Any], Any]) -> Callable[[Any], dict[str, Any]]:
    def read(value: Any) -> dict[str, Any]:
        said = {axis: form(value.get(axis)) for axis in axes} if isinstance(value, Mapping) else {}
        return {axis: one for axis, one in said.items() if one is not None}

    return read


def _titles(value: Any) -> list[str]:
    if not isinstance(value, list):
        return []
    return [title for title in dict.fromkeys(text(one, 120) for one in value) if title][:MOST_QUIRKS]


_FORMS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(NUMBERS, number),
    **dict.fromkeys(CAPABILITIES, _yes_or_no),
    "open_weights": _yes_or_no,
    "input_modalities": words,
    "output_modalities": words,
    "knowledge_cutoff": lambda value: text(value, 20),
    "release_date": lambda value: text(value, 20),
    "description": lambda value: text(value, LONGEST_DESCRIPTION),
    "limits": _by_axis(LIMIT_AXES, number),
    "prices": _by_axis(PRICE_AXES, price),
    "quirk_notes": _titles,
}
"""How each field's value is read."""
