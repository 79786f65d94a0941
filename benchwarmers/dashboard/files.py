"""What files of rows have in common: their forms, and cells that no spreadsheet takes for a formula."""

from __future__ import annotations

from typing import Any, Final

FORMATS: Final = {"csv": "text/csv; charset=utf-8", "jsonl": "application/x-ndjson"}
"""The content type of each form."""
_ACTIVE: Final = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: such a text is preceded by an apostrophe."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str() if value.startswith(_ACTIVE):
            return f"'{value}"
        case _:
            return value
