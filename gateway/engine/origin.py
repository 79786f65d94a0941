"""Which request a piece of work belongs to, however deep in the engine it is done: for logs, the ledger and traces.

A context variable, because tasks inherit it: seats, shadows and calls need not be told one by one. Nothing is ever
decided by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextvars import ContextVar
from random import Random
from typing import Final

from msgspec import Struct

REQUEST_HEADER: Final = b"x-request-id"
TRACE_HEADER: Final = b"traceparent"
_GOOD: Final = re.compile(rb"[A-Za-z0-9._:-]{1,64}")
_TRACE: Final = re.compile(rb"00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}")


class Origin(Struct, frozen=True):
    """`request` is the request's id, `trace` the caller's own `traceparent` or empty; `lot` tells requests apart that
    a caller gave one id, which it did when `given`."""

    request: str = ""
    trace: str = ""
    lot: int = 0
    given: bool = False


ORIGIN: ContextVar[Origin] = ContextVar("origin", default=Origin())  # noqa: B039 it is frozen


def read_origin(headers: Iterable[tuple[bytes, bytes]], rng: Random) -> Origin:
    """The origin of an ASGI request: the id that the caller gave it, if it is made of letters, digits and `._:-` and
    at most 64 long, else a new one of 24 hex digits."""
    request = trace = b""
    for name, value in headers:
        if name == REQUEST_HEADER and _GOOD.fullmatch(value):
            request = value
        elif name == TRACE_HEADER and _TRACE.fullmatch(value):
            trace = value
    lot = rng.getrandbits(96)
    if request or trace:
        return Origin(request.decode() or f"{lot:024x}", trace.decode(), lot, bool(request))
    return Origin(f"{lot:024x}", "", lot)


def request_id() -> str:
    """The id of the request that is being worked for, or empty."""
    return ORIGIN.get().request
