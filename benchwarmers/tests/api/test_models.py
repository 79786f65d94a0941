"""Models for programs: the list, and what is done to one."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchwarmers.tests.api.given import Program, journal
from collections_app.actions.collection import do_save_collection
from collections_app.actions.retirement import do_retire_model
from collections_app.models import DecisionModel, Endpoint, Fact, LanguageModel
from probes.models import Job

SHAPE = {"alias", "served", "role", "kind", "endpoint", "connection", "status", "why", "retired", "retired_why"}


@pytest.fixture
def picker(world: None) -> DecisionModel:
    home = Endpoint.objects.get(name="harbour")
    Endpoint.objects.filter(pk=home.pk).update(decisions_url="https://models.example/decide")
    return DecisionModel.objects.create(
        alias="picker", served="lab/picker", via=home, question_types=["choice", "noul"]
    )


def model(alias: str) -> LanguageModel:
    return LanguageModel.objects.get(alias=alias)


def test_all_models_are_listed_retired_and_decision_models_too(maya: Program, picker: DecisionModel) -> None:
    do_retire_model(actor=None, alias="wren", why="gone")
    rows = {row["alias"]: row for row in maya.get("/api/models")["models"]}
    assert len(rows) == 9
    assert all(row.keys() >= SHAPE for row in rows.values())
    assert (rows["wren"]["retired"], rows["wren"]["retired_why"]) == (True, "gone")
    assert (rows["picker"]["kind"], rows["picker"]["question_types"]) == ("decision", ["choice", "noul"])
    assert (rows["osprey"]["kind"], rows["osprey"]["endpoint"], rows["osprey"]["connection"]) == (
        *("chat", "harbour", "harbour"),
    )


@pytest.mark.parametrize(("query", "found"), [
    ("q=gran", ["granite-l"]),
    ("retired=only", ["wren"]),
    ("endpoint=squad&retired=no", ["warmup-one", "warmup-two"]),
    ("role=code", []),
])  # fmt: skip
def test_the_list_is_narrowed(maya: Program, query: str, found: list[str]) -> None:
    do_retire_model(actor=None, alias="wren")
    assert [row["alias"] for row in maya.get(f"/api/models?{query}")["models"]] == found


@pytest.mark.parametrize("query", ["role=nonsense", "retired=maybe", "find=x"])
def test_a_filter_that_means_nothing_is_refused(maya: Program, query: str) -> None:
    assert query.partition("=")[0] in " ".join(maya.get(f"/api/models?{query}", 400)["errors"])


def test_five_hundred_models_take_no_more_queries_than_five(maya: Program) -> None:
    home = Endpoint.objects.get(name="harbour")
    LanguageModel.objects.bulk_create(
        LanguageModel(alias=f"many-{number}", served=f"lab/many-{number}", endpoint=home) for number in range(500)
    )
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert len(maya.get("/api/models")["models"]) == 508
    assert len(asked) <= 25


def test_a_model_is_changed_at_once_and_by_its_person(maya: Program) -> None:
    told = maya.post("/api/model", {"alias": "osprey", "new_alias": "eagle", "new_role": "code", "new_ad_hoc": True})
    assert told["alias"] == "eagle"
    assert [(row["field"], row["new"]) for row in told["changed"]] == [
        *(("role", "code"), ("ad_hoc", True), ("alias", "eagle")),
    ]
    row = model("eagle")
    assert (row.role, row.ad_hoc) == ("code", True)
    assert [one[0] for one in journal()] == ["maya"] * 3


@pytest.mark.parametrize(("body", "words"), [
    ({"alias": "osprey", "new_role": "code", "new_alias": "wren"}, "alias: There is a model wren already"),
    ({"alias": "osprey", "new_role": "code", "new_alias": "Osprey"}, "new_alias: It differs from osprey only by case"),
    ({"alias": "osprey", "new_role": "clown"}, "role: The role is one of"),
    ({"alias": "osprey", "new_question_types": ["choice"]}, "new_question_types: Only decision models"),
    ({"alias": "osprey", "role": "code"}, "role: There is no such field"),
    ({"new_role": "code"}, "alias: This field is missing"),
])  # fmt: skip
def test_a_change_with_one_thing_wrong_changes_nothing(maya: Program, body: dict[str, Any], words: str) -> None:
    assert words in maya.refused("/api/model", body)
    assert model("osprey").role == "general"
    assert journal() == []


def test_a_model_that_is_not_there_is_404(maya: Program) -> None:
    for path in ("model", "restore", "retry", "remove"):
        assert "no model “nobody”" in maya.refused(f"/api/{path}", {"alias": "nobody"}, 404)


def test_a_decision_model_has_types_of_question_and_no_other_role(maya: Program, picker: DecisionModel) -> None:
    told = maya.post("/api/model", {"alias": "picker", "new_question_types": ["choice"], "new_ad_hoc": True})
    assert told["job"] is None
    picker.refresh_from_db()
    assert (picker.question_types, picker.ad_hoc) == (["choice"], True)
    assert maya.post("/api/model", {"alias": "picker", "new_question_types": ["choice", "score"]})["job"]
    assert "new_role" in maya.refused("/api/model", {"alias": "picker", "new_role": "code"})
    assert "new_alias" in maya.refused("/api/model", {"alias": "picker", "new_alias": "chooser"})


def test_a_model_goes_and_comes_back_into_its_collections(maya: Program) -> None:
    do_save_collection(actor=None, name="core", members=["wren", "osprey"])
    told = maya.post("/api/remove", {"alias": "wren", "reason": "too slow"})
    assert told["retired"] is True
    assert {"core", "wren"} == {row["name"] for row in told["changed"]}
    assert (model("wren").retired_why, model("wren").retired_by) == ("too slow", "maya")
    assert maya.post("/api/restore", {"alias": "wren"})["collections"] == ["core"]
    assert not model("wren").retired
    assert "not retired" in maya.refused("/api/restore", {"alias": "wren"})
    assert "300" in maya.refused("/api/remove", {"alias": "wren", "reason": "x" * 301})


def test_a_decision_model_is_removed_by_those_who_may(picker: DecisionModel) -> None:
    told = Program("boss").post("/api/remove", {"alias": "picker"})
    assert told["retired"] is False
    assert not DecisionModel.objects.exists()


def test_a_model_is_asked_again_once(maya: Program) -> None:
    job = maya.post("/api/retry", {"alias": "wren"})["job"]
    assert Job.objects.get(pk=job).kind == "retry"
    assert maya.post("/api/retry", {"alias": "wren"})["job"] is None


def test_facts_are_stated_one_by_one_and_taken_back(maya: Program) -> None:
    maya.post("/api/model-facts", {"alias": "wren", "facts": {"context_window": 9000, "limits": {"rpm": 5}}})
    told = maya.post("/api/model-facts", {"alias": "wren", "facts": {"tools": True, "limits": {"tpm": 70}}})
    assert told["stated"] == {"context_window": 9000, "tools": True, "limits": {"rpm": 5, "tpm": 70}}
    told = maya.post("/api/model-facts", {"alias": "wren", "facts": {"context_window": None, "limits": {"rpm": ""}}})
    assert told["stated"] == {"tools": True, "limits": {"tpm": 70}}
    maya.post("/api/model-facts", {"alias": "wren", "facts": {"tools": "", "limits": {"tpm": None}}})
    assert not Fact.objects.filter(source="operator").exists()


@pytest.mark.parametrize(("facts", "field"), [
    ({"context_window": "many"}, "context_window"),
    ({"colour": "red"}, "colour"),
    ({"limits": {"rpy": 1}}, "limits"),
    ({"limits": [1]}, "limits"),
    ({"tools": 1, "vision": "yes"}, "vision"),
])  # fmt: skip
def test_a_fact_that_cannot_be_is_named(maya: Program, facts: dict[str, Any], field: str) -> None:
    assert f"{field}: " in maya.refused("/api/model-facts", {"alias": "wren", "facts": facts})
    assert not Fact.objects.exists()


def test_the_most_tokens_are_set_and_cleared(maya: Program) -> None:
    LanguageModel.objects.filter(alias="wren").update(options={"temperature": 0.5}, role="light", ad_hoc=True)
    told = maya.post("/api/model-options", {"alias": "wren", "max_tokens": 700})
    assert told["options"] == {"temperature": 0.5, "max_tokens": 700}
    for nothing in (None, ""):
        assert maya.post("/api/model-options", {"alias": "wren", "max_tokens": nothing})["options"] == {
            "temperature": 0.5
        }
    for bad in ("700", 0, -1, 2_000_000, 1.5):
        assert "max_tokens" in maya.refused("/api/model-options", {"alias": "wren", "max_tokens": bad})
    assert (model("wren").role, model("wren").ad_hoc) == ("light", True)
