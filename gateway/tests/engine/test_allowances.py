"""What a key may still use: rates and budgets, over Redis and without."""

from __future__ import annotations

import pytest
import redis
from django.db import OperationalError

from gateway.canon.fault import Unavailable
from gateway.engine.snapshot import Caller
from gateway.tests.engine.allowing import NOON, NOWHERE, limited, over, process
from gateway.tests.engine.rooms import Query
from gateway.tests.engine.stores import Valkey
from gateway.tests.engine.world import LOCAL
from gateway.tests.engine.written import Rows, make_rows

NANO = 1_000_000_000
OFFSET = NOON.isoformat()[-6:]
DAY, MONTH = 12 * 3600, 36 * 3600  # from noon of the 29th of November, a Sunday in winter, to the next of each


@pytest.fixture(params=["redis", "own memory"])
def url(request: pytest.FixtureRequest) -> str:
    return request.getfixturevalue("valkey").url if request.param == "redis" else NOWHERE


@pytest.fixture
def rows(sqlite: object) -> Rows:
    return make_rows()


async def test_the_window_of_requests_slides_to_the_millisecond(url: str) -> None:
    ci = limited(7, rpm=3)
    async with process(url) as one:
        assert [await one.at(at).passes(ci) for at in (0.0, 10.0, 20.0, 59.999)] == [True, True, True, False]
        assert [await one.at(at).passes(ci) for at in (60.0, 60.001, 69.999, 70.0)] == [True, False, False, True]


async def test_a_refused_request_is_not_counted(url: str) -> None:
    async with process(url) as one:
        for at in (0, 0, 0, 1, 2, 3, 59):
            await one.at(at).passes(limited(7, rpm=3))
        assert [await one.at(60.5).passes(limited(7, rpm=3)) for _ in range(4)] == [True, True, True, False]


async def test_a_refusal_says_when_the_oldest_request_leaves_the_window(url: str) -> None:
    async with process(url) as one:
        for at in (0.0, 30.0, 30.0):
            await one.at(at).take(limited(7, rpm=3))
        fault = await one.at(40.5).refusal(limited(7, rpm=3))
    assert (fault.status, fault.wait, fault.code) == (429, 20, "rate_limit_exceeded")
    assert fault.message == "Key ci has used its 3 calls a minute; try again in 20 s."


async def test_each_key_counts_for_itself(rows: Rows, url: str) -> None:
    mine, other = limited(7, ("requests", "day", 1), rpm=5), limited(8, ("requests", "day", 1), rpm=5)
    async with process(url) as one:
        assert [await one.passes(caller) for caller in (mine, mine, other)] == [True, False, True]


@pytest.mark.parametrize("caller", [LOCAL, Caller("ci", key_id=7), Caller("ci", key_id=7, rpm=0, tpm=0)])
async def test_a_caller_without_a_limit_is_let_in_and_asks_nobody(
    caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(NOWHERE) as one:
        with monkeypatch.context() as patch:
            patch.setattr(one.pulse, "call", None)
            patch.setattr(one.reader, "run", None)
            taken = [await one.take(caller) for _ in range(50)]
    assert [one.count_request() for one in taken] == [1] * 50
    assert {one.drawn_on for one in taken} == {""}


async def test_tokens_count_as_reserved_until_they_are_known_and_then_for_a_minute(rows: Rows, url: str) -> None:
    ci = limited(rows.key.pk, tpm=1_000)
    async with process(url) as one:
        first = await one.take(ci, tokens=990)
        await one.at(1).take(ci, tokens=500)  # there was room for something
        fault = await one.at(2.5).refusal(ci, tokens=1)
        assert (fault.wait, fault.code) == (58, "rate_limit_exceeded")
        assert fault.message == "Key ci has used its 1,000 tokens a minute; try again in 58 s."
        await one.at(20).commit(one.row(first, tokens=100), over(first))
        assert await one.at(21).passes(ci, tokens=400)  # 100 and 500
        assert (await one.at(22).refusal(ci)).wait == 40  # when the 500 leave
        assert await one.at(61).passes(ci, tokens=0)
        assert await one.at(79.9).passes(ci, tokens=600)  # the 100 that were used at 20 still count
        assert not await one.at(79.9).passes(ci, tokens=1)
        assert not await one.at(80.9).passes(ci, tokens=1)  # 400 of 21 and 600
        assert await one.at(81).passes(ci, tokens=1)


BUDGETS = [
    pytest.param(("requests", "day", 3), 0, 0, DAY, "3 requests a day: 3 requests of 3 requests", id="requests"),
    pytest.param(("tokens", "day", 300), 100, 0, DAY, "300 tokens a day: 300 tokens of 300 tokens", id="tokens"),
    pytest.param(
        ("money", "month", NANO * 3 // 2), 1, NANO // 2, MONTH, "1.50 USD a month: 1.50 USD of 1.50 USD", id="money"
    ),
]


@pytest.mark.parametrize(("budget", "tokens", "money", "wait", "words"), BUDGETS)
async def test_a_budget_that_is_used_up_says_how_much_of_what_and_until_when(
    rows: Rows, url: str, budget: tuple[str, str, int], tokens: int, money: int, wait: int, words: str
) -> None:
    ci = limited(rows.key.pk, budget)
    async with process(url) as one:
        for _ in range(3):
            await one.use(ci, tokens, money)
        fault = await one.refusal(ci)
        assert (fault.status, fault.wait, fault.code) == (429, wait, "budget_exceeded")
        resets = "2026-11-30T00:00:00" if wait == DAY else "2026-12-01T00:00:00"
        assert (
            fault.message == f"Key ci has used up its budget of {words} are used. It starts anew at {resets}{OFFSET}."
        )
        assert not await one.at(wait - 0.001).passes(ci)
        assert await one.at(wait).passes(ci)


async def test_of_several_limits_all_or_none_are_taken_and_the_longest_is_told(rows: Rows, url: str) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 2), ("requests", "month", 3), rpm=3, tpm=100)
    async with process(url) as one:
        for _ in range(2):
            await one.use(ci)
        for _ in range(9):  # nothing of these is counted in the minute
            assert "2 requests a day" in (await one.refusal(ci)).message
        await one.at(DAY).use(ci)
        assert "3 requests a month" in (await one.refusal(ci)).message
        assert (await one.at(DAY + 1).refusal(ci)).wait == MONTH - DAY - 1


async def test_the_last_of_a_budget_can_be_used_and_one_reservation_goes_over(rows: Rows, url: str) -> None:
    ci = limited(rows.key.pk, ("tokens", "day", 1_000))
    async with process(url) as one:
        await one.use(ci, tokens=999)
        last = await one.take(ci, tokens=5_000)
        fault = await one.refusal(ci, tokens=1)
        assert "999 tokens of 1,000 tokens are used, and 5,000 tokens are held for calls under way" in fault.message
        assert fault.wait == 5
        await one.commit(one.row(last, tokens=0), over(last))
        assert await one.passes(ci, tokens=1)


async def test_what_is_held_goes_down_as_rows_come_and_ends_with_the_request(rows: Rows, url: str) -> None:
    ci = limited(rows.key.pk, ("tokens", "day", 1_000))
    async with process(url) as one:
        seats = await one.take(ci, tokens=900)
        await one.commit(one.row(seats, tokens=300))
        await one.take(ci, tokens=50)  # 300 and 600 held
        await one.commit(one.row(seats, tokens=650))  # more than was reserved
        assert "950 tokens of 1,000 tokens are used, and 50 tokens are held" in (await one.refusal(ci)).message
        await one.commit(over(seats))
        assert "950 tokens of 1,000 tokens are used, and 50 tokens are held" in (await one.refusal(ci)).message


async def test_a_request_that_never_came_to_a_call_gives_everything_back(rows: Rows, url: str) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 1))
    async with process(url) as one:
        for _ in range(3):
            await one.commit(over(await one.take(ci)))
        assert await one.passes(ci)


async def test_a_budget_starts_from_what_was_used_before_there_was_one(rows: Rows, url: str) -> None:
    async with process(url) as one:
        for _ in range(2):
            await one.use(limited(rows.key.pk, rpm=100))
        ci = limited(rows.key.pk, ("requests", "day", 3))
        assert [await one.passes(ci) for _ in range(2)] == [True, False]


async def test_work_on_the_side_draws_on_money_and_is_no_request(rows: Rows, url: str) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 2), ("tokens", "day", 100), rpm=1)
    async with process(url) as one:
        await one.use(ci, tokens=10)
        need = (await one.at(61).take(ci, tokens=10)).grant
        assert need is not None
        for _ in range(3):
            aside = await one.allowances.let_in_aside(ci, one.now, lambda: need.reserved, 10.0)
            assert aside.count_request() == 0
            await one.commit(one.row(aside, tokens=20), over(aside))
        assert "100 tokens a day" not in (await one.refusal(ci)).message  # 2 requests and 80 tokens


async def test_without_a_database_nobody_learns_what_is_spent_and_nobody_is_let_in(
    rows: Rows, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 9))
    async with process(url) as one:
        with monkeypatch.context() as patch:
            patch.setattr(one.reader, "run", lost)
            with pytest.raises(Unavailable) as caught:
                await one.take(ci)
    assert caught.value.code == "spending_unknown"


async def lost(work: object) -> object:
    raise OperationalError("gone")


async def test_when_redis_dies_each_process_counts_for_itself_from_the_database(
    rows: Rows, valkey: Valkey, query: Query, caplog: pytest.LogCaptureFixture
) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 6))
    async with process(valkey.url) as one, process(valkey.url, "b/1") as two:
        for each in (one, two):
            await each.use(ci)
        open_here = await one.take(ci)
        valkey.kill()
        assert [await one.passes(ci) for _ in range(5)] == [True] * 3 + [False] * 2  # 2 spent, 1 open
        assert [await two.passes(ci) for _ in range(6)] == [True] * 4 + [False] * 2
        assert caplog.text.count("each process counts the limits of keys for itself") == 2
        row = one.row(open_here)
        one.hear(row, over(open_here), spent=await one.write(row))
        assert not await one.passes(ci)


async def test_redis_that_lost_its_memory_learns_from_the_database(rows: Rows, valkey: Valkey) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 3))
    async with process(valkey.url) as one:
        await one.use(ci)
        with redis.Redis.from_url(valkey.url) as client:
            client.flushall()
        assert [await one.passes(ci) for _ in range(3)] == [True, True, False]
