"""Paths that several APIs share, and the routes that only one of them has: who is answered in which format."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from gateway.api.speaker import form_of
from gateway.api.zones import Format
from gateway.tests.api.world import Person, keys_required, listed, make_collection, make_key, make_model, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _keys() -> Iterator[None]:
    with keys_required():
        yield


@pytest.fixture
def alice() -> Person:
    """alice may call bench/core only; bench/other exists."""
    core = make_collection("core", make_model("alpha"))
    make_collection("other", make_model("beta"))
    return make_key(make_user("alice"), "alice-laptop", core)


def get(path: str, **headers: str) -> Any:
    return Client().get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.mark.parametrize(
    ("path", "headers", "query", "form"),
    [
        ("/v1/models", [], b"", Format.CHAT),
        ("/v1/models", [b"anthropic-version"], b"", Format.ANTHROPIC),
        ("/v1/models", [b"x-goog-api-key"], b"", Format.GEMINI),
        ("/v1/models", [b"x-goog-api-key", b"anthropic-version"], b"", Format.GEMINI),
        ("/v1/models", [], b"key=bwk_x", Format.GEMINI),
        ("/v1/models", [b"anthropic-version"], b"limit=1000", Format.ANTHROPIC),
        ("/v1/models/x:embedContent", [b"x-goog-api-key"], b"", Format.GEMINI),
        ("/models", [b"x-goog-api-key"], b"", Format.GEMINI),
        ("/v1/embeddings", [], b"", Format.CHAT),
        ("/v1/embeddings", [], b"key=bwk_x", Format.CHAT),
        ("/v1/files", [b"anthropic-version"], b"", Format.ANTHROPIC),
        ("/embeddings", [], b"", Format.CHAT),
        ("/v1/chat/completions", [b"anthropic-version", b"x-goog-api-key"], b"", Format.CHAT),
        ("/v1/messages", [], b"", Format.ANTHROPIC),
        ("/v1/messages/batches", [], b"", Format.ANTHROPIC),
        ("/v1/responses/x", [], b"", Format.RESPONSES),
        ("/v1beta/models", [b"anthropic-version"], b"", Format.GEMINI),
        ("/api/embed", [], b"", Format.OLLAMA),
        ("/api/blobs/sha256:1", [], b"", Format.OLLAMA),
    ],
)
def test_the_path_speaks_and_where_it_is_shared_the_headers(
    path: str, headers: list[bytes], query: bytes, form: Format
) -> None:
    assert form_of(path, [(name, b"x") for name in headers], query) is form


def test_the_listing_is_told_in_the_api_that_asks(alice: Person) -> None:
    plain = get("/v1/models", authorization=f"Bearer {alice.secret}").json()
    assert [entry["id"] for entry in plain["data"]] == listed("core")
    anthropic = get("/v1/models?limit=1000", x_api_key=alice.secret, anthropic_version="2023-06-01").json()
    assert [entry["display_name"] for entry in anthropic["data"]] == [
        name.removeprefix("bench/").replace(":", " (") + ")" * (":" in name) for name in listed("core")
    ]
    for gemini in (
        get("/v1/models", x_goog_api_key=alice.secret),
        get(f"/v1/models?key={alice.secret}"),
        get("/v1beta/models", authorization=f"Bearer {alice.secret}"),
        get(f"/v1beta/models/?key={alice.secret}"),
    ):
        assert gemini.json()["models"][0]["name"] == "models/bench/core"
        assert "data" not in gemini.json()


def test_codex_gets_its_own_list_beside_the_usual_one(alice: Person) -> None:
    document = get("/v1/models?client_version=0.171.0", authorization=f"Bearer {alice.secret}").json()
    assert [model["slug"] for model in document["models"]] == [entry["id"] for entry in document["data"]]
    assert "models" not in get("/v1/models", authorization=f"Bearer {alice.secret}").json()


def test_one_model_is_told_in_the_api_that_asks(alice: Person) -> None:
    anthropic = get("/v1/models/bench/core", x_api_key=alice.secret, anthropic_version="2023-06-01").json()
    assert (anthropic["type"], anthropic["id"]) == ("model", "bench/core")
    for path in ("/v1beta/models/bench/core", "/v1beta/models/core", "/v1/models/bench%2Fcore"):
        assert get(path, x_goog_api_key=alice.secret).json()["name"] == "models/bench/core"


@pytest.mark.parametrize("name", ["bench/other", "nobody"])
def test_a_model_that_may_not_be_seen_is_a_404_in_the_api_that_asks(alice: Person, name: str) -> None:
    gemini = get(f"/v1beta/models/{name}", x_goog_api_key=alice.secret)
    assert (gemini.status_code, gemini.json()["error"]["status"]) == (404, "NOT_FOUND")
    anthropic = get(f"/v1/models/{name}", x_api_key=alice.secret, anthropic_version="2023-06-01")
    assert (anthropic.status_code, anthropic.json()["error"]["type"]) == (404, "not_found_error")
    ollama = alice.post("/api/show", {"model": name})
    assert (ollama.status_code, list(ollama.json())) == (404, ["error"])


@pytest.mark.parametrize("body", [{"model": "bench/core"}, {"name": "core:latest"}, {"model": "core:all:latest"}])
def test_ollama_is_told_of_one_model_by_any_of_its_names(alice: Person, body: dict[str, str]) -> None:
    assert alice.post("/api/show", body).json()["model_info"]["general.basename"] == "core"


def test_ollama_is_told_what_is_wrong_with_its_question(alice: Person) -> None:
    assert "model" in alice.post("/api/show", {}).json()["error"]
    assert alice.post("/api/show", b"{").status_code == 400


def test_ollamas_tags_show_what_the_key_may_call(alice: Person) -> None:
    assert [tag["name"] for tag in alice.get("/api/tags").json()["models"]] == listed("core")


def test_the_version_needs_no_key_and_the_tags_do() -> None:
    assert get("/api/version").status_code == 200
    response = get("/api/tags")
    assert (response.status_code, list(response.json())) == (401, ["error"])
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="benchwarmers"'


@pytest.mark.parametrize(
    ("path", "headers", "kind"),
    [
        ("/v1/models", {"anthropic_version": "1"}, {"type": "authentication_error"}),
        ("/v1/models", {"x_goog_api_key": "bwk_no"}, {"status": "UNAUTHENTICATED"}),
        ("/v1beta/models", {}, {"status": "UNAUTHENTICATED"}),
        ("/v1/models", {}, {"type": "bench_gateway", "code": 401}),
    ],
)
def test_a_401_speaks_the_format_of_who_asks(path: str, headers: dict[str, str], kind: dict[str, object]) -> None:
    response = get(path, **headers)
    assert response.status_code == 401
    assert kind.items() <= response.json()["error"].items()


@pytest.mark.parametrize(
    ("method", "path", "status", "place"),
    [
        ("GET", "/api/show", 405, ("error",)),
        ("POST", "/api/tags", 405, ("error",)),
        ("POST", "/api/ps", 405, ("error",)),
        ("POST", "/api/pull", 404, ("error",)),
        ("DELETE", "/api/delete", 404, ("error",)),
        ("POST", "/v1beta/models", 405, ("error", "status")),
        ("POST", "/v1beta/models/core:predict", 404, ("error", "status")),
        ("POST", "/v1beta/models/core", 405, ("error", "status")),
        ("POST", "/v1beta/cachedContents", 404, ("error", "status")),
        ("POST", "/v1/messages/batches", 404, ("error", "type")),
        ("GET", "/v1/responses/resp_1", 404, ("error", "param")),
        ("POST", "/v1/files", 404, ("error", "code")),
        ("POST", "/moderations", 404, ("error", "code")),
        ("POST", "/v1/images/generations", 404, ("error", "code")),
    ],
)
def test_what_is_not_served_is_told_in_the_format_of_the_path(
    alice: Person, method: str, path: str, status: int, place: tuple[str, ...]
) -> None:
    client = Client(headers={"authorization": f"Bearer {alice.secret}"})
    response = client.generic(method, path, b"{}", content_type="application/json")
    assert response.status_code == status
    found: Any = json.loads(response.content)
    for name in place:
        assert name in found
        found = found[name]
