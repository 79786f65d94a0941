"""Decides which addresses an endpoint may never have, and what a well-formed base address is.

Pure, no look-ups. What a name leads to is judged where the connection is made, with `connection_problem`; every client
that calls an endpoint goes through it. Link-local addresses and the metadata services of clouds hand out the
credentials of the machine, so they are refused whoever asks. Private addresses are where local models live: they are
for endpoints of the kinds in `PRIVATE_KINDS`. This machine's own address is for every kind, as long as the operator
wrote it as such: then there is no name that somebody else could point there.
"""

from __future__ import annotations

import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

from gateway.canon.kinds import EndpointKind

PRIVATE_KINDS = frozenset({EndpointKind.LOCAL, EndpointKind.HUB, EndpointKind.PRACTICE})
"""Kinds of endpoints that may stand at a private address."""

METADATA_HOSTS = frozenset(
    {
        "metadata",
        "metadata.google.internal",
        "metadata.goog",
        "metadata.azure.internal",
        "metadata.internal",
        "instance-data",
        "instance-data.ec2.internal",
    }
)
METADATA_IPS = frozenset(
    ip_address(text) for text in ("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254")
)
_NAT64 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))
_PUBLIC_V6 = ip_network("2000::/3")
_BAD_CHARACTERS = frozenset("\"'<>`\\{}|^ ")


def is_forbidden_ip(address: IPv4Address | IPv6Address) -> bool:
    """True for link-local and cloud metadata addresses, also when wrapped in an IPv6 form of an IPv4 address."""
    if address.is_link_local or address in METADATA_IPS:
        return True
    inner = _inner(address)
    return inner is not None and is_forbidden_ip(inner)


def is_private_ip(address: IPv4Address | IPv6Address) -> bool:
    """True for every address that is not of the public internet, in any form."""
    if (inner := _inner(address)) is not None:
        return is_private_ip(inner)
    if isinstance(address, IPv6Address) and address not in _PUBLIC_V6:
        return True
    return not address.is_global or address.is_multicast or address.is_reserved


def is_loopback_ip(address: IPv4Address | IPv6Address) -> bool:
    """True for this machine's own address."""
    inner = _inner(address)
    return address.is_loopback or (inner is not None and inner.is_loopback)


def is_forbidden_host(host: str) -> bool:
    """True for a host, as written in an address, that names a metadata service or a link-local address in any
    spelling.
    """
    if _bare(host) in METADATA_HOSTS:
        return True
    address = literal_ip(host)
    return address is not None and is_forbidden_ip(address)


def literal_ip(host: str) -> IPv4Address | IPv6Address | None:
    """The address that a host is by itself, in any spelling; None for a name."""
    bare = _bare(host)
    try:
        return ip_address(bare)
    except ValueError:
        pass
    try:
        # inet_aton reads the spellings ip_address does not: 2852039166, 0xa9fea9fe, 169.254.43518.
        return IPv4Address(socket.inet_aton(bare))
    except OSError:
        return None


def connection_problem(host: str, found: Iterable[str], *, private: bool) -> str:
    """Why no connection may be made to a host of an endpoint, as a clause; empty when it may.

    `found` are the addresses its name leads to, or nothing for a host that is an address itself. One bad address among
    good ones spoils them all. `private` says that the endpoint may stand at a private address. The clause repeats the
    host as the operator wrote it and nothing of what it leads to.
    """
    literal = literal_ip(host)
    addresses = [ip_address(text.partition("%")[0]) for text in found] or ([literal] if literal else [])
    if is_forbidden_host(host) or any(map(is_forbidden_ip, addresses)):
        return f"{host} leads to a link-local or cloud metadata address, where no endpoint may be"
    if private or not any(map(is_private_ip, addresses)):
        return ""
    if (literal is not None or is_own_name(host)) and all(map(is_loopback_ip, addresses)):
        return ""
    return (
        f"{host} leads to a private address, where only endpoints of kind local or hub may be: change the endpoint's "
        "kind, or set BENCH_ALLOW_PRIVATE=1"
    )


def is_own_name(host: str) -> bool:
    """True for the names that only ever mean this machine."""
    return _bare(host) == "localhost" or _bare(host).endswith(".localhost")


def _bare(host: str) -> str:
    return host.lower().rstrip(".").strip("[]").partition("%")[0]


def _inner(address: IPv4Address | IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for."""
    if isinstance(address, IPv4Address):
        return None
    if (wrapped := address.ipv4_mapped or address.sixtofour) is not None:
        return wrapped
    if address.teredo is not None:
        return address.teredo[1]
    old_form = int(address) >> 32 == 0 and int(address) > 1
    if old_form or any(address in network for network in _NAT64):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def host_of(base: str) -> str:
    """The host in an address, lower case; empty when there is none."""
    try:
        return (urlsplit(base).hostname or "").lower()
    except ValueError:
        return ""


def address_problem(base: str) -> str:
    """What is wrong with an http(s) address, as one sentence; empty when nothing is."""
    if any(character in _BAD_CHARACTERS or not character.isprintable() for character in base):
        return "An address has no quotes, brackets, spaces or line breaks; write it as http(s)://host[:port]/path."
    try:
        parts = urlsplit(base)
        parts.port  # noqa: B018  # raises when it is no port
        host = parts.hostname or ""
    except ValueError:
        return "This is no address; write it as http(s)://host[:port]/path."
    if parts.scheme not in {"http", "https"} or not host:
        return "An address starts with http:// or https:// and names a host."
    if "@" in parts.netloc:
        return "An address holds no user name and no password; give the key as the endpoint's secret."
    if parts.query or parts.fragment or base.endswith(("?", "#")):
        return "An address ends with its path; leave out what follows ? or #."
    if ("[" in base or "]" in base) and not parts.netloc.startswith("["):
        return "Square brackets belong around an IPv6 host only."
    if is_forbidden_host(host):
        return f"{host} is a link-local or cloud metadata address, which no endpoint may have."
    return ""
