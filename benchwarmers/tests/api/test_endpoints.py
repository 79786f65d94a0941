"""Endpoints for programs, over a provider on loopback that lists two models to whoever brings its key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from benchwarmers.tests.api.given import Program, journal
from benchwarmers.tests.operations.endpoints.conftest import KEY, MODELS
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.endpoint_key import do_set_key
from collections_app.models import Change, Endpoint, LanguageModel, Secret, SignIn
from collections_app.vault import secret_for
from probes.tests.listing.servers import Served, key_needed, serving

ROW = {"name", "base", "default", "kind", "hub", "key_set", "models", "connect"}
CONNECT = {"provider", "at", "expires", "refreshes", "label", "flow", "expired"}


@pytest.fixture
def provider() -> Iterator[Served]:
    with serving({"/v1/models": key_needed(MODELS, KEY)}) as server:
        yield server


@pytest.fixture
def saved(world: None, provider: Served) -> Endpoint:
    row = do_save_endpoint(actor=None, name="fresh", base=f"{provider.base}/v1", headers={"X-Title": "bench"})
    do_set_key(actor=None, name="fresh", plain=KEY)
    return row


def body(provider: Served, **more: Any) -> dict[str, Any]:
    return {"name": "fresh", "base": f"{provider.base}/v1", "key": KEY, "new": True, **more}


def test_endpoints_are_listed_without_a_secret(maya: Program, saved: Endpoint) -> None:
    SignIn.objects.create(endpoint=saved, provider="openrouter", at=timezone.now())
    told = maya.get("/api/endpoints")
    rows = {row["name"]: row for row in told["endpoints"]}
    assert all(row.keys() >= ROW for row in rows.values())
    assert (rows["fresh"]["key_set"], rows["harbour"]["key_set"], rows["harbour"]["models"]) == (True, False, 6)
    assert rows["fresh"]["connect"].keys() >= CONNECT
    assert rows["harbour"]["connect"] is None
    assert KEY not in str(told)


def test_one_is_tried_and_nothing_is_saved(maya: Program, provider: Served) -> None:
    told = maya.post("/api/endpoint", body(provider, test=True))
    assert (told["saved"], told["tested"]["models"], told["tested"]["key"]) == (False, 2, "needed")
    told = maya.post("/api/endpoint", body(provider, test=True, key="sk-another-key-of-letters"))
    assert (told["tested"]["listed"], told["tested"]["hint"]) == (False, "Check the key.")
    assert not Endpoint.objects.filter(name="fresh").exists()


def test_one_is_added_with_its_key(maya: Program, provider: Served) -> None:
    told = maya.post("/api/endpoint", body(provider, headers={"X-Title": "bench"}, unlisted_models=["a"]))
    row = Endpoint.objects.get(name="fresh")
    assert (told["endpoint"]["key_set"], row.headers, row.unlisted_models) == (True, {"X-Title": "bench"}, ["a"])
    assert secret_for("fresh") == KEY
    assert KEY not in str(told)
    assert KEY not in str(list(Change.objects.values_list("old", "new")))
    assert {who for who, *_ in journal()} == {"maya"}


def test_what_is_not_named_stays(maya: Program, saved: Endpoint) -> None:
    maya.post("/api/endpoint", {"name": "fresh", "unlisted_models": ["b"]})
    saved.refresh_from_db()
    assert (saved.unlisted_models, saved.headers) == (["b"], {"X-Title": "bench"})
    assert secret_for("fresh") == KEY


@pytest.mark.parametrize(("given", "words"), [
    ({"key": "sk-wrong-key-of-letters"}, "401"),
    ({"base": "http://169.254.169.254/v1"}, "metadata"),
    ({"base": ""}, "base: "),
    ({"headers": {"X-A": "b\nX-C: d"}}, "headers: "),
    ({"headers": {"Authorization": "Bearer x"}}, "headers: Authorization is set by the gateway"),
    ({"api": "telepathy"}, "api: "),
    ({"key": "", "key_env": "PGPASSWORD"}, "BENCH_KEY_VARIABLES"),
    ({"name": "A!"}, "name: "),
    ({"name": "harbour"}, "harbour-2 is free"),
    ({"secret": "x"}, "secret: There is no such field"),
    ({"kind": "provider", "admin": 1}, "admin: It is text"),
])  # fmt: skip
def test_what_cannot_be_saved_is_told_and_nothing_is_written(
    maya: Program, provider: Served, given: dict[str, Any], words: str
) -> None:
    told = maya.refused("/api/endpoint", body(provider, **given))
    assert words in told
    assert KEY not in told
    assert journal() == []
    assert not Secret.objects.exists()


def test_an_endpoint_that_lists_nothing_is_saved_when_somebody_says_so(maya: Program) -> None:
    with serving({}) as server:
        assert maya.refused("/api/endpoint", body(server))
        assert maya.post("/api/endpoint", body(server, anyway=True))["tested"]["listed"] is False
    assert "set new to add it" in maya.refused("/api/endpoint", {"name": "nowhere"}, 404)
    assert "practice squad" in maya.refused("/api/endpoint", {"name": "squad", "kind": "local"})


def test_one_becomes_the_default(maya: Program, saved: Endpoint) -> None:
    Endpoint.objects.update(default=False)
    Endpoint.objects.filter(name="harbour").update(default=True)
    maya.post("/api/endpoint/default", {"name": "fresh"})
    assert Endpoint.objects.get(default=True).name == "fresh"
    maya.refused("/api/endpoint/default", {"name": "nowhere"}, 404)


def test_one_is_removed_with_its_models_only_when_that_is_said(saved: Endpoint) -> None:
    Endpoint.objects.update(default=False)
    Endpoint.objects.filter(name="fresh").update(default=True)
    boss = Program("boss")
    assert "6 models" in boss.refused("/api/endpoint/remove", {"name": "harbour"})
    assert "practice squad" in boss.refused("/api/endpoint/remove", {"name": "squad", "with_models": True})
    told = boss.post("/api/endpoint/remove", {"name": "harbour", "with_models": True})
    assert len([row for row in told["changed"] if row["thing"] == "model"]) == 6
    assert not LanguageModel.objects.filter(endpoint__name="harbour").exists()
