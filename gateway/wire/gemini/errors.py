"""Errors in generateContent: the document callers get, and what providers of this API say in theirs."""

from __future__ import annotations

import math

import msgspec
from msgspec import Struct

from gateway.canon.fault import ErrorInReply, Fault
from gateway.wire import errors as shared
from gateway.wire.gemini.shape import Json

_STATUS = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    413: "INVALID_ARGUMENT",
    415: "INVALID_ARGUMENT",
    429: "RESOURCE_EXHAUSTED",
    503: "UNAVAILABLE",
}
_RETRY_INFO = "type.googleapis.com/google.rpc.RetryInfo"


class _ErrorFields(Struct, omit_defaults=True):
    code: int
    message: str
    status: str
    details: list[dict[str, str]] = []


class _ErrorBody(Struct):
    error: _ErrorFields


def write_error(fault: Fault) -> bytes:
    """The error document of this API, which is also how a stream tells of a failure."""
    details = []
    if fault.wait is not None:
        details.append({"@type": _RETRY_INFO, "retryDelay": f"{math.ceil(fault.wait)}s"})
    status = _STATUS.get(fault.status, "INTERNAL")
    return msgspec.json.encode(_ErrorBody(_ErrorFields(fault.status, fault.message, status, details)))


def read_error(status: int, body: bytes) -> tuple[str, str]:
    """(message, provider's code) of an HTTP error. The code is the word for it, not the number."""
    message, code = shared.read_error(status, body)
    return message, _status_word(loose(body)) or code


def error_in_reply(error: Json) -> ErrorInReply:
    """What an error inside a 200 says; `error` is the whole document or its `error` field."""
    message, code = shared.describe(error)
    return ErrorInReply(
        message or "The provider told of an error and said no more.",
        upstream_status=int(code) if len(code) == 3 and code.isdecimal() and 400 <= int(code) <= 599 else None,
        provider_code=_status_word(error) or code,
    )


def loose(data: bytes) -> Json:
    """A JSON document of any kind; None where it is none."""
    try:
        return msgspec.json.decode(data, type=Json)
    except (msgspec.DecodeError, RecursionError):
        return None


def _status_word(told: Json) -> str:
    first = told[0] if isinstance(told, list) and told else told
    inner = first.get("error", first) if isinstance(first, dict) else None
    word = inner.get("status") if isinstance(inner, dict) else None
    return word if isinstance(word, str) else ""
