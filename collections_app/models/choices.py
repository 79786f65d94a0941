"""Turns the canon's closed lists into choices for a Django field."""

from __future__ import annotations

from enum import StrEnum


def choices_of(kinds: type[StrEnum]) -> list[tuple[str, str]]:
    """(value, label) pairs in the order of definition."""
    return [(kind.value, kind.value.replace("_", " ")) for kind in kinds]
