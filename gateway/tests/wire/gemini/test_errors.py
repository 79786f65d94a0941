"""Errors are read in every shape, and callers get one."""

import json
from typing import Any

import pytest

from gateway.canon.fault import BadRequest, Fault, Forbidden, NotFound, RateLimited, Unauthenticated, Unavailable
from gateway.wire.gemini import CLIENT, SERVER

DENIED = {"code": 403, "message": "no", "status": "PERMISSION_DENIED", "details": [{"reason": "X"}]}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"error": DENIED}, ("no", "PERMISSION_DENIED")),
        ([{"error": DENIED}], ("no", "PERMISSION_DENIED")),
        ({"error": {"code": 403, "message": "no"}}, ("no", "403")),
        ({"error": "no"}, ("no", "")),
        ({"message": "no"}, ("no", "")),
        ("no", ("no", "")),
    ],
)
def test_messages_and_codes_are_found(body: Any, told: tuple[str, str]) -> None:
    assert CLIENT.read_error(403, json.dumps(body).encode()) == told


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"null", b'{"error":{}}', b"[[]]"])
def test_a_message_is_never_empty(body: bytes) -> None:
    assert CLIENT.read_error(503, body) == ("The provider answered 503 Service Unavailable and said no more.", "")


def test_plain_words_and_pages_are_messages_too() -> None:
    assert CLIENT.read_error(502, b"<html><title>502 Bad Gateway</title></html>") == ("502 Bad Gateway", "")


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (BadRequest("no"), "INVALID_ARGUMENT"),
        (BadRequest("no", status=413), "INVALID_ARGUMENT"),
        (BadRequest("no", status=415), "INVALID_ARGUMENT"),
        (Unauthenticated("no"), "UNAUTHENTICATED"),
        (Forbidden("no"), "PERMISSION_DENIED"),
        (NotFound("no"), "NOT_FOUND"),
        (RateLimited("no"), "RESOURCE_EXHAUSTED"),
        (Unavailable("no"), "UNAVAILABLE"),
        (Fault("no"), "INTERNAL"),
        (Fault("no", status=502), "INTERNAL"),
    ],
)
def test_callers_get_code_message_and_status(fault: Fault, status: str) -> None:
    assert json.loads(SERVER.error_body(fault)) == {"error": {"code": fault.status, "message": "no", "status": status}}


def test_a_known_wait_is_told_in_the_details() -> None:
    error = json.loads(SERVER.error_body(RateLimited("no", wait=1.2)))["error"]

    assert error["details"] == [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "2s"}]
