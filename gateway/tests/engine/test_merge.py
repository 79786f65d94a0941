"""Merged panels over real sockets: the reply as it streams and whole, and what is recorded."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from collections_app.models import Evidence, LanguageModel
from gateway.canon.ask import BenchField, Knobs
from gateway.canon.event import Closed, Finish, TextDelta, Usage
from gateway.canon.reply import fold
from gateway.engine import merge_text
from gateway.models import Call
from gateway.tests.engine.merging import MERGED, bench_of, both, merge_requests, merged, streamed, turns_of
from gateway.tests.engine.rooms import Make, slow, texts
from gateway.tests.engine.upstream import refuses, says
from gateway.tests.engine.world import ask

FIRST = says("text first", "usage 1 2", "end stop")
SECOND = says("text second", "usage 10 20", "end stop")
MERGER = says("thought hm", "text Both", "text  agree.", "usage 100 200", "end stop")


async def test_the_mergers_words_stream_one_by_one_once_all_seats_are_done(room: Make) -> None:
    drip = says("text Both", "text  agree", "text .", "usage 100 200", "end stop", pause=0.15)
    one = await room(both(slow(0.2, FIRST), drip), SECOND)
    run = await merged(one)
    loop = asyncio.get_running_loop()
    began, told = loop.time(), []
    async for event in run.events():
        if isinstance(event, TextDelta):
            told.append((event.text, loop.time() - began))
    assert [text for text, _ in told[:3]] == ["Both", " agree", "."]
    assert told[0][1] > 0.2  # not before the slow seat
    assert told[2][1] - told[0][1] > 0.2  # not in one piece
    assert told[3][0] == (
        f"\n\n---\nMerged by m1 (`{run.id}.merger`) from m1 ok, m2 ok. "
        "The `bench` field has every answer and its call id.\n"
    )
    assert len(told) == 4


async def test_a_whole_reply_is_what_the_stream_says(room: Make) -> None:
    one = await room(both(FIRST, MERGER), SECOND)
    heard = fold(await streamed(await merged(one)))
    run = await merged(one)
    reply = await run.whole()
    assert reply.text.replace(run.id, "") == heard.text.replace(msgspec.json.decode(heard.bench or b"")["panel"], "")
    assert reply.text.startswith("Both agree.\n\n---\nMerged by m1")
    assert reply.usage == heard.usage == Usage(111, 222)
    assert reply.reasoning == ""


async def test_the_bench_object_has_the_seats_and_the_merger(room: Make) -> None:
    one = await room(both(FIRST, MERGER), SECOND)
    run = await merged(one)
    bench = bench_of(await streamed(run))
    assert set(bench) == {"panel", "collection", "shape", "shape_by", "seats", "verdict", "reply", "merger"}
    assert bench["reply"] == "merged"
    assert [seat["answer"] for seat in bench["seats"]] == ["first", "second"]
    merger = {name: bench["merger"][name] for name in ("call", "seat", "alias", "status", "answer", "error")}
    assert list(bench["merger"]) == list(bench["seats"][0])
    assert merger == {
        "call": f"{run.id}.merger",
        "seat": "merger",
        "alias": "m1",
        "status": "ok",
        "answer": "Both agree.",
        "error": "",
    }
    assert "X-Bench-Answered" not in run.headers


async def test_the_merger_gets_the_request_and_the_answers_and_nothing_else_of_the_caller(room: Make) -> None:
    one = await room(both(FIRST, MERGER), refuses(401))
    await (await merged(one, ask(model=MERGED, knobs=Knobs(temperature=0.1), nominated=("m2",)))).ended()
    (request,) = merge_requests(one)
    system, prompt = turns_of(request)
    assert system == merge_text.INSTRUCTION
    assert prompt == (
        "# The request\n\nWhy is the sky blue?\n\n# The answers\n\n1 of 2 answered; nothing came from member m2.\n\n"
        "## member — m1\n\nfirst"
    )
    sent = msgspec.json.decode(request.body)["ask"]
    assert (sent["knobs"]["temperature"], sent["nominated"], sent["tools"]) == (None, [], [])


async def test_the_merger_is_recorded_like_a_seat(room: Make) -> None:
    one = await room(both(FIRST, MERGER), SECOND)
    run = await merged(one)
    await run.ended()
    assert await one.seats() == [("m1", "ok"), ("m2", "ok"), ("m1", "ok")]
    panel = await one.panel()
    assert (panel.reply, panel.state) == ("merged", "done")
    row = await one.query(lambda: panel.seats.get(label="merger"))
    assert (row.call, row.place, row.answer) == (f"{run.id}.merger", 3, "Both agree.")
    assert (row.tokens_in, row.reasoning, row.why) == (100, "hm", "no useful verdicts; number 1 of the members")
    kinds = await one.query(lambda: list(Evidence.objects.order_by("pk").values_list("call", "kind", "status")))
    assert sorted(kinds) == [
        (f"{run.id}.member1", "seat", "ok"),
        (f"{run.id}.member2", "seat", "ok"),
        (f"{run.id}.merger", "merger", "ok"),
    ]
    ledger = await one.query(lambda: Call.objects.filter(seat=f"{run.id}.merger").values_list("status", "tokens_out"))
    assert list(await one.query(lambda: list(ledger))) == [("ok", 200)]


async def test_the_merger_is_in_the_database_while_it_still_writes(room: Make) -> None:
    one = await room(both(FIRST, says("text Both", "end stop", pause=0.6)))
    run = await merged(one)
    await asyncio.sleep(0.4)
    assert await one.seats() == [("m1", "ok"), ("m1", "asked")]
    assert (await one.panel()).state == "running"
    await run.ended()


@pytest.mark.parametrize("stream", [True, False])
async def test_too_few_answers_are_told_in_text_and_data_and_header(room: Make, stream: bool) -> None:
    one = await room(both(FIRST, MERGER), SECOND, refuses(401), says("end stop"), says("error out"))
    run = await merged(one)
    assert "X-Bench-Answered" not in run.headers  # not known yet
    events = await (streamed(run) if stream else run.ended())
    assert "m1 ok, m2 ok, m3 error, m4 empty, m5 error. 2 of 5 answered." in "".join(texts(events))
    assert bench_of(events)["answered"] == {"ok": 2, "of": 5}
    assert run.headers["X-Bench-Answered"] == "2/5"


async def test_a_merger_that_met_its_limit_ends_the_reply_with_that(room: Make) -> None:
    one = await room(both(FIRST, says("text Both", "end length")))
    *_, closed = await (await merged(one)).ended()
    assert isinstance(closed, Closed)
    assert closed.finish is Finish.LENGTH


async def test_the_collections_merger_merges(room: Make) -> None:
    one = await room(FIRST, SECOND, MERGER)
    await one.query(lambda: one.rows.core.seatings.filter(place=3).delete())

    def set_merger() -> None:
        one.rows.core.merger = one.rows.models[2]
        one.rows.core.save()

    await one.query(set_merger)
    run = await merged(one, ask(model=MERGED))
    bench = bench_of(await run.ended())
    assert bench["merger"]["alias"] == "m3"
    assert [seat["alias"] for seat in bench["seats"][:2]] == ["m1", "m2"]


async def test_a_retired_merger_is_skipped_and_a_member_merges(room: Make) -> None:
    one = await room(both(FIRST, MERGER), SECOND)

    def retire() -> None:
        spare = LanguageModel.objects.create(
            alias="old",
            served="lab/old",
            endpoint=one.rows.models[0].endpoint,
            retired_at="2026-01-02T00:00Z",
            retired_why="gone dear",
        )
        one.rows.core.merger = spare
        one.rows.core.save()

    await one.query(retire)
    run = await merged(one)
    bench = bench_of(await run.ended())
    assert bench["merger"]["alias"] == "m1"
    why = "retired on 2026-01-02: gone dear; a member was chosen by its verdicts instead"
    assert bench["skipped"] == [{"seat": "merger", "alias": "old", "why": why}]
    assert (await one.panel()).skipped == bench["skipped"]


async def test_a_member_that_failed_as_a_seat_is_not_asked_to_merge_where_another_can(room: Make) -> None:
    one = await room(refuses(401), both(SECOND, MERGER))
    assert bench_of(await (await merged(one)).ended())["merger"]["alias"] == "m2"


async def test_the_body_may_ask_for_a_merged_reply(room: Make) -> None:
    one = await room(both(FIRST, MERGER))
    run = await merged(one, ask(bench=BenchField(reply="merged")))
    assert bench_of(await run.ended())["reply"] == "merged"


async def test_a_seat_that_the_caller_did_not_wait_for_is_no_source_and_is_recorded(room: Make) -> None:
    one = await room(both(FIRST, says("text Both", "end stop", pause=0.3)), slow(0.2, SECOND), slow(1.5, SECOND))
    run = await merged(one, ask(model=MERGED, bench=BenchField(quorum=1)))
    events = await run.ended()
    assert "from m1 ok, m2 asked, m3 asked. 1 of 3 answered." in "".join(texts(events))
    bench = bench_of(events)
    assert [seat["status"] for seat in bench["seats"]] == ["ok", "ok", "asked"]
    assert bench["answered"] == {"ok": 1, "of": 3}
    (request,) = merge_requests(one)
    assert "second" not in turns_of(request)[1]
    await asyncio.sleep(1.3)
    assert await one.seats() == [("m1", "ok"), ("m2", "ok"), ("m3", "ok"), ("m1", "ok")]
    assert (await one.panel()).state == "done"
