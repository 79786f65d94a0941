"""What the page hears of a panel, line by line, from a panel that really runs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any, cast

import pytest

from benchwarmers.ask import stream
from benchwarmers.ask.stream import Telling
from gateway.engine.panel import CALLER_LEFT, PanelRun
from gateway.models import Seat
from gateway.tests.engine.merging import both, merged
from gateway.tests.engine.rooms import Make, Room
from gateway.tests.engine.turning import then_waits
from gateway.tests.engine.upstream import refuses, says

FIRST = says("text fi", "text rst", "end stop")
SECOND = says("thought hm", "text second", "end stop")


def telling(one: Room, run: PanelRun, drawn: list[str] | None = None) -> Telling:
    async def draw(what: str) -> str:
        if drawn is not None:
            drawn.append(what)
        return f"<{what.rpartition('.')[2] or 'board'}>"

    return Telling(one.bench, run, draw)


async def hear(telling: Telling) -> list[dict[str, Any]]:
    return [json.loads(line) async for piece in telling.lines() for line in piece.splitlines()]


def words(lines: list[dict[str, Any]], seat: int, kind: str = "text") -> str:
    return "".join(line["text"] for line in lines if line["is"] == kind and line["seat"] == seat)


async def test_the_line_up_comes_first_then_words_then_cards_then_the_end(room: Make) -> None:
    one = await room(FIRST, SECOND)
    run = await one.open()
    lines = await hear(telling(one, run))
    assert lines[0] == {"is": "open", "panel": run.id, "html": "<board>"}
    assert lines[-1] == {"is": "end", "html": "<end>"}
    assert (words(lines, 1), words(lines, 2), words(lines, 2, "thought")) == ("first", "second", "hm")
    cards = [(line["seat"], line["html"]) for line in lines if line["is"] == "seat"]
    assert sorted(cards) == [(1, "<member1>"), (2, "<member2>")]
    for seat in (1, 2):
        places = [at for at, line in enumerate(lines) if line.get("seat") == seat]
        assert lines[places[-1]]["is"] == "seat"


async def test_a_card_is_drawn_when_its_seat_is_in_the_database(room: Make) -> None:
    one = await room(FIRST, then_waits("text half"))
    run = await one.open()
    seen: list[str] = []

    async def draw(what: str) -> str:
        if what.endswith("member1"):
            seen.append(await one.query(lambda: Seat.objects.get(pk=what).status))
            one.bench.stop(run.id)
        return ""

    await hear(Telling(one.bench, run, draw))
    assert seen == ["ok"]


async def test_the_merger_gets_a_card_before_it_speaks_and_another_when_it_is_done(room: Make) -> None:
    one = await room(both(FIRST, says("text Both", "text  agree", "end stop", pause=0.05)))
    run = await merged(one)
    lines = await hear(telling(one, run))
    of_merger = [line for line in lines if line.get("seat") == 2]
    assert [line["html"] for line in of_merger if line["is"] == "seat"] == ["<merger>", "<merger>"]
    assert words(of_merger, 2) == "Both agree"


async def test_what_a_first_attempt_said_in_vain_is_taken_back(room: Make) -> None:
    async def thinks_too_long(line: Any, request: Any) -> None:
        tries.append(1)
        script = says("thought hm", "usage 1 50", "end length") if len(tries) == 1 else FIRST
        await script(line, request)

    tries: list[int] = []
    one = await room(thinks_too_long)
    lines = await hear(telling(one, await one.open()))
    at = [line["is"] for line in lines].index("again")
    assert words(lines[:at], 1, "thought") == "hm"
    assert words(lines[at:], 1, "thought") == ""
    assert words(lines[at:], 1) == "first"


async def test_a_panel_in_which_nobody_answers_comes_to_its_end_like_any_other(room: Make) -> None:
    one = await room(refuses(401), refuses(403))
    lines = await hear(telling(one, await one.open()))
    assert lines[-1]["is"] == "end"
    assert sum(line["is"] == "seat" for line in lines) == 2


async def test_silence_is_filled_with_beats(room: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "BEAT_S", 0.02)
    one = await room(then_waits("text half"))
    run = await one.open()
    beats = 0
    async for piece in telling(one, run).lines():
        beats += sum(json.loads(line)["is"] == "beat" for line in piece.splitlines())
        if beats == 3:
            one.bench.stop(run.id)
    assert beats >= 3


@pytest.mark.parametrize(("says_so", "status"), [("cancel", "error"), ("finish", "ok")])
async def test_who_closes_the_line_leaves_the_panel_as_its_collection_says(
    room: Make, says_so: str, status: str
) -> None:
    held = asyncio.Event()

    async def waits(line: Any, request: Any) -> None:
        await line.head()
        await line.chunk(b"text half\n")
        await held.wait()
        await line.chunk(b"end stop\n")
        await line.send(b"0\r\n\r\n")

    one = await room(waits, on_disconnect=says_so)
    run = await one.open()
    lines = cast(AsyncGenerator[bytes], telling(one, run).lines())
    await anext(lines)
    await lines.aclose()
    held.set()
    await run.ended()
    assert await one.seats() == [("m1", status)]
    if says_so == "cancel":
        assert (await one.query(Seat.objects.get)).error == CALLER_LEFT


async def test_a_defect_in_drawing_breaks_the_line_and_not_the_panel(room: Make) -> None:
    one = await room(FIRST)
    run = await one.open()

    async def draw(what: str) -> str:
        if what == "end":
            raise LookupError("no template")
        return ""

    with pytest.raises(LookupError):
        await hear(Telling(one.bench, run, draw))
    assert await one.seats() == [("m1", "ok")]
