"""A whole panel over real sockets: its reply as it grows, what is recorded, and who cannot harm whom."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import msgspec
import pytest

from collections_app.models import Evidence, LanguageModel, Standing
from gateway.canon.ask import Knobs
from gateway.canon.event import Closed, Usage
from gateway.canon.fault import Forbidden, NotFound, RateLimited
from gateway.engine.bench import Bench
from gateway.engine.panel import CALLER_LEFT
from gateway.engine.recovery import INTERRUPTED
from gateway.engine.snapshot import Caller
from gateway.models import Call, Panel, Seat
from gateway.tests.engine.conftest import Limits
from gateway.tests.engine.rooms import Make, Query, open_panel, slow, texts
from gateway.tests.engine.stores import Valkey
from gateway.tests.engine.upstream import refuses, says, upstream
from gateway.tests.engine.world import ask
from gateway.tests.engine.written import make_rows


def seats_in(text: str) -> list[str]:
    return re.findall(r"## member — (m\d)", text)


FIRST = says("text first", "usage 1 2", "end stop")
SECOND = says("text second", "usage 10 20", "end stop")
THIRD = says("text third", "usage 100 200", "end stop")


async def test_a_stream_tells_of_seats_in_the_order_they_finish(room: Make) -> None:
    one = await room(slow(0.3, FIRST), slow(0.15, SECOND), THIRD)
    events = [event async for event in (await one.open()).events()]
    pieces = texts(events)
    assert len(pieces) == 5
    assert pieces[0].startswith("Bench bench/core p")
    assert [seats_in(piece)[0] for piece in pieces[1:4]] == ["m3", "m2", "m1"]
    assert pieces[4].startswith("\n---")


async def test_the_header_comes_before_any_seat_has_answered(room: Make) -> None:
    one = await room(slow(0.5, FIRST))
    began = asyncio.get_running_loop().time()
    run = await one.open()
    await anext(run.events())
    assert asyncio.get_running_loop().time() - began < 0.4
    await run.ended()


async def test_the_whole_text_has_the_seats_in_their_own_order(room: Make) -> None:
    one = await room(slow(0.2, FIRST), slow(0.1, SECOND), THIRD)
    run = await one.open()
    events = await run.ended()
    (text,) = texts(events)
    assert seats_in(text) == ["m1", "m2", "m3"]
    assert "first" in text
    assert f"`{run.id}.member2` · ok · 0.1s\n\nsecond\n" in text


async def test_the_end_sums_the_tokens_and_carries_the_bench_object(room: Make) -> None:
    one = await room(FIRST, SECOND, THIRD)
    run = await one.open()
    *_, usage, closed = await run.ended()
    assert usage == Usage(111, 222)
    assert isinstance(closed, Closed)
    assert closed.bench is not None
    data = msgspec.json.decode(closed.bench)
    assert data["panel"] == run.id
    assert [(seat["alias"], seat["status"], seat["answer"]) for seat in data["seats"]] == [
        ("m1", "ok", "first"),
        ("m2", "ok", "second"),
        ("m3", "ok", "third"),
    ]


async def test_usage_is_left_out_when_no_provider_told_any(room: Make) -> None:
    one = await room(says("text x", "end stop"))
    assert not any(isinstance(event, Usage) for event in await (await one.open()).ended())


async def test_everything_is_in_the_database_before_the_reply_ends(room: Make) -> None:
    one = await room(slow(0.2, FIRST), SECOND, THIRD)
    run = await one.open()
    async for event in run.events():
        if isinstance(event, Closed):
            # No settling here: it must be there already.
            assert await one.query(lambda: list(Seat.objects.values_list("alias", "status"))) == [
                ("m1", "ok"),
                ("m2", "ok"),
                ("m3", "ok"),
            ]
            panel = await one.query(Panel.objects.get)
            assert (panel.id, panel.state, panel.caller, panel.prompt) == (
                run.id,
                "done",
                "local",
                "Why is the sky blue?",
            )
            assert await one.query(Evidence.objects.count) == 3
            assert await one.query(Call.objects.filter(status="ok").count) == 3
            assert await one.query(Standing.objects.filter(offloads=1, collection_name="", shape="").count) == 3


async def test_a_seat_is_in_the_database_while_slower_ones_still_think(room: Make) -> None:
    one = await room(slow(1.0, FIRST), SECOND)
    run = await one.open()
    await asyncio.sleep(0.4)
    assert await one.seats() == [("m1", "asked"), ("m2", "ok")]
    await run.ended()


async def test_an_error_of_one_seat_leaves_the_others(room: Make) -> None:
    one = await room(refuses(401, body=b'{"message": "bad key", "code": ""}'), says("end stop"), THIRD)
    (text,) = texts(await (await one.open()).ended())
    assert "*error: 401: bad key*" in text
    assert "*empty:" in text
    assert "third" in text
    assert await one.seats() == [("m1", "error"), ("m2", "empty"), ("m3", "ok")]
    first = await one.query(lambda: Seat.objects.get(place=1))
    assert (first.failure, first.upstream_status, first.error) == ("signin", 401, "401: bad key")


async def test_a_defect_in_one_seat_leaves_the_others_and_is_in_the_log(
    room: Make, caplog: pytest.LogCaptureFixture
) -> None:
    one = await room(says("text x", "bug here"), SECOND)
    (text,) = texts(await (await one.open()).ended())
    assert "second" in text
    assert await one.seats() == [("m1", "error"), ("m2", "ok")]
    assert "failed unexpectedly" in caplog.text
    first = await one.query(lambda: Seat.objects.get(place=1))
    assert first.error != INTERRUPTED
    assert (await one.panel()).state == "done"


async def test_a_long_error_keeps_its_start_and_its_end(room: Make) -> None:
    body = msgspec.json.encode({"message": "START" + "x" * 2_000 + "END", "code": ""})
    one = await room(refuses(400, body=body))
    await (await one.open()).ended()
    await one.bench.recorder.settle()
    error = (await one.query(Seat.objects.get)).error
    assert len(error) == 500
    assert error.startswith("400: START")
    assert error.endswith("END")


async def test_errors_of_requests_with_images_are_redacted(room: Make) -> None:
    body = msgspec.json.encode({"message": "cannot read https://bob:hunter2@pics.test/a?sig=hunter2", "code": ""})
    one = await room(refuses(400, body=body), SECOND)
    await one.query(
        lambda: [row.facts.create(field="vision", value=True, source="operator") for row in LanguageModel.objects.all()]
    )
    (text,) = texts(await (await one.open(ask(images=1))).ended())
    assert "hunter2" not in text
    panel = await one.panel()
    assert panel.prompt == "Why is the sky blue?\n[image: data URL, 1 KB]"
    assert panel.shape == "vision"


async def test_seats_get_the_callers_turns_and_none_of_its_settings(room: Make) -> None:
    one = await room(FIRST)
    await (await one.open(ask(knobs=Knobs(temperature=0.1), nominated=("ghost",)))).ended()
    (request,) = one.provider.requests
    sent = msgspec.json.decode(request.body)["ask"]
    assert sent["turns"][0]["parts"][0]["text"] == "Why is the sky blue?"
    assert sent["knobs"]["temperature"] is None
    assert sent["nominated"] == []


async def test_a_caller_that_leaves_does_not_stop_the_panel(room: Make) -> None:
    one = await room(slow(0.3, FIRST), SECOND)
    run = await one.open()
    await anext(run.events())
    run.leave()
    await asyncio.sleep(0.5)
    assert await one.seats() == [("m1", "ok"), ("m2", "ok")]
    assert (await one.panel()).state == "done"


async def test_a_caller_that_leaves_stops_the_panel_where_the_collection_says_so(room: Make) -> None:
    one = await room(says(*["text drip"] * 200, pause=0.05), SECOND, on_disconnect="cancel")
    run = await one.open()
    await asyncio.sleep(0.3)
    run.leave()
    async with asyncio.timeout(1):
        await one.provider.closed.wait()
    await asyncio.sleep(0.05)
    assert await one.seats() == [("m1", "error"), ("m2", "ok")]
    first = await one.query(lambda: Seat.objects.get(place=1))
    assert first.error == CALLER_LEFT
    calls = await one.query(lambda: list(Call.objects.order_by("alias").values_list("alias", "status")))
    assert calls == [("m1", "cancelled"), ("m2", "ok")]
    assert (await one.panel()).state == "done"


@pytest.mark.parametrize("turns", range(6))
async def test_a_caller_that_leaves_at_once_leaves_no_seat_open(room: Make, turns: int) -> None:
    one = await room(slow(2.0, FIRST), slow(2.0, SECOND), on_disconnect="cancel")
    run = await one.open()
    for _ in range(turns):
        await asyncio.sleep(0)
    run.leave()
    await asyncio.sleep(0.1)
    assert await one.seats() == [("m1", "error"), ("m2", "error")]
    assert (await one.panel()).state == "done"


async def test_a_reply_that_is_being_told_ends_when_the_panel_is_stopped(room: Make) -> None:
    one = await room(slow(5.0, FIRST), on_disconnect="cancel")
    run = await one.open()
    told = asyncio.create_task(run.ended())
    await asyncio.sleep(0.1)
    run.leave()
    async with asyncio.timeout(2):
        (text,) = texts(await told)
    assert CALLER_LEFT in text


async def test_two_panels_of_one_process_do_not_seat_the_same_explorers(room: Make) -> None:
    one = await room(FIRST, SECOND, THIRD, FIRST, SECOND)
    await one.query(lambda: one.rows.core.seatings.exclude(place=1).delete())
    first, second = await asyncio.gather(one.open(), one.open())
    seated = [{seat.alias for seat in run.plan.seats if seat.label != "member"} for run in (first, second)]
    assert seated[0] | seated[1] == {"m2", "m3", "m4", "m5"}
    await asyncio.gather(first.ended(), second.ended())


async def test_ids_of_panels_are_told_apart_without_redis(room: Make) -> None:
    one = await room(FIRST)
    runs = await asyncio.gather(*[one.open() for _ in range(20)])
    assert len({run.id for run in runs}) == 20
    await asyncio.gather(*[run.ended() for run in runs])
    assert await one.query(Panel.objects.filter(state="done").count) == 20


async def test_refusals_come_in_their_order_and_seat_nobody(room: Make) -> None:
    one = await room(FIRST)
    key = one.rows.key.pk
    with pytest.raises(NotFound):
        await one.open(ask(model="bench/other"), Caller("ci", key, scope=frozenset()))
    with pytest.raises(Forbidden):
        await one.open(caller=Caller("ci", key, scope=frozenset(), rpm=1))
    caller = Caller("ci", key, one.rows.alice.pk, rpm=1)
    run = await one.open(caller=caller)
    with pytest.raises(RateLimited):
        await one.open(caller=caller)
    await run.ended()
    panel = await one.panel()
    assert (panel.owner_id, panel.key_id, panel.caller) == (one.rows.alice.pk, key, "ci")
    await one.query(one.rows.key.refresh_from_db)
    assert one.rows.key.last_used_at is not None


async def test_closing_the_bench_records_what_ran(
    sqlite: Path, tmp_path: Path, query: Query, little_wire: None
) -> None:
    async def announce(topics: list[str]) -> None:
        return None

    async with upstream(says("usage 3 1", *["text drip"] * 200, pause=0.05)) as provider:
        await query(lambda: make_rows(provider.base, models=2))
        bench = await Bench.open(Limits(tmp_path), announce)
        run = await open_panel(bench, ask())
        await asyncio.sleep(0.3)
        await bench.close()
        async with asyncio.timeout(1):
            await provider.closed.wait()
    assert await query(lambda: list(Seat.objects.values_list("status", "error"))) == [("error", INTERRUPTED)] * 2
    assert await query(lambda: list(Call.objects.values_list("status", "tokens_in"))) == [("cancelled", 3)] * 2
    panel = await query(Panel.objects.get)
    assert (panel.id, panel.state) == (run.id, "done")


async def test_two_processes_do_not_seat_the_same_explorers(
    sqlite: Path, tmp_path: Path, query: Query, little_wire: None, valkey: Valkey
) -> None:
    async def announce(topics: list[str]) -> None:
        return None

    async with upstream(FIRST) as provider:
        rows = await query(lambda: make_rows(provider.base, models=5))
        await query(lambda: rows.core.seatings.exclude(place=1).delete())
        benches = [await Bench.open(Limits(tmp_path, valkey.url), announce) for _ in range(2)]
        seated: list[set[str]] = []
        for bench in benches:
            run = await open_panel(bench, ask())
            seated.append({seat.alias for seat in run.plan.seats if seat.label != "member"})
            assert re.fullmatch(r"p\d{8}-\d{6}-[0-9a-f]{4}", run.id)
            await run.ended()
            await asyncio.sleep(0.1)  # the news goes out after the rows
        for bench in benches:
            await bench.close()
    assert seated[0] | seated[1] == {"m2", "m3", "m4", "m5"}


async def test_news_of_a_panel_is_announced(sqlite: Path, tmp_path: Path, query: Query, little_wire: None) -> None:
    told: list[str] = []

    async def announce(topics: list[str]) -> None:
        told.extend(topics)

    async with upstream(FIRST) as provider:
        await query(lambda: make_rows(provider.base, models=1))
        bench = await Bench.open(Limits(tmp_path), announce)
        run = await open_panel(bench, ask())
        await run.ended()
        await asyncio.sleep(0.3)
        await bench.close()
    assert set(told) == {"panels", f"panel:{run.id}"}
