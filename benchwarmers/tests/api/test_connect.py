"""Sign-ins to providers for programs, over an authority on loopback."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchwarmers.tests.api.given import Program
from benchwarmers.tests.operations.sign_ins.conftest import HERE, us
from collections_app.models import Endpoint, OwnApp, SignInSession
from collections_app.vault import secret_for
from probes.tests.sign_ins.authority import Authority

__all__ = ["us"]


@pytest.fixture
def here(maya: Program) -> Program:
    """Maya's program, on the machine that the server runs on."""
    maya.headers["host"] = HERE
    return maya


def agree(url: str) -> None:
    """What the provider's page does with the browser, once its owner agrees."""
    back = urlsplit(httpx.get(f"{url}&answer=yes", follow_redirects=False).headers["location"])
    assert Client(headers={"host": HERE}).get(f"{back.path}?{back.query}").status_code == 200


def test_what_can_be_signed_in_to_is_listed_with_why_not(here: Program, maya: Program, us: Authority) -> None:
    rows = {row["id"]: row for row in here.get("/api/connect")["providers"]}
    assert {row["flow"] for row in rows.values()} == {"key", "oauth", "device", "local"}
    assert rows["open"]["problem"] is None
    assert rows["open"]["callback"].endswith("/connect/callback")
    del here.headers["host"]
    away = {row["id"]: row for row in here.get("/api/connect")["providers"]}
    assert "on the machine that the server runs on" in away["keyed"]["problem"]


def test_a_code_is_typed_and_looked_after(here: Program, us: Authority) -> None:
    begun = here.post("/api/connect/start", {"provider": "coded"})
    assert (begun["state"], begun["flow"], begun["url"].startswith(us.root)) == ("pending", "device", True)
    us.answer_device(begun["user_code"], "granted")
    SignInSession.objects.update(polled_at=timezone.now() - timedelta(seconds=5))
    ended = here.post("/api/connect/poll", {"id": begun["id"]})
    assert (ended["state"], ended["endpoint"], ended["served"]) == ("done", "coded", 2)
    assert secret_for("coded") in us.tokens
    (row,) = here.get("/api/connect")["connected"]
    assert (row["endpoint"], row["provider"], row["expired"]) == ("coded", "coded", False)
    assert not [made for made in us.tokens if made in str((begun, ended, row))]


def test_a_page_that_leads_back_ends_it(here: Program, us: Authority) -> None:
    begun = here.post("/api/connect/start", {"provider": "open"})
    assert begun["user_code"] is None
    agree(begun["url"])
    assert here.post("/api/connect/poll", {"id": begun["id"]})["endpoint"] == "open"
    again = here.post("/api/connect/start", {"provider": "open", "endpoint": "open"})
    assert again["state"] == "pending"
    SignInSession.objects.filter(pk=again["id"]).update(expires_at=timezone.now())
    over = here.post("/api/connect/poll", {"id": again["id"]})
    assert (over["state"], "within the time" in over["trouble"][0]) == ("failed", True)


def test_a_local_provider_is_there_at_once(here: Program, us: Authority) -> None:
    us.tokens.add("local")
    begun = here.post("/api/connect/start", {"provider": "local"})
    assert (begun["id"], begun["state"]) == (None, "done")
    assert Endpoint.objects.filter(name=begun["endpoint"]).exists()


@pytest.mark.parametrize(
    ("path", "body", "status", "words"),
    [
        ("start", {"provider": "nobody"}, 400, "There is no provider “nobody”"),
        ("start", {"provider": "open", "endpoint": "elsewhere"}, 400, "elsewhere"),
        ("start", {}, 400, "provider"),
        ("poll", {"id": 77}, 404, "There is no sign-in 77 that you began."),
        ("poll", {"id": "x"}, 400, "id"),
        ("app", {"provider": "nobody", "client_id": "abc"}, 400, "There is no provider “nobody”"),
        ("app", {"provider": "open", "client_id": "a b"}, 400, "client"),
    ],
)
def test_what_makes_no_sense_is_told(
    here: Program, us: Authority, path: str, body: dict[str, Any], status: int, words: str
) -> None:
    assert words in here.refused(f"/api/connect/{path}", body, status)


def test_a_sign_in_is_followed_by_whoever_began_it(here: Program, us: Authority) -> None:
    begun = here.post("/api/connect/start", {"provider": "coded"})
    other = Program(User.objects.create_superuser("other").username)
    other.post("/api/connect/poll", {"id": begun["id"]}, 404)


def test_an_own_application_is_chosen_and_given_back(here: Program, us: Authority) -> None:
    changed = here.post("/api/connect/app", {"provider": "coded", "client_id": "app-of-ours"})["changed"]
    assert [row["name"] for row in changed] == ["coded"]
    assert OwnApp.objects.get().client_id == "app-of-ours"
    here.post("/api/connect/app", {"provider": "coded", "client_id": ""})
    assert not OwnApp.objects.exists()


def test_no_provider_is_free_in_a_client_of_its_own_only(here: Program) -> None:
    assert "calls every API itself" in here.refused("/api/own-client-free", {"providers": []}, 404)
