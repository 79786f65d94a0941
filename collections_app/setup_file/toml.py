"""Writes plain values as TOML. Pure. Knows texts, numbers, truth values, dates, lists and inline tables, and nothing
else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def write_value(value: Any) -> str:
    """One value, on one line."""
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return repr(value)
        case Decimal():
            return f"{value:f}"
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case datetime():
            return value.isoformat()
        case list() | tuple():
            return f"[{', '.join(write_value(one) for one in value)}]"
        case Mapping():
            inner = ", ".join(
                f"{write_key(name)} = {write_value(one)}" for name, one in value.items() if one is not None
            )
            return f"{{ {inner} }}" if inner else "{}"
        case _:
            raise TypeError(f"TOML has no form for a {type(value).__name__}.")


def write_key(name: str) -> str:
    """A key, quoted only where it must be."""
    return name if _BARE.fullmatch(name) else write_value(name)


def write_table(header: str, values: Mapping[str, Any]) -> str:
    """A table with one line a field; null values are left out."""
    lines = [header, *(f"{write_key(name)} = {write_value(one)}" for name, one in values.items() if one is not None)]
    return "\n".join(lines) + "\n"
