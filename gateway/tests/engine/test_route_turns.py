"""Turns of a conversation: who takes them, what they leave behind, and whose sealed reasoning goes to whom."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from collections_app.models import Evidence, LanguageModel
from gateway.canon.ask import Ask, Text, Thought, Tool, Turn
from gateway.canon.event import Closed, Finish
from gateway.canon.fault import BadRequest, Forbidden, RateLimited
from gateway.engine.bench import Bench
from gateway.engine.conversations import Conversations
from gateway.engine.seals import LEFT_OUT
from gateway.engine.snapshot import Caller
from gateway.models import Call, Conversation
from gateway.models import Turn as TurnRow
from gateway.tests.engine.conftest import Limits
from gateway.tests.engine.rooms import Make, Room, slow
from gateway.tests.engine.stores import Valkey
from gateway.tests.engine.turning import asked_of, calls, evidence, open_turn, turn, turns
from gateway.tests.engine.upstream import Line, Request, Script, refuses, says, upstream
from gateway.tests.engine.world import ask
from gateway.tests.engine.written import AT, make_rows

GOOD = says("text Blue.", "usage 7 3", "end stop")
SEALS = says("sealed one", "text Blue.", "end stop")


def once(first: Script, then: Script) -> Script:
    """`first` for the first request, `then` for all others."""
    scripts = [first]

    async def script(line: Line, request: Request) -> None:
        await (scripts.pop() if scripts else then)(line, request)

    return script


def later(*parts: Text | Thought, more: str = "And?") -> Ask:
    """The next turn of the conversation that `ask()` opens, after an answer of these parts."""
    return ask(turns=(*ask().turns, Turn("assistant", parts), Turn("user", (Text(more),))))


def sent(room: Room, place: int) -> str:
    return room.provider.requests[place].body.decode()


async def test_a_turn_leaves_a_conversation_a_turn_a_call_and_one_piece_of_evidence(room: Make) -> None:
    one = await room(slow(0.05, GOOD), reply="route")
    heard = await turn(one, caller=Caller("ci", owner_id=one.rows.alice.pk, key_id=one.rows.key.pk))
    told = heard.bench
    number = told["conversation"]
    assert told == {
        "collection": "bench/core",
        "reply": "route",
        "conversation": number,
        "call": f"{number}.1",
        "alias": "m1",
        "turn": 1,
        "verdict": told["verdict"],
    }
    assert await turns(one) == [(1, "m1", "ok", f"{number}.1")]
    assert await calls(one) == [("m1", "ok", 1, "route")]
    assert await evidence(one) == [("m1", f"{number}.1", "route", "ok")]
    row: Conversation = await one.query(Conversation.objects.get)
    assert (row.id, row.caller, row.owner_id, row.key_id) == (number, "ci", one.rows.alice.pk, one.rows.key.pk)
    assert (row.collection_name, row.protocol, row.task) == ("core", "openai_chat", "Why is the sky blue?")
    made: TurnRow = await one.query(TurnRow.objects.get)
    assert (made.tokens_in, made.tokens_out, made.finish, made.tool_calls, made.tried) == (7, 3, "stop", [], [])
    assert made.first_token_s is not None
    assert 0.05 <= made.first_token_s < 5
    assert 0.05 <= made.seconds < 5


async def test_later_turns_stay_and_add_no_evidence(room: Make) -> None:
    one = await room(GOOD, GOOD, reply="route")
    first = await turn(one)
    one.bench.rng.random = lambda: 0.0  # type: ignore[method-assign]  # a new conversation would explore
    heard = [await turn(one, later(Text("Blue."), more=f"And {n}?")) for n in range(2)]
    assert [one.bench["turn"] for one in heard] == [2, 3]
    assert {one.bench["conversation"] for one in heard} == {first.bench["conversation"]}
    assert asked_of(one) == ["m1"] * 3
    assert len(await evidence(one)) == 1
    assert await one.query(Conversation.objects.count) == 1


async def test_work_that_was_lost_with_its_process_is_written_with_the_next_turn(room: Make) -> None:
    """A member's place is kept before its work is recorded; whoever has its call id may judge it all the same."""
    one = await room(GOOD, reply="route")
    first = await turn(one)
    lost = await one.query(lambda: Evidence.objects.all().delete()[0])
    again = await turn(one)
    assert (lost, await evidence(one)) == (1, [])  # this process knows that it has recorded it
    one.bench.conversations._worked.clear()  # another does not
    again = await turn(one)
    assert again.bench["call"] == first.bench["call"]
    assert await evidence(one) == [("m1", first.bench["call"], "route", "ok")]


async def test_who_takes_over_answers_on_under_a_call_of_its_own(room: Make) -> None:
    one = await room(once(GOOD, refuses(500)), GOOD, reply="route")
    first, second, third = [await turn(one) for _ in range(3)]
    number = first.bench["conversation"]
    assert [one.bench["call"] for one in (first, second, third)] == [f"{number}.1", f"{number}.2", f"{number}.2"]
    assert asked_of(one) == ["m1", "m1", "m2", "m2"]
    assert [row[:2] for row in await evidence(one)] == [("m1", f"{number}.1"), ("m2", f"{number}.2")]
    row: TurnRow = await one.query(lambda: TurnRow.objects.get(number=2))
    assert row.tried == [{"alias": "m1", "error": "500: no"}]


async def test_a_first_member_that_failed_leaves_no_evidence_and_the_first_call_to_the_next(room: Make) -> None:
    one = await room(refuses(500), GOOD, reply="route")
    number = (await turn(one)).bench["conversation"]
    assert await evidence(one) == [("m2", f"{number}.1", "route", "ok")]
    assert (await turn(one)).bench["call"] == f"{number}.1"
    assert len(await evidence(one)) == 1


async def test_a_member_that_answers_after_nobody_did_leaves_its_evidence(room: Make) -> None:
    one = await room(once(refuses(400), GOOD), reply="route")
    assert (await turn(one)).fault is not None
    number = (await turn(one)).bench["conversation"]
    assert await evidence(one) == [("m1", f"{number}.1", "route", "ok")]


async def test_a_turn_that_broke_off_is_evidence_once(room: Make) -> None:
    one = await room(says("text Bl", "error no"), reply="route")
    assert [(await turn(one)).failed is not None for _ in range(2)] == [True, True]
    assert [row[0::3] for row in await evidence(one)] == [("m1", "error")]


async def test_the_names_of_the_tools_called_are_kept_and_never_the_prompt(room: Make) -> None:
    one = await room(says("tool look", "end tool_use"), reply="route")
    heard = await turn(one, ask("x" * 300 + " SECRET"))
    assert isinstance(heard.events[-1], Closed)
    assert heard.events[-1].finish is Finish.TOOL_USE
    await one.bench.recorder.settle()
    row: TurnRow = await one.query(lambda: TurnRow.objects.select_related("conversation").get())
    assert (row.tool_calls, row.finish) == (["look"], "tool_use")
    assert "SECRET" not in str(vars(row)) + str(vars(row.conversation)) + str(heard.bench)


async def test_members_that_cannot_take_the_turn_are_told_as_skipped(room: Make) -> None:
    one = await room(GOOD, GOOD, reply="route")
    await one.query(lambda: LanguageModel.objects.filter(alias="m1").update(retired_at=AT))
    one.bench.catalogue._read_at = 0.0
    heard = await turn(one)
    assert heard.bench["skipped"] == [{"alias": "m1", "why": "retired on 2026-11-29"}]
    assert asked_of(one) == ["m2"]


async def test_nobody_of_the_members_calls_tools(room: Make) -> None:
    one = await room(GOOD, reply="route")
    with pytest.raises(BadRequest, match="it is not known whether this model calls tools"):
        await open_turn(one.bench, ask(tools=(Tool("look"),)))
    assert one.provider.requests == []


async def test_scope_and_rate_hold_as_for_a_panel(room: Make) -> None:
    one = await room(GOOD, reply="route")
    with pytest.raises(Forbidden):
        await open_turn(one.bench, caller=Caller("ci", key_id=one.rows.key.pk, scope=frozenset({"other"})))
    tight = Caller("ci", key_id=one.rows.key.pk, rpm=1)
    await turn(one, caller=tight)
    with pytest.raises(RateLimited):
        await open_turn(one.bench, caller=tight)


async def test_own_seals_come_back_and_go_to_nobody_else(room: Make) -> None:
    one = await room(once(SEALS, refuses(500)), once(says("sealed two", "text Red.", "end stop"), GOOD), reply="route")
    await turn(one)
    mine, other = Thought("hm", Raw(b'"one"')), Thought("hm", Raw(b'"two"'))
    heard = await turn(one, later(mine, Text("Blue.")))
    # m1 was sent its own; m2, which took over, was not.
    assert asked_of(one) == ["m1", "m1", "m2"]
    assert '"one"' in sent(one, 1)
    assert '"one"' not in sent(one, 2)
    assert heard.bench["translation"] == {heard.bench["call"]: [LEFT_OUT]}
    await one.bench.recorder.settle()
    row: Call = await one.query(lambda: Call.objects.get(alias="m2"))
    assert row.notes == [LEFT_OUT]

    await turn(one, later(mine, other, Text("Red.")))
    assert '"two"' in sent(one, 3)
    assert '"one"' not in sent(one, 3)


async def test_a_member_to_which_the_conversation_returns_finds_its_own_seals_and_no_others(room: Make) -> None:
    answers = once(SEALS, once(refuses(500), GOOD))
    one = await room(answers, once(says("sealed two", "text Red.", "end stop"), refuses(500)), reply="route")
    mine, other = Thought("hm", Raw(b'"one"')), Thought("hm", Raw(b'"two"'))
    await turn(one)
    await turn(one, later(mine, Text("Blue.")))
    await turn(one, later(mine, other, Text("Red.")))
    assert asked_of(one) == ["m1", "m1", "m2", "m2", "m1"]
    assert '"two"' in sent(one, 3)
    assert '"one"' in sent(one, 4)
    assert '"two"' not in sent(one, 4)


async def test_seals_of_an_unknown_maker_go_to_nobody(room: Make) -> None:
    one = await room(GOOD, GOOD, reply="route")
    await turn(one, later(Thought("hm", Raw(b'"one"')), Text("Blue.")))
    assert '"one"' not in sent(one, 0)


async def test_the_only_member_there_is_made_whatever_is_sealed(room: Make) -> None:
    one = await room(GOOD, reply="route")
    await turn(one, later(Thought("hm", Raw(b'"one"')), Text("Blue.")))
    assert '"one"' in sent(one, 0)


async def test_the_session_of_a_client_is_one_conversation(room: Make) -> None:
    one = await room(GOOD, reply="route")
    hints = {"x-session-id": "s1"}
    first, second = await turn(one, hints=hints), await turn(one, ask("A summary."), hints=hints)
    assert first.bench["conversation"] == second.bench["conversation"]


async def test_two_first_turns_at_once_are_one_conversation(room: Make) -> None:
    one = await room(GOOD, GOOD, reply="route")
    heard = await asyncio.gather(*(turn(one) for _ in range(4)))
    assert len({one.bench["conversation"] for one in heard}) == 1
    assert sorted(one.bench["turn"] for one in heard) == [1, 2, 3, 4]
    assert len(await evidence(one)) == 1


async def test_two_processes_keep_to_one_member_and_one_goes_on_without_the_other(
    sqlite: Path, tmp_path: Path, valkey: Valkey, query: Any, little_wire: None
) -> None:
    async def announce(topics: list[str]) -> None:
        return None

    async def by_model(line: Line, request: Request) -> None:
        served = msgspec.json.decode(request.body)["model"]
        await (refuses(500) if served.endswith("m1") and broken else GOOD)(line, request)

    broken: list[int] = []
    async with upstream(by_model) as provider:
        rows = await query(lambda: make_rows(provider.base, models=2))
        await query(lambda: type(rows.core).objects.update(reply="route"))
        here, there = [await Bench.open(Limits(tmp_path, redis_url=valkey.url), announce) for _ in range(2)]
        one, two = Room(here, query, provider, rows), Room(there, query, provider, rows)
        heard = [await turn(one), await turn(two)]
        broken.append(1)
        heard += [await turn(two), await turn(one)]
        await two.bench.close()
        heard.append(await turn(one))
        assert [one.bench["alias"] for one in heard] == ["m1", "m1", "m2", "m2", "m2"]
        assert [one.bench["turn"] for one in heard] == [1, 2, 3, 4, 5]
        assert len({one.bench["conversation"] for one in heard}) == 1
        assert sorted(row[0] for row in await evidence(one)) == ["m1", "m2"]
        await one.bench.close()


async def test_after_an_hour_of_rest_another_member_gets_nothing_that_the_first_has_sealed(room: Make) -> None:
    one = await room(SEALS, says("sealed two", "text Red.", "end stop"), reply="route")
    first = await turn(one)
    woken = one.bench.clock() + timedelta(hours=2)
    one.bench.clock = lambda: woken
    one.bench.recency.note_rest("m1", (woken + timedelta(hours=1)).timestamp())
    mine, other = Thought("hm", Raw(b'"one"')), Thought("hm", Raw(b'"two"'))
    second = await turn(one, later(mine, Text("Blue.")))
    third = await turn(one, later(mine, other, Text("Red.")))
    assert asked_of(one) == ["m1", "m2", "m2"]
    assert second.bench["conversation"] == third.bench["conversation"] != first.bench["conversation"]
    assert '"one"' not in sent(one, 1) + sent(one, 2)
    assert '"two"' in sent(one, 2)


async def test_what_bayes_draws_for_a_conversation_can_be_drawn_again(room: Make) -> None:
    one = await room(GOOD, GOOD, GOOD, ranking="bayes", reply="route")
    one.bench.clock = lambda: AT
    first = await open_turn(one.bench)
    one.bench.conversations = Conversations(one.bench.pulse, one.bench.rng)
    again = await open_turn(one.bench)
    assert first._opened.plan.eligible == again._opened.plan.eligible
    others = set()
    for n in range(12):
        run = await open_turn(one.bench, ask(f"Question {n}?"))
        others.add(run._opened.plan.eligible)
    assert len(others) > 1
