"""JSON of any kind, read where nothing is promised about it. Never raises."""

from __future__ import annotations

import msgspec

Json = str | int | float | bool | list[object] | dict[str, object] | None


def read_loosely(data: bytes) -> Json:
    """A JSON document; None where it is none, or nothing but null."""
    try:
        return msgspec.json.decode(data, type=Json)
    except (msgspec.DecodeError, RecursionError):
        return None
