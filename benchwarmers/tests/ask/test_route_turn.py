"""What the page hears of a turn in route mode, line by line, and what is told beside the answer; of turns that really
run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any, cast

import pytest

from benchwarmers.ask import route_stream
from benchwarmers.ask.route_stream import Line, lines_of, tell_turn
from benchwarmers.ask.route_talk import Other, Told
from benchwarmers.ask.route_told import load_told
from collections_app.models import LanguageModel
from gateway.canon.ask import Ask, Text, Turn
from gateway.canon.event import ArgsDelta, Event, TextDelta, ThoughtDelta, ToolOpened, Usage
from gateway.canon.reply import Reply
from gateway.engine.route import RouteRun
from gateway.models import Turn as TurnRow
from gateway.tests.engine.rooms import Make, Room
from gateway.tests.engine.turning import open_turn, then_waits
from gateway.tests.engine.upstream import refuses, says
from gateway.tests.engine.world import ask

GOOD = says("thought hm", "text Bl", "text ue.", "usage 7 3", "end stop")


@pytest.fixture(autouse=True)
def world() -> None:
    """These turns bring a database of their own."""


async def told_of(one: Room, run: RouteRun) -> Told:
    async for _ in run.batches():
        pass
    await one.bench.recorder.settle()
    assert run.reply
    reply = run.reply
    told: Told = await one.query(lambda: load_told(run.opened, reply))
    return told


async def heard(run: RouteRun) -> list[dict[str, Any]]:
    async def close(reply: Reply) -> Line:
        return {"is": "end", "html": reply.text}

    return [json.loads(line) async for piece in tell_turn(run, {"is": "open"}, close) for line in piece.splitlines()]


def later(more: str = "And?") -> Ask:
    return ask(turns=(*ask().turns, Turn("assistant", (Text("Blue."),)), Turn("user", (Text(more),))))


async def test_the_lines_of_a_turn_are_its_opening_its_words_and_its_end(room: Make) -> None:
    one = await room(GOOD, reply="route")
    lines = await heard(await open_turn(one.bench))
    assert (lines[0], lines[-1]) == ({"is": "open"}, {"is": "end", "html": "Blue."})
    assert "".join(line["text"] for line in lines if line["is"] == "text") == "Blue."
    assert "".join(line["text"] for line in lines if line["is"] == "thought") == "hm"


async def test_a_turn_that_nobody_answers_ends_with_why(room: Make) -> None:
    one = await room(refuses(401), refuses(403), reply="route")
    lines = await heard(await open_turn(one.bench))
    assert [line["is"] for line in lines] == ["open", "fault"]
    assert "m1" in lines[-1]["message"]


async def test_a_turn_that_breaks_off_is_no_answer(room: Make) -> None:
    one = await room(says("text half", "error away"), reply="route")
    lines = await heard(await open_turn(one.bench))
    assert [line["is"] for line in lines] == ["open", "text", "fault"]
    assert "part way" in lines[-1]["message"]


async def test_silence_is_filled_with_beats(room: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route_stream, "BEAT_S", 0.02)
    one = await room(then_waits("text half"), reply="route")

    async def close(reply: Reply) -> Line:
        raise AssertionError

    beats, lines = 0, cast(AsyncGenerator[bytes], tell_turn(await open_turn(one.bench), {"is": "open"}, close))
    async for piece in lines:
        beats += b'"beat"' in piece
        if beats == 3:
            break
    await lines.aclose()


async def test_who_closes_the_line_leaves_the_turn(room: Make) -> None:
    one = await room(then_waits("text half"), reply="route")

    async def close(reply: Reply) -> Line:
        raise AssertionError

    lines = cast(AsyncGenerator[bytes], tell_turn(await open_turn(one.bench), {"is": "open"}, close))
    async for piece in lines:
        if b"half" in piece:
            break
    await lines.aclose()
    await asyncio.wait_for(one.provider.closed.wait(), 5)
    await one.bench.recorder.settle()
    assert await one.query(lambda: list(TurnRow.objects.values_list("status", flat=True))) == ["cancelled"]


def test_pieces_of_one_thing_in_a_row_are_one_line() -> None:
    events: list[Event] = [
        *(ThoughtDelta("h"), ThoughtDelta("m"), TextDelta("a"), TextDelta("b"), Usage(1, 1)),
        *(ToolOpened(2, "c", "look"), ArgsDelta(2, "{"), ArgsDelta(2, "}"), ArgsDelta(3, "{}"), TextDelta("")),
    ]
    assert lines_of(events) == [
        {"is": "thought", "text": "hm"},
        {"is": "text", "text": "ab"},
        {"is": "tool", "part": 2, "name": "look"},
        {"is": "args", "part": 2, "text": "{}"},
        {"is": "args", "part": 3, "text": "{}"},
    ]


async def test_beside_an_answer_stands_who_gave_it_and_what_it_took(room: Make) -> None:
    one = await room(GOOD, reply="route")
    told = await told_of(one, await open_turn(one.bench))
    assert (told.alias, told.turn, told.place) == ("m1", 1, 1)
    assert (told.tokens_in, told.tokens_out, told.reasoning) == (7, 3, None)
    assert told.seconds is not None
    assert told.first_token_s is not None
    assert told.conversation == told.call.rpartition(".")[0]
    assert told.why == "The only member that can take this turn."


async def test_who_stays_with_a_conversation_is_told_so(room: Make) -> None:
    one = await room(GOOD, GOOD, reply="route")
    first = await told_of(one, await open_turn(one.bench))
    second = await told_of(one, await open_turn(one.bench, later()))
    assert first.why == "Nobody here has a better record yet."
    assert second.why == "Answers this conversation already, and stays with it."
    assert (second.alias, second.turn, second.conversation) == (first.alias, 2, first.conversation)


async def test_who_takes_over_is_told_with_who_failed_and_how(room: Make) -> None:
    one = await room(refuses(500), GOOD, reply="route")
    told = await told_of(one, await open_turn(one.bench))
    assert (told.alias, told.why) == ("m2", "Took over after m1 had failed.")
    assert [other.alias for other in told.tried] == ["m1"]


async def test_who_cannot_take_the_turn_is_told_with_why(room: Make) -> None:
    one = await room(GOOD, GOOD, reply="route")
    await one.query(lambda: LanguageModel.objects.filter(alias="m1").update(ad_hoc=True))
    told = await told_of(one, await open_turn(one.bench))
    assert told.alias == "m2"
    assert told.passed == (Other("m1", "an ad hoc model is asked by name only"),)
