"""Verdicts, records and pending calls: who may do what, and what is answered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User

from collections_app.models import Collection, Evidence, Verdict
from collections_app.standings_store import rebuild_standings
from gateway.tests.api.world import (
    Person,
    keys_required,
    make_collection,
    make_key,
    make_model,
    make_panel,
    make_user,
)

pytestmark = pytest.mark.django_db


@dataclass
class World:
    """alice asked bench/core and bench/side, bob asked bench/core, and somebody local asked bench/core."""

    alice: Person
    alice_on_side: Person
    bob: Person
    local: Person
    users: dict[str, User]
    core: Collection
    side: Collection
    calls: dict[str, list[str]]


@pytest.fixture
def world() -> Iterator[World]:
    """Keys are required, as on a shared server."""
    alice, bob = make_user("alice"), make_user("bob")
    alpha, beta = make_model("alpha"), make_model("beta")
    core, side = make_collection("core", alpha, beta), make_collection("side", alpha)
    calls = {
        "alice": make_panel("p1-a", alice, core, "ok", "error", "empty", "asked"),
        "alice-side": make_panel("p1-s", alice, side, "ok"),
        "bob": make_panel("p1-b", bob, core, "ok", "ok"),
        "local": make_panel("p1-l", None, core, "ok"),
    }
    with keys_required():
        yield World(
            make_key(alice, "alice-laptop"),
            make_key(alice, "alice-side", side),
            make_key(bob, "bob-laptop"),
            Person(),
            {"alice": alice, "bob": bob},
            core,
            side,
            calls,
        )


def verdict(person: Person, call: str, useful: bool = True, **rest: object) -> Any:
    return person.post("/bench/verdict", {"call": call, "useful": useful, **rest})


def error_of(response: Any) -> str:
    error = response.json()["error"]
    assert error.keys() == {"message", "type", "code"}
    assert error["type"] == "bench_gateway"
    assert error["code"] == response.status_code
    return str(error["message"])


OWNERSHIP = [
    ("alice", "alice", True),
    ("alice", "alice-side", True),
    ("alice", "bob", False),
    ("alice", "local", False),
    ("alice_on_side", "alice-side", True),
    ("alice_on_side", "alice", False),
    ("alice_on_side", "bob", False),
    ("bob", "bob", True),
    ("bob", "alice", False),
    ("bob", "local", False),
]


@pytest.mark.parametrize(("who", "whose", "allowed"), OWNERSHIP)
def test_only_the_asker_judges_and_only_within_the_keys_scope(
    world: World, who: str, whose: str, allowed: bool
) -> None:
    call = world.calls[whose][0]
    response = verdict(getattr(world, who), call)
    assert response.status_code == (200 if allowed else 404)
    assert Verdict.objects.filter(call=call).exists() is allowed
    if not allowed:
        assert call in error_of(response)


@pytest.mark.parametrize(("who", "whose", "allowed"), OWNERSHIP)
def test_only_the_askers_calls_are_pending(world: World, who: str, whose: str, allowed: bool) -> None:
    call = world.calls[whose][0]
    response = getattr(world, who).post("/bench/pending", {"calls": [call]})
    assert response.status_code == 200
    assert response.json() == {"pending": [call] if allowed else []}


def test_where_no_keys_are_asked_for_the_local_caller_owns_what_nobody_owns(world: World) -> None:
    with keys_required(False):
        assert verdict(world.local, world.calls["local"][0]).status_code == 200
        assert verdict(world.local, world.calls["alice"][0]).status_code == 404
        assert verdict(Person("bwk_wrong"), world.calls["local"][0]).status_code == 200
        assert Verdict.objects.get().judge_name == "local"


def test_an_unknown_call_and_a_foreign_one_are_told_alike(world: World) -> None:
    foreign, unknown = verdict(world.alice, world.calls["bob"][0]), verdict(world.alice, "p1-zzzz")
    assert error_of(foreign).replace(world.calls["bob"][0], "X") == error_of(unknown).replace("p1-zzzz", "X")


def test_a_verdict_comes_back_as_it_was_recorded(world: World) -> None:
    call = world.calls["alice"][0]
    response = verdict(world.alice, call, note="found  the race", real=["The lock is free."], false=None)
    assert response.status_code == 200
    body = response.json()
    date = body["recorded"].pop("date")
    assert len(date) == 10
    assert body == {
        "ok": True,
        "recorded": {
            "model": "alpha",
            "task": "Read this (bench/core, review)",
            "useful": True,
            "note": "found the race",
            "call": call,
            "real": ["The lock is free."],
            "false": [],
        },
    }
    row = Verdict.objects.get(call=call)
    assert (row.judge, row.judge_name) == (world.users["alice"], "alice")


def test_a_blank_note_keeps_the_earlier_one_and_the_same_verdict_writes_nothing(world: World) -> None:
    call = world.calls["alice"][0]
    verdict(world.alice, call, note="why", real=["one"])
    rows = Evidence.objects.count()
    again = verdict(world.alice, call, note=None, real=[])
    assert (again.json()["recorded"]["note"], again.json()["recorded"]["real"]) == ("why", ["one"])
    assert Evidence.objects.count() == rows
    assert verdict(world.alice, call, useful=False).json()["recorded"]["useful"] is False


def test_a_verdict_is_withdrawn_and_the_call_waits_again(world: World) -> None:
    call = world.calls["alice"][0]
    verdict(world.alice, call, note="why")
    for gone in (True, False):
        response = world.alice.post("/bench/verdict", {"call": call, "withdraw": True})
        assert (response.status_code, response.json()) == (200, {"ok": True, "withdrawn": gone})
    assert not Verdict.objects.exists()
    assert Evidence.objects.get(call=call, current=True).useful is None
    assert world.alice.post("/bench/pending", {"calls": [call]}).json() == {"pending": [call]}
    assert verdict(world.alice, call, withdraw=False).json()["recorded"]["note"] == ""


def test_only_ones_own_verdict_is_withdrawn(world: World) -> None:
    call = world.calls["alice"][0]
    verdict(world.alice, call)
    assert world.bob.post("/bench/verdict", {"call": call, "withdraw": True}).status_code == 404
    assert Verdict.objects.filter(call=call).exists()


def test_claims_are_bounded_and_contradictions_refused(world: World) -> None:
    call = world.calls["alice"][0]
    many = verdict(world.alice, call, note="n" * 900, real=[f"{n}  {'c' * 500}" for n in range(30)]).json()["recorded"]
    assert (len(many["note"]), len(many["real"]), {len(claim) for claim in many["real"]}) == (500, 20, {400})
    response = verdict(world.alice, call, real=["it leaks"], false=["it  leaks"])
    assert response.status_code == 400
    assert "cannot both hold and be false" in error_of(response)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"call": "x", "withdraw": True, "useful": True}, "withdraw: Send a call to withdraw from"),
        ({"call": "x", "withdraw": True, "note": "n"}, "withdraw: Send a call to withdraw from"),
        ({"call": "x", "withdraw": 1}, "withdraw: Send true or false."),
        ({"call": "x", "withdraw": False}, "useful: Send true or false."),
        ({"useful": True}, "call"),
        ({"call": "x"}, "useful"),
        ({"call": "x", "useful": "true"}, "useful: Send true or false."),
        ({"call": "x", "useful": 1}, "useful: Send true or false."),
        ({"call": "x", "useful": None}, "useful: Send true or false."),
        ({"call": 5, "useful": True}, "call: Send a string."),
        ({"call": "x" * 65, "useful": True}, "call"),
        ({"call": "x\x00", "useful": True}, "call"),
        ({"call": "x", "useful": True, "note": ["a"]}, "note: Send a string."),
        ({"call": "x", "useful": True, "real": "one"}, "real: Send a list of strings"),
        ({"call": "x", "useful": True, "false": [1]}, "false"),
        ({"call": "x", "useful": True, "real": {"a": "b"}}, "real"),
        ([], "one JSON object"),
        ("x", "one JSON object"),
        (b"{", "not JSON"),
        (b"", "call"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"call": "\\ud800", "useful": true}', ""),
    ],
)
def test_a_malformed_verdict_is_told_what_to_change(world: World, body: object, words: str) -> None:
    response = world.alice.post("/bench/verdict", body)
    assert response.status_code == 400
    assert words in error_of(response)


@pytest.mark.parametrize(
    "body", [{}, {"calls": None}, {"calls": "x"}, {"calls": [1]}, {"calls": ["nul\x00"]}, {"calls": {"a": 1}}, []]
)
def test_pending_wants_a_list_of_strings(world: World, body: object) -> None:
    response = world.alice.post("/bench/pending", body)
    assert response.status_code == 400
    assert error_of(response)


def test_pending_takes_five_thousand_ids_and_not_one_more(world: World) -> None:
    many = [f"p1-{number}" for number in range(5_000)]
    assert world.alice.post("/bench/pending", {"calls": many}).json() == {"pending": []}
    assert "5,000" in error_of(world.alice.post("/bench/pending", {"calls": [*many, "x"]}))


def test_failed_unfinished_and_judged_calls_are_not_pending_and_the_order_is_kept(world: World) -> None:
    ok, error, empty, asked = world.calls["alice"]
    side = world.calls["alice-side"][0]
    verdict(world.alice, side)
    sent = [empty, "unknown", "", ok, error, asked, side, ok]
    assert world.alice.post("/bench/pending", {"calls": sent}).json() == {"pending": [empty, ok]}


def test_the_record_counts_judged_answers_of_the_collection(world: World) -> None:
    verdict(world.alice, world.calls["alice"][0], useful=True, note="caught the race")
    verdict(world.alice, world.calls["alice"][2], useful=False)
    verdict(world.bob, world.calls["bob"][0], useful=True)
    verdict(world.bob, world.calls["bob"][1], useful=True)
    verdict(world.alice, world.calls["alice-side"][0], useful=False)
    body = world.alice.get("/bench/record", collection="bench/core:merged").json()
    assert (body["collection"], body["task"]) == ("bench/core", "")
    counts = {alias: (row["useful"], row["notUseful"], row["judged"]) for alias, row in body["aliases"].items()}
    assert counts == {"alpha": (2, 1, 3), "beta": (1, 0, 1)}
    assert body["aliases"]["alpha"]["lastAt"].endswith("+00:00")


def test_a_split_of_judges_is_judged_but_neither(world: World) -> None:
    Evidence.objects.filter(call=world.calls["alice"][0]).update(useful=0.5, judges=2)
    rebuild_standings()
    counts = world.alice.get("/bench/record", collection="core").json()["aliases"]["alpha"]
    assert (counts["useful"], counts["notUseful"], counts["judged"]) == (0, 0, 1)


def test_the_record_can_be_narrowed_by_the_words_of_ones_own_notes(world: World) -> None:
    verdict(world.alice, world.calls["alice"][0], note="caught the Race")
    verdict(world.alice, world.calls["alice"][2], note="nothing")
    verdict(world.bob, world.calls["bob"][1], note="the Race, secretly")
    body = world.alice.get("/bench/record", collection="core", task="Race").json()
    assert {alias: row["judged"] for alias, row in body["aliases"].items()} == {"alpha": 1}
    assert world.alice.get("/bench/record", collection="core", task="race").json()["aliases"] == {}


def test_route_turns_and_work_of_other_collections_are_not_counted(world: World) -> None:
    Evidence.objects.filter(call=world.calls["bob"][0]).update(kind="route", useful=1.0)
    Evidence.objects.filter(call=world.calls["bob"][1]).update(
        useful=1.0, collection_name="side", task="(bench/core, review)"
    )
    rebuild_standings()
    assert set(world.alice.get("/bench/record", collection="side").json()["aliases"]) == {"beta"}
    assert world.alice.get("/bench/record", collection="core").json()["aliases"] == {}


@pytest.mark.parametrize(
    ("who", "query", "status"),
    [
        ("alice", {}, 400),
        ("alice", {"collection": ""}, 400),
        ("alice", {"collection": "bench/"}, 400),
        ("alice", {"collection": "c" * 101}, 400),
        ("alice", {"collection": "bench/nobody"}, 200),
        ("alice_on_side", {"collection": "bench/side"}, 200),
        ("alice_on_side", {"collection": "bench/core"}, 403),
        ("alice_on_side", {"collection": "bench/nobody"}, 403),
        ("local", {"collection": "bench/core"}, 401),
    ],
)
def test_the_record_is_shown_within_the_keys_scope(world: World, who: str, query: dict[str, str], status: int) -> None:
    response = getattr(world, who).get("/bench/record", **query)
    assert response.status_code == status
    if status == 403:
        assert "bench/side" in error_of(response)
    if status == 200 and query["collection"] == "bench/nobody":
        assert response.json() == {"collection": "bench/nobody", "task": "", "aliases": {}}


def test_who_may_not_judge_is_told_so(world: World) -> None:
    viewer = make_user("victor", "viewer")
    call = make_panel("p1-v", viewer, world.core, "ok")[0]
    response = verdict(make_key(viewer, "victor-laptop"), call)
    assert response.status_code == 403
    assert "group" in error_of(response)


def test_the_record_says_when_a_judged_answer_last_came_and_forgets_a_withdrawn_one(world: World) -> None:
    first, _, later, _ = world.calls["alice"]
    verdict(world.alice, first)
    before = world.alice.get("/bench/record", collection="core").json()["aliases"]["alpha"]
    verdict(world.alice, later)
    after = world.alice.get("/bench/record", collection="core").json()["aliases"]["alpha"]
    assert after["lastAt"] > before["lastAt"]
    assert (before["judged"], after["judged"]) == (1, 2)
    world.alice.post("/bench/verdict", {"call": later, "withdraw": True})
    assert world.alice.get("/bench/record", collection="core").json()["aliases"]["alpha"] == before
