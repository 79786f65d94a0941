"""Panels told as choices over real sockets: one a seat, word by word, each with its own end."""

from __future__ import annotations

import asyncio

import pytest

from gateway.canon.ask import OutputFormat
from gateway.canon.event import Closed, Event, Finish, TextDelta, Usage
from gateway.canon.reply import fold
from gateway.engine.panel import CALLER_LEFT, PanelRun
from gateway.models import Panel
from gateway.tests.engine.merging import bench_of, streamed
from gateway.tests.engine.rooms import Make, Room, slow
from gateway.tests.engine.turning import then_resets, then_waits
from gateway.tests.engine.upstream import refuses, says
from gateway.tests.engine.world import ask

CHOICES = "bench/core:choices"
EMPTY = "*empty: the model sent no text; usually its token budget was spent, it does not mean it cannot*"
BAD_KEY = refuses(401, body=b'{"message": "bad key", "code": ""}')


async def choices(room: Room, output: OutputFormat | None = None) -> PanelRun:
    return await room.open(ask(model=CHOICES, output=output))


def words(events: list[Event]) -> list[tuple[int, str, Finish | None]]:
    """(choice, text, finish) of every piece but the opening ones."""
    pieces = [event for event in events if isinstance(event, TextDelta)]
    return [(one.choice, one.text, one.finish) for one in pieces if one.text or one.finish]


async def test_seats_stream_word_by_word_each_under_its_own_index(room: Make) -> None:
    one = await room(
        says("text a1", "text a2", "usage 1 2", "end stop", pause=0.2),
        slow(0.1, says("text b1", "text b2", "usage 10 20", "end stop", pause=0.2)),
    )
    run = await choices(one)
    events = await streamed(run)
    assert [event.choice for event in events[:2] if isinstance(event, TextDelta)] == [0, 1]
    assert words(events) == [(0, "a1", None), (1, "b1", None), (0, "a2", None), (1, "b2", None), (0, "", Finish.STOP)]
    assert events[-2:-1] == [Usage(11, 22)]
    assert isinstance(events[-1], Closed)


async def test_each_choice_ends_with_its_own_reason_and_the_last_one_with_the_reply(room: Make) -> None:
    one = await room(slow(0.2, says("text slow", "end length")), says("text cut", "end content_filter"))
    events = await streamed(await choices(one))
    assert words(events) == [(1, "cut", None), (1, "", Finish.CONTENT_FILTER), (0, "slow", None)]
    closed = events[-1]
    assert isinstance(closed, Closed)
    assert closed.finish is Finish.LENGTH


async def test_a_whole_reply_has_the_same_answers_in_the_order_of_the_seats(room: Make) -> None:
    one = await room(
        slow(0.1, says("text first", "usage 1 2", "end length")),
        says("text second", "usage 10 20", "end stop"),
        BAD_KEY,
    )
    heard, reply = fold(await streamed(await choices(one))), await (await choices(one)).whole()
    assert (reply.text, reply.finish) == ("first", Finish.LENGTH) == (heard.text, heard.finish)
    assert reply.choices == heard.choices == ("second", "*error: 401: bad key*")
    assert reply.finishes == heard.finishes == (Finish.STOP, Finish.STOP)
    assert reply.usage == heard.usage == Usage(11, 22)


async def test_a_seat_without_an_answer_says_so_in_its_choice(room: Make) -> None:
    one = await room(BAD_KEY, says("thought hm", "end length"), says("text three", "end stop"))
    reply = await (await choices(one)).whole()
    assert (reply.text, *reply.choices) == ("*error: 401: bad key*", EMPTY, "three")
    assert (reply.finish, *reply.finishes) == (Finish.STOP, Finish.LENGTH, Finish.STOP)


@pytest.mark.parametrize(("said", "before"), [("Half a", "Half a\n\n"), ("```py", "```py\n```\n\n")])
async def test_a_seat_that_breaks_off_tells_it_after_what_it_said(room: Make, said: str, before: str) -> None:
    one = await room(says("text one", "end stop"), slow(0.1, then_resets(f"text {said}")))
    heard, reply = fold(await streamed(await choices(one))), await (await choices(one)).whole()
    assert heard.choices == reply.choices
    assert reply.choices[0].startswith(f"{before}*error: ")
    assert reply.finishes == (Finish.STOP,)


async def test_the_bench_object_is_that_of_a_panel_with_its_mode(room: Make) -> None:
    one = await room(says("text one", "end stop"), BAD_KEY)
    run = await choices(one)
    bench = bench_of(await streamed(run))
    assert set(bench) == {"panel", "collection", "shape", "shape_by", "seats", "verdict", "reply"}
    assert bench["reply"] == "choices"
    assert [(seat["call"], seat["status"]) for seat in bench["seats"]] == [
        (f"{run.id}.member1", "ok"),
        (f"{run.id}.member2", "error"),
    ]
    assert await one.seats() == [("m1", "ok"), ("m2", "error")]
    assert await one.query(lambda: list(Panel.objects.values_list("reply", "state"))) == [("choices", "done")]


async def test_each_choice_is_a_document_where_json_is_asked_for(room: Make) -> None:
    one = await room(says('text {"a": 1}', "end stop"), BAD_KEY, says('text {"a": 2}', "end stop"))
    run = await choices(one, OutputFormat("json_object"))
    reply = await run.whole()
    assert (reply.text, *reply.choices) == ('{"a": 1}', "", '{"a": 2}')
    heard = fold(await streamed(await choices(one, OutputFormat("json_object"))))
    assert (heard.text, *heard.choices) == ('{"a": 1}', "", '{"a": 2}')


async def test_what_a_stopped_seat_had_said_stays_and_is_followed_by_why(room: Make) -> None:
    one = await room(then_waits("text Half"), says("text two", "end stop"), on_disconnect="cancel")
    run = await choices(one)
    told = asyncio.create_task(streamed(run))
    await asyncio.sleep(0.3)
    run.leave()
    async with asyncio.timeout(2):
        heard = fold(await told)
    assert heard.text == f"Half\n\n*error: {CALLER_LEFT}*"
    assert heard.choices == ("two",)
