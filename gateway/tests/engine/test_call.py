"""One model's answer over a real socket: tries, waits, deadlines, and the ledger row that each call leaves."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import msgspec
import pytest

from gateway.canon.event import MOST_TOKENS, Event, TextDelta
from gateway.canon.fault import Broken, Notice, NotSent, Rejected, Silent, Unreachable
from gateway.engine.call import run_call
from gateway.engine.order import Outcome
from gateway.models import Cooldown
from gateway.tests.engine.calling import Make
from gateway.tests.engine.upstream import ANSWER, Line, Request, Script, refuses, says, upstream

Query = Callable[[Callable[[], Any]], Awaitable[Any]]
Calling = Callable[..., Awaitable[Outcome]]


async def test_an_answer_is_folded_and_put_into_the_ledger(setting: Make) -> None:
    one = await setting(says("model lab/m1", "text Blue", "text , mostly.", "usage 7 3", "end stop"))
    outcome = await one.call()
    assert (outcome.reply.text, outcome.status, outcome.attempts, outcome.fault) == ("Blue, mostly.", "ok", 1, None)
    assert outcome.first_token_s is not None
    assert 0 < outcome.first_token_s <= outcome.seconds < 2
    row = await one.ledger()
    assert (row.status, row.attempts, row.tokens_in, row.tokens_out) == ("ok", 1, 7, 3)
    assert (row.alias, row.endpoint_name, row.connection, row.served) == ("m1", "anthill", "anthill", "lab/m1")
    assert (row.seat, row.collection_name, row.caller, row.owner_id) == ("p1.member1", "core", "local", None)
    assert (row.swapped, row.failure, row.upstream_status) == (False, "", None)


@pytest.mark.parametrize(
    ("script", "prices", "nano"),
    [
        (ANSWER, {"input": 0.5, "output": 2}, 7 * 500 + 3 * 2_000),
        (ANSWER, {"input": 0.5}, None),
        (ANSWER, {}, None),
        (refuses(400), {"input": 0.5, "output": 2}, 0),
    ],
)
async def test_the_ledger_tells_what_a_call_cost_where_that_is_known(
    setting: Make, script: Script, prices: dict[str, float], nano: int | None
) -> None:
    one = await setting(script)
    await one.call(prices=prices)
    assert (await one.ledger()).cost == nano


@pytest.mark.parametrize(
    ("told", "kept"),
    [("usage -1 3", (0, 3, 0)), ("usage 7 1" + "0" * 30, (7, MOST_TOKENS, 0)), ("usage 7 3 -2", (7, 3, 0))],
)
async def test_counts_that_cannot_be_cost_no_row_of_the_ledger(
    setting: Make, told: str, kept: tuple[int, int, int]
) -> None:
    one = await setting(says("text Blue", told, "end stop"))
    await one.call()
    row = await one.ledger()
    assert (row.tokens_in, row.tokens_out, row.cached) == kept


class Ear:
    """Listens to a call."""

    def __init__(self, heard: Callable[[Event], None]) -> None:
        self.beginnings = 0
        self._heard = heard

    def began(self) -> None:
        self.beginnings += 1

    def hear(self, events: Sequence[Event]) -> None:
        for event in events:
            self._heard(event)


async def test_events_are_heard_as_they_come(setting: Make) -> None:
    heard: list[tuple[str, float]] = []
    one = await setting(says("text a", "text b", "end stop", pause=0.1))
    await one.call(Ear(lambda event: heard.append((type(event).__name__, time.monotonic()))))
    assert [name for name, _ in heard] == ["TextDelta", "TextDelta", "Closed"]
    assert heard[1][1] - heard[0][1] > 0.05


async def test_another_model_than_the_one_asked_for_is_marked(setting: Make) -> None:
    one = await setting(says("model lab/other", "text Blue", "end stop"))
    await one.call()
    row = await one.ledger()
    assert (row.swapped, row.served) == (True, "lab/other")


@pytest.mark.parametrize(
    ("status", "failure"),
    [(400, "other"), (401, "signin"), (402, "entitlement"), (404, "structural"), (413, "capacity"), (307, "other")],
)
async def test_a_final_refusal_is_asked_once(setting: Make, status: int, failure: str) -> None:
    one = await setting(refuses(status))
    outcome = await one.call()
    assert isinstance(outcome.fault, Rejected)
    assert (outcome.status, outcome.attempts, len(one.provider.requests)) == ("error", 1, 1)
    row = await one.ledger()
    assert (row.status, row.upstream_status, row.failure) == ("error", status, failure)
    assert await one.query(Cooldown.objects.count) == (1 if status == 402 else 0)


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503, 529])
async def test_a_passing_refusal_is_tried_again_after_the_stated_wait(setting: Make, status: int) -> None:
    one = await setting(refuses(status, "retry-after-ms: 120"), ANSWER)
    began = time.monotonic()
    outcome = await one.call()
    assert time.monotonic() - began >= 0.12
    assert (outcome.reply.text, outcome.status, outcome.attempts) == ("Blue, mostly.", "ok", 2)
    assert (await one.ledger()).attempts == 2


async def test_there_are_three_tries_in_all(setting: Make) -> None:
    one = await setting(refuses(503, "retry-after-ms: 10"))
    outcome = await one.call()
    assert (outcome.status, outcome.attempts, len(one.provider.requests)) == ("error", 3, 3)


async def test_a_wait_over_a_minute_is_final_and_makes_the_model_rest(setting: Make) -> None:
    one = await setting(refuses(429, "retry-after: 61"))
    outcome = await one.call()
    assert (outcome.attempts, outcome.fault and outcome.fault.wait) == (1, 61.0)
    row = await one.ledger()
    rest = await one.query(lambda: Cooldown.objects.get())
    assert rest.stated
    assert timedelta(seconds=61) <= rest.until - row.at < timedelta(seconds=64)


async def test_a_rate_limit_without_a_wait_makes_the_model_rest_for_half_an_hour(setting: Make) -> None:
    one = await setting(refuses(429))
    outcome = await one.call(seconds=0.3)
    assert outcome.attempts == 1  # the first backoff would pass the deadline
    row = await one.ledger()
    rest = await one.query(lambda: Cooldown.objects.get())
    assert not rest.stated
    assert timedelta(minutes=29) < rest.until - row.at < timedelta(minutes=31)


async def test_a_used_up_quota_is_a_rest_too_for_asking_again_is_as_useless(setting: Make) -> None:
    one = await setting(refuses(429, "retry-after: 70", body=b'{"message": "no", "code": "insufficient_quota"}'))
    outcome = await one.call()
    assert outcome.fault is not None
    assert outcome.fault.failure == "entitlement"
    await one.ledger()
    assert await one.query(Cooldown.objects.count) == 1


async def test_a_retry_after_as_a_date_is_honoured(setting: Make) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    one = await setting(refuses(503, f"retry-after: {soon}"), ANSWER)
    began = time.monotonic()
    assert (await one.call()).status == "ok"
    assert 0.7 < time.monotonic() - began < 2.6


async def test_a_refusal_is_returned_when_the_wait_would_pass_the_deadline(setting: Make) -> None:
    one = await setting(refuses(503, "retry-after: 3"))
    began = time.monotonic()
    outcome = await one.call(seconds=1.0)
    assert time.monotonic() - began < 0.8
    assert outcome.fault is not None
    assert outcome.fault.upstream_status == 503


async def test_a_key_does_not_follow_a_redirect(setting: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHWARMERS_KEY_ANTHILL", "hunter2")
    async with upstream(ANSWER) as target:
        one = await setting(refuses(308, f"location: {target.base}/little"))
        outcome = await one.call()
        assert target.requests == []
    assert one.provider.requests[0].headers["authorization"] == "Bearer hunter2"
    assert outcome.fault is not None
    assert target.base in outcome.fault.message
    assert "hunter2" not in outcome.fault.message


async def test_nobody_listening_is_tried_again_and_told(setting: Make) -> None:
    one = await setting(ANSWER)
    order = await one.order()
    endpoint = msgspec.structs.replace(order.model.endpoint, base="http://127.0.0.1:1/v1")
    order = msgspec.structs.replace(order, model=msgspec.structs.replace(order.model, endpoint=endpoint), retries=1)
    outcome = await run_call(one.bench, order)
    assert isinstance(outcome.fault, Unreachable)
    assert (outcome.status, outcome.attempts) == ("error", 2)


async def test_a_reset_before_the_first_byte_is_tried_again(setting: Make) -> None:
    async def reset(line: Line, request: Request) -> None:
        line.reset()

    one = await setting(reset, ANSWER)
    outcome = await one.call()
    assert (outcome.status, outcome.attempts) == ("ok", 2)


async def test_a_reset_after_the_first_byte_is_not_tried_again_and_keeps_what_came(setting: Make) -> None:
    async def cut(line: Line, request: Request) -> None:
        await line.head()
        await line.chunk(b"text Blue\n")
        await asyncio.sleep(0.05)
        line.reset()

    one = await setting(cut, ANSWER)
    outcome = await one.call()
    assert isinstance(outcome.fault, Broken)
    assert (outcome.reply.text, outcome.status, outcome.attempts) == ("Blue", "error", 1)


async def test_a_reply_that_ends_before_its_end_is_broken(setting: Make) -> None:
    one = await setting(says("text Blue"))
    outcome = await one.call()
    assert isinstance(outcome.fault, Broken)
    assert outcome.attempts == 1


async def test_an_error_inside_a_reply_is_an_error(setting: Make) -> None:
    one = await setting(says("text Bl", "error overloaded"))
    outcome = await one.call()
    assert (outcome.status, outcome.reply.text, outcome.attempts) == ("error", "Bl", 1)


async def test_a_trickling_provider_is_cut_at_the_deadline_and_hears_of_it(setting: Make) -> None:
    one = await setting(says("usage 7 1", *["text drip"] * 100, pause=0.05))
    began = time.monotonic()
    outcome = await one.call(seconds=0.5)
    assert 0.45 < time.monotonic() - began < 0.9
    assert isinstance(outcome.fault, Silent)
    assert outcome.reply.text.startswith("dripdrip")
    row = await one.ledger()
    assert (row.status, row.failure, row.tokens_in) == ("timeout", "timeout", 7)
    async with asyncio.timeout(1):
        await one.provider.closed.wait()


async def test_a_provider_that_says_nothing_is_cut_at_the_deadline(setting: Make) -> None:
    async def mute(line: Line, request: Request) -> None:
        await line.reader.read()

    one = await setting(mute)
    outcome = await one.call(seconds=0.3)
    assert (outcome.status, outcome.attempts, outcome.first_token_s) == ("timeout", 1, None)


async def test_a_reply_of_forty_megabytes_is_broken(setting: Make) -> None:
    async def flood(line: Line, request: Request) -> None:
        await line.head()
        for _ in range(40):
            await line.chunk(b"text " + b"x" * 999_994 + b"\n")

    one = await setting(flood)
    outcome = await one.call()
    assert isinstance(outcome.fault, Broken)
    assert (outcome.status, outcome.attempts) == ("error", 1)


async def test_two_calls_share_a_connection(setting: Make) -> None:
    one = await setting(ANSWER)
    for _ in range(3):
        await one.call()
    assert one.provider.connections == 1


async def test_a_provider_that_keeps_the_line_open_after_the_end_does_not_hold_the_answer(setting: Make) -> None:
    async def linger(line: Line, request: Request) -> None:
        await line.head()
        await line.chunk(b"text Blue\nend stop\n")
        await line.reader.read()

    one = await setting(linger)
    outcome = await one.call()
    assert outcome.status == "ok"
    assert outcome.seconds < 0.5


async def test_a_cancelled_call_is_in_the_ledger_and_the_provider_hears_of_it_within_a_second(setting: Make) -> None:
    one = await setting(says("usage 7 1", *["text drip"] * 100, pause=0.05))
    task = asyncio.create_task(one.call())
    await asyncio.sleep(0.4)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(1):
        await one.provider.closed.wait()
    row = await one.ledger()
    assert (row.status, row.attempts, row.tokens_in) == ("cancelled", 1, 7)


@pytest.mark.parametrize(
    ("script", "status"),
    [(says("end stop"), "empty"), (says("text   ", "end stop"), "empty"), (says("text x", "end stop"), "ok")],
)
async def test_an_answer_without_words_is_empty(setting: Make, script: Script, status: str) -> None:
    one = await setting(script)
    assert (await one.call()).status == status
    assert (await one.ledger()).status == status
    assert (await one.ledger()).failure == ("empty" if status == "empty" else "")


async def test_a_notice_in_place_of_an_answer_is_an_error(setting: Make) -> None:
    one = await setting(says("text You are out of credits.", "end stop"))
    outcome = await one.call()
    assert isinstance(outcome.fault, Notice)
    assert (outcome.status, (await one.ledger()).failure) == ("error", "entitlement")


async def test_what_a_provider_refuses_is_left_out_once(setting: Make) -> None:
    no_options = refuses(400, body=b'{"message": "unknown field stream_options", "code": ""}')
    no_stream = refuses(422, body=b'{"message": "stream must be false", "code": ""}')
    one = await setting(no_options, no_stream, ANSWER)
    outcome = await one.call()
    assert (outcome.status, outcome.attempts) == ("ok", 3)
    asked = [msgspec.json.decode(request.body) for request in one.provider.requests]
    assert [(body["stream"], body["stream_options"]) for body in asked] == [(True, True), (True, False), (False, False)]


async def test_a_key_that_is_named_and_missing_is_not_sent(setting: Make) -> None:
    one = await setting(ANSWER)
    order = await one.order()
    endpoint = msgspec.structs.replace(order.model.endpoint, key_env="NO_SUCH_VARIABLE")
    order = msgspec.structs.replace(order, model=msgspec.structs.replace(order.model, endpoint=endpoint))
    outcome = await run_call(one.bench, order)
    assert isinstance(outcome.fault, NotSent)
    assert "NO_SUCH_VARIABLE" in outcome.fault.message
    assert (outcome.status, outcome.attempts) == ("refused", 0)
    assert (await one.ledger()).status == "refused"
    assert one.provider.requests == []


async def test_a_defect_in_the_reader_still_leaves_a_ledger_row(setting: Make) -> None:
    one = await setting(says("text Blue", "bug here"))
    with pytest.raises(RuntimeError):
        await one.call()
    row = await one.ledger()
    assert (row.status, row.attempts) == ("error", 1)


async def test_text_that_comes_is_heard_once(setting: Make) -> None:
    heard: list[str] = []
    one = await setting(ANSWER)
    ear = Ear(lambda event: heard.append(event.text) if isinstance(event, TextDelta) else None)
    await one.call(ear)
    assert (ear.beginnings, heard) == (1, ["Blue", ", mostly."])


async def test_a_model_whose_provider_asked_for_a_long_pause_is_not_asked_within_it(setting: Make) -> None:
    one = await setting(refuses(429, "retry-after: 300"))
    first = await one.call()
    again = await one.call()
    assert (first.fault.upstream_status, len(one.provider.requests)) == (429, 1)  # type: ignore[union-attr]
    assert isinstance(again.fault, NotSent)
    assert "another 300 s" in again.fault.message or "another 299 s" in again.fault.message
    assert (again.status, again.attempts) == ("refused", 0)
