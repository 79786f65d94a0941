"""The edge's Django routes: keys, error shapes, listings and the OpenAPI document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, RequestFactory, override_settings
from django.utils import timezone
from jsonschema_rs import Draft202012Validator
from rest_framework.request import Request
from rest_framework.response import Response

from collections_app.models import GatewayKey
from gateway.api.edge import EdgeView
from gateway.api.known import KNOWN
from gateway.tests.api.world import Person, keys_required, listed, make_collection, make_key, make_model, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _keys() -> Iterator[None]:
    with keys_required():
        yield


def error_of(response: Any) -> str:
    error = response.json()["error"]
    assert error["code"] == response.status_code
    assert error["type"] == "bench_gateway"
    return str(error["message"])


def ids(person: Person) -> list[str]:
    return [entry["id"] for entry in person.get("/v1/models").json()["data"]]


@pytest.fixture
def alice() -> Person:
    """alice may call bench/core only; bench/other exists."""
    core = make_collection("core", make_model("alpha"))
    make_collection("other", make_model("beta"))
    return make_key(make_user("alice"), "alice-laptop", core)


def test_the_listing_shows_what_the_key_may_call(alice: Person) -> None:
    assert ids(alice) == listed("core")
    with keys_required(False):
        assert ids(Person()) == [*listed("core"), *listed("other")]


@pytest.mark.parametrize("path", ["/v1/models", "/v1/models/", "/models", "/models/"])
def test_the_listing_answers_under_all_its_names(alice: Person, path: str) -> None:
    body = alice.get(path).json()
    assert body["object"] == "list"
    assert body["data"][0]["created"] > 1_700_000_000


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/models/bench/core", 200),
        ("/v1/models/bench/core/", 200),
        ("/v1/models/bench%2Fcore:all", 200),
        ("/v1/models/bench%2Fcore%3Aall", 200),
        ("/models/core", 200),
        ("/v1/models/bench/other", 404),
        ("/v1/models/bench/nobody", 404),
        ("/v1/models/bench/core:silly", 404),
        ("/v1/models/a%0Ab", 404),
    ],
)
def test_one_collection_is_shown_by_its_id(alice: Person, path: str, status: int) -> None:
    response = alice.get(path)
    assert response.status_code == status
    if status == 200:
        assert response.json()["id"].startswith("bench/core")
    else:
        assert "GET /v1/models" in error_of(response)


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({}, "No gateway key"),
        ({"authorization": "Basic x"}, "not a Bearer"),
        ({"x-api-key": ""}, "empty"),
        ({"x-api-key": "bwk_nobodys"}, "unknown or revoked"),
        ({"x-api-key": "sk-ant-1"}, "some other service"),
    ],
)
def test_a_missing_or_wrong_key_is_a_401_that_says_which(headers: dict[str, str], words: str) -> None:
    response = Client().get("/v1/models", headers=headers)
    assert response.status_code == 401
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="benchwarmers"'
    assert words in error_of(response)


@pytest.mark.parametrize("header", ["x-api-key", "x-goog-api-key"])
def test_a_key_is_taken_from_the_other_headers_too(alice: Person, header: str) -> None:
    assert Client().get("/v1/models", headers={header: alice.secret}).status_code == 200


def test_a_key_in_the_query_is_taken_by_the_listing_and_not_by_the_evidence_routes(alice: Person) -> None:
    assert Client().get(f"/v1/models?key={alice.secret}").status_code == 200
    assert Client().get(f"/bench/record?collection=core&key={alice.secret}").status_code == 401


def test_an_expired_or_revoked_key_is_told_so(alice: Person) -> None:
    GatewayKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert "expired" in error_of(alice.get("/v1/models"))
    KNOWN.forget()
    GatewayKey.objects.update(expires_at=None, revoked_at=timezone.now())
    assert "revoked" in error_of(alice.get("/v1/models"))


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/bench/verdict", 405),
        ("POST", "/bench/record", 405),
        ("DELETE", "/v1/models", 405),
        ("GET", "/bench/nothing", 404),
        ("POST", "/v1/nothing", 404),
        ("PUT", "/v1", 404),
        ("GET", "/bench", 404),
    ],
)
def test_other_methods_and_paths_are_refused_in_the_error_shape(
    alice: Person, method: str, path: str, status: int
) -> None:
    client = Client(headers={"authorization": f"Bearer {alice.secret}"})
    response = client.generic(method, path, b"{}", content_type="application/json")
    assert response.status_code == status
    assert error_of(response)
    if status == 405:
        assert response.headers["Allow"]


def test_an_unknown_route_names_the_known_ones() -> None:
    message = error_of(Client().get("/v1/nothing"))
    assert "/v1/chat/completions" in message
    assert "/bench/verdict" in message


def test_an_unknown_gemini_path_speaks_gemini() -> None:
    error = Client().get("/v1beta/nothing").json()["error"]
    assert (error["code"], error["status"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "application/xml"])
def test_a_body_of_another_type_is_a_415_even_without_the_guard(alice: Person, content_type: str) -> None:
    response = alice.post("/bench/pending", b"calls=x", content_type=content_type)
    assert response.status_code == 415
    assert "application/json" in error_of(response)


def test_a_body_without_a_type_is_read_as_json(alice: Person) -> None:
    assert alice.post("/bench/pending", b'{"calls": []}', content_type="").json() == {"pending": []}


class Broken(EdgeView):
    """A view with a defect."""

    authentication_classes = ()

    def get(self, request: Request) -> Response:
        """Fails."""
        raise ZeroDivisionError("the inside story")


def test_a_defect_is_a_500_in_the_error_shape_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    response = Broken.as_view()(RequestFactory().get("/bench/broken")).render()
    error = json.loads(response.content)["error"]
    assert (response.status_code, error["code"]) == (500, 500)
    assert "inside story" not in error["message"]
    assert "inside story" in caplog.text


def schema() -> dict[str, Any]:
    response = Client().get("/bench/openapi.json")
    assert response.status_code == 200
    document: dict[str, Any] = response.json()
    return document


def test_the_openapi_document_is_open_and_names_the_routes() -> None:
    document = schema()
    assert document["openapi"].startswith("3.")
    assert set(document["paths"]) == {
        "/v1/models",
        "/v1/models/{model}",
        "/bench/verdict",
        "/bench/panels/{panel}",
        "/bench/panels/{panel}/events",
        "/bench/pending",
        "/bench/record",
    }
    assert "http" not in str(document).replace("'type': 'http'", "")


def test_every_example_of_the_document_fits_its_schema() -> None:
    document = schema()
    seen = 0
    for path in document["paths"].values():
        for operation in path.values():
            bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
            for content in (body["content"]["application/json"] for body in bodies if "content" in body):
                validator = Draft202012Validator({**content["schema"], "components": document["components"]})
                for example in content.get("examples", {}).values():
                    validator.validate(example["value"])
                    seen += 1
    assert seen >= 7


@pytest.mark.parametrize(
    ("path", "status"), [("/v1/models", 200), ("/bench/openapi.json", 200), ("/bench/nothing", 404)]
)
def test_the_product_serves_the_edges_routes_beside_its_pages(path: str, status: int) -> None:
    with keys_required(False), override_settings(ROOT_URLCONF="benchwarmers.urls"):
        assert Client().get(path).status_code == status
