"""Callers get one shape of error; providers' shapes are all understood."""

import json

import pytest

from gateway.canon.fault import BadRequest, Internal, RateLimited
from gateway.wire.openai_responses import CLIENT, SERVER


def test_callers_get_message_type_and_status() -> None:
    assert json.loads(SERVER.error_body(BadRequest("no"))) == {
        "error": {"message": "no", "type": "invalid_request_error", "param": None, "code": "400"}
    }
    assert json.loads(SERVER.error_body(RateLimited("slow")))["error"]["code"] == "429"
    assert json.loads(SERVER.error_body(Internal("oh")))["error"]["type"] == "server_error"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b'{"error":{"message":"no","type":"t","param":null,"code":"c"}}', ("no", "c")),
        (b'{"code":"invalid-argument","error":"no"}', ("no", "invalid-argument")),
        (b'{"type":"error","error":{"message":"no","code":"c"}}', ("no", "c")),
        (b"<html><title>502 Bad Gateway</title>", ("502 Bad Gateway", "")),
        (b"", ("The provider answered 502 Bad Gateway and said no more.", "")),
    ],
)
def test_messages_and_codes_of_providers_are_found(body: bytes, told: tuple[str, str]) -> None:
    assert CLIENT.read_error(502, body) == told


def test_the_key_travels_as_a_bearer_token_and_no_key_sends_nothing() -> None:
    assert CLIENT.auth("sk-1") == {"Authorization": "Bearer sk-1"}
    assert CLIENT.auth("") == {}


def test_replies_echo_what_the_caller_called_the_model() -> None:
    assert SERVER.echo_model("core:merged") == "core:merged"
    assert SERVER.id_prefix == "resp_"
