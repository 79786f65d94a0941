"""The error document that callers of Messages get."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, UnsetType

from gateway.canon.fault import Fault

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
