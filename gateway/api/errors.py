"""How a fault looks on the wire: status, headers and body, in the shape of the format that the path belongs to.

Decides no policy: it is given a Fault and says it in the caller's language. Never shows more than the fault's message.
"""

from __future__ import annotations

import math

import msgspec

from gateway.api.zones import Format, zone_of
from gateway.canon.fault import Fault, Unauthenticated

REALM = 'Bearer realm="benchwarmers"'

_ANTHROPIC_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
}
_GEMINI_STATUSES = {
    400: "INVALID_ARGUMENT",
    413: "INVALID_ARGUMENT",
    415: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}


class Refusal(msgspec.Struct, frozen=True):
    """A whole HTTP answer that says no."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def refusal(path: str, fault: Fault, form: Format | None = None) -> Refusal:
    """The answer to a request on `path` that met `fault`. `form` overrides the format where the headers say more."""
    body = refusal_body(path, fault, form)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in fault_headers(fault).items()]
    return Refusal(fault.status, headers, body)


def refusal_body(path: str, fault: Fault, form: Format | None = None) -> bytes:
    """The error document for `fault` in the format of `path`."""
    return msgspec.json.encode(error_document(form or zone_of(path).form, fault))


def error_document(form: Format, fault: Fault) -> dict[str, object]:
    """The error document of one format, before it is encoded."""
    status, message = fault.status, fault.message
    match form:
        case Format.CHAT | Format.COMPLETIONS:
            return {"error": {"message": message, "type": "bench_gateway", "code": status}}
        case Format.RESPONSES:
            kind = "invalid_request_error" if status < 500 else "server_error"
            return {"error": {"message": message, "type": kind, "param": None, "code": str(status)}}
        case Format.ANTHROPIC:
            kind = _ANTHROPIC_TYPES.get(status, "api_error")
            return {"type": "error", "error": {"type": kind, "message": message}}
        case Format.OLLAMA:
            return {"error": message}
        case Format.GEMINI:
            word = _GEMINI_STATUSES.get(status, "INTERNAL")
            return {"error": {"code": status, "message": message, "status": word}}


def fault_headers(fault: Fault) -> dict[str, str]:
    """Headers of the fault itself: how to authenticate, and when to come back (whole seconds, rounded up)."""
    headers: dict[str, str] = {}
    if isinstance(fault, Unauthenticated):
        headers["WWW-Authenticate"] = REALM
    if fault.wait is not None:
        headers["Retry-After"] = str(max(1, math.ceil(fault.wait)))
    return headers
