"""The error document that callers of chat completions get."""

from __future__ import annotations

import msgspec

from gateway.canon.fault import Fault


class _ErrorFields(msgspec.Struct):
    message: str
    type: str
    code: int


class _ErrorBody(msgspec.Struct):
    error: _ErrorFields


def write_error(fault: Fault) -> bytes:
    """The error document of this API."""
    return msgspec.json.encode(_ErrorBody(_ErrorFields(fault.message, "bench_gateway", fault.status)))
