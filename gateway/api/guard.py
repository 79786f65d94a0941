"""Who may speak to this server at all: host, origin, content type and size, before any key is looked at.

`judge` is the whole decision and is pure. It stops pages that rebind a name to this address (Host), pages of other
sites (Origin, Sec-Fetch-Site), forms posted across sites (Content-Type) and bodies that nobody wants (size). It never
reads a body.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from gateway.api.cors import Headers
from gateway.api.zones import GATEWAY_CAP, Zone, zone_of
from gateway.canon.fault import BadRequest, CallerFault, Forbidden, TooLarge, WrongMedia, WrongMethod

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OPEN_PATHS = frozenset({"/health", "/health/", "/health/live", "/health/ready"})
_SHOWN = 100


class Policy(Struct, frozen=True):
    """Lower-case Host values with their ports, and lower-case origins."""

    hosts: frozenset[str]
    origins: frozenset[str]


class Head(Struct):
    """What of a request's head the guard reads. None where the header is absent; a header sent twice is joined by a
    comma, so that a second Host, Origin or Content-Length is never let through."""

    method: str
    path: str
    host: str | None = None
    origin: str | None = None
    fetch_site: str | None = None
    content_type: str | None = None
    content_length: str | None = None
    encoding: str | None = None
    chunked: bool = False
    asked_headers: str = ""

    @property
    def has_body(self) -> bool:
        """True when a body comes, or may come, with the head."""
        return self.chunked or self.content_length not in (None, "0")

    @property
    def looks(self) -> tuple[object, ...]:
        """All that `judge` goes by but the length."""
        said = (self.host, self.origin, self.fetch_site, self.content_type, self.encoding)
        return (self.method, self.path, self.has_body, *said)


_FIELDS = {
    b"host": "host",
    b"origin": "origin",
    b"sec-fetch-site": "fetch_site",
    b"content-type": "content_type",
    b"content-length": "content_length",
    b"content-encoding": "encoding",
}


def policy_for(hosts: Iterable[str], origins: Iterable[str]) -> Policy:
    """A policy from configured lists, in any case."""
    return Policy(frozenset(host.lower() for host in hosts), frozenset(origin.lower() for origin in origins))


def read_head(method: str, path: str, headers: Headers) -> Head:
    """The head, in one pass over ASGI's (lower-case name, value) pairs."""
    found: dict[str, str] = {}
    chunked, asked_headers = False, ""
    for name, value in headers:
        if (field := _FIELDS.get(name)) is not None:
            text = value.decode("latin-1")
            found[field] = f"{found[field]}, {text}" if field in found else text
        elif name == b"transfer-encoding":
            chunked = True
        elif name == b"access-control-request-headers":
            asked_headers = value.decode("latin-1")
    return Head(method, path, **found, chunked=chunked, asked_headers=asked_headers)


def judge(head: Head, policy: Policy) -> CallerFault | None:
    """None when the request may go on, otherwise why not."""
    if head.host is None or head.host.lower() not in policy.hosts:
        if head.path in OPEN_PATHS and head.method in SAFE:
            return None
        return _wrong_host(head.host)
    if head.method in SAFE:
        # Nobody asks for a page with a body, but whoever serves it reads one that comes.
        return None if head.content_length is None else _judge_length(head, zone_of(head.path))
    zone = zone_of(head.path)
    return _judge_origin(head, policy, zone) or _judge_type(head, zone) or _judge_length(head, zone)


def judge_preflight(head: Head, policy: Policy) -> CallerFault | None:
    """As `judge`, for OPTIONS: only the gateway's routes answer it, and only for allowed origins."""
    if fault := judge(head, policy):
        return fault
    if not zone_of(head.path).gateway:
        return WrongMethod("OPTIONS is answered on the gateway's routes only; send GET or POST.", status=501)
    if head.origin is not None and head.origin.lower() not in policy.origins:
        return _wrong_origin(head.origin)
    return None


def judge_socket(head: Head, policy: Policy) -> CallerFault | None:
    """As `judge`, for WebSockets, which browsers open across origins without asking."""
    if head.host is None or head.host.lower() not in policy.hosts:
        return _wrong_host(head.host)
    if head.origin is not None and head.origin.lower() not in policy.origins:
        return _wrong_origin(head.origin)
    return None


def too_large(cap: int) -> TooLarge:
    """The refusal of a body over `cap` bytes."""
    advice = (
        " Send images by their address, or send smaller ones." if cap == GATEWAY_CAP else " Send it in smaller parts."
    )
    return TooLarge(f"The body is larger than {cap:,} bytes.{advice}")


def _judge_origin(head: Head, policy: Policy, zone: Zone) -> CallerFault | None:
    allowed = head.origin is not None and head.origin.lower() in policy.origins
    if (head.fetch_site or "").strip().lower() == "cross-site" and not (zone.gateway and allowed):
        if head.origin is not None and not allowed:
            return _wrong_origin(head.origin)
        return Forbidden(
            "The request comes from a page of another site; send it from this server's own pages or from a program."
        )
    if head.origin is not None and not allowed:
        return _wrong_origin(head.origin)
    return None


def _judge_type(head: Head, zone: Zone) -> CallerFault | None:
    """A browser can be made to post without a preflight, but it shows itself; so a program may leave the type out."""
    if not zone.json or (head.method != "POST" and not head.has_body):
        return None
    declared = head.content_type
    if head.encoding is not None and head.encoding.strip().lower() != "identity":
        return WrongMedia(f"The body is compressed ({head.encoding[:_SHOWN]!r}); send it as it is.")
    if declared is None:
        if head.origin is None and head.fetch_site is None:
            return None
        return WrongMedia("The body has no Content-Type; send Content-Type: application/json.")
    if declared.strip().lower().startswith("application/json"):
        return None
    return WrongMedia(f"The body is declared as {declared[:_SHOWN]!r}; send JSON with Content-Type: application/json.")


def judge_length(head: Head) -> CallerFault | None:
    """None when a body of this length may be sent there."""
    return None if head.content_length is None else _judge_length(head, zone_of(head.path))


def _judge_length(head: Head, zone: Zone) -> CallerFault | None:
    if (text := head.content_length) is None:
        return None
    if not (text.isascii() and text.isdigit()):
        return BadRequest(f"Content-Length is {text[:_SHOWN]!r}; it must be a whole number of bytes, 0 or more.")
    if len(text) > len(str(zone.cap)) + 20 or int(text) > zone.cap:
        return too_large(zone.cap)
    return None


def _wrong_host(host: str | None) -> Forbidden:
    named = "The request names no host" if host is None else f"The host {host[:_SHOWN]!r} is not served here"
    return Forbidden(
        f"{named}; use 127.0.0.1 or localhost with this server's port, or have its operator add the name and port to "
        "BENCH_ALLOWED_HOSTS."
    )


def _wrong_origin(origin: str) -> Forbidden:
    return Forbidden(
        f"Pages of {origin[:_SHOWN]!r} may not call this server; its operator can add that origin to "
        "BENCH_ALLOWED_ORIGINS."
    )
