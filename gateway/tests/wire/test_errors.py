"""An error's message, code and status are found in every shape that providers have for it."""

import json
from typing import Any

import pytest

from gateway.wire.errors import error_in_reply, read_error


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"error": {"message": "no", "type": "t", "code": "c"}}, ("no", "c")),
        ({"error": {"message": "no", "type": "t", "code": None}}, ("no", "t")),
        ({"error": {"message": "no", "code": 429}}, ("no", "429")),
        ({"error": {"message": "no"}, "code": "outer"}, ("no", "outer")),
        ([{"error": {"code": 400, "message": "no", "status": "INVALID"}}], ("no", "400")),
        ({"error": "no"}, ("no", "")),
        ({"error": "no", "code": "c"}, ("no", "c")),
        ({"detail": "no"}, ("no", "")),
        ({"detail": {"message": "no"}}, ("no", "")),
        ({"detail": [{"loc": ["body", "n"], "msg": "too small", "type": "v"}]}, ("too small", "")),
        ({"message": "no", "type": "t"}, ("no", "t")),
        ({"msg": "no"}, ("no", "")),
        ({"error": {"message": "relay", "metadata": {"raw": "the cause"}}}, ("relay: the cause", "")),
        ({"error": {"metadata": {"raw": "the cause"}}}, ("the cause", "")),
        ({"error": [{"message": "a", "code": "c"}, {"message": "b"}, 3]}, ("a; b", "c")),
        ("no", ("no", "")),
    ],
)
def test_messages_and_codes_are_found_wherever_providers_put_them(body: Any, told: tuple[str, str]) -> None:
    assert read_error(400, json.dumps(body).encode()) == told


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"  plain\n words ", "plain words"),
        (b"<html><head><style>p{}</style><title>502 Bad&nbsp;Gateway</title></head>", "502 Bad Gateway"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"[" * 2_000, "[" * 2_000),
    ],
)
def test_bodies_that_are_not_json_give_their_words(body: Any, message: Any) -> None:
    assert read_error(502, body) == (message, "")


@pytest.mark.parametrize("body", [b"", b"{}", b"null", b"[]", b'{"error":{}}', b"<html></html>", b'{"error":{"x":1}}'])
def test_a_message_is_never_empty(body: Any) -> None:
    assert read_error(503, body)[0] == "The provider answered 503 Service Unavailable and said no more."
    assert read_error(799, body)[0] == "The provider answered 799 and said no more."


def test_a_very_long_message_is_cut() -> None:
    assert len(read_error(400, json.dumps({"error": {"message": "x" * 9_000}}).encode())[0]) == 2_000


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": 502}, 502),
        ({"code": "429"}, 429),
        ({"status_code": 400, "code": "tool_use_failed"}, 400),
        ({"code": "insufficient_quota"}, 429),
        ({"code": "odd", "type": "overloaded_error"}, 529),
        ({"type": "error", "error": {"type": "timeout_error", "message": "slow"}}, 504),
        ({"error": {"code": 503, "message": "busy"}}, 503),
        ({"code": 7}, None),
        ({"code": True}, None),
        ("plain", None),
    ],
)
def test_the_status_an_error_stands_for_is_a_number(error: Any, status: int) -> None:
    assert error_in_reply(error).upstream_status == status


def test_an_error_without_words_says_so() -> None:
    assert "said no more" in error_in_reply({"x": 1}).message
