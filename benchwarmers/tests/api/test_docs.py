"""The page about the API tells every route of people's programs with all its fields, and its commands work."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from benchwarmers.api.openapi import document
from benchwarmers.api.urls import urlpatterns
from benchwarmers.tests.api.given import Program
from benchwarmers.tests.house.tree import ROOT
from collections_app.models import Collection, LanguageModel

PAGE = (ROOT / "docs/api.md").read_text()
SECTION = PAGE.partition("## For programs of people")[2].partition("\n## ")[0]
UNTOLD = {"/api/client", "/api/own-client-free"}
COMMANDS = [line for line in SECTION.replace("\\\n", " ").splitlines() if line.startswith("curl")]


def rows(verb: str) -> dict[str, str]:
    """The line of the table of this verb by each route that it begins with."""
    table = SECTION.partition(f"| {verb} |")[2].partition("\n\n")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `/api/")]
    return {path: line for line in lines for path in re.findall(r"`(/api/[^`]+)`", line)}


def test_every_route_is_told_with_every_field() -> None:
    paths = document(urlpatterns, "1")
    forms = paths["components"]["schemas"]
    told = {"get": rows("GET"), "post": rows("POST")}
    missing = []
    for path, verbs in paths["paths"].items():
        for verb, operation in verbs.items():
            if path in UNTOLD:
                continue
            known = [one["name"] for one in operation.get("parameters", [])]
            if body := operation.get("requestBody"):
                schema = body["content"]["application/json"]["schema"]
                known += forms[schema["$ref"].rpartition("/")[2]]["properties"]
            line = told[verb].get(path, "") if path != "/api/openapi.json" else SECTION
            missing += [(verb, path, name) for name in known if not re.search(rf"`{name}(=\w+)?`", line)]
            missing += [] if line else [(verb, path, "no line")]
    assert missing == []


def test_the_tables_tell_no_route_that_there_is_not() -> None:
    paths = {f"/{route.pattern}" for route in urlpatterns}
    assert rows("GET").keys() | rows("POST").keys() <= paths


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_works(maya: Program, command: str) -> None:
    for alias, name in (("granite-l", "alpha"), ("osprey", "beta")):
        LanguageModel.objects.filter(alias=alias).update(alias=name)
    words = shlex.split(command)
    assert "Authorization: Bearer $TOKEN" in words
    path = words[2].removeprefix("http://127.0.0.1:8122")
    if "-d" in words:
        maya.post(path, json.loads(words[words.index("-d") + 1]))
        assert Collection.objects.get(name="agents").reply == "route"
    else:
        assert "models" in maya.get(path)
