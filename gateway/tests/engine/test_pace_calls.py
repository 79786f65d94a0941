"""Every paid call asks pacing first: seats, members of a route, embeddings and decisions, over real sockets."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

import msgspec
import pytest

from collections_app.models import ConnectionLimit
from gateway.canon.fault import NotSent, Rejected
from gateway.engine.call import run_call
from gateway.engine.order import Outcome
from gateway.engine.pace import Ticket, Want
from gateway.engine.pace_end import BROKEN_OFF
from gateway.engine.pace_ledger import read_history
from gateway.engine.pace_rules import BUCKET_MS, Estimate, Limits, Scope
from gateway.models import Call
from gateway.tests.engine.calling import Make, Setting
from gateway.tests.engine.rooms import Make as MakeRoom
from gateway.tests.engine.test_embed import embed, fails, gives
from gateway.tests.engine.turning import asked_of, calls, turn
from gateway.tests.engine.upstream import ANSWER, refuses, says

GOOD = says("text Blue", "end stop")


async def limited(one: Setting, **limits: int) -> None:
    """From now on the connection may have so much."""
    await one.query(lambda: ConnectionLimit.objects.create(connection="anthill", **limits))
    await one.bench.catalogue._read("2")


async def call(one: Setting, **facts: float) -> Outcome:
    return await run_call(one.bench, msgspec.structs.replace(await one.order(), **facts))


async def test_a_call_over_the_limit_is_not_sent_and_stands_in_the_ledger_as_refused(setting: Make) -> None:
    one = await setting(ANSWER)
    await limited(one, rpm=1)
    assert (await call(one)).status == "ok"
    outcome = await call(one)
    assert isinstance(outcome.fault, NotSent)
    assert outcome.fault.message.startswith("rate limit (not sent; anthill may have 1 requests a minute")
    assert (outcome.attempts, outcome.paid, len(one.provider.requests)) == (0, None, 1)
    await one.bench.recorder.settle()
    rows = await one.query(lambda: list(Call.objects.order_by("pk").values_list("status", "attempts", "failure")))
    assert rows == [("ok", 1, ""), ("refused", 0, "capacity")]


async def test_each_attempt_counts_and_a_refused_further_one_leaves_the_provider_s_word(setting: Make) -> None:
    one = await setting(refuses(500, "retry-after-ms: 10"))
    await limited(one, rpm=2)
    outcome = await call(one)
    assert isinstance(outcome.fault, Rejected)
    assert (outcome.fault.upstream_status, outcome.attempts) == (500, 2)


async def test_what_a_call_really_used_takes_the_place_of_the_estimate(setting: Make) -> None:
    one = await setting(says("text Blue", "usage 20 10", "end stop"))
    await limited(one, tpm=1_200)  # the first is estimated at more than a thousand
    assert [(await call(one)).status for _ in range(3)] == ["ok"] * 3


async def test_a_call_that_runs_out_of_time_keeps_its_estimate(setting: Make) -> None:
    one = await setting(says("text Blue", pause=1.0))
    await limited(one, tpm=1_200)
    assert (await call(one, seconds=0.2)).status in ("timeout", "error")
    assert (await call(one)).status == "refused"


async def test_a_seat_waits_for_a_place_and_goes_when_another_ends(setting: Make) -> None:
    one = await setting(says("text Blue", "end stop", pause=0.2))
    await limited(one, parallel=1)
    outcomes = await asyncio.gather(*[call(one, seconds=20.0) for _ in range(3)])
    assert [outcome.status for outcome in outcomes] == ["ok"] * 3
    assert max(outcome.seconds for outcome in outcomes) > 0.5


async def test_a_model_over_its_own_limit_is_replaced_at_once(room: MakeRoom) -> None:
    one = await room(GOOD, GOOD, reply="route")
    snapshot = await one.bench.catalogue.current("2")
    first = msgspec.structs.replace(snapshot.models["m1"], kept_limits={"rpm": 1})
    one.bench.catalogue._snapshot = msgspec.structs.replace(snapshot, models={**snapshot.models, "m1": first})
    one.bench.limits = msgspec.structs.replace(one.bench.limits, route_first_piece_s=90.0)  # type: ignore[type-var]
    assert (await turn(one)).text == "Blue"
    heard = await turn(one)
    assert (heard.text, heard.bench["alias"]) == ("Blue", "m2")
    assert "rate limit (not sent; m1 may have 1 requests a minute" in heard.bench["failed_over"][0]["error"]
    assert asked_of(one) == ["m1", "m2"]
    assert (await calls(one))[1] == ("m1", "refused", 0, "route")


async def test_a_conversation_stays_with_its_member_while_another_would_have_to_wait_as_long(room: MakeRoom) -> None:
    one = await room(GOOD, GOOD, reply="route")
    await one.query(lambda: ConnectionLimit.objects.create(connection="anthill", parallel=1))
    await one.bench.catalogue._read("2")
    one.bench.limits = msgspec.structs.replace(one.bench.limits, route_first_piece_s=90.0)  # type: ignore[type-var]
    model = one.bench.catalogue.latest.models["m1"]
    held = await one.bench.pace.take(Want("anthill", "m1", model.kept_limits, Estimate, 60.0, 60.0))
    turning = asyncio.ensure_future(turn(one))
    await asyncio.sleep(0.1)
    assert not turning.done()
    one.bench.pace.settle(held, BROKEN_OFF)
    heard = await turning
    assert heard.bench["alias"] == "m1"
    assert asked_of(one) == ["m1"]


async def test_a_call_that_is_refused_again_and_again_cuts_its_connection_once(
    setting: Make, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "gateway.engine.pace_store")
    one = await setting(*[refuses(429)] * 3)
    await one.bench.pace.take(Want("anthill", "m2", {}, Estimate, 60.0, 60.0))
    assert (await one.call()).attempts == 3
    assert [record.message for record in caplog.records if "at once" in record.message] == [
        "anthill may have 5 calls at once: it refused one of 2"
    ]


async def test_embeddings_are_paced_and_another_member_is_not_asked_in_its_place(room: MakeRoom) -> None:
    one = await room(gives(0.5))
    snapshot = await one.bench.catalogue.current("2")
    limits = {"anthill": Limits(rpm=1)}
    one.bench.catalogue._snapshot = msgspec.structs.replace(snapshot, connection_limits=limits)
    await embed(one)
    refused = await fails(one)
    assert "rate limit (not sent; anthill may have 1 requests a minute" in refused.message
    assert (refused.status, refused.wait is not None and 0 < refused.wait <= 60) == (429, True)
    assert len(one.provider.requests) == 1


@pytest.mark.parametrize(
    ("limits", "recent", "day", "month"),
    [
        (Limits(rpm=1), 3, {}, 0),
        (Limits(tpd=1), 0, {0: (3, 40), 12: (1, 30)}, 0),
        (Limits(rpmo=1), 0, {}, 6),
    ],
)
async def test_the_ledger_tells_what_was_sent(
    setting: Make, limits: Limits, recent: int, day: dict[int, tuple[int, int]], month: int
) -> None:
    one = await setting(ANSWER)
    now = one.bench.clock().replace(day=20, hour=12, minute=2, second=30)
    ago = [
        (20.0, 2, 10, "m1"),
        (50.0, 1, 30, "m1"),
        (70.0, 1, 500, "m2"),
        (3_600.0, 1, 30, "m1"),
        (90_000.0, 2, 7, "m1"),
    ]

    def rows() -> None:
        for seconds, attempts, tokens, alias in ago:
            Call.objects.create(
                at=now - timedelta(seconds=seconds), alias=alias, endpoint_name="anthill", connection="anthill",
                caller="x", status="ok", attempts=attempts, tokens_in=tokens - 1, tokens_out=1,
            )  # fmt: skip
        Call.objects.create(at=now, alias="m1", endpoint_name="anthill", connection="anthill", caller="x", status="ok")

    await one.query(rows)
    at = int(now.timestamp() * 1000)
    scope = Scope("anthill", "m1", limits, limits.counts)
    history = await one.query(lambda: read_history(scope, at))
    assert len(history.recent) == recent
    assert {at // BUCKET_MS - piece: sums for piece, sums in history.day.items()} == day
    assert history.month_requests == month


async def test_time_for_an_answer_counts_from_the_sending_where_there_is_room_to_wait(
    setting: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await setting(GOOD)
    take = one.bench.pace.take

    async def slowly(want: Want) -> Ticket:
        assert want.left_s > 30
        await asyncio.sleep(2.1)
        return await take(want)

    monkeypatch.setattr(one.bench.pace, "take", slowly)
    assert (await call(one, seconds=2.0, room_s=30.0)).status == "ok"


async def test_room_to_wait_is_no_time_to_answer(setting: Make) -> None:
    one = await setting(says("text Blue", "text .", pause=60.0))
    outcome = await call(one, seconds=0.3, room_s=60.0)
    assert outcome.status == "timeout"
    assert outcome.seconds < 30
