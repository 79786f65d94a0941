"""A request for embeddings before a bench: who is asked, who is remembered, what fails it, and what is written down."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from collections_app.models import Fact
from gateway.canon.ask import BenchField
from gateway.canon.embedding import EmbedAsk
from gateway.canon.fault import BadRequest, Fault, Forbidden, NotFound, RateLimited
from gateway.engine.embed import EmbedAnswer, EmbedAsking, Embedders
from gateway.engine.snapshot import Caller
from gateway.models import Call
from gateway.tests.engine.rooms import Make, Room
from gateway.tests.engine.upstream import Line, Request, Script, refuses
from gateway.tests.engine.world import LOCAL, collection, snapshot

NONE = refuses(404, body=b'{"message": "no such route"}')
TWO = EmbedAsk("openai_chat", "bench/core", ("a", "b"))


def gives(*numbers: float, tokens: int | None = 4, model: str = "") -> Script:
    """One vector for each text."""

    async def script(line: Line, request: Request) -> None:
        texts = json.loads(request.body)["input"]
        reply: dict[str, Any] = {"data": [{"embedding": numbers, "index": at} for at in range(len(texts))]}
        if tokens is not None:
            reply["usage"] = {"prompt_tokens": tokens}
        await line.whole(json.dumps({**reply, "model": model}).encode())

    return script


async def hang(line: Line, request: Request) -> None:
    await line.reader.read()


async def embed(room: Room, ask: EmbedAsk = TWO, caller: Caller = LOCAL) -> EmbedAnswer:
    return await room.bench.embed(EmbedAsking(ask, lambda snapshot, now: caller))


async def fails(room: Room, ask: EmbedAsk = TWO) -> Fault:
    with pytest.raises(Fault) as raised:
        await embed(room, ask)
    return raised.value


def asked_of(room: Room) -> list[str]:
    return [json.loads(request.body)["model"].removeprefix("lab/") for request in room.provider.requests]


async def calls(room: Room) -> list[tuple[object, ...]]:
    await room.bench.recorder.settle()
    fields = ("alias", "status", "attempts", "tokens_in", "purpose")
    found: list[tuple[object, ...]] = await room.query(lambda: list(Call.objects.order_by("pk").values_list(*fields)))
    return found


async def test_the_first_member_gives_all_the_vectors(room: Make) -> None:
    one = await room(gives(0.5, 0.25), gives(9.0))
    came = await embed(one)
    assert came.embedded.vectors == ((0.5, 0.25), (0.5, 0.25))
    assert (came.alias, json.loads(bytes(came.bench))) == ("m1", {"collection": "bench/core", "alias": "m1"})
    assert await calls(one) == [("m1", "ok", 1, 4, "embed")]
    (request,) = one.provider.requests
    assert request.line.startswith("POST /v1/embeddings ")
    assert json.loads(request.body) == {"model": "lab/m1", "input": ["a", "b"]}


async def test_members_without_embeddings_are_passed_over_once(room: Make) -> None:
    one = await room(NONE, refuses(400, body=b'{"message": "does not support embeddings"}'), gives(0.5))
    first, second = await embed(one), await embed(one)
    assert (first.alias, second.alias) == ("m3", "m3")
    assert asked_of(one) == ["m1", "m2", "m3", "m3"]
    skipped = json.loads(bytes(first.bench))["skipped"]
    assert [(told["alias"], told["why"]) for told in skipped] == [
        ("m1", "404: no such route"),
        ("m2", "400: does not support embeddings"),
    ]
    assert "skipped" not in json.loads(bytes(second.bench))
    assert [row[:2] for row in await calls(one)] == [("m1", "error"), ("m2", "error"), ("m3", "ok"), ("m3", "ok")]


async def test_embeddings_cost_what_the_text_costs_that_was_read(room: Make) -> None:
    one = await room(NONE, gives(0.5, tokens=8))
    price = {"field": "prices", "source": "operator", "value": {"input": 0.02}}
    await one.query(lambda: Fact.objects.create(language_model=one.rows.models[1], **price))
    one.bench.catalogue._read_at = 0.0
    assert (await embed(one)).alias == "m2"
    await one.bench.recorder.settle()
    costs = await one.query(lambda: list(Call.objects.order_by("pk").values_list("alias", "cost")))
    assert costs == [("m1", 0), ("m2", 160)]


def test_who_answered_is_remembered_as_long_as_the_stamp_and_the_collection_stay() -> None:
    known, core = Embedders(), collection("m1", "m2")
    known.note(core, snapshot(stamp="7"), "m2")
    assert known.of(core, snapshot(stamp="7")) == "m2"
    assert known.of(core, snapshot(stamp="8")) == ""
    assert known.of(collection("m2", "m1"), snapshot(stamp="7")) == ""
    assert known.of(collection("m1", "m2", name="other"), snapshot(stamp="7")) == ""


async def test_a_change_of_the_catalogue_has_them_asked_in_their_order_again(room: Make) -> None:
    one = await room(NONE, gives(0.5), gives(0.25))
    assert (await embed(one)).alias == "m2"
    await one.query(lambda: one.rows.core.seatings.filter(language_model__alias="m2").update(place=9))
    one.bench.catalogue._read_at = 0.0
    assert (await embed(one)).alias == "m3"
    assert asked_of(one) == ["m1", "m2", "m1", "m3"]


@pytest.mark.parametrize(
    ("script", "status", "words", "row"),
    [
        (refuses(400, body=b'{"message": "bad input"}'), 400, "m1: 400: bad input", ("m1", "error", 1)),
        (refuses(401), 502, "credentials", ("m1", "error", 1)),
        (refuses(429, "retry-after: 90"), 429, "m1: 429", ("m1", "error", 1)),
        (refuses(503, "retry-after: 0.01"), 502, "m1: 503", ("m1", "error", 3)),
    ],
)
async def test_any_other_failure_is_the_answer(
    room: Make, script: Script, status: int, words: str, row: tuple[object, ...]
) -> None:
    one = await room(script, gives(0.5))
    fault = await fails(one)
    assert fault.status == status
    assert words in fault.message
    assert {*asked_of(one)} == {"m1"}
    assert [told[:3] for told in await calls(one)] == [row]


async def test_a_reply_that_is_none_is_a_502_and_nobody_takes_over(room: Make) -> None:
    async def prose(line: Line, request: Request) -> None:
        await line.whole(b'data: {"choices": []}\n\n')

    one = await room(prose, gives(0.5))
    assert (await fails(one)).status == 502
    assert asked_of(one) == ["m1"]


async def test_a_rate_limit_makes_the_member_rest_and_a_long_one_bars_it(room: Make) -> None:
    one = await room(refuses(429, "retry-after: 90"), gives(0.5))
    await fails(one)
    fault = await fails(one)
    assert (fault.status, "not asked" in fault.message) == (429, True)
    assert fault.wait == pytest.approx(90, abs=5)
    assert asked_of(one) == ["m1"]


async def test_nobody_who_embeds_is_a_400_with_every_reason(room: Make) -> None:
    one = await room(NONE, NONE)
    fault = await fails(one)
    assert (fault.status, fault.code) == (400, "nobody_embeds")
    assert "m1 (404: no such route); m2 (404: no such route)" in fault.message


async def test_silence_ends_at_the_deadline(room: Make) -> None:
    one = await room(hang)
    one.bench.limits.seat_s = 0.2  # type: ignore[misc]
    assert (await fails(one)).status == 502
    assert [row[:3] for row in await calls(one)] == [("m1", "timeout", 1)]


async def test_a_caller_who_leaves_is_written_down(room: Make) -> None:
    arrived = asyncio.Event()

    async def script(line: Line, request: Request) -> None:
        arrived.set()
        await hang(line, request)

    one = await room(script)
    going = asyncio.create_task(embed(one))
    await asyncio.wait_for(arrived.wait(), 5)
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    await asyncio.wait_for(one.provider.closed.wait(), 5)
    assert [row[:3] for row in await calls(one)] == [("m1", "cancelled", 1)]


async def test_what_was_left_out_or_ignored_is_told(room: Make) -> None:
    one = await room(gives(0.5, 0.25, tokens=None, model="lab/else"))
    asked = EmbedAsk("gemini", "core", ("a",), task="CLUSTERING", dimensions=8)
    (notes,) = json.loads(bytes((await embed(one, asked)).bench))["translation"].values()
    assert "`taskType` was left out: this API has no such field." in notes
    assert "8 dimensions were asked for, and the vectors that came have 2." in notes
    await one.bench.recorder.settle()
    call = await one.query(Call.objects.get)
    assert (call.served, call.swapped, call.tokens_in, call.notes) == ("lab/else", True, None, notes)


async def test_a_strict_request_that_cannot_be_carried_whole_is_refused_unsent(room: Make) -> None:
    one = await room(gives(0.5))
    asked = EmbedAsk("gemini", "core", ("a",), task="CLUSTERING", bench=BenchField(strict=True))
    fault = await fails(one, asked)
    assert (fault.status, fault.code, asked_of(one)) == (400, "strict", [])
    assert "taskType" in fault.message


@pytest.mark.parametrize(
    ("model", "caller", "kind"),
    [
        ("bench/nobody", LOCAL, NotFound),
        ("", LOCAL, BadRequest),
        ("bench/core", Caller("ci", scope=frozenset({"other"})), Forbidden),
    ],
)
async def test_the_doors_are_those_of_any_request(room: Make, model: str, caller: Caller, kind: type[Fault]) -> None:
    one = await room(gives(0.5))
    with pytest.raises(kind):
        await embed(one, EmbedAsk("openai_chat", model, ("a",)), caller)
    assert asked_of(one) == []


@pytest.mark.parametrize("model", ["bench/core", "core", "bench/core:route", "bench/core:all"])
async def test_every_name_of_the_collection_will_do(room: Make, model: str) -> None:
    one = await room(gives(0.5))
    assert (await embed(one, EmbedAsk("openai_chat", model, ("a",)))).alias == "m1"


async def test_a_keys_rate_counts(room: Make) -> None:
    one = await room(gives(0.5))
    hasty = Caller("ci", key_id=one.rows.key.pk, owner_id=one.rows.alice.pk, rpm=1)
    await embed(one, caller=hasty)
    with pytest.raises(RateLimited):
        await embed(one, caller=hasty)
    await one.bench.recorder.settle()
    call = await one.query(Call.objects.get)
    assert (call.caller, call.key_id, call.collection_name) == ("ci", one.rows.key.pk, "core")
