"""A request that is over, for whoever counts or logs them."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from gateway.engine.origin import Origin


class Served(Struct, frozen=True):
    """`caller` is `-` where nobody was recognised; `seconds` is all of it, of which `upstream_s` went by waiting for
    models (None where none was asked); `format` is the caller's API, or `pages`; `began_at` is epoch seconds."""

    method: str
    path: str
    status: int
    caller: str
    seconds: float
    upstream_s: float | None
    format: str
    origin: Origin
    began_at: float


Note = Callable[[Served], None]
"""Hears of each request when it is over, within the event loop. Must not wait."""
