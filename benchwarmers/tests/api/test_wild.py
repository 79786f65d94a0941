"""Whatever a program sends in whichever field, it is told what is wrong, or it is done: no route ever fails."""

from __future__ import annotations

from typing import Any, Final

import pytest
from django.test import Client

from benchwarmers.api.openapi import document
from benchwarmers.api.urls import urlpatterns
from benchwarmers.tests.api.given import Program
from collections_app.models import Endpoint

WILD: Final[tuple[Any, ...]] = ("x" * 5000, 10**30, [None, "wren"], {"": 10**30})
GOOD: Final = {"alias": "wren", "name": "desk", "served": "lab/wren", "connection": "harbour", "call": "none.member1"}
"""What the other fields have, so that a wild one gets as far as it can."""


def forms() -> dict[str, list[str]]:
    """The fields of each POST, by its path."""
    told = document(urlpatterns, "1")
    found = {}
    for path, verbs in told["paths"].items():
        if body := verbs.get("post", {}).get("requestBody"):
            name = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            found[path] = list(told["components"]["schemas"][name]["properties"])
    return found


@pytest.fixture
def boss(world: None) -> Program:
    Endpoint.objects.update(kind="practice")  # nobody is asked anything
    return Program("boss")


def test_no_field_of_any_route_makes_it_fail(boss: Program) -> None:
    failed = []
    for path, fields in forms().items():
        rest = {name: value for name, value in GOOD.items() if name in fields}
        for name in fields:
            for value in WILD:
                status = boss.status(path, {**rest, name: value})
                if status >= 500:
                    failed.append((path, name, value))
    assert failed == []


@pytest.mark.parametrize("body", [b"", b"[]", b"null", b"{", b'"x"', b'{"a":1}{', b"\xff", b'{"alias":"\\ud800"}'])
def test_a_body_that_is_no_object_is_a_bad_request(boss: Program, body: bytes) -> None:
    for path in ("/api/model", "/api/verdict", "/api/collection"):
        answer = Client().post(path, body, content_type="application/json", headers=boss.headers)
        assert (answer.status_code, answer.json()["ok"]) == (400, False), (path, body)


def test_no_parameter_makes_a_route_fail(boss: Program) -> None:
    told = document(urlpatterns, "1")
    for path, verbs in told["paths"].items():
        for one in verbs.get("get", {}).get("parameters", ()):
            for value in ("9" * 3000, "%22%F0%9F", "%00"):
                answer = Client().get(f"{path}?{one['name']}={value}", headers=boss.headers)
                assert answer.status_code < 500, (path, one["name"], value)
                assert "ok" in answer.json(), (path, value)
