"""Where a person may be sent back to with a code. Pure.

Only by https, or to a program on the person's own machine, which may listen at any port (RFC 8252); and to what the
settings name besides. Everything else of an address must be as it was registered.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final
from urllib.parse import SplitResult, urlsplit

LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})
LONGEST: Final = 500


def may_lead_back(address: str, besides: Container[str] = ()) -> bool:
    """Whether a program may register this address."""
    if address in besides:
        return True
    parts = _read(address)
    if parts is None or not parts.hostname:
        return False
    return parts.scheme == "https" or is_on_own_machine(address)


def is_on_own_machine(address: str) -> bool:
    """Whether a program on the machine of whoever follows the address answers it."""
    parts = _read(address)
    return parts is not None and parts.scheme == "http" and parts.hostname in LOOPBACK


def is_registered_as(asked: str, registered: str) -> bool:
    """Whether the two are one address: the same letter by letter, or on one's own machine but for the port."""
    if asked == registered:
        return True
    return (
        is_on_own_machine(asked) and is_on_own_machine(registered) and _without_port(asked) == _without_port(registered)
    )


def source_for_policy(address: str) -> str:
    """How a content security policy names where the address leads. It cannot name an IPv6 host."""
    parts = urlsplit(address)
    if parts.scheme in {"http", "https"} and "[" not in parts.netloc:
        return f"{parts.scheme}://{parts.netloc}"
    return f"{parts.scheme}:"


def _read(address: str) -> SplitResult | None:
    plain = address.isascii() and address.isprintable() and not any(letter in address for letter in ' #\\"<>;,')
    if not plain or len(address) > LONGEST:
        return None
    try:
        parts = urlsplit(address)
        return parts if parts.port != 0 and "@" not in parts.netloc else None
    except ValueError:
        return None


def _without_port(address: str) -> tuple[str | None, str, str]:
    parts = urlsplit(address)
    return parts.hostname, parts.path, parts.query
