"""Endpoints tried before they are saved, over real connections on loopback."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.actions.secret import do_save_secret
from collections_app.models import Endpoint
from gateway.canon.kinds import Api
from probes.endpoint_trial import NEEDED, NONE, UNKNOWN, UNPROVEN, Found, Typed, try_endpoint
from probes.tests.listing.servers import key_needed, serving

pytestmark = pytest.mark.django_db
KEY = "sk-a-key-of-twenty-letters"
TWO = {"data": [{"id": "one"}, {"id": "two"}]}


def attempt(base: str, **fields: Any) -> Found:
    return try_endpoint(Typed("fresh", base, **fields))


def ways(found: Found) -> list[tuple[str, str, int | None]]:
    return [(one.guess.base, one.guess.api, one.models) for one in found.suggestions]


def test_a_key_that_is_needed_is_proven_by_asking_without_it() -> None:
    with serving({"/v1/models": key_needed(TWO, KEY)}) as server:
        found = attempt(f"{server.base}/v1", key=KEY)
    assert ([model.served for model in found.models], found.key, found.trouble) == (["one", "two"], NEEDED, "")
    assert [headers.get("authorization") for _, headers in server.asked] == [f"Bearer {KEY}", None]


def test_a_listing_that_answers_without_the_key_leaves_it_unproven() -> None:
    with serving({"/v1/models": TWO}) as server:
        assert attempt(f"{server.base}/v1", key=KEY).key == UNPROVEN
        assert attempt(f"{server.base}/v1").key == NONE


def test_an_unclear_answer_without_the_key_says_nothing_of_it() -> None:
    def answer(headers: dict[str, str]) -> Any:
        return TWO if "authorization" in headers else (500, "oh")

    with serving({"/v1/models": answer}) as server:
        assert attempt(f"{server.base}/v1", key=KEY).key == UNKNOWN


@pytest.mark.parametrize(("key", "hint"), [("sk-wrong-key-of-letters", "Check the key."), ("", "It wants a key.")])
def test_a_refusal_says_what_to_check_and_never_repeats_the_key(key: str, hint: str) -> None:
    with serving({"/v1/models": key_needed(TWO, KEY)}) as server:
        found = attempt(f"{server.base}/v1", key=key)
    assert (found.listed, found.hint, found.suggestions) == (False, hint, ())
    assert not key or key not in str(found)


def test_ollama_asked_as_chat_is_found_under_both_of_its_apis() -> None:
    tags = {"models": [{"name": "llama:8b", "model": "llama:8b"}]}
    with serving({"/api/tags": tags, "/v1/models": {"data": [{"id": "llama:8b"}]}}) as server:
        found = attempt(server.base)
    assert not found.listed
    assert ways(found) == [(f"{server.base}/v1", Api.CHAT, 1), (server.base, Api.OLLAMA, 1)]


def test_an_anthropic_server_typed_as_chat_is_found_by_its_own_header() -> None:
    with serving({"/v1/models?limit=1000": key_needed(TWO, KEY, "x-api-key", "")}) as server:
        found = attempt(f"{server.base}/v1", key=KEY)
    assert ways(found) == [(f"{server.base}/v1", Api.ANTHROPIC, 2)]


def test_an_address_with_the_path_of_a_call_is_put_right() -> None:
    with serving({"/v1/models": key_needed(TWO, KEY)}) as server:
        found = attempt(f"{server.base}/v1/chat/completions", key=KEY)
    assert ways(found)[0] == (f"{server.base}/v1", Api.CHAT, 2)


@pytest.mark.parametrize(
    ("script", "base", "hub", "version"),
    [
        ({"/api/models": TWO, "/api/config": {"version": "0.6.34", "features": {}}}, "/api", "openwebui", "0.6.34"),
        ({"/v1/models": TWO, "/health/readiness": {"litellm_version": "1.80.0"}}, "/v1", "litellm", "1.80.0"),
        ({"/v1/models": TWO, "/": {"message": "CLI Proxy API Server"}}, "/v1", "cliproxy", ""),
    ],
)
def test_a_hub_is_known_by_what_only_it_answers(script: Any, base: str, hub: str, version: str) -> None:
    with serving(script) as server:
        found = attempt(f"{server.base}{base}", kind="hub", hub=hub)
    assert found.hub is not None
    assert (found.hub.hub, found.hub.version) == (hub, version)
    assert found.hub.base == f"{server.base}{base}"


def test_a_listing_of_open_webui_gives_it_away_under_another_kind() -> None:
    entries = {"data": [{"id": "one", "urlIdx": 0}]}
    with serving({"/api/models": entries, "/api/config": {"version": "0.6.34", "features": {}}}) as server:
        found = attempt(f"{server.base}/api", kind="local")
    assert found.hub is not None
    assert found.hub.hub == "openwebui"


def test_no_path_of_a_hub_is_asked_of_an_ordinary_endpoint() -> None:
    with serving({"/v1/models": TWO}) as server:
        attempt(f"{server.base}/v1", kind="provider", key=KEY)
    assert set(server.paths()) == {"/v1/models"}


def test_a_server_that_is_not_there_is_asked_nothing_more() -> None:
    with serving({}) as server:
        base = server.base
    found = attempt(f"{base}/v1")
    assert not found.listed
    assert found.suggestions == ()
    assert "container" in attempt(base.replace("127.0.0.1", "localhost")).hint


@pytest.mark.parametrize("base", ["", "nowhere", "http://169.254.169.254/v1", "file:///etc/passwd"])
def test_an_address_that_no_endpoint_may_have_is_told_and_not_asked(base: str) -> None:
    found = attempt(base)
    assert found.trouble
    assert found.suggestions == ()


def test_the_stored_key_is_not_sent_to_another_server() -> None:
    do_save_secret(actor=None, name="fresh", plain=KEY)
    with serving({"/v1/models": TWO}) as old, serving({"/v1/models": TWO}) as new:
        saved = Endpoint(name="fresh", base=f"{old.base}/v1")
        assert attempt(f"{old.base}/v1", saved=saved).key == UNPROVEN
        elsewhere = attempt(f"{new.base}/v1", saved=saved)
        assert attempt(f"{new.base}/v1").key == NONE
    assert (elsewhere.key, elsewhere.must_not) == (NONE, True)
    assert KEY not in str(new.asked)


def test_a_guess_gets_the_same_key_on_the_same_server_only() -> None:
    with serving({"/v1/models": (404, "no")}) as server:
        attempt(f"{server.base}/v1", key=KEY)
    sent = {
        headers.get("authorization") or headers.get("x-api-key") or headers.get("x-goog-api-key")
        for _, headers in server.asked
    }
    assert sent == {f"Bearer {KEY}", KEY}
