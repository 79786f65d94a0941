"""Requests that are over, for tests."""

from __future__ import annotations

from typing import Any

from gateway.api.served import Served
from gateway.engine.origin import Origin


def served(
    method: str = "POST", path: str = "/v1/messages", status: int = 200, caller: str = "ci", **more: Any
) -> Served:
    """One of a quarter of a second, of which a fifth went by upstream."""
    told: dict[str, Any] = {
        "seconds": 0.25,
        "upstream_s": 0.2,
        "format": "anthropic",
        "origin": Origin("abc", "", 7),
        "began_at": 1_000_000.0,
        **more,
    }
    return Served(method, path, status, caller, **told)
