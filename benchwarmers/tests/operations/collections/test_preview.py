"""Who would sit next, told by the engine's own plans before anything is saved."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from benchwarmers.operations.collections.picks import chosen, offered, warn
from benchwarmers.operations.collections.preview import Preview, preview
from gateway.engine.moment import Moment
from gateway.engine.snapshot import CollectionView, EndpointView, ModelView, Snapshot, Votes

NOW = 1_800_000_000.0
DAY = 86_400.0
NORTH = EndpointView(1, "north", "https://north.example/v1", "provider", "chat")


def model(number: int, alias: str, **more: Any) -> ModelView:
    return ModelView(number, alias, more.pop("served", f"maker/{alias}"), NORTH, **more)


def world(**more: Any) -> Snapshot:
    models = [
        model(1, "ada", tools=True, vision=True, context_window=128_000),
        model(2, "bob", tools=True, context_window=16_000),
        model(3, "cy", vision=True, ad_hoc=True),
        model(4, "dot", tools=True, served="other/ada"),
        model(5, "eve", role="code"),
        model(6, "old", retired_on="2026-10-01", retired_why="gone"),
        model(7, "fay", tools=True),
    ]
    return structs.replace(Snapshot(models={one.alias: one for one in models}), **more)


def line_up(found: Preview) -> list[tuple[str, str]]:
    return [(chair.kind, chair.alias) for chair in found.chairs]


def look(snapshot: Snapshot, carries: str = "text", **more: Any) -> Preview:
    collection = CollectionView(0, "new", **({"members": ("ada", "bob")} | more))
    return preview(collection, snapshot, Moment(NOW, snapshot.last_work, snapshot.cooling), carries)


def test_members_sit_first_and_the_stalest_explores_with_its_reason() -> None:
    found = look(world(last_work={"fay": NOW - DAY}), max_explorers=1)
    assert line_up(found) == [("member", "ada"), ("member", "bob"), ("explorer", "fay")]
    assert found.chairs[0].why == "member 1 of bench/new"
    assert "last worked 1 d ago" in found.chairs[2].why
    assert "staler" in found.chairs[2].until
    assert found.open
    assert (found.members, found.explorers) == (2, 1)


def test_who_cannot_sit_is_told_with_why() -> None:
    found = look(world(cooling={"bob": NOW + 120}), members=("ada", "bob", "old", "nobody"))
    assert dict(found.skipped) == {
        "bob": "rests after a rate limit for another 2 min",
        "old": "retired on 2026-10-01: gone; restore it to seat it again",
        "nobody": "no model has this alias",
    }
    assert [alias for kind, alias in line_up(found) if kind == "member"] == ["ada"]


def test_a_merged_reply_names_its_merger_and_why() -> None:
    assert look(world(), reply="merged", merger="fay").chairs[-1].why == "the merger of bench/new"
    snapshot = world(by_shape={"general": {"bob": Votes(3.0, 1.0)}})
    chosen_one = look(snapshot, reply="merged").chairs[-1]
    assert (chosen_one.kind, chosen_one.alias) == ("merger", "bob")
    assert "3 useful verdicts on general" in chosen_one.why
    assert ("old", "retired on 2026-10-01: gone; a member was chosen by its verdicts instead") in look(
        world(), reply="merged", merger="old"
    ).skipped


@pytest.mark.parametrize(
    ("carries", "told"),
    [
        ("tools", "route mode takes them"),
        ("long", "more than these members of bench/new take: bob (16,000)"),
    ],
)
def test_what_would_be_refused_is_told_instead(carries: str, told: str) -> None:
    found = look(world(), carries)
    assert told in found.refused
    assert not found.chairs


def test_an_image_leaves_out_who_does_not_see() -> None:
    found = look(world(), "image", max_explorers=0)
    assert line_up(found) == [("member", "ada")]
    assert found.skipped[0][0] == "bob"


def test_a_route_tells_how_many_of_a_hundred_conversations_each_gets() -> None:
    snapshot = world(useful={"bob": 9.0, "ada": 2.0}, last_work={"ada": NOW - DAY, "bob": NOW})
    found = look(snapshot, "tools", reply="route", members=("ada", "bob", "cy"))
    assert [taker.alias for taker in found.takers] == ["bob", "ada"]
    shares = [taker.share for taker in found.takers]
    assert sum(shares) == 100
    assert 60 < shares[0] < 90
    assert found.takers[0].why == "9 useful verdicts over all work"
    assert "more than bob" in found.takers[1].turns
    assert found.skipped == [("cy", "an ad hoc model is asked by name only")]


def test_a_route_by_belief_goes_by_what_is_believed_of_each() -> None:
    snapshot = world(
        lately={"": {"ada": Votes(40.0, 2.0), "bob": Votes(2.0, 40.0)}}, last_work={"ada": NOW, "bob": NOW}
    )
    found = look(snapshot, reply="route", ranking="bayes")
    assert [(taker.alias, taker.share) for taker in found.takers] == [("ada", 100), ("bob", 0)]
    assert "93 of a hundred" in found.takers[0].why


def test_who_rests_comes_last_in_a_route() -> None:
    found = look(world(cooling={"ada": NOW + 60}), reply="route")
    assert [taker.alias for taker in found.takers] == ["bob", "ada"]
    assert found.takers[1].why == "rests after a rate limit"


def test_the_same_look_twice_is_the_same() -> None:
    assert look(world()) == look(world())
    assert look(world(), reply="route") == look(world(), reply="route")


def test_who_is_offered_leaves_out_members_and_retired_and_puts_misfits_last() -> None:
    pool = offered("", {"ada"}, ["tools"], world(), (), NOW)
    assert [pick.alias for pick in pool.picks] == ["bob", "dot", "fay", "cy", "eve"]
    assert [bool(pick.misfit) for pick in pool.picks] == [False, False, False, True, True]
    assert [pick.alias for pick in offered("OTHER/", (), [], world(), (), NOW).picks] == ["dot"]


def test_free_leaves_out_of_the_pool_what_costs_money() -> None:
    pool = offered("", (), ["free"], world(), {"north"}, NOW)
    assert (pool.picks, pool.hidden) == ([], 6)


def test_a_member_s_notes_tell_what_bears_on_its_seat() -> None:
    snapshot = world(cooling={"ada": NOW + 90})
    picks = {pick.alias: pick for pick in chosen(["ada", "cy", "old", "who"], ["tools"], snapshot, (), NOW)}
    assert list(picks["ada"].notes) == ["rests for another 1 min"]
    assert picks["cy"].misfit == "is not known to call tools"
    assert list(picks["cy"].notes) == ["ad hoc: route mode passes it over"]
    assert "retired on" in picks["old"].notes[0]
    assert (picks["who"].model, picks["who"].misfit) == (None, "no model has this alias")


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"members": ("ada", "bob")}, "bob takes 16,000 tokens at most: longer requests are refused for all."),
        ({"members": ("ada", "bob"), "reply": "route"}, "bob takes 16,000 tokens at most: longer turns pass it over."),
        ({"members": ("ada", "fay")}, "The context window of fay is not known."),
        (
            {"members": ("ada", "eve"), "reply": "route"},
            "eve is not known to call tools, so agents' turns pass it over.",
        ),
        ({"members": ("eve",), "reply": "route"}, "No member is known to call tools: agents will be refused."),
        ({"members": ("ada", "cy"), "reply": "route"}, "Route mode never asks cy, which is ad hoc."),
        ({"members": ("ada", "dot")}, "The same model by two ways is one opinion: ada + dot."),
        ({"members": ("ada",), "max_explorers": 0}, "Nobody explores here, so no newcomer can show what it is worth."),
        ({"members": ("ada", "bob", "cy", "eve", "fay")}, "All 5 seats of a panel are taken, so nobody explores."),
    ],
)
def test_what_one_should_know_of_a_choice_is_said(more: dict[str, Any], told: str) -> None:
    assert told in warn(CollectionView(0, "new", **more), world())


def test_a_choice_without_a_catch_is_not_commented() -> None:
    assert warn(CollectionView(0, "new", members=("ada",)), world()) == []
    assert warn(CollectionView(0, "new"), world()) == []
