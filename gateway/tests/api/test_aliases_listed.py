"""Aliases on the routes that list models: a client that looks for its name finds it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from collections_app.actions.alias import do_save_alias
from gateway.engine.admission import SERVED_MODES
from gateway.tests.api.world import Person, keys_required, make_collection, make_key, make_model, make_user

pytestmark = pytest.mark.django_db
MODE = SERVED_MODES[0]


@pytest.fixture(autouse=True)
def _keys() -> Iterator[None]:
    with keys_required():
        yield


@pytest.fixture
def alice() -> Person:
    """alice may call bench/core only; an alias leads there and one to bench/other."""
    core = make_collection("core", make_model("alpha"))
    make_collection("other", make_model("beta"))
    do_save_alias(actor=None, name="gpt-oss:20b", target=f"bench/core:{MODE}")
    do_save_alias(actor=None, name="openai/gpt-5.5", target=f"bench/core:{MODE}")
    do_save_alias(actor=None, name="claude-sonnet-5", target=f"bench/other:{MODE}")
    return make_key(make_user("alice"), "alice-laptop", core)


def get(path: str, **headers: str) -> Any:
    return Client().get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def test_every_api_lists_the_aliases_that_the_key_opens(alice: Person) -> None:
    expected = ["gpt-oss:20b", "openai/gpt-5.5"]
    openai = get("/v1/models", authorization=f"Bearer {alice.secret}").json()
    assert [one["id"] for one in openai["data"] if not one["id"].startswith("bench/")] == expected
    assert openai["data"][-1]["reply"] == MODE
    anthropic = get("/v1/models", x_api_key=alice.secret, anthropic_version="2023-06-01").json()
    assert [one["id"] for one in anthropic["data"]][-2:] == expected
    gemini = get("/v1beta/models", x_goog_api_key=alice.secret).json()
    assert [one["name"] for one in gemini["models"]][-2:] == [f"models/{name}" for name in expected]
    ollama = alice.get("/api/tags").json()
    assert [one["name"] for one in ollama["models"]][-2:] == expected
    codex = alice.get("/v1/models", client_version="0.171.0").json()
    assert [one["slug"] for one in codex["models"]][-2:] == expected
    for document in (openai, anthropic, gemini, ollama, codex):
        assert "claude-sonnet-5" not in str(document)


@pytest.mark.parametrize(
    "path",
    ["/v1/models/gpt-oss:20b", "/v1/models/gpt-oss%3A20b", "/models/gpt-oss:20b/", "/v1/models/models/gpt-oss:20b"],
)
def test_an_alias_is_retrieved_by_its_name(alice: Person, path: str) -> None:
    shown = get(path, x_api_key=alice.secret).json()
    assert (shown["id"], shown["members"]) == ("gpt-oss:20b", ["alpha"])


def test_an_alias_is_retrieved_in_each_api(alice: Person) -> None:
    anthropic = get("/v1/models/openai/gpt-5.5", x_api_key=alice.secret, anthropic_version="2023-06-01").json()
    assert (anthropic["id"], anthropic["display_name"]) == ("openai/gpt-5.5", "openai/gpt-5.5")
    gemini = get("/v1beta/models/gpt-oss:20b", x_goog_api_key=alice.secret).json()
    assert gemini["name"] == "models/gpt-oss:20b"
    for name in ("gpt-oss:20b", "gpt-oss:20b:latest"):
        shown = alice.post("/api/show", {"model": name})
        assert (shown.status_code, "completion" in shown.json()["capabilities"]) == (200, True)


def test_an_alias_out_of_scope_is_answered_like_an_unknown_name(alice: Person) -> None:
    for name in ("claude-sonnet-5", "nobody"):
        for path in (f"/v1/models/{name}", f"/v1beta/models/{name}"):
            assert get(path, authorization=f"Bearer {alice.secret}").status_code == 404
        assert alice.post("/api/show", {"model": name}).status_code == 404
