"""What a browser page of another origin may read and send: grants for allowed origins, answers to preflights.

Assumes the Host was judged before. Never grants `*`, never grants credentials, never asks for a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

METHODS = "GET, POST, OPTIONS"
EXPOSED = b"X-Bench-Panel, X-Bench-Seats, X-Bench-Conversation, X-Bench-Model, Retry-After, WWW-Authenticate"
_BASE_HEADERS = ("Authorization", "Content-Type")
_NAME = re.compile(r"[A-Za-z0-9-]{1,64}")
_MOST_NAMES = 32

Headers = list[tuple[bytes, bytes]]


def grant(origin: str) -> Headers:
    """Headers that let the allowed `origin`, as it was sent, read the answer."""
    return [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", EXPOSED),
        (b"vary", b"Origin"),
    ]


def preflight(origin: str, asked_headers: str) -> Headers:
    """The headers of a 204 to an allowed preflight. `asked_headers` is what the page wants to send."""
    return [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-allow-methods", METHODS.encode()),
        (b"access-control-allow-headers", ", ".join(allowed_headers(asked_headers)).encode()),
        (b"access-control-max-age", b"600"),
        (b"vary", b"Origin"),
    ]


def allowed_headers(asked: str) -> list[str]:
    """The base headers, and the asked ones when they are a short list of plain names. Anything else adds nothing."""
    names = [name.strip() for name in asked.split(",")]
    if len(names) > _MOST_NAMES or not all(_NAME.fullmatch(name) for name in names):
        return list(_BASE_HEADERS)
    known = {name.lower() for name in _BASE_HEADERS}
    return [*_BASE_HEADERS, *(name for name in dict.fromkeys(names) if name.lower() not in known)]


def with_grant(headers: Iterable[tuple[bytes, bytes]], origin: str) -> Headers:
    """A reply's headers with the grant added; an existing Vary is kept and made longer."""
    kept: Headers = []
    vary = [b"Origin"]
    for name, value in headers:
        if name.lower() == b"vary":
            vary += [word.strip() for word in value.split(b",") if word.strip().lower() != b"origin"]
        elif not name.lower().startswith(b"access-control-"):
            kept.append((name, value))
    return [*kept, *grant(origin)[:-1], (b"vary", b", ".join(vary))]
