"""Verdicts on work in route mode, over rows as the recorder writes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from collections_app.models import Collection, Evidence, LanguageModel, Standing, Verdict
from gateway.canon.event import Usage
from gateway.engine.batch import write_records
from gateway.engine.records import TurnMade, Work
from gateway.tests.api.world import AT, Person, keys_required, make_collection, make_key, make_model, make_user

pytestmark = pytest.mark.django_db


@dataclass
class World:
    """Of each of alice, bob and somebody local: a conversation with bench/core that alpha began and beta took over. Of
    alice one with bench/side too."""

    alice: Person
    alice_on_side: Person
    bob: Person
    local: Person
    alpha: LanguageModel
    beta: LanguageModel


def turn(
    conversation: str, owner: User | None, where: Collection, model: LanguageModel | None, **facts: Any
) -> TurnMade:
    given: dict[str, Any] = {
        "conversation_id": conversation,
        "call": f"{conversation}.1",
        "at": AT,
        "done_at": AT + timedelta(seconds=4),
        "turn": 1,
        "alias": model.alias if model else "",
        "language_model_id": model.pk if model else None,
        "owner_id": owner.pk if owner else None,
        "key_id": None,
        "caller": owner.get_username() if owner else "local",
        "collection_id": where.pk,
        "collection_name": where.name,
        "protocol": "anthropic",
        "task": "Fix the build",
        "status": "ok",
        "seconds": 4.0,
        "first_token_s": 0.5,
        "tool_calls": ("Read", "Edit"),
        "finish": "tool use",
        "usage": Usage(900, 40),
        "tried": [],
        "error": "",
    }
    return TurnMade(**(given | facts))


def work(call: str, where: Collection, model: LanguageModel) -> Work:
    return Work(call, model.pk, where.pk, where.name, "route", "", "Fix the build", "ok", AT)


@pytest.fixture
def world() -> Iterator[World]:
    alice, bob = make_user("alice"), make_user("bob")
    alpha, beta = make_model("alpha"), make_model("beta")
    core, side = make_collection("core", alpha, beta), make_collection("side", alpha)
    for name, owner, where in (("ra", alice, core), ("rs", alice, side), ("rb", bob, core), ("rl", None, core)):
        later = {"turn": 2, "call": f"{name}.2", "tried": [{"alias": "alpha", "error": "429"}]}
        lost = {"turn": 3, "call": "", "status": "error", "error": "nobody answered"}
        write_records(
            [
                *(turn(name, owner, where, alpha), work(f"{name}.1", where, alpha)),
                *(turn(name, owner, where, beta, **later), work(f"{name}.2", where, beta)),
                turn(name, owner, where, None, **lost),
            ]
        )
    with keys_required():
        yield World(
            make_key(alice, "alice-laptop"),
            make_key(alice, "alice-side", side),
            make_key(bob, "bob-laptop"),
            Person(),
            alpha,
            beta,
        )


@pytest.mark.parametrize(
    ("who", "call", "status"),
    [
        ("alice", "ra.1", 200),
        ("alice", "ra.2", 200),
        ("alice", "rs.1", 200),
        ("alice", "rb.1", 404),
        ("alice", "rl.1", 404),
        ("alice", "ra.3", 404),
        ("alice", "ra", 404),
        ("alice", "", 400),
        ("alice_on_side", "rs.2", 200),
        ("alice_on_side", "ra.1", 404),
        ("bob", "rb.2", 200),
        ("bob", "ra.2", 404),
        ("local", "rl.1", 401),
    ],
)
def test_only_who_began_a_conversation_judges_its_models(world: World, who: str, call: str, status: int) -> None:
    response = getattr(world, who).post("/bench/verdict", {"call": call, "useful": True})
    assert response.status_code == status
    assert Verdict.objects.filter(call=call).exists() is (status == 200)


def test_where_no_keys_are_asked_for_the_local_caller_owns_what_nobody_owns(world: World) -> None:
    with keys_required(False):
        assert world.local.post("/bench/verdict", {"call": "rl.2", "useful": False}).status_code == 200
        assert world.local.post("/bench/verdict", {"call": "ra.1", "useful": False}).status_code == 404
    assert Verdict.objects.get().judge_name == "local"


def test_the_verdict_names_the_model_and_where_it_worked_and_moves_its_standing(world: World) -> None:
    body = {"call": "ra.2", "useful": True, "note": "Built in two turns.", "real": ["The import was missing."]}
    recorded = world.alice.post("/bench/verdict", body).json()["recorded"]
    assert recorded.pop("date")
    assert recorded == {"model": "beta", "task": "Fix the build (bench/core:route)", "false": [], **body}
    assert Evidence.objects.get(call="ra.2", current=True).useful == 1.0
    moved = {
        row.language_model.alias: (row.offloads, row.judged, row.useful)
        for row in Standing.objects.filter(collection_name="")
    }
    assert moved == {"alpha": (4, 0, 0.0), "beta": (4, 1, 1.0)}


def test_work_in_route_mode_is_never_pending(world: World) -> None:
    calls = ["ra.1", "ra.2", "rs.1", "rb.1"]
    assert world.alice.post("/bench/pending", {"calls": calls}).json() == {"pending": []}


def test_the_record_does_not_count_work_in_route_mode(world: World) -> None:
    world.alice.post("/bench/verdict", {"call": "ra.1", "useful": True, "note": "quick"})
    assert Evidence.objects.filter(current=True, useful__isnull=False, collection_name="core").count() == 1
    for query in ({}, {"task": "quick"}):
        assert world.alice.get("/bench/record", collection="bench/core", **query).json()["aliases"] == {}
