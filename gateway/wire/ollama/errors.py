"""Errors in Ollama's API: one sentence under `error`, as a document or as the last line of a stream."""

from __future__ import annotations

import msgspec

from gateway.canon.fault import Fault


class _ErrorBody(msgspec.Struct):
    error: str


def write_error(fault: Fault) -> bytes:
    """The error document of this API."""
    return msgspec.json.encode(_ErrorBody(fault.message))
