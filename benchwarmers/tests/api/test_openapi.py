"""The OpenAPI document of /api/ tells every route with the fields that it takes."""

from __future__ import annotations

from benchwarmers.api.urls import urlpatterns
from benchwarmers.tests.api.given import Program


def test_every_route_is_told_with_its_fields(maya: Program) -> None:
    told = maya.document("/api/openapi.json")
    paths = told["paths"]
    assert set(paths) == {f"/{route.pattern}" for route in urlpatterns}
    for path, verbs in paths.items():
        assert verbs, path
        assert all(operation["summary"] for operation in verbs.values()), path
        bare = path in ("/api/client", "/api/own-client-free")
        assert "post" not in verbs or verbs["post"].get("requestBody") or bare, path
    names = {name["name"] for name in paths["/api/models"]["get"]["parameters"]}
    assert {"q", "role", "retired"} <= names


def test_the_fields_of_two_forms_of_one_name_are_not_mixed_up(maya: Program) -> None:
    told = maya.document("/api/openapi.json")
    schemas = told["components"]["schemas"]

    def fields(path: str) -> set[str]:
        schema = told["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"]
        return set(schemas[schema["$ref"].rpartition("/")[2]]["properties"])

    assert fields("/api/remove") == {"alias", "reason"}
    assert fields("/api/endpoint/remove") == {"name", "with_models"}
    assert fields("/api/gateway-key") >= {"name", "collections", "rpm"}
    assert fields("/api/collection") >= {"name", "members", "shape", "description", "tags", "reply", "merger"}
    assert fields("/api/onboard-queue/stop") == set()
