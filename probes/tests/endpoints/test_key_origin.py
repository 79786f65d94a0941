"""Stored secrets go to the server that they were stored for, and to no other."""

from __future__ import annotations

from typing import Any

import pytest

from collections_app.actions.secret import do_save_secret
from collections_app.models import Endpoint
from gateway.canon.fault import NotSent
from probes.key_origin import Credentials, credentials_for, moved

pytestmark = pytest.mark.django_db
OLD = "https://old.example/v1"
NEW = "https://new.example/v1"


def row(base: str = OLD, **fields: Any) -> Endpoint:
    return Endpoint(name="there", base=base, **fields)


def ask(new: Endpoint, typed: str = "", saved: Endpoint | None = None, *, move: bool = False) -> Credentials:
    return credentials_for(new, typed, saved, keys_move=move)


@pytest.fixture
def stored() -> str:
    do_save_secret(actor=None, name="there", plain="the-stored-key")
    return "the-stored-key"


@pytest.mark.parametrize(
    ("new", "elsewhere"),
    [
        (row(), False),
        (row("https://old.example/other/path"), False),
        (row("https://old.example:443/v1"), False),
        (row("http://old.example/v1"), True),
        (row("https://old.example:8443/v1"), True),
        (row("https://old.example.evil.example/v1"), True),
        (row(models_url="https://old.example/list"), False),
        (row(models_url="https://new.example/list"), True),
        (row(decisions_url="https://new.example/{path}"), True),
    ],
)
def test_another_server_is_another_scheme_host_or_port(new: Endpoint, elsewhere: bool) -> None:
    assert moved(row(), new) is elsewhere


def test_the_stored_key_goes_to_its_own_server_only(stored: str) -> None:
    assert ask(row("https://old.example/v2"), saved=row()).key == stored
    moving = ask(row(NEW), saved=row())
    assert (moving.key, moving.final) == ("", True)
    assert "Enter it again" in moving.held_back
    assert ask(row(NEW), saved=row(), move=True).key == ""
    assert ask(row(NEW), typed="typed-again", saved=row()) == Credentials("typed-again")


def test_a_new_endpoint_gets_no_key_that_happens_to_be_stored_under_its_name(stored: str) -> None:
    assert ask(row(NEW)).key == ""
    assert ask(row(NEW), typed="mine").key == "mine"


def test_a_key_of_the_environment_goes_elsewhere_only_when_somebody_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THERE_KEY", "from-the-environment")
    old, new = row(key_env="THERE_KEY"), row(NEW, key_env="THERE_KEY")
    assert ask(row(NEW, key_env="THERE_KEY")).key == "from-the-environment"
    assert ask(old, saved=old).key == "from-the-environment"
    unsaid = ask(new, saved=old)
    assert (unsaid.key, unsaid.final) == ("", True)
    assert "old.example" in unsaid.held_back
    assert ask(new, saved=old, move=True) == Credentials("from-the-environment")


def test_a_variable_that_is_not_set_is_told() -> None:
    with pytest.raises(NotSent, match="NO_SUCH_VARIABLE_HERE"):
        ask(row(key_env="NO_SUCH_VARIABLE_HERE"))


def test_secrets_of_headers_are_sent_as_the_saved_endpoint_sends_them_and_not_otherwise() -> None:
    headers = {"X-Title": "bench", "X-Door": "secret:door"}
    saved = row(headers=headers)
    assert ask(row(headers=headers), saved=saved).headers == headers
    assert ask(row(headers={"X-Door": "secret:other"}), saved=saved).headers == {}
    fresh = ask(row(headers=headers))
    assert (fresh.headers, fresh.final) == ({"X-Title": "bench"}, False)
    assert "X-Door" in fresh.held_back
    moving = ask(row(NEW, headers=headers), saved=saved)
    assert (moving.headers, moving.final) == ({"X-Title": "bench"}, True)
    assert ask(row(NEW, headers=headers), saved=saved, move=True).headers == headers
