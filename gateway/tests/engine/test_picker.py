"""The shape of a panel, asked of a decision model and of a chat model over the loopback."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
import pytest
import pytest_asyncio

from collections_app.models import DecisionModel, LanguageModel
from gateway.canon.decision import Choice, Noul
from gateway.canon.fault import NotSent, Rejected
from gateway.canon.kinds import Shape
from gateway.engine import picker, picker_call
from gateway.engine.bench import Bench
from gateway.engine.pace_rules import Limits
from gateway.engine.picker_call import DecisionOrder, decide
from gateway.engine.picker_plan import SHAPES, Picked
from gateway.models import Cooldown
from gateway.tests.engine.deciding import Query, Table, answers, hang, make_decider, sends, set_picker
from gateway.tests.engine.rooms import slow
from gateway.tests.engine.upstream import Line, Request, Script, says, upstream
from gateway.tests.engine.world import LOCAL

CODE = Picked(Shape.CODE, "jury, 0.97")
Make = Callable[..., Awaitable[Table]]
SO = Choice("Which?", {"a": None, "b": None})


def general(shape_by: str) -> Picked:
    return Picked(Shape.GENERAL, shape_by)


@pytest_asyncio.fixture
async def table(bench: Bench, query: Query) -> AsyncIterator[Make]:
    opened: list[Any] = []

    async def make(*scripts: Script, **facts: Any) -> Table:
        opened.append(upstream(*scripts))
        provider = await opened[-1].__aenter__()
        await query(lambda: make_decider(provider.base, **facts))
        return Table(bench, query, provider)

    yield make
    for one in opened:
        await one.__aexit__(None, None, None)


async def test_the_choice_of_a_decision_model_is_the_shape(table: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWARMERS_KEY_ORACLE", "sk-oracle")
    one = await table(answers("code", 0.97, model="jury-2026", usage={"input_tokens": 12}), path="systemone")
    assert await one.pick("Write a parser.", system="Be brief.") == CODE
    (request,) = one.provider.requests
    assert request.line == "POST /v1/systemone HTTP/1.1"
    assert request.headers["authorization"] == "Bearer sk-oracle"
    assert request.headers["x-title"] == "bench"
    body = json.loads(request.body)
    assert (body["model"], body["state"]) == ("lab/jury", "Be brief.\n\nWrite a parser.")
    assert set(body["questions"]["shape"]["criteria"]) == set(SHAPES)
    row = await one.call()
    assert (row.alias, row.purpose, row.status, row.attempts) == ("jury", "picker", "ok", 1)
    assert (row.served, row.endpoint_name, row.collection_name) == ("jury-2026", "oracle", "core")
    assert (row.tokens_in, row.tokens_out, row.language_model_id) == (12, 0, None)
    assert await one.evidence() == 0


@pytest.mark.parametrize(
    ("script", "shape_by", "status"),
    [
        (answers("code", 0.42), "jury unsure (code at 0.42)", "ok"),
        (answers("dance", 0.99), "jury unsure (dance at 0.99)", "ok"),
        (
            answers("code", 97),
            "jury failed (The provider sent what is not a document of answers (an answer has no co",
            "error",
        ),
        (sends(b"<html>no</html>"), "jury failed (The provider sent what is not a document of answers (", "error"),
        (sends(b'{"error": {"message": "no credit"}}'), "jury failed (no credit)", "error"),
        (sends(b'{"error": {"message": "busy"}}', 503), "jury failed (503: busy)", "error"),
        (sends(b'{"error": {"message": "slow down"}}', 429), "jury failed (429: slow down)", "error"),
        (sends(b"", 302, "location: http://elsewhere.test/"), "jury failed (302: the endpoint redirects to", "error"),
    ],
)
async def test_without_a_sure_choice_the_shape_is_general(
    table: Make, script: Script, shape_by: str, status: str
) -> None:
    one = await table(script)
    began = time.monotonic()
    picked = await one.pick()
    assert time.monotonic() - began < 1.5
    assert picked.shape == Shape.GENERAL
    assert picked.shape_by.startswith(shape_by)
    assert len(picked.shape_by) <= len("jury failed ()") + 80
    ((alias, told, attempts, _, purpose),) = await one.ledger()
    assert (alias, told, attempts, purpose) == ("jury", status, 1, "picker")
    assert await one.query(Cooldown.objects.count) == 0


async def test_a_panel_waits_two_seconds_at_most_and_then_not_again_for_a_minute(table: Make) -> None:
    one = await table(hang)
    began = time.monotonic()
    assert await one.pick() == general("jury failed (no answer in 2 s)")
    assert 1.9 < time.monotonic() - began < 2.6
    again = time.monotonic()
    assert await one.pick("Something else.") == general("jury failed (no answer in 2 s)")
    assert time.monotonic() - again < 0.5
    assert [row[:3] for row in await one.ledger()] == [("jury", "timeout", 1)]


async def test_a_slow_answer_within_the_limit_counts(table: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    one = await table(slow(0.3, answers()))
    assert await one.pick() == CODE
    monkeypatch.setattr(picker, "PATIENCE_S", 0.1)
    assert await one.pick("Another.") == general("jury failed (no answer in 0.1 s)")


async def test_the_same_request_is_asked_once_and_another_one_anew(table: Make) -> None:
    one = await table(answers("code"), answers("prose", 0.8))
    assert [await one.pick(), await one.pick(), await one.pick("Write a poem.")] == [
        CODE,
        CODE,
        Picked(Shape.PROSE, "jury, 0.80"),
    ]
    assert len(one.provider.requests) == 2


async def test_a_failed_picker_that_is_set_up_anew_is_asked_at_once(table: Make) -> None:
    one = await table(sends(b"", 500), answers())
    assert (await one.pick()).shape == Shape.GENERAL
    await one.query(lambda: DecisionModel.objects.update(path="systemone"))
    assert await one.pick() == CODE


async def test_a_caller_who_leaves_ends_the_call_and_the_ledger_has_it(table: Make) -> None:
    came = asyncio.Event()

    async def note(line: Line, request: Request) -> None:
        came.set()
        await hang(line, request)

    one = await table(note)
    picking = asyncio.create_task(one.pick())
    await came.wait()
    picking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await picking
    assert [row[:3] for row in await one.ledger()] == [("jury", "cancelled", 1)]


async def test_switched_off_or_without_a_decision_model_nobody_is_asked(table: Make) -> None:
    one = await table(answers(), ad_hoc=True)
    assert await one.pick() == general("no decision model onboarded")
    await one.query(lambda: set_picker("off"))
    assert await one.pick() == general("the shape picker is off")
    await one.query(lambda: set_picker("jury"))
    assert await one.pick() == CODE
    assert len(one.provider.requests) == 1


async def test_an_endpoint_without_an_address_or_a_key_is_told_and_nothing_is_sent(table: Make) -> None:
    one = await table(answers())
    known = await one.decider()
    for lost, why in (({"decisions_url": ""}, "no decisions_url"), ({"key_env": "NO_SUCH"}, "no value: set NO_SUCH")):
        endpoint = msgspec.structs.replace(known.endpoint, **lost)
        order = DecisionOrder(msgspec.structs.replace(known, endpoint=endpoint), "s", {"q": SO}, LOCAL, "core")
        with pytest.raises(NotSent, match=why):
            await decide(one.bench, order)
    assert one.provider.requests == []
    assert {row[1] for row in await one.ledger()} == {"refused"}


async def test_a_question_type_that_is_not_accepted_is_refused_before_any_call(table: Make) -> None:
    one = await table(answers())
    order = DecisionOrder(await one.decider(), "s", {"q": SO, "so": Noul("Is it?")}, LOCAL, "core")
    with pytest.raises(NotSent, match="takes no question of the type noul; it takes choice"):
        await decide(one.bench, order)
    assert one.provider.requests == []
    assert await one.ledger() == [("jury", "refused", 0, None, "")]


@pytest.mark.parametrize(("refusals", "attempts", "status"), [(1, 2, "ok"), (2, 3, "ok"), (3, 3, "error")])
async def test_others_wait_out_two_rate_limits(
    table: Make, monkeypatch: pytest.MonkeyPatch, refusals: int, attempts: int, status: str
) -> None:
    assert picker_call.WAITS_S == (5.0, 15.0)
    monkeypatch.setattr(picker_call, "WAITS_S", (0.05, 0.1))
    one = await table(*[sends(b"", 429)] * refusals, answers())
    order = DecisionOrder(await one.decider(), "s", {"shape": SO}, LOCAL, "core")
    began = time.monotonic()
    if status == "ok":
        assert (await decide(one.bench, order)).answers["shape"].choice == "code"
    else:
        with pytest.raises(Rejected):
            await decide(one.bench, order)
    assert time.monotonic() - began >= sum((0.05, 0.1)[: attempts - 1])
    assert [row[1:3] for row in await one.ledger()] == [(status, attempts)]


async def test_a_decision_is_paced_like_any_call(table: Make) -> None:
    one = await table(answers())
    decider = await one.decider()
    limits = {decider.endpoint.name: Limits(rpm=1)}
    latest = one.bench.catalogue.latest
    one.bench.catalogue._snapshot = msgspec.structs.replace(latest, connection_limits=limits)
    order = DecisionOrder(decider, "s", {"shape": SO}, LOCAL, "core", seconds=5.0)
    await decide(one.bench, order)
    with pytest.raises(NotSent, match="rate limit"):
        await decide(one.bench, order)
    assert [row[1:3] for row in await one.ledger()] == [("ok", 1), ("refused", 0)]


async def test_other_refusals_are_final_and_our_key_is_not_repeated(
    table: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BENCHWARMERS_KEY_ORACLE", "sk-oracle-0123456789")
    one = await table(sends(b'{"error": {"message": "bad key sk-oracle-0123456789"}}', 401))
    picked = await one.pick()
    assert picked.shape_by.startswith("jury failed (401: bad key ")
    assert "0123456789" not in picked.shape_by
    assert len(one.provider.requests) == 1


def chats(shape: str, confidence: float) -> Script:
    return says(f'text {{"shape": "{shape}", "confidence": {confidence}}}', "usage 90 9", "end stop")


@pytest.mark.parametrize(
    ("script", "picked", "status"),
    [
        (chats("review", 0.91), Picked(Shape.REVIEW, "fast, 0.91"), "ok"),
        (chats("review", 0.3), general("fast unsure (review at 0.30)"), "ok"),
        (chats("vision", 0.9), general("fast unsure (vision at 0.90)"), "ok"),
        (
            says("text Review.", "end stop"),
            general("fast failed (its answer is not the JSON that was asked for)"),
            "ok",
        ),
        (says("end stop"), general("fast failed (its answer is not the JSON that was asked for)"), "empty"),
        (sends(b'{"message": "busy"}', 503), general("fast failed (503: busy)"), "error"),
    ],
)
async def test_a_chat_model_can_be_the_picker(table: Make, script: Script, picked: Picked, status: str) -> None:
    one = await table(script)
    await one.query(lambda: seat_chat(one))
    assert await one.pick() == picked
    (request,) = one.provider.requests
    ask = json.loads(request.body)["ask"]
    assert ask["output"]["schema"]["properties"]["shape"]["enum"] == list(SHAPES)
    assert ask["turns"][1]["parts"][0]["text"] == "Write a parser."
    assert await one.ledger() == [("fast", status, 1, 503 if status == "error" else None, "picker")]
    assert await one.evidence() == 0


async def test_a_chat_model_has_two_seconds_too(table: Make) -> None:
    one = await table(hang)
    await one.query(lambda: seat_chat(one))
    assert await one.pick() == general("fast failed (no answer in 2 s)")
    assert await one.pick("Another.") == general("fast failed (no answer in 2 s)")
    assert len(one.provider.requests) == 1


async def test_a_chat_model_at_rest_is_not_asked(table: Make) -> None:
    one = await table(sends(b"", 429, "retry-after: 30"))
    await one.query(lambda: seat_chat(one))
    assert (await one.pick()).shape_by.startswith("fast failed (429:")
    one.bench.picks = type(one.bench.picks)()
    assert await one.pick() == general("fast failed (resting after a rate limit)")
    assert len(one.provider.requests) == 1


def seat_chat(table: Table) -> None:
    oracle = DecisionModel.objects.get().via
    LanguageModel.objects.create(alias="fast", served="lab/fast", endpoint=oracle)
    set_picker("fast")
