"""Decides which addresses an endpoint may never have, and what a well-formed base address is.

Pure, no look-ups: a name that resolves to a forbidden address is caught where the connection is made, with
`is_forbidden_ip`. Link-local addresses and the metadata services of clouds hand out the credentials of the machine,
so they are refused whoever asks. Private and loopback addresses are fine: that is where local models live.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import urlsplit

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
_NAT64 = ip_network("64:ff9b::/96")
_BAD_CHARACTERS = frozenset("\"'<>`\\{}|^ ")


def is_forbidden_ip(address: IPv4Address | IPv6Address) -> bool:
    """True for link-local and cloud metadata addresses, also when wrapped in an IPv6 form of an IPv4 address."""
    if address.is_link_local or address in METADATA_IPS:
        return True
    if isinstance(address, IPv4Address):
        return False
    inner = address.ipv4_mapped or address.sixtofour
    if inner is None and (address in _NAT64 or int(address) >> 32 == 0):
        inner = IPv4Address(int(address) & 0xFFFFFFFF)
    return inner is not None and is_forbidden_ip(inner)


def is_forbidden_host(host: str) -> bool:
    """True for a host, as written in an address, that names a metadata service or a link-local address in any
    spelling.
    """
    bare = host.lower().rstrip(".").strip("[]").partition("%")[0]
    if bare in METADATA_HOSTS:
        return True
    try:
        return is_forbidden_ip(ip_address(bare))
    except ValueError:
        pass
    try:
        # inet_aton reads the spellings ip_address does not: 2852039166, 0xa9fea9fe, 169.254.43518.
        return is_forbidden_ip(IPv4Address(socket.inet_aton(bare)))
    except OSError:
        return False


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
