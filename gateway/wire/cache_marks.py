"""Cache marks of one API in the words of another: those of Messages, which chat completions have taken over."""

from __future__ import annotations

import msgspec
from msgspec import Raw

_EPHEMERAL = Raw(b'{"type":"ephemeral"}')


class _Mark(msgspec.Struct):
    type: str | None = None


def ephemeral(mark: Raw) -> Raw:
    """A mark of any API as `cache_control`: as it is where it is one, else the plainest."""
    try:
        known = msgspec.json.decode(mark, type=_Mark).type == "ephemeral"
    except msgspec.DecodeError:
        known = False
    return mark if known else _EPHEMERAL
