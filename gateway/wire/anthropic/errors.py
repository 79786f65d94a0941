"""Errors in Messages: the document callers get, and what an error event of a provider stands for."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, UnsetType

from gateway.canon.fault import ErrorInReply, Fault
from gateway.wire.anthropic.shape import Json
from gateway.wire.openai_chat.errors import describe

_TYPE_OF_STATUS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    529: "overloaded_error",
}
_STATUS_OF_TYPE = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}


class _ErrorFields(msgspec.Struct, omit_defaults=True):
    type: str
    message: str
    details: Raw | UnsetType = UNSET


class _ErrorBody(msgspec.Struct):
    type: str
    error: _ErrorFields


def write_error(fault: Fault) -> bytes:
    """The error document of this API; as the data of an `error` event, the end of a stream."""
    kind = _TYPE_OF_STATUS.get(fault.status, "api_error")
    details = fault.details if fault.details is not None else UNSET
    return msgspec.json.encode(_ErrorBody("error", _ErrorFields(kind, fault.message, details)))


def error_in_reply(error: Json) -> ErrorInReply:
    """What an error inside a 200 says; `error` is the whole document or its `error` field."""
    message, code = describe(error)
    return ErrorInReply(
        message or "The provider told of an error and said no more.",
        upstream_status=_STATUS_OF_TYPE.get(code) or _number(code),
        provider_code=code,
    )


def _number(code: str) -> int | None:
    return int(code) if code.isdecimal() and 400 <= int(code) <= 599 else None
