"""Errors in Responses: the document callers get, and the last two events of a stream that fails."""

from __future__ import annotations

import msgspec

from gateway.canon.fault import Fault, UpstreamFault

_PASSED_ON = frozenset(
    {
        "context_length_exceeded",
        "insufficient_quota",
        "invalid_prompt",
        "rate_limit_exceeded",
        "server_is_overloaded",
        "slow_down",
        "usage_not_included",
    }
)
"""Codes that clients of this API act on."""
_RETRY = "try again in"


class _ErrorFields(msgspec.Struct):
    message: str
    type: str
    param: None
    code: str


class _ErrorBody(msgspec.Struct):
    error: _ErrorFields


class FailureBody(msgspec.Struct):
    """The `error` of a failed response."""

    code: str
    message: str


class ErrorEvent(msgspec.Struct):
    """The fields of an `error` event."""

    code: str
    message: str
    param: None = None


def write_error(fault: Fault) -> bytes:
    """The error document of this API."""
    kind = "server_error" if fault.status >= 500 else "invalid_request_error"
    return msgspec.json.encode(_ErrorBody(_ErrorFields(fault.message, kind, None, str(fault.status))))


def error_event(fault: Fault) -> ErrorEvent:
    """The error as an event of its own."""
    return ErrorEvent(str(fault.status), fault.message)


def failure_of(fault: Fault) -> FailureBody:
    """The error as a failed response tells it. Clients find a wait in the words `try again in <seconds>s`."""
    code = _code(fault)
    message = fault.message
    if code == "rate_limit_exceeded" and fault.wait is not None and _RETRY not in message.lower():
        message = f"{message} Please {_RETRY} {fault.wait:g}s."
    return FailureBody(code, message)


def _code(fault: Fault) -> str:
    known = fault.provider_code if isinstance(fault, UpstreamFault) else fault.code
    if known in _PASSED_ON:
        return known
    if fault.status == 429:
        return "rate_limit_exceeded"
    return "server_error" if fault.status >= 500 else "invalid_request"
