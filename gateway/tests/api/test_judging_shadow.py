"""Verdicts on shadows, over rows as the recorder writes them: as on seats, and never in the record of panels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User

from collections_app.models import Collection, Evidence, LanguageModel, Verdict
from gateway.canon.event import Usage
from gateway.engine.batch import write_records
from gateway.engine.records import Proposal, Proposed, ShadowMade, Work
from gateway.tests.api.test_judging_route import turn
from gateway.tests.api.world import AT, Person, keys_required, make_collection, make_key, make_model, make_user

pytestmark = pytest.mark.django_db


@dataclass
class World:
    """Of each of alice, bob and somebody local: a conversation with bench/core whose first three turns were shadowed
    by beta: answered, failed, empty. Of alice one with bench/side too."""

    alice: Person
    alice_on_side: Person
    bob: Person
    local: Person


def shadow(conversation: str, number: int, where: Collection, model: LanguageModel, status: str) -> list[Any]:
    """The shadow of a turn and the piece of work that goes with it."""
    call = f"{conversation}.shadow{number}"
    says = Proposal("I would look first.", "", [Proposed("Read", '{"path":"a.py"}')])
    facts = (call, conversation, number, model.alias, model.pk, "its work is oldest", AT, status, 2.0, 0.4, "stop")
    made = ShadowMade(*facts, usage=Usage(9, 4), error="", proposal=says, member="alpha", beside=says)
    return [made, Work(call, model.pk, where.pk, where.name, "shadow", "", "Fix the build", status, AT)]


def talk(conversation: str, owner: User | None, where: Collection, alpha: LanguageModel, beta: LanguageModel) -> None:
    for number, status in enumerate(("ok", "error", "empty"), 1):
        made = turn(conversation, owner, where, alpha, turn=number)
        write_records([made, *shadow(conversation, number, where, beta, status)])


@pytest.fixture
def world() -> Iterator[World]:
    alice, bob = make_user("alice"), make_user("bob")
    alpha, beta = make_model("alpha"), make_model("beta")
    core, side = make_collection("core", alpha, beta), make_collection("side", alpha)
    for name, owner, where in (("ra", alice, core), ("rs", alice, side), ("rb", bob, core), ("rl", None, core)):
        talk(name, owner, where, alpha, beta)
    keys = (make_key(alice, "alice-laptop"), make_key(alice, "alice-side", side), make_key(bob, "bob-laptop"))
    with keys_required():
        yield World(*keys, Person())


@pytest.mark.parametrize(
    ("who", "call", "status"),
    [
        ("alice", "ra.shadow1", 200),
        ("alice", "ra.shadow2", 200),
        ("alice", "rs.shadow1", 200),
        ("alice", "rb.shadow1", 404),
        ("alice", "rl.shadow1", 404),
        ("alice", "ra.shadow4", 404),
        ("alice_on_side", "rs.shadow1", 200),
        ("alice_on_side", "ra.shadow1", 404),
        ("local", "rl.shadow1", 401),
    ],
)
def test_only_who_began_a_conversation_judges_its_shadows(world: World, who: str, call: str, status: int) -> None:
    answer = getattr(world, who).post("/bench/verdict", {"call": call, "useful": True})
    assert answer.status_code == status
    assert Verdict.objects.filter(call=call).exists() is (status == 200)


def test_where_no_keys_are_asked_for_the_local_caller_owns_what_nobody_owns(world: World) -> None:
    with keys_required(False):
        calls = ["rl.shadow1", "ra.shadow1"]
        assert world.local.post("/bench/pending", {"calls": calls}).json() == {"pending": calls[:1]}
        assert world.local.post("/bench/verdict", {"call": "rl.shadow1", "useful": False}).status_code == 200
    assert Verdict.objects.get().judge_name == "local"


def test_the_verdict_names_the_model_and_says_that_it_was_a_shadow(world: World) -> None:
    body = {"call": "ra.shadow1", "useful": True, "note": "Better than what was done.", "real": ["It looks first."]}
    recorded = world.alice.post("/bench/verdict", body).json()["recorded"]
    assert recorded.pop("date")
    assert recorded == {"model": "beta", "task": "Fix the build (bench/core:route, shadow)", "false": [], **body}
    judged = Evidence.objects.get(call="ra.shadow1", current=True)
    assert (judged.kind, judged.useful) == ("shadow", 1.0)


def test_shadows_that_answered_are_pending_until_they_are_judged(world: World) -> None:
    calls = ["ra.shadow3", "ra.shadow1", "ra.shadow2", "rs.shadow1", "rb.shadow1", "ra.1"]
    assert world.alice.post("/bench/pending", {"calls": calls}).json() == {
        "pending": ["ra.shadow3", "ra.shadow1", "rs.shadow1"]
    }
    world.alice.post("/bench/verdict", {"call": "ra.shadow1", "useful": False})
    assert world.alice.post("/bench/pending", {"calls": calls}).json() == {"pending": ["ra.shadow3", "rs.shadow1"]}
    assert world.alice_on_side.post("/bench/pending", {"calls": calls}).json() == {"pending": ["rs.shadow1"]}


def test_the_record_counts_no_shadows(world: World) -> None:
    world.alice.post("/bench/verdict", {"call": "ra.shadow1", "useful": True, "note": "quick"})
    assert Evidence.objects.filter(current=True, useful__isnull=False, collection_name="core").count() == 1
    for query in ({}, {"task": "quick"}):
        assert world.alice.get("/bench/record", collection="bench/core", **query).json()["aliases"] == {}
