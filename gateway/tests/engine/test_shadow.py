"""Shadow seats: who answers a turn once more, when, how often a day, and what is kept of it."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from msgspec import Raw

from gateway.canon.ask import Ask, Text, Thought, Turn
from gateway.canon.event import Finish
from gateway.canon.reply import Reply
from gateway.engine.conversations import Conversation
from gateway.engine.moment import Moment
from gateway.engine.route import Opened
from gateway.engine.route_plan import plan_route
from gateway.engine.shadow import Answered, choose_shadow
from gateway.engine.snapshot import ModelView
from gateway.models import Shadow
from gateway.tests.engine.rooms import Make, Room, slow
from gateway.tests.engine.turning import asked_of, calls, evidence, turn
from gateway.tests.engine.upstream import refuses, says
from gateway.tests.engine.world import LOCAL, NOW, ask, collection, model, snapshot

MINE = says("text mine", "usage 1 2", "end stop")
OTHER = says("text other", "usage 3 4", "end stop")


def answered(
    asked: Ask, *others: ModelView, who: str = "members", members: tuple[str, ...] = ("a", "b", "c")
) -> Answered:
    seats = collection(*members, shadow_share=1.0)
    known = snapshot(*(model(alias, tools=True) for alias in members))
    plan = plan_route(asked, seats, known, Moment(NOW, {}, {}), Random(1))
    begun = Conversation(False, "r1", "a", plan.eligible, (), 1, "a", NOW)
    opened = Opened("k", begun, plan.eligible, plan, asked, LOCAL, known, {})
    return Answered(opened, "a", Reply((Text("mine"),), finish=Finish.STOP))


def chosen(turned: Answered, last_work: dict[str, float] | None = None, resting: dict[str, float] | None = None) -> Any:
    return choose_shadow(turned, Moment(NOW, last_work or {}, resting or {}), Random(1))


def test_the_other_member_whose_work_is_oldest_answers_in_the_shadow() -> None:
    pick = chosen(answered(ask()), {"a": NOW - 900, "b": NOW - 10, "c": NOW - 60})
    assert (pick.alias, pick.why) == ("c", "the member of bench/core whose work is oldest")


def test_a_member_that_rests_is_not_asked_in_the_shadow() -> None:
    assert chosen(answered(ask()), {"b": NOW - 10}, {"c": NOW + 60}).alias == "b"
    assert chosen(answered(ask()), resting={"b": NOW + 60, "c": NOW + 60}) is None


def test_a_collection_of_one_has_no_shadow_of_its_own() -> None:
    assert chosen(answered(ask(), members=("a",))) is None


def test_an_explorer_is_no_member_and_could_have_taken_the_turn() -> None:
    blind = model("blind", tools=True, vision=False)
    small = model("small", tools=True, vision=True, context_window=10)
    fit = model("fit", tools=True, vision=True)
    seeing = (model("a", tools=True, vision=True),)
    asked = ask(images=1)
    seats = collection("a", shadow_share=1.0, shadow_who="explorers")
    known = snapshot(*seeing, blind, small, fit)
    plan = plan_route(asked, seats, known, Moment(NOW, {}, {}), Random(1))
    begun = Conversation(False, "r1", "a", plan.eligible, (), 1, "a", NOW)
    turned = Answered(Opened("k", begun, plan.eligible, plan, asked, LOCAL, known, {}), "a", Reply())
    pick = chosen(turned)
    assert (pick.alias, pick.why) == ("fit", "has never worked; stalest of 1 candidate")


async def shadows(room: Room) -> list[Shadow]:
    """What is written of shadows once those under way have ended."""
    for _ in range(100):
        if not [task for task in asyncio.all_tasks() if task.get_name().endswith(" shadow")]:
            break
        await asyncio.sleep(0.02)
    await room.bench.recorder.settle()
    found: list[Shadow] = await room.query(lambda: list(Shadow.objects.select_related("language_model")))
    return found


SHARED = {"share": 1, "who": "members", "daily": 100}


async def test_the_caller_has_its_answer_before_the_shadow_is_asked(room: Make) -> None:
    one = await room(MINE, slow(0.3, OTHER), reply="route", shadow=SHARED)
    heard = await turn(one)
    assert heard.text == "mine"
    (shadow,) = await shadows(one)
    call = heard.bench["conversation"] + ".shadow1"
    assert (shadow.call, shadow.number, shadow.alias, shadow.status) == (call, 1, "m2", "ok")
    assert (shadow.language_model.alias, shadow.member) == ("m2", "m1")  # type: ignore[union-attr]
    assert (shadow.proposal["text"], shadow.beside["text"]) == ("other", "mine")
    assert (shadow.tokens_in, shadow.tokens_out, shadow.finish) == (3, 4, "stop")
    assert [row[:4] for row in await calls(one)] == [("m1", "ok", 1, "route"), ("m2", "ok", 1, "shadow")]
    assert {row[1:3] for row in await evidence(one)} == {(heard.bench["call"], "route"), (call, "shadow")}


async def test_a_shadow_is_not_the_conversation(room: Make) -> None:
    one = await room(MINE, OTHER, reply="route", shadow=SHARED)
    first = await turn(one)
    await shadows(one)
    again = await turn(one)
    assert (again.bench["alias"], again.bench["turn"]) == ("m1", 2)
    assert again.bench["conversation"] == first.bench["conversation"]
    assert [shadow.number for shadow in await shadows(one)] == [1, 2]


async def test_a_shadow_that_fails_is_kept_with_what_it_said(room: Make) -> None:
    one = await room(MINE, refuses(500), reply="route", shadow=SHARED)
    await turn(one)
    (shadow,) = await shadows(one)
    assert (shadow.status, shadow.proposal["text"]) == ("error", "")
    assert "500" in shadow.error
    assert asked_of(one) == ["m1", "m2"]  # once: a shadow is worth no second try


async def test_what_the_member_has_sealed_is_not_shown_to_the_shadow(room: Make) -> None:
    sealed = Turn("assistant", (Thought("hm", Raw(b'"secret"')), Text("Blue.")))
    asked = ask(turns=(Turn("user", (Text("Sky?"),)), sealed, Turn("user", (Text("Sure?"),))))
    one = await room(MINE, OTHER, reply="route", shadow=SHARED)
    await turn(one, asked)
    await shadows(one)
    assert b"secret" not in one.provider.requests[-1].body


@pytest.mark.parametrize("shadow", [{}, {"share": 0}, {"share": 1, "daily": 0}])
async def test_nothing_is_shadowed_unless_the_collection_asks_for_it(room: Make, shadow: dict[str, Any]) -> None:
    one = await room(MINE, OTHER, reply="route", shadow=shadow)
    await turn(one)
    assert await shadows(one) == []
    assert asked_of(one) == ["m1"]


async def test_the_days_cap_holds(room: Make) -> None:
    one = await room(MINE, OTHER, reply="route", shadow={"share": 1, "daily": 2})
    for _ in range(4):
        await turn(one)
    assert len(await shadows(one)) == 2


async def test_a_turn_that_nobody_answered_has_no_shadow(room: Make) -> None:
    one = await room(refuses(400), refuses(400), reply="route", shadow=SHARED)
    heard = await turn(one)
    assert heard.fault is not None
    assert await shadows(one) == []
