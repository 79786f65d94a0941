"""Which protocol an inference path speaks. The gateway's other paths belong to Django (see gateway/api/urls.py)."""

from __future__ import annotations

from typing import Final

from gateway.wire.base import ServerWire
from gateway.wire.registry import SERVERS

_PATHS: Final = {
    "/v1/chat/completions": "openai_chat",
    "/chat/completions": "openai_chat",
}


def find_wire(path: str) -> ServerWire | None:
    """The server half for this path, a trailing slash ignored; None when it is no inference path."""
    name = _PATHS.get(path) or _PATHS.get(path.rstrip("/"))
    return SERVERS[name] if name is not None else None
