"""Tickets over processes and in simulated time: two paces that share one Redis and one clock."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import Any

import pytest

from gateway.canon.fault import FailureClass, NotSent
from gateway.engine.pace import Pace
from gateway.engine.pace_end import End
from gateway.engine.pace_rules import Estimate, Limits, month_of
from gateway.engine.pace_windows import History
from gateway.engine.told import Told
from gateway.tests.engine.pacing import NOWHERE, START, Sim, fullest, go, simulated, want
from gateway.tests.engine.stores import Valkey


@pytest.fixture(params=["redis", "own memory"])
def url(request: pytest.FixtureRequest) -> str:
    return str(request.getfixturevalue("valkey").url) if request.param == "redis" else NOWHERE


def told(remaining: int, seconds: float, alias: str = "m1", metric: str = "requests", window: str = "minute") -> Told:
    return Told("hive", alias, metric, window, limit=100, remaining=remaining, reset_at=START / 1000 + seconds)


async def test_sixty_a_minute_holds_in_every_sliding_minute_and_is_used_by_two_processes(valkey: Valkey) -> None:
    """Two paces with a line to one Valkey each, and one simulated clock."""
    async with simulated({"hive": Limits(rpm=60)}, valkey.url) as sim:
        paces, sent = [sim.process(), sim.process()], []

        async def caller(pace: Pace, number: int) -> None:
            await sim.pause(number * 0.05)
            while sim.now < START + 180_000:
                ticket = await go(pace, want(f"m{number % 3}"))
                sent.append(ticket.taken_at)
                await sim.pause(0.3)

        await sim.run(*[caller(paces[number % 2], number) for number in range(40)])
    assert fullest(sent) == 60
    for minute in range(3):
        used = [at for at in sent if START + minute * 60_000 <= at < START + (minute + 1) * 60_000]
        assert len(used) >= 57


def test_sixty_a_minute_holds_over_two_processes_of_the_system(valkey: Valkey) -> None:
    """Twenty callers in each, and a clock that jumps to whichever wakes next."""
    command = [sys.executable, "-m", "gateway.tests.engine.pacing_process", valkey.url]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    children = [subprocess.Popen([*command, str(first), "2"], **pipes) for first in range(2)]
    sent: list[int] = []
    upcoming = [START, START]
    waiting = list(enumerate(children))
    while waiting:
        for place, child in waiting:
            assert child.stdout is not None
            told = json.loads(child.stdout.readline())
            sent += told["sent"]
            upcoming[place] = told["next"]
        waiting = [(place, child) for place, child in waiting if upcoming[place] is not None]
        for _, child in waiting:
            assert child.stdin is not None
            child.stdin.write(f"{min(upcoming[place] for place, _ in waiting)}\n")
            child.stdin.flush()
    for child in children:
        child.communicate(timeout=10)
        assert child.returncode == 0
    assert fullest(sent) == 60
    for minute in range(3):
        used = [at for at in sent if START + minute * 60_000 <= at < START + (minute + 1) * 60_000]
        assert len(used) >= 57


async def test_a_month_is_counted_over_processes_and_begins_anew_in_utc(valkey: Valkey) -> None:
    async with simulated({"hive": Limits(rpmo=5)}, valkey.url) as sim:
        one, two = sim.process(), sim.process()
        for pace in (one, two, one, two, one):
            await go(pace, want())
        _, over = month_of(sim.now)
        with pytest.raises(NotSent) as caught:
            await two.take(want())
        assert caught.value.wait == (over - sim.now) / 1000
        assert "5 requests a month and stands at 5" in caught.value.message
        sim.now = over
        for pace in (one, two):
            await go(pace, want())


async def test_a_stated_reset_is_waited_out_by_every_process(valkey: Valkey) -> None:
    async with simulated({}, valkey.url) as sim:
        one, two = sim.process(), sim.process()
        one.told(told(0, 40.0))
        await sim.pulses[0].read_stamp()  # goes the same way, after it
        two.hear((await sim.pulses[1].read("20261129-120000")).limited)
        tickets = await sim.run(go(one, want()), go(two, want()), go(two, want("m2")))
    assert [ticket.taken_at - START for ticket in tickets] == [40_000, 40_000, 0]


async def test_no_word_of_a_provider_holds_for_more_than_a_day(valkey: Valkey) -> None:
    async with simulated({}, valkey.url) as sim:
        pace = sim.process()
        pace.told(told(0, 40 * 86_400.0))
        with pytest.raises(NotSent, match="try again in 24h"):
            await pace.take(want(left_s=90_000.0))
        sim.now += 86_400_000
        assert (await pace.take(want())).taken_at == sim.now


async def test_a_reset_is_waited_for_a_minute_at_most(valkey: Valkey) -> None:
    async with simulated({}, valkey.url) as sim:
        pace = sim.process()
        pace.told(told(0, 61.0))
        with pytest.raises(NotSent, match="try again in 61s"):
            await pace.take(want(left_s=400.0))
        sim.now += 2_000
        (ticket,) = await sim.run(go(pace, want(left_s=400.0)))
        assert ticket.taken_at - START == 61_000


async def test_what_is_left_is_counted_down_until_the_reset(url: str) -> None:
    async with simulated({}, url) as sim:
        pace = sim.process()
        pace.told(told(2, 30.0))
        tickets = await sim.run(*[go(pace, want()) for _ in range(3)])
        assert [ticket.taken_at - START for ticket in tickets] == [0, 0, 30_000]


async def test_a_reply_to_an_earlier_call_gives_nothing_back(url: str) -> None:
    async with simulated({}, url) as sim:
        pace = sim.process()
        pace.told(told(2, 30.0))
        for _ in range(2):
            await go(pace, want())
        pace.told(told(1, 30.0))
        (ticket,) = await sim.run(go(pace, want()))
        assert ticket.taken_at - START == 30_000


@pytest.mark.parametrize("metric", ["tokens", "output-tokens"])
async def test_what_a_call_did_not_use_is_left_again(url: str, metric: str) -> None:
    async with simulated({}, url) as sim:
        pace = sim.process()
        pace.told(told(1_000, 30.0, metric=metric))
        for _ in range(9):
            ticket = await pace.take(want(estimate=lambda: Estimate(50, 900), left_s=10))
            sim.now += 10
            pace.settle(ticket, End(tokens=60, answered=True))


async def test_what_was_told_since_gets_nothing_back(url: str) -> None:
    async with simulated({}, url) as sim:
        pace = sim.process()
        pace.told(told(1_000, 30.0, metric="tokens"))
        ticket = await pace.take(want(estimate=lambda: Estimate(50, 900)))
        sim.now += 10
        pace.told(told(0, 20.0, metric="tokens"))
        pace.settle(ticket, End(tokens=60, answered=True))
        with pytest.raises(NotSent):
            await pace.take(want(left_s=10))


async def test_the_later_of_two_limits_decides(url: str) -> None:
    async with simulated({"hive": Limits(rpm=3)}, url) as sim:
        pace, own = sim.process(), {"rpd": 2}
        for _ in range(2):
            await go(pace, want(own=own))
        await go(pace, want("m2"))
        with pytest.raises(NotSent, match="m1 may have 2 requests a day and stands at 2"):
            await pace.take(want(own=own))
        with pytest.raises(NotSent, match="hive may have 3 requests a minute and stands at 3"):
            await pace.take(want("m2", left_s=50))


async def test_tokens_are_reserved_and_settled_to_the_truth(url: str) -> None:
    async with simulated({"hive": Limits(tpm=1000)}, url) as sim:
        pace = sim.process()
        first = await pace.take(want(tokens=900))
        with pytest.raises(NotSent, match="1,000 tokens a minute and stands at 900"):
            await pace.take(want(tokens=200, left_s=10))
        pace.settle(first, End(tokens=100, answered=True))
        pace.settle(first, End(tokens=999_999))  # a second time changes nothing
        await pace.take(want(tokens=900))
        with pytest.raises(NotSent, match="stands at 1,000"):
            await pace.take(want(tokens=1, left_s=10))


async def test_a_prompt_larger_than_the_window_goes_into_an_empty_one(url: str) -> None:
    async with simulated({"hive": Limits(tpm=1000)}, url) as sim:
        pace = sim.process()
        await pace.take(want(tokens=10))
        sim.now += 1_000
        (ticket,) = await sim.run(pace.take(want(tokens=5_000)))
        assert ticket.taken_at == START + 60_000


async def test_a_call_that_is_not_sent_is_given_back(url: str) -> None:
    async with simulated({"hive": Limits(rpm=1, rpd=1, rpmo=1, tpm=50)}, url) as sim:
        pace = sim.process()
        for _ in range(3):
            await go(pace, want(tokens=50), End(undone=True))
        await go(pace, want(tokens=50))


@pytest.mark.parametrize(
    ("left_s", "held_s", "waits"),
    [(62.0, 600.0, True), (61.9, 600.0, False), (600.0, 2.0, False), (600.0, 60.0, True)],
)
async def test_a_call_waits_when_two_seconds_are_left_and_is_refused_at_once_when_not(
    url: str, left_s: float, held_s: float, waits: bool
) -> None:
    async with simulated({"hive": Limits(rpm=1)}, url) as sim:
        pace = sim.process()
        await go(pace, want())
        wanted = want(left_s=left_s, held_s=0.0, held_whole_s=held_s)
        if waits:
            (ticket,) = await sim.run(pace.take(wanted))
            assert ticket.taken_at == START + 60_000
            return
        with pytest.raises(NotSent) as caught:
            await pace.take(wanted)
    fault = caught.value
    assert sim.now == START
    assert fault.message == (
        "rate limit (not sent; hive may have 1 requests a minute and stands at 1): try again in 60s"
    )
    assert (fault.upstream_status, fault.wait, fault.failure) == (429, 60.0, FailureClass.CAPACITY)


async def test_what_is_in_the_way_of_the_model_alone_and_of_its_whole_connection_are_told_apart(url: str) -> None:
    async with simulated({"hive": Limits(rpm=2)}, url) as sim:
        pace, own = sim.process(), {"rpm": 1}
        await go(pace, want(own=own))
        with pytest.raises(NotSent, match="m1 may have 1 requests"):
            await pace.take(want(own=own, held_s=2.0))
        sim.now += 1_000
        await go(pace, want("m2"))
        with pytest.raises(NotSent, match="hive may have 2 requests"):
            await pace.take(want("m2", held_whole_s=2.0))
        (ticket,) = await sim.run(pace.take(want("m2", held_s=2.0)))
        assert ticket.taken_at == START + 60_000


async def test_first_come_is_first_served(url: str) -> None:
    async with simulated({"hive": Limits(rpm=1)}, url) as sim:
        pace, served = sim.process(), []

        async def caller(number: int) -> None:
            await sim.pause(number * 0.1)
            await go(pace, want())
            served.append(number)

        await sim.run(*[caller(number) for number in range(6)])
        assert served == list(range(6))
        assert sim.now == START + 300_000


async def test_a_waiter_that_is_cancelled_leaves_no_ticket_and_lets_the_next_one_go(url: str) -> None:
    async with simulated({"hive": Limits(rpm=1, parallel=1)}, url) as sim:
        pace = sim.process()
        held = await pace.take(want())
        gone, stays = asyncio.ensure_future(pace.take(want())), asyncio.ensure_future(pace.take(want()))

        async def leave() -> None:
            await sim.pause(1)
            gone.cancel()
            await sim.pause(70)
            pace.settle(held, End(answered=True))

        await sim.run(leave(), _quietly(gone), _quietly(stays))
        assert gone.cancelled()
        assert stays.result().taken_at <= START + 71_500
        pace.settle(stays.result(), End(undone=True))
        sim.now += 60_000
        await go(pace, want(left_s=2))


async def test_a_call_cancelled_while_redis_is_asked_leaves_no_ticket(valkey: Valkey) -> None:
    async with simulated({"hive": Limits(rpm=1, parallel=1)}, valkey.url) as sim:
        pace = sim.process()
        await go(pace, want(), End(undone=True))  # the windows are warm by now
        for _ in range(3):
            asking = asyncio.ensure_future(pace.take(want()))
            await asyncio.sleep(0)
            asking.cancel()
            await _quietly(asking)
            assert asking.cancelled()
        await go(pace, want(left_s=2.5, held_whole_s=0.5))


async def _quietly(task: asyncio.Future[Any]) -> None:
    await asyncio.wait([task])


async def test_calls_at_once_are_capped_over_processes_and_a_ticket_expires_after_its_deadline(valkey: Valkey) -> None:
    async with simulated({"hive": Limits(parallel=2)}, valkey.url) as sim:
        one, two = sim.process(), sim.process()
        await one.take(want(left_s=30))
        await two.take(want(left_s=30))
        with pytest.raises(NotSent, match="hive may have 2 calls at once and stands at 2"):
            await sim.run(two.take(want(left_s=3)))
        assert sim.now == START + 1_000
        sim.now = START + 90_001
        await go(two, want(left_s=3))


async def test_a_call_that_ends_wakes_who_waits_for_a_place(url: str) -> None:
    async with simulated({"hive": Limits(parallel=1)}, url) as sim:
        pace = sim.process()
        held = await pace.take(want())

        async def end() -> None:
            await sim.pause(0.2)
            pace.settle(held, End(answered=True))

        ticket, _ = await sim.run(pace.take(want()), end())
        assert ticket.taken_at == START + 200
        assert sim.waits == [("hive", 0.2)]


async def test_a_call_without_any_limit_asks_redis_nothing(valkey: Valkey) -> None:
    async with simulated({"other": Limits(rpm=1)}, valkey.url) as sim:
        pace = sim.process()
        pace.told(told(90, 30.0))  # far from its end: 90 of 100
        for _ in range(100):
            await go(pace, want())
        assert sim.pulses[0].commands == 0
        pace.told(told(3, 30.0))
        await go(pace, want())
        assert sim.pulses[0].commands == 3  # told, taken and settled
        sim.now += 31_000
        await go(pace, want())
        assert sim.pulses[0].commands == 3


async def test_windows_begin_from_the_ledger_once_a_connection(url: str) -> None:
    async with simulated({"hive": Limits(rpm=4, rpmo=100)}, url) as sim:
        sim.history = History([(START - 50_000, "row 1/0", 0), (START - 10_000, "row 2/0", 0)], {}, "2026-11", 98)
        pace = sim.process()
        await asyncio.gather(*[go(pace, want()) for _ in range(2)])
        assert sim.asked == [("c:hive", START)]
        with pytest.raises(NotSent, match="100 requests a month"):
            await pace.take(want())


async def test_without_redis_each_process_counts_for_itself_and_says_so(
    valkey: Valkey, caplog: pytest.LogCaptureFixture
) -> None:
    async with simulated({"hive": Limits(rpm=2)}, valkey.url) as sim:
        pace = sim.process()
        await go(pace, want())
        shared = [pace.shared]
        valkey.kill()
        sim.history = History([(START, "row 1/0", 0)])
        await go(pace, want())
        for _ in range(2):
            with pytest.raises(NotSent):
                await pace.take(want(left_s=10))
        shared.append(pace.shared)
        said = [record.message for record in caplog.records if "limits" in record.message]
        assert said == ["Redis is away: this process keeps limits for itself, so several together may go over them"]
        valkey.start()
        sim.history = History([(START, "row 1/0", 0), (START, "row 2/0", 0)])
        await _until_shared(sim)
        with pytest.raises(NotSent, match="stands at 2"):  # of which Redis knows from the ledger
            await pace.take(want(left_s=10))
        assert [*shared, pace.shared] == [True, False, True]


async def _until_shared(sim: Sim) -> None:
    """Redis is left alone for a second after a failure, by the real clock."""
    async with asyncio.timeout(10):
        while await sim.pulses[0].read_stamp() is None:  # noqa: ASYNC110 nobody tells when it is over
            await asyncio.sleep(0.02)


async def test_a_redis_that_forgot_is_told_by_the_ledger(valkey: Valkey) -> None:
    async with simulated({"hive": Limits(rpm=2)}, valkey.url) as sim:
        pace = sim.process()
        await go(pace, want())
        valkey.kill()
        valkey.start()
        sim.history = History([(START, "row 1/0", 0)])
        await _until_shared(sim)
        await go(pace, want())
        with pytest.raises(NotSent, match="stands at 2"):
            await pace.take(want(left_s=10))
        assert sim.asked == [("c:hive", START)] * 2
