"""Merged panels that are stopped: no seat is left open, the merger's included."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from gateway.engine import merge
from gateway.engine.bench import Bench
from gateway.engine.panel import CALLER_LEFT
from gateway.engine.recovery import INTERRUPTED
from gateway.models import Call, Panel, Seat
from gateway.tests.engine.conftest import Limits
from gateway.tests.engine.merging import MERGED, bench_of, both, is_merge, merge_requests, merged, streamed
from gateway.tests.engine.rooms import Make, Query, open_panel, texts
from gateway.tests.engine.turning import then_waits, until
from gateway.tests.engine.upstream import Line, Request, Script, says, upstream
from gateway.tests.engine.world import ask
from gateway.tests.engine.written import make_rows

FIRST = says("text first", "usage 1 2", "end stop")


def held_up(seat: Script) -> Script:
    """Answers as a seat; as the merger it says a word and then nothing."""
    return both(seat, then_waits("text Both", "usage 3 1"))


async def until_merging(run: Any) -> None:
    async for _ in run.events():
        return


async def test_a_caller_that_leaves_does_not_stop_the_merger(room: Make) -> None:
    one = await room(both(FIRST, says("text Both", "text  agree", "end stop", pause=0.1)))
    run = await merged(one)
    await until_merging(run)
    run.leave()
    await asyncio.sleep(0.5)
    assert await one.seats() == [("m1", "ok"), ("m1", "ok")]
    assert (await one.panel()).state == "done"


async def test_a_caller_that_leaves_stops_the_merger_where_the_collection_says_so(room: Make) -> None:
    one = await room(held_up(FIRST), on_disconnect="cancel")
    run = await merged(one)
    await until_merging(run)
    run.leave()
    async with asyncio.timeout(1):
        await one.provider.closed.wait()
    await asyncio.sleep(0.05)
    assert await one.seats() == [("m1", "ok"), ("m1", "error")]
    merger = await one.query(lambda: Seat.objects.get(label="merger"))
    assert merger.error == CALLER_LEFT
    assert (await one.panel()).state == "done"
    ledger = await one.query(lambda: list(Call.objects.order_by("pk").values_list("seat", "status", "tokens_in")))
    assert ledger == [(f"{run.id}.member1", "ok", 1), (f"{run.id}.merger", "cancelled", 3)]


async def test_a_panel_that_is_stopped_before_the_merge_says_so(room: Make) -> None:
    one = await room(then_waits("text fir"), on_disconnect="cancel")
    run = await merged(one)
    told = asyncio.create_task(run.ended())
    await asyncio.sleep(0.2)
    run.leave()
    async with asyncio.timeout(2):
        events = await told
    assert bench_of(events)["note"] == merge.STOPPED
    assert await one.seats() == [("m1", "error")]
    assert (await one.panel()).state == "done"


async def test_the_reply_of_a_merge_that_is_stopped_ends_with_every_answer(room: Make) -> None:
    one = await room(held_up(FIRST), on_disconnect="cancel")
    run = await merged(one)
    told = asyncio.create_task(streamed(run))
    await until(lambda: bool(merge_requests(one)), 2)
    await asyncio.sleep(0.1)
    run.leave()
    async with asyncio.timeout(2):
        events = await told
    text = "".join(texts(events))
    assert text.startswith("Both\n\n*The merged reply broke off here: m1 failed: the caller left")
    assert "## member — m1" in text


async def test_closing_the_bench_leaves_no_merger_open(
    sqlite: Path, tmp_path: Path, query: Query, little_wire: None
) -> None:
    async def announce(topics: list[str]) -> None:
        return None

    merging = asyncio.Event()

    async def script(line: Line, request: Request) -> None:
        if is_merge(request):
            merging.set()
        await held_up(FIRST)(line, request)

    async with upstream(script) as provider:
        await query(lambda: make_rows(provider.base, models=1))
        bench = await Bench.open(Limits(tmp_path), announce)
        await open_panel(bench, ask(model=MERGED))
        async with asyncio.timeout(2):
            await merging.wait()
        await asyncio.sleep(0.1)
        await bench.close()
    rows = await query(lambda: list(Seat.objects.order_by("place").values_list("label", "status", "error")))
    assert rows == [("member", "ok", ""), ("merger", "error", INTERRUPTED)]
    assert (await query(Panel.objects.get)).state == "done"
