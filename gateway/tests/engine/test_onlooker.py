"""Somebody watches a panel seat by seat, and a panel is stopped by whoever asked it."""

from __future__ import annotations

import asyncio

from gateway.canon.event import Event, TextDelta, ThoughtDelta
from gateway.engine.panel import STOPPED
from gateway.engine.records import SeatRow
from gateway.models import Seat
from gateway.tests.engine.merging import both, merged
from gateway.tests.engine.rooms import Make, texts
from gateway.tests.engine.turning import then_waits, until
from gateway.tests.engine.upstream import says

FIRST = says("text fi", "text rst", "usage 1 2", "end stop")
SECOND = says("thought hm", "text second", "end stop")


class Notes:
    """Writes down what it hears, a word each."""

    def __init__(self) -> None:
        self.heard_of: list[str] = []

    def of(self, place: int) -> list[str]:
        return [word.removesuffix(f" {place}") for word in self.heard_of if word.endswith(f" {place}")]

    def asked(self, row: SeatRow) -> None:
        self.heard_of.append(f"asked {row.place}")

    def began(self, place: int) -> None:
        self.heard_of.append(f"began {place}")

    def heard(self, place: int, event: Event) -> None:
        if isinstance(event, TextDelta | ThoughtDelta):
            self.heard_of.append(f"{event.text} {place}")

    def ended(self, row: SeatRow) -> None:
        self.heard_of.append(f"{row.status} {row.place}")


async def test_an_onlooker_hears_each_seat_in_its_order_and_the_reply_is_the_same(room: Make) -> None:
    one = await room(FIRST, SECOND)
    run, notes = await one.open(), Notes()
    run.onlooker = notes
    told = await run.ended()
    assert notes.of(1) == ["asked", "began", "fi", "rst", "ok"]
    assert notes.of(2) == ["asked", "began", "hm", "second", "ok"]
    assert "first" in texts(told)[0]


async def test_the_merger_is_seen_like_a_seat_and_its_words_are_told_all_the_same(room: Make) -> None:
    one = await room(both(FIRST, says("text Both", "text  agree", "end stop")))
    run, notes = await merged(one), Notes()
    run.onlooker = notes
    told = "".join(texts(await run.ended()))
    assert notes.heard_of[-6:] == ["ok 1", "asked 2", "began 2", "Both 2", " agree 2", "ok 2"]
    assert told.startswith("Both agree")


async def test_a_panel_that_is_stopped_keeps_what_came_and_is_told_to_its_end(room: Make) -> None:
    one = await room(FIRST, then_waits("text half"))
    run, notes = await one.open(), Notes()
    run.onlooker = notes
    ending = asyncio.create_task(run.ended())
    await until(lambda: {"ok 1", "half 2"} <= set(notes.heard_of), 3)
    assert one.bench.stop(run.id)
    (text,) = texts(await ending)
    assert "first" in text
    assert STOPPED in text
    assert await one.seats() == [("m1", "ok"), ("m2", "error")]
    assert (await one.query(lambda: Seat.objects.get(place=2))).error == STOPPED
    assert (await one.panel()).state == "done"
    assert not one.bench.stop(run.id)
    assert one.bench.runs == {}
