"""Requests and replies, without a network."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from msgspec.structs import replace

from probes.sign_ins import wire
from probes.sign_ins.pkce import challenge_of, verifier_of
from probes.sign_ins.providers import SHIPPED, Provider
from probes.sign_ins.wire import DeviceCode, Granted, Reply, SignInFailed, Waiting, Wanted

KEYED = Provider(id="k", label="K", flow="key", name="k", base="https://k.example/v1", token="https://k.example/keys")
OAUTH = replace(KEYED, flow="oauth", authorize="https://k.example/go", token_extras={"resource": "r"})
DEVICE = replace(OAUTH, device="https://k.example/device", scope="models")
ASKED = Wanted("https://k.example/token", b"", "", secrets=("hush-hush",))


def reply(document: Any, status: int = 200) -> Reply:
    return Reply(status, json.dumps(document).encode())


def test_the_challenge_is_the_one_of_the_standard() -> None:
    assert challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    assert len(verifier_of(bytes(range(64)))) == 86


def test_a_key_is_asked_for_with_a_callback_address_and_exchanged_as_json() -> None:
    url = wire.authorize_url(
        replace(KEYED, authorize="https://k.example/auth", scope="a b", extras={"key_label": "x"}),
        state="S",
        verifier="V" * 50,
        redirect="http://localhost:1/connect/callback/S",
        client_id="",
        more={},
    )
    assert url.startswith("https://k.example/auth?")
    assert dict(parse_qsl(urlsplit(url).query)) == {
        "state": "S",
        "code_challenge": challenge_of("V" * 50),
        "code_challenge_method": "S256",
        "callback_url": "http://localhost:1/connect/callback/S",
        "scope": "a b",
        "key_label": "x",
    }
    sent = wire.code_request(KEYED, code="C", verifier="V", redirect="ignored", client_id="")
    assert (sent.url, sent.content_type) == ("https://k.example/keys", "application/json")
    assert json.loads(sent.body) == {"code": "C", "code_verifier": "V", "code_challenge_method": "S256"}


def test_oauth_is_asked_for_with_a_client_and_exchanged_as_a_form() -> None:
    url = wire.authorize_url(
        OAUTH, state="S", verifier="V", redirect="http://127.0.0.1:1/connect/callback", client_id="me", more={"n": "1"}
    )
    query = dict(parse_qsl(urlsplit(url).query))
    assert query["response_type"] == "code"
    assert query["client_id"] == "me"
    assert query["redirect_uri"] == "http://127.0.0.1:1/connect/callback"
    assert query["n"] == "1"
    assert "scope" not in query
    sent = wire.code_request(OAUTH, code="C", verifier="V", redirect="R", client_id="me")
    assert parse_qs(sent.body.decode()) == {
        "grant_type": ["authorization_code"],
        "code": ["C"],
        "client_id": ["me"],
        "redirect_uri": ["R"],
        "code_verifier": ["V"],
        "resource": ["r"],
    }
    renewal = wire.renew_request(OAUTH, refresh="F", client_id="me")
    assert parse_qs(renewal.body.decode()) == {
        "grant_type": ["refresh_token"],
        "refresh_token": ["F"],
        "client_id": ["me"],
        "resource": ["r"],
    }


def test_a_code_to_type_is_asked_for_as_the_provider_wants_it() -> None:
    form = wire.device_request(DEVICE, client_id="me")
    assert parse_qs(form.body.decode()) == {"client_id": ["me"], "scope": ["models"]}
    sent = wire.device_request(replace(DEVICE, device_json=True, scope=""), client_id="me")
    assert (sent.content_type, json.loads(sent.body)) == ("application/json", {"client_id": "me"})
    poll = wire.poll_request(DEVICE, device_code="D", client_id="me")
    assert parse_qs(poll.body.decode())["grant_type"] == ["urn:ietf:params:oauth:grant-type:device_code"]


@pytest.mark.parametrize(
    ("document", "status", "found"),
    [
        ({"key": "abc"}, 200, Granted("abc")),
        ({"access_token": "abc", "refresh_token": "r", "expires_in": 60}, 200, Granted("abc", "r", 60)),
        ({"access_token": "abc", "expires_in": "3600"}, 201, Granted("abc", "", 3600)),
        ({"access_token": "abc", "expires_in": "soon"}, 200, Granted("abc")),
        ({"access_token": "abc", "expires_in": -5}, 200, Granted("abc")),
        ({"access_token": "abc", "expires_in": True}, 200, Granted("abc")),
        ({"access_token": "abc", "expires_in": 10**400}, 200, Granted("abc")),
        ({"access_token": "abc", "expires_in": 1e300}, 200, Granted("abc", "", 10 * 365 * 86_400)),
        ({"access_token": "abc", "refresh_token": "two\nlines"}, 200, Granted("abc")),
        ({"error": "authorization_pending"}, 400, Waiting()),
        ({"error": "authorization_pending"}, 200, Waiting()),
        ({"error": "slow_down"}, 200, Waiting(slower=True)),
    ],
)
def test_a_reply_is_a_token_or_a_wait(document: Any, status: int, found: Any) -> None:
    assert wire.read_poll(ASKED, reply(document, status)) == found


@pytest.mark.parametrize(
    ("answer", "words", "final"),
    [
        (
            reply({"error": "access_denied", "error_description": "The owner  refused."}, 400),
            "The owner refused.",
            True,
        ),
        (reply({"error": "expired_token"}, 200), "expired_token", True),
        (reply({"error": {"message": "No such code"}}, 403), "No such code", True),
        (reply({"message": "Nope"}, 401), "Nope", True),
        (reply({"error": "invalid", "error_description": "you sent hush-hush"}, 400), "you sent ***", True),
        (reply({}), "no key and no token", True),
        (reply({"access_token": 7}), "no key and no token", True),
        (reply({"access_token": "with space"}), "no key and no token", True),
        (reply({"access_token": "x" * 20_000}), "no key and no token", True),
        (reply(["x"]), "no JSON object", True),
        (Reply(200, b"<html>"), "no JSON object: <html>", True),
        (Reply(200, b'{"error":' + b"[" * 50_000), "no JSON object", True),
        (Reply(302, b""), "redirects", True),
        (Reply(307, b'{"access_token": "x"}'), "redirects", True),
        (Reply(200, b"{" + b" " * 300_000), "larger than 256,000 bytes", True),
        (Reply(502, b"bad gateway"), "answers 502", False),
        (reply({"error": "server_error"}, 400), "server_error", False),
        (Reply(429, b""), "answers 429", False),
    ],
)
def test_anything_else_ends_it_with_the_providers_words(answer: Reply, words: str, final: bool) -> None:
    with pytest.raises(SignInFailed) as told:
        wire.read_granted(ASKED, answer)
    assert words in str(told.value)
    assert "hush-hush" not in str(told.value)
    assert told.value.final is final


@pytest.mark.parametrize("told", ["a+b/c= is old", "?token=a%2Bb%2Fc%3D", "YStiL2M9 was sent", "<a+b/c=>"])
def test_a_secret_is_taken_out_of_what_a_provider_says(told: str) -> None:
    secret = "a+b/c="
    said = wire.tidy(told, (secret,))
    assert "***" in said
    assert secret not in said
    assert "a%2Bb%2Fc%3D" not in said
    assert "YStiL2M9" not in said


@pytest.mark.parametrize(
    ("more", "found"),
    [
        (
            {"verification_uri": "https://k.example/d", "interval": 7, "expires_in": 300},
            DeviceCode("D", "AB-CD", "https://k.example/d", 7, 300),
        ),
        (
            {"verification_uri": "https://k.example/d", "verification_uri_complete": "https://k.example/d?c=1"},
            DeviceCode("D", "AB-CD", "https://k.example/d?c=1"),
        ),
        ({"verification_uri": "http://k.example/d", "interval": 0}, DeviceCode("D", "AB-CD", "http://k.example/d")),
        ({"verification_uri": "javascript:alert(1)"}, None),
        ({"verification_uri": "//k.example"}, None),
        ({}, None),
    ],
)
def test_a_device_code_leads_to_a_page_and_to_nothing_else(more: Any, found: DeviceCode | None) -> None:
    answer = reply({"device_code": "D", "user_code": "AB-CD", **more})
    if found is not None:
        assert wire.read_device(ASKED, answer) == found
        return
    with pytest.raises(SignInFailed, match="no address"):
        wire.read_device(ASKED, answer)


@pytest.mark.parametrize("one", SHIPPED.values(), ids=lambda one: one.id)
def test_the_facts_of_each_provider_fit_together(one: Provider) -> None:
    assert one.loopback in ("127.0.0.1", "localhost")
    assert bool(one.authorize) == (one.flow in ("key", "oauth"))
    assert bool(one.token) == (one.flow != "local")
    assert one.flow != "device" or one.device
    assert bool(one.register) == one.needs_app == (not one.client_id and one.flow in ("oauth", "device"))
    web = [url for url in (one.base, one.authorize, one.token, one.device, one.models_url) if url]
    assert all(url.startswith("https://") for url in web) or one.flow == "local"
