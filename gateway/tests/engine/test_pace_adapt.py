"""How many calls a connection may have at once after a rate limit: the controller by tables."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from gateway.canon.fault import FailureClass, NotSent, Rejected
from gateway.engine.pace_adapt import FORGOTTEN_MS, Adapted, after_answer, after_refusal, after_start, live
from gateway.engine.pace_end import End, end_of
from gateway.engine.pace_rules import Limits
from gateway.tests.engine.pacing import START, simulated, want
from gateway.tests.engine.stores import Valkey

AT = 1_000_000
HOUR = AT + FORGOTTEN_MS
BUSY = Rejected("busy", upstream_status=429, failure=FailureClass.CAPACITY)
FOUR = Adapted(4, AT, HOUR, used=True)


@pytest.mark.parametrize(
    ("state", "now", "sent_at", "in_flight", "limit"),
    [
        (None, AT, AT - 5, 1, 5),  # of a few calls one refused tells little
        (None, AT, AT - 5, 11, 5),
        (None, AT, AT - 5, 12, 6),
        (None, AT, AT - 5, 40, 20),
        (FOUR, AT + 9, AT - 5, 9, None),  # sent before the cut: the same episode
        (FOUR, AT + 9, AT, 9, None),
        (FOUR, AT + 9, AT + 1, 4, 2),
        (FOUR, AT + 9, AT + 1, 7, 3),
        (FOUR, AT + 9, AT + 1, 2, 2),  # never by more than half
        (FOUR, AT + 9, AT + 1, 1, None),  # alone: it was not refused for others beside it
        (FOUR, HOUR, AT - 5, 9, 5),  # forgotten: a new one
    ],
)
def test_an_episode_halves_what_was_in_flight_once(
    state: Adapted | None, now: int, sent_at: int, in_flight: int, limit: int | None
) -> None:
    cut = after_refusal(state, now, sent_at, in_flight)
    assert cut == (None if limit is None else Adapted(limit, now, now + FORGOTTEN_MS))


@pytest.mark.parametrize(
    ("state", "sent_at", "after"),
    [
        (FOUR, AT + 1, Adapted(4, AT, HOUR, won=1, used=True)),
        (Adapted(4, AT, HOUR, won=3, used=True), AT + 1, Adapted(5, AT, HOUR)),
        (Adapted(4, AT, HOUR, won=3), AT + 1, Adapted(4, AT, HOUR, won=3)),  # never in the way
        (FOUR, AT, FOUR),  # sent before the cut
        (Adapted(1, AT, HOUR, used=True), AT + 1, Adapted(2, AT, HOUR)),
    ],
)
def test_it_grows_by_one_for_each_limit_s_worth_of_answers_where_it_was_reached(
    state: Adapted, sent_at: int, after: Adapted
) -> None:
    assert after_answer(state, sent_at) == after


@pytest.mark.parametrize(("in_flight", "used"), [(0, False), (3, False), (4, True), (7, True)])
def test_it_is_reached_when_as_many_calls_are_open(in_flight: int, used: bool) -> None:
    assert after_start(Adapted(4, AT, HOUR), in_flight).used is used


def test_it_is_forgotten_after_an_hour() -> None:
    assert live(FOUR, HOUR - 1) is FOUR
    assert live(FOUR, HOUR) is None
    assert live(None, AT) is None


async def test_two_processes_share_what_the_refusals_taught(valkey: Valkey, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "gateway.engine.pace_store")
    async with simulated({}, valkey.url) as sim:
        one, two = sim.process(), sim.process()
        tickets = [await one.take(want()) for _ in range(8)]
        assert sim.pulses[0].commands == 0
        sim.now += 1_000
        for ticket in tickets:
            one.settle(ticket, End(too_many=True))
        assert sim.pulses[0].commands == 8 + 8  # each refusal is told; the other seven change nothing
        two.hear((await sim.pulses[0].read("20261129-120000")).limited)
        sim.now += 1
        held = [await two.take(want("m2")) for _ in range(5)]

        async def others() -> None:
            await sim.pause(0.7)
            for ticket in held:
                two.settle(ticket, End(answered=True))

        late, _ = await sim.run(one.take(want()), others())
        assert 1_700 <= late.taken_at - START <= 2_300
        await two.take(want())
        assert await _open_at_once(sim, two) == 6
    assert [record.message for record in caplog.records if "at once" in record.message] == [
        "hive may have 5 calls at once: it refused one of 8",
        "hive may have 6 calls at once: it took what it was allowed",
    ]


async def _open_at_once(sim: Any, pace: Any) -> int:
    """How many are open once no more go."""
    count = 2
    while True:
        try:
            await sim.run(pace.take(want(held_whole_s=0.1)))
        except NotSent:
            return count
        count += 1


async def test_a_panel_of_five_stays_at_once_after_one_of_its_members_was_refused_thrice(valkey: Valkey) -> None:
    async with simulated({}, valkey.url) as sim:
        pace = sim.process()
        first, *others = [await pace.take(want(f"m{n}")) for n in range(5)]
        for nth in range(3):
            sim.now += 700
            pace.settle(first, end_of(None, BUSY, again=nth > 0))
            first = await pace.take(want("m0", held_whole_s=0.0))
        for ticket in (first, *others):
            pace.settle(ticket, End(answered=True))
        sim.now += 1_000
        for n in range(5):
            await pace.take(want(f"m{n}", held_whole_s=0.0))


async def test_a_hard_cap_holds_under_a_larger_adapted_one(valkey: Valkey) -> None:
    async with simulated({"hive": Limits(parallel=2)}, valkey.url) as sim:
        pace = sim.process()
        for _ in range(2):
            pace.settle(await pace.take(want()), End(answered=True))
        assert await _open_at_once(sim, pace) - 2 == 2
