"""How a tool reaches the gateway: a call to one of its routes, from inside the server or over HTTP."""

from __future__ import annotations

from typing import Any, Protocol

import msgspec
from msgspec import Struct


class Refusal(Exception):
    """A route said no, or there was nobody to say anything; the message tells an agent what to do about it."""


class Answer(Struct, frozen=True):
    """What a route answered."""

    status: int
    body: bytes


class Routes(Protocol):
    """A way to the gateway's routes, as one caller."""

    async def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        """Raises Refusal when nobody answers."""
        ...


async def fetch(routes: Routes, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """The document behind a route. Raises Refusal."""
    answer = await routes.call(method, path, body)
    try:
        told = msgspec.json.decode(answer.body)
    except (msgspec.DecodeError, RecursionError):
        raise Refusal(
            f"{method} {path} answered ({answer.status}) with something else than JSON. Is the address that of a "
            "Benchwarmers server?"
        ) from None
    if answer.status >= 400:
        raise Refusal(f"refused {method} {path} ({answer.status}): {_message(told)}")
    return told


def _message(told: Any) -> str:
    error = told.get("error") if isinstance(told, dict) else None
    if isinstance(error, dict):
        return str(error.get("message") or error)
    return str(error or told)[:500]
