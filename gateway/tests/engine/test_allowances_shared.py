"""What a key may still use is one count over all processes, exact under any concurrency, and true after a process was
killed."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
from django.db.models import Sum

from benchwarmers.tests.up.running import ROOT
from collections_app.models import GatewayKey
from gateway.canon.fault import RateLimited
from gateway.engine.allowance_script import PREFIX
from gateway.engine.allowances import SPARE_S
from gateway.engine.grant import Amounts
from gateway.engine.snapshot import Caller
from gateway.models import Call, KeySpend
from gateway.tests.engine.allowing import LIFE_S, NOON, Process, limited, over, process
from gateway.tests.engine.stores import Valkey
from gateway.tests.engine.written import Rows, make_rows


@pytest.fixture
def rows(sqlite: object) -> Rows:
    return make_rows()


async def left(one: Process, caller: Caller) -> int:
    """How many more are let in."""
    count = 0
    while await one.passes(caller):
        count += 1
    return count


async def test_two_processes_share_every_limit(rows: Rows, valkey: Valkey) -> None:
    for caller in (
        limited(rows.key.pk, rpm=25),
        limited(rows.key.pk + 1, tpm=25),
        limited(rows.key.pk + 2, ("requests", "day", 25)),
        limited(rows.key.pk + 3, ("tokens", "month", 25), rpm=1_000),
    ):
        async with process(valkey.url) as one, process(valkey.url, "b/1") as two:
            tries = [each.passes(caller, tokens=1) for _ in range(30) for each in (one, two)]
            assert sum(await asyncio.gather(*tries)) == 25


@pytest.mark.parametrize(("unit", "period"), [("tokens", "day"), ("money", "month")])
async def test_at_most_one_reservation_goes_over_and_the_sum_follows_the_ledger(
    rows: Rows, valkey: Valkey, unit: str, period: str
) -> None:
    ci = limited(rows.key.pk, (unit, period, 25))

    async def ask(one: Process) -> bool:
        try:
            taken = await one.take(ci, tokens=7, money=7)
        except RateLimited:
            return False
        await one.commit(one.row(taken, tokens=7, money=7), over(taken))
        return True

    async with process(valkey.url) as one, process(valkey.url, "b/1") as two:
        assert sum(await asyncio.gather(*[ask(each) for _ in range(32) for each in (one, two)])) == 4
        spent = await one.reader.run(lambda: KeySpend.objects.get(unit=unit, period=period).spent)
        ledger = await one.reader.run(lambda: Call.objects.aggregate(n=Sum("tokens_in"), paid=Sum("cost")))
        assert spent == 28 == ledger["n" if unit == "tokens" else "paid"]
        fault = await two.refusal(ci)
        assert "28 tokens of 25 tokens are used." in fault.message or "0.000000028 USD of" in fault.message


def test_of_64_at_once_over_two_processes_exactly_10_are_let_in_where_10_have_room(
    rows: Rows, sqlite: Path, valkey: Valkey
) -> None:
    """Fifty times; those that are let in are settled while others still ask."""
    names = [f"key-{number}" for number in range(50)]
    keys = [GatewayKey.objects.create(owner=rows.alice, name=name, digest=name.rjust(64, "0")) for name in names]
    command = [sys.executable, "-m", "gateway.tests.engine.allowance_worker", valkey.url, str(sqlite), "32"]
    with ExitStack() as stack:
        workers = []
        for _ in range(2):
            worker = subprocess.Popen(
                command, cwd=ROOT, text=True, bufsize=1, stdin=subprocess.PIPE, stdout=subprocess.PIPE
            )
            workers.append(stack.enter_context(worker))
            stack.callback(worker.kill)

        def hear() -> list[str]:
            return [worker.stdout.readline().strip() for worker in workers if worker.stdout]

        assert hear() == ["ready", "ready"]
        for key in keys:
            for worker in workers:
                assert worker.stdin is not None
                worker.stdin.write(f"{key.pk}\n")
            assert sum(map(int, hear())) == 10
        for worker in workers:
            assert worker.stdin is not None
            worker.stdin.close()
            assert worker.wait(20) == 0
    spent = KeySpend.objects.filter(key__in=keys, period="day")
    assert set(spent.values_list("unit", "spent")) == {("requests", 10), ("tokens", 50)}
    with redis.Redis.from_url(valkey.url, decode_responses=True) as client:
        told = [client.hmget(f"{PREFIX}{key.pk}:{NOON.date().isoformat()}", "1", "2", "3") for key in keys]
        assert told == [["10", "50", "0"]] * 50
        assert not [name for key in keys for name in client.keys(f"{PREFIX}{key.pk}:held")]


async def test_news_that_come_in_another_order_count_nothing_twice(rows: Rows, valkey: Valkey) -> None:
    """One process has committed and not told yet when the other tells: its reservation stands for its rows."""
    ci = limited(rows.key.pk, ("requests", "day", 3))
    async with process(valkey.url) as one, process(valkey.url, "b/1") as two:
        first, second = await one.take(ci), await two.take(ci)
        rows_of_first = (one.row(first), over(first))
        spent = await one.write(*rows_of_first)
        row = two.row(second)
        two.hear(row, over(second), spent=await two.write(row))
        assert await two.pulse.ping()  # by now its news are on their way, before what it asks next
        assert await two.passes(ci)  # the third, were the first told of or not
        one.hear(*rows_of_first, spent=spent)
        await one.told()
        await two.told()
        assert await left(one, ci) == 0


async def test_news_that_never_come_are_waited_for_a_second(rows: Rows, valkey: Valkey) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 4))
    async with process(valkey.url) as dead, process(valkey.url, "b/1") as two:
        lost, second = await dead.take(ci), await two.take(ci)
        await dead.write(dead.row(lost))
        await two.commit(two.row(second), over(second))
        assert await left(two, ci) == 1  # two spent, and one that is held by nobody any more
        await two.at(LIFE_S + SPARE_S - 1).passes(ci)


async def test_what_a_killed_process_held_lapses_and_what_it_wrote_stays_spent(rows: Rows, valkey: Valkey) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 5))
    async with process(valkey.url) as dead, process(valkey.url, "b/1") as two:
        for _ in range(4):
            taken = await dead.take(ci)
            await dead.write(dead.row(taken))  # killed before it told anybody
        await dead.take(ci)  # killed before it wrote anything
        assert await left(two, ci) == 0
        assert await left(two.at(LIFE_S + SPARE_S - 0.001), ci) == 0
        assert await left(two.at(LIFE_S + SPARE_S), ci) == 1


async def test_what_is_spent_is_read_again_once_a_minute(rows: Rows, valkey: Valkey) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 5))
    async with process(valkey.url) as one:
        await one.use(ci)
        row = one.row(limited(rows.key.pk))
        await one.write(*[one.row(await one.allowances.let_in(Caller("ci", row.key_id), one.now, Amounts, 1.0))] * 3)
        assert await one.passes(ci)  # nobody told of those
        assert await left(one.at(60), ci) == 0


async def test_a_cancelled_request_holds_nothing(rows: Rows, valkey: Valkey) -> None:
    ci = limited(rows.key.pk, ("requests", "day", 3), tpm=100)
    async with process(valkey.url) as one:
        await one.use(ci)
        for _ in range(5):
            taking = asyncio.create_task(one.take(ci, tokens=50))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            taking.cancel()
            await asyncio.gather(taking, return_exceptions=True)
            await one.told()
        assert await left(one, ci) == 2
