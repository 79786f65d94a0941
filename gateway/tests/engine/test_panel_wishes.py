"""What a caller may wish of one panel: not to wait for all, how long a seat may take, and what becomes of it when they
leave."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import msgspec
import pytest

from gateway.canon.ask import Ask, BenchField
from gateway.canon.event import Closed
from gateway.models import Panel
from gateway.tests.engine.rooms import Make, slow, texts
from gateway.tests.engine.upstream import says
from gateway.tests.engine.world import ask

QUICK = says("text quick", "usage 1 2", "end stop")
LATE = slow(0.6, says("text late", "usage 1 2", "end stop"))


def wishing(**wishes: Any) -> Ask:
    return ask(bench=BenchField(**wishes))


@pytest.mark.parametrize("stream", [True, False])
async def test_the_answer_is_told_when_the_quorum_is_there_and_the_rest_is_recorded(room: Make, stream: bool) -> None:
    one = await room(LATE, QUICK, QUICK)
    began = time.monotonic()
    run = await one.open(wishing(quorum=2))
    events = [event async for event in run.events()] if stream else await run.ended()
    assert time.monotonic() - began < 0.5
    assert "".join(texts(events)).count("quick") == 2
    closed = events[-1]
    assert isinstance(closed, Closed)
    assert closed.bench is not None
    told = {seat["alias"]: seat["status"] for seat in msgspec.json.decode(closed.bench)["seats"]}
    assert told == {"m1": "asked", "m2": "ok", "m3": "ok"}
    assert ("still at work" in "".join(texts(events))) is not stream
    for _ in range(60):
        if (await one.panel()).state == "done":
            break
        await asyncio.sleep(0.05)
    assert sorted(await one.seats()) == [("m1", "ok"), ("m2", "ok"), ("m3", "ok")]


async def test_a_quorum_that_is_too_large_waits_for_all(room: Make) -> None:
    one = await room(QUICK, QUICK)
    (text,) = texts(await (await one.open(wishing(quorum=9))).ended())
    assert text.count("quick") == 2


async def test_a_seat_has_no_longer_than_the_caller_wishes(room: Make) -> None:
    one = await room(LATE, QUICK)
    began = time.monotonic()
    await (await one.open(wishing(timeout_s=0.2))).ended()
    assert time.monotonic() - began < 0.5
    assert sorted(await one.seats()) == [("m1", "error"), ("m2", "ok")]


@pytest.mark.parametrize(
    ("wish", "setting", "stopped"),
    [("cancel", "finish", True), ("finish", "cancel", False), (None, "cancel", True), (None, "finish", False)],
)
async def test_the_callers_own_word_on_leaving_counts_before_the_collections(
    room: Make, wish: Any, setting: str, stopped: bool
) -> None:
    one = await room(LATE, on_disconnect=setting)
    run = await one.open(wishing(on_disconnect=wish))
    await asyncio.sleep(0.1)
    run.leave()
    await run.ended()
    assert await one.seats() == [("m1", "error" if stopped else "ok")]
    assert (await one.query(Panel.objects.get)).state == "done"
