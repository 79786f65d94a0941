"""What a Redis address says: one server, or the sentinels that know where it is now.

    redis://host:port/number   rediss://...   unix:///path?db=number
    redis+sentinel://name:password@host:port,host:port/service/number?sentinel_password=...

Standard library only; opens nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

SENTINEL: Final = "redis+sentinel"
PORT: Final = 26_379


@dataclass(frozen=True, slots=True)
class Sentinels:
    """Where sentinels are, and what they call the server. Name and password are the server's."""

    hosts: tuple[tuple[str, int], ...]
    service: str
    number: int
    username: str | None
    password: str | None = field(repr=False)
    sentinel_password: str | None = field(repr=False)


def read_sentinels(url: str) -> Sentinels | None:
    """What an address of sentinels says; None for any other address.

    :raises ValueError: something in it is wrong.
    """
    parts = urlsplit(url)
    if parts.scheme != SENTINEL:
        return None
    who, _, where = parts.netloc.rpartition("@")
    hosts = tuple(_host(one) for one in where.split(","))
    service, _, number = parts.path.strip("/").partition("/")
    asked = parse_qs(parts.query, strict_parsing=bool(parts.query))
    if not service or set(asked) - {"sentinel_password"}:
        raise ValueError("no service, or an option that is not known")
    name, _, password = who.partition(":")
    return Sentinels(
        hosts=hosts,
        service=unquote(service),
        number=int(number or 0),
        username=unquote(name) or None,
        password=unquote(password) or None,
        sentinel_password=asked.get("sentinel_password", [None])[0],
    )


def _host(text: str) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname:
        raise ValueError("a sentinel without a host")
    return parts.hostname, parts.port or PORT
