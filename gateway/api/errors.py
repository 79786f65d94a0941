"""How a fault looks on the wire: status, headers and body, in the shape of one format.

Decides no policy: it is given a Fault and says it in the caller's language, which is the wire's own. Never shows more
than the fault's message.
"""

from __future__ import annotations

import math

import msgspec

from gateway.api.zones import Format
from gateway.canon.fault import Fault, Unauthenticated
from gateway.wire.registry import SERVERS

REALM = 'Bearer realm="benchwarmers"'

_WIRES = {
    Format.CHAT: "openai_chat",
    Format.COMPLETIONS: "openai_completions",
    Format.RESPONSES: "openai_responses",
    Format.ANTHROPIC: "anthropic",
    Format.OLLAMA: "ollama",
    Format.GEMINI: "gemini",
}


class Refusal(msgspec.Struct, frozen=True):
    """A whole HTTP answer that says no."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def refusal(fault: Fault, form: Format) -> Refusal:
    """The answer to a request that met `fault`."""
    body = error_body(form, fault)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in fault_headers(fault).items()]
    return Refusal(fault.status, headers, body)


def error_body(form: Format, fault: Fault) -> bytes:
    """The error document of one format."""
    return SERVERS[_WIRES[form]].error_body(fault)


def fault_headers(fault: Fault) -> dict[str, str]:
    """Headers of the fault itself: how to authenticate, and when to come back (whole seconds, rounded up)."""
    headers: dict[str, str] = {}
    if isinstance(fault, Unauthenticated):
        headers["WWW-Authenticate"] = REALM
    if fault.wait is not None:
        headers["Retry-After"] = str(max(1, math.ceil(fault.wait)))
    return headers
