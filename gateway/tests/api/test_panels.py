"""A panel as the interface shows it: whose it is, what it tells, and how it is followed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from gateway.api import panel_views
from gateway.api.panel_views import follow
from gateway.models import Panel, Seat
from gateway.tests.api.world import Person, keys_required, make_collection, make_key, make_model, make_panel, make_user


@pytest.fixture
def people(db: None) -> Iterator[tuple[Person, Person]]:
    """Alice, who asked p1, and Bob, who did not."""
    alice, bob = make_user("alice"), make_user("bob")
    core = make_collection("core", make_model("alpha"), make_model("beta"))
    make_panel("p1", alice, core, "ok", "asked")
    Seat.objects.filter(pk="p1.member1").update(answer="Yes.", why="member 1", until="it retires")
    Panel.objects.filter(pk="p1").update(prompt="a secret question", state="running")
    with keys_required():
        yield make_key(alice, "alice-laptop"), make_key(bob, "bob-laptop")


def test_who_asked_sees_the_seats_and_why_they_sit_there(people: tuple[Person, Person]) -> None:
    alice, _ = people
    panel = alice.get("/bench/panels/p1").json()
    assert (panel["panel"], panel["collection"], panel["state"]) == ("p1", "bench/core", "running")
    assert [(seat["call"], seat["status"], seat["answer"]) for seat in panel["seats"]] == [
        ("p1.member1", "ok", "Yes."),
        ("p1.member2", "asked", ""),
    ]
    assert panel["plan"][0] == {"call": "p1.member1", "alias": "alpha", "why": "member 1", "until": "it retires"}
    assert "secret" not in json.dumps(panel)


@pytest.mark.parametrize("path", ["/bench/panels/p1", "/bench/panels/p1/events", "/bench/panels/p9"])
def test_others_are_told_of_no_such_panel(people: tuple[Person, Person], path: str) -> None:
    _, bob = people
    response = bob.get(path)
    assert response.status_code == 404
    assert "that you asked for" in response.json()["error"]["message"]


@pytest.mark.parametrize("last", ["", "x", "-1", "²", "9" * 5_000])
def test_whoever_says_nonsense_about_what_they_heard_hears_it_from_the_beginning(
    people: tuple[Person, Person], last: str
) -> None:
    alice, _ = people
    response = alice.get("/bench/panels/p1/events", after=last)
    assert (response.status_code, response["Content-Type"]) == (200, "text/event-stream")


def seat(number: int, done: bool) -> dict[str, Any]:
    at = datetime(2026, 11, 29, 12, 0, number, tzinfo=UTC).isoformat() if done else None
    return {"call": f"p1.member{number}", "finished_at": at}


def panel(done: int, state: str = "running") -> dict[str, Any]:
    return {"state": state, "seats": [seat(number, number <= done) for number in (1, 2, 3)]}


async def events(states: Sequence[dict[str, Any] | None], after: int = 0) -> list[tuple[str, str, Any]]:
    """(id, event, data) of what is told of a panel that goes through these states."""
    left = list(states)

    async def look() -> dict[str, Any] | None:
        return left.pop(0)

    told: list[tuple[str, str, Any]] = []
    async for piece in follow(look, after):
        if piece.startswith(b":"):
            told.append(("", "beat", None))
            continue
        number, name, data = (line.partition(": ")[2] for line in piece.decode().strip().split("\n"))
        told.append((number, name, json.loads(data)))
    return told


async def test_seats_are_told_as_they_finish_and_the_panel_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel_views, "LOOK_S", 0.0)
    told = await events([panel(0), panel(1), panel(1), panel(3, "done")])
    assert [(number, name) for number, name, _ in told] == [("1", "seat"), ("2", "seat"), ("3", "seat"), ("4", "panel")]
    assert [data["call"] for _, name, data in told if name == "seat"] == ["p1.member1", "p1.member2", "p1.member3"]


async def test_who_comes_back_hears_only_what_is_new() -> None:
    told = await events([panel(3, "done")], after=2)
    assert [(number, name) for number, name, _ in told] == [("3", "seat"), ("4", "panel")]


async def test_silence_is_broken_by_a_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panel_views, "LOOK_S", 0.01)
    monkeypatch.setattr(panel_views, "BEAT_S", 0.02)
    told = await asyncio.wait_for(events([panel(0)] * 6 + [panel(0, "interrupted")]), 5)
    assert ("", "beat", None) in told
    assert told[-1][1] == "panel"


async def test_a_panel_that_is_deleted_ends_the_stream() -> None:
    assert await events([None]) == []
