"""Where a request came from: the address that the change log and the log of readings write down.

Behind a proxy every request has the proxy's address. What such a proxy says in `X-Forwarded-For` counts only when the
operator trusts it (BENCH_TRUSTED_PROXIES): anybody can send that header.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

_ADDRESS: ContextVar[str] = ContextVar("address", default="")


def address_now() -> str:
    """The address that what is being done was asked from; empty for what the installation does by itself."""
    return _ADDRESS.get()


@contextmanager
def asked_from(address: str) -> Iterator[None]:
    """What is done inside was asked from this address."""
    token = _ADDRESS.set(address)
    try:
        yield
    finally:
        _ADDRESS.reset(token)


def judge_address(peer: str, forwarded: str, trusted: Sequence[str]) -> str:
    """Where a request came from, at most 45 characters; empty when nobody can tell.

    `peer` is the other end of the connection, `forwarded` the value of X-Forwarded-For, `trusted` the networks of the
    proxies in front. Each trusted proxy vouches for the address that it added last, and for no more.
    """
    found = _read(peer)
    if found is None:
        return ""
    for said in reversed(forwarded.split(",")):
        if not _is_trusted(found, tuple(trusted)) or (further := _read(said)) is None:
            break
        found = further
    return str(found)


@lru_cache(maxsize=8)
def _networks(trusted: tuple[str, ...]) -> tuple[IPv4Network | IPv6Network, ...]:
    return tuple(ip_network(text) for text in trusted)


def _is_trusted(address: IPv4Address | IPv6Address, trusted: tuple[str, ...]) -> bool:
    return any(address in network for network in _networks(trusted))


def _read(text: str) -> IPv4Address | IPv6Address | None:
    """An address, also with a port as some proxies write it; a mapped one as the IPv4 address that it is."""
    bare = text.strip()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    try:
        address = ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
