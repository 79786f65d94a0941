"""Collections, their limits and those of connections, for programs."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchwarmers.tests.api.given import Program, journal
from collections_app.actions.collection import do_save_collection
from collections_app.models import Collection, ConnectionLimit, Endpoint, LanguageModel, Setting, Team

ROW = {"name", "description", "tags", "members", "shape", "explorers", "reply", "merger", "together"}
TOGETHER = {"context_window", "context_unknown", "capabilities", "connections", "limits"}


def members(name: str) -> list[str]:
    rows = Collection.objects.get(name=name).seatings.order_by("place")
    return list(rows.values_list("language_model__alias", flat=True))


def test_collections_are_told_with_what_new_ones_can_be_made_of(maya: Program) -> None:
    do_save_collection(actor=None, name="core", members=["wren", "osprey"], tags=["daily"])
    told = maya.get("/api/collections")
    row = next(one for one in told["collections"] if one["name"] == "core")
    assert row.keys() >= ROW
    assert row["together"].keys() == TOGETHER
    assert (row["members"], row["explorers"]) == (["wren", "osprey"], 2)
    assert told["settings"] == {"max_calls": 5, "max_explorers": 2}
    assert told["served"]["wren"] == "lab/wren"
    assert told["facts"]["wren"].keys() == {"caps", "context", "price", "role"}
    assert "daily" in told["tag_suggestions"]
    assert told["shape_roles"]["quick"] == ["general", "light"]
    assert (told["long_context"], "image" in told["shapes"]) == (128_000, False)


def test_another_teams_collection_is_not_told() -> None:
    Collection.objects.filter(name="quick").update(team=Team.objects.create(name="others"))
    assert "quick" not in [one["name"] for one in Program("ben").get("/api/collections")["collections"]]
    assert "quick" in [one["name"] for one in Program("maya").get("/api/collections")["collections"]]


def test_five_hundred_models_take_few_queries(maya: Program) -> None:
    home = Endpoint.objects.get(name="harbour")
    LanguageModel.objects.bulk_create(
        LanguageModel(alias=f"many-{number}", served=f"lab/many-{number}", endpoint=home) for number in range(500)
    )
    for path in ("/api/collections", "/api/connections", "/api/endpoints"):
        with CaptureQueriesContext(connection) as asked:
            maya.get(path)
        assert len(asked) <= 25, path


def test_one_is_made_and_what_is_not_named_stays(maya: Program) -> None:
    told = maya.post("/api/collection", {"name": "bench/desk", "members": ["wren", "osprey"], "tags": "a, b"})
    assert (told["name"], told["made"], told["members"]) == ("desk", True, ["wren", "osprey"])
    told = maya.post("/api/collection", {"name": "desk", "members": ["wren"], "reply": "merged"})
    assert told["made"] is False
    assert {row["field"] for row in told["changed"]} == {"members", "reply"}
    assert (members("desk"), Collection.objects.get(name="desk").tags) == (["wren"], ["a", "b"])
    assert {who for who, *_ in journal()} == {"maya"}


@pytest.mark.parametrize(("given", "words"), [
    ({"members": []}, "members: A collection has at least one member"),
    ({"members": ["nobody"]}, "members: There is no model “nobody”"),
    ({"members": "wren"}, "members: It is a list"),
    ({"members": ["wren"], "shape": "round"}, "shape: "),
    ({"members": ["wren"], "reply": "shouted"}, "reply: "),
    ({"members": ["wren"], "merger": "nobody"}, "merger: "),
    ({"members": ["wren"], "tags": ["A B"]}, "tags: "),
    ({"members": ["wren"], "description": "x" * 301}, "description: "),
    ({"members": ["wren"], "name": "!"}, "name: "),
    ({"members": ["wren"], "size": 3}, "size: There is no such field"),
])  # fmt: skip
def test_what_is_wrong_is_named_and_nothing_is_made(maya: Program, given: dict[str, Any], words: str) -> None:
    assert words in maya.refused("/api/collection", {"name": "desk", **given})
    assert journal() == []


def test_one_is_removed_once(maya: Program) -> None:
    maya.post("/api/collection/remove", {"name": "bench/quick"})
    assert not Collection.objects.filter(name="quick").exists()
    maya.refused("/api/collection/remove", {"name": "quick"}, 404)


def test_the_limits_of_panels_are_set_within_reason() -> None:
    boss = Program("boss")
    told = boss.post("/api/gateway-settings", {"max_calls": 4})
    assert told["settings"] == {"max_calls": 4, "max_explorers": 2}
    assert Setting.load().max_calls == 4
    assert "max_calls: " in boss.refused("/api/gateway-settings", {"max_calls": 11})
    assert "max_explorers: " in boss.refused("/api/gateway-settings", {"max_explorers": "2"})


def test_connections_have_limits_that_come_and_go() -> None:
    boss = Program("boss")
    boss.post("/api/connection-limits", {"connection": "harbour", "limits": {"rpm": 10, "tpd": 9000}})
    boss.post("/api/connection-limits", {"connection": "harbour", "limits": {"rpm": "", "rpd": 50}})
    told = boss.get("/api/connections")
    assert told["keys"] == list(told["labels"])
    row = next(one for one in told["connections"] if one["name"] == "harbour")
    assert row["models"] == 6
    assert {axis: most for axis, most in row["limits"].items() if most} == {"rpd": 50, "tpd": 9000}
    boss.post("/api/connection-limits", {"connection": "harbour", "limits": {"rpd": None, "tpd": None}})
    assert not ConnectionLimit.objects.exists()


@pytest.mark.parametrize(("limits", "words"), [
    ({"rpy": 1}, "limits: “rpy” is no limit"),
    ({"rpm": 0}, "rpm: "),
    ({"rpm": "many"}, "rpm: It is a whole number"),
    ({"rpm": 1.5}, "limits: "),
    ({}, "at least one"),
])  # fmt: skip
def test_a_limit_that_is_none_is_refused(limits: dict[str, Any], words: str) -> None:
    assert words in Program("boss").refused("/api/connection-limits", {"connection": "harbour", "limits": limits})
    assert not ConnectionLimit.objects.exists()
