"""Each request that is let in leaves exactly one row that counts it, however it goes, and holds nothing once it is
over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from gateway.canon.ask import BenchField
from gateway.canon.embedding import EmbedAsk
from gateway.canon.fault import Fault, RateLimited, UpstreamFault
from gateway.engine.embed import EmbedAsking
from gateway.engine.run import Asking
from gateway.engine.snapshot import Budget, Caller
from gateway.models import Call, KeySpend
from gateway.tests.engine.merging import MERGED, both
from gateway.tests.engine.rooms import Make, Room, open_panel
from gateway.tests.engine.test_embed import gives
from gateway.tests.engine.turning import hear, open_turn, then_waits, turn, until
from gateway.tests.engine.upstream import Script, refuses, says
from gateway.tests.engine.world import ask

GOOD = says("text Blue.", "usage 7 3", "end stop")
BARS = refuses(429, "retry-after: 700")
Go = Callable[[Room, Caller], Awaitable[object]]


def keyed(room: Room, requests: int = 100) -> Caller:
    """Alice's key, with budgets."""
    budgets = (Budget("requests", "day", requests), Budget("tokens", "day", 1_000_000))
    return Caller("ci", room.rows.key.pk, room.rows.alice.pk, budgets=budgets)


async def a_panel(room: Room, caller: Caller) -> None:
    await (await room.open(caller=caller)).ended()


async def a_merged_panel(room: Room, caller: Caller) -> None:
    await (await room.open(ask(model=MERGED), caller)).ended()


async def a_stopped_panel(room: Room, caller: Caller) -> None:
    run = await room.open(ask(bench=BenchField(on_disconnect="cancel")), caller)
    await until(lambda: bool(room.provider.requests), 2)
    run.leave()
    await asyncio.gather(run._task, return_exceptions=True)


async def a_turn(room: Room, caller: Caller) -> None:
    await turn(room, caller=caller)


async def a_turn_twice(room: Room, caller: Caller) -> None:
    """The second finds every member at rest."""
    assert (await turn(room, caller=caller)).fault is not None
    assert (await turn(room, ask("Another"), caller=caller)).fault is not None


async def a_left_turn(room: Room, caller: Caller) -> None:
    run = await open_turn(room.bench, caller=caller)
    listening = asyncio.create_task(hear(run))
    await until(lambda: bool(room.provider.requests), 2)
    run.leave()
    await asyncio.gather(listening, return_exceptions=True)


async def vectors(room: Room, caller: Caller) -> None:
    await room.bench.embed(EmbedAsking(EmbedAsk("openai_chat", "bench/core", ("a", "b")), lambda snapshot, now: caller))


WAYS = [
    pytest.param(a_panel, "all", (GOOD, refuses(500), GOOD), [0, 0, 1], id="a panel"),
    pytest.param(a_merged_panel, "all", (both(GOOD, GOOD), GOOD), [0, 0, 1], id="a merged panel"),
    pytest.param(a_stopped_panel, "all", (then_waits(), then_waits()), [0, 1], id="a panel that is stopped"),
    pytest.param(a_turn, "route", (GOOD, GOOD), [1], id="a turn"),
    pytest.param(a_turn, "route", (refuses(400), refuses(400), GOOD), [0, 0, 1], id="a turn that fails over"),
    pytest.param(a_turn_twice, "route", (BARS, BARS), [0, 1, 1], id="turns whose members rest"),
    pytest.param(a_left_turn, "route", (then_waits(),), [1], id="a turn whose caller leaves"),
    pytest.param(vectors, "all", (gives(0.5, 0.25),), [1], id="vectors"),
    pytest.param(vectors, "all", (refuses(404), gives(0.5, 0.25)), [0, 1], id="vectors of the second member"),
]


@pytest.mark.parametrize(("go", "reply", "scripts", "marks"), WAYS)
async def test_a_request_counts_once(
    room: Make, go: Go, reply: str, scripts: tuple[Script, ...], marks: list[int]
) -> None:
    one = await room(*scripts, reply=reply)
    await go(one, keyed(one))
    await until(lambda: not one.bench.allowances._open, 3)
    await one.bench.recorder.settle()
    rows = await one.query(lambda: list(Call.objects.order_by("pk")))
    assert sorted(row.requests for row in rows) == marks
    tokens = sum((row.tokens_in or 0) + (row.tokens_out or 0) for row in rows)
    spent = await one.query(lambda: dict(KeySpend.objects.filter(period="day").values_list("unit", "spent")))
    assert (spent["requests"], spent.get("tokens", 0)) == (sum(marks), tokens)


async def test_a_shadow_is_no_request_and_draws_on_the_keys_tokens(room: Make) -> None:
    one = await room(GOOD, GOOD, reply="route", shadow={"share": 1, "who": "members", "daily": 9})
    await turn(one, caller=keyed(one))
    await until(lambda: len(one.provider.requests) == 2 and not one.bench.allowances._open, 3)
    await one.bench.recorder.settle()
    rows = await one.query(lambda: sorted(Call.objects.values_list("purpose", "requests")))
    assert rows == [("route", 1), ("shadow", 0)]
    assert await one.query(lambda: KeySpend.objects.get(unit="tokens", period="day").spent) == 20


async def test_a_request_that_is_refused_after_it_was_let_in_holds_nothing(room: Make) -> None:
    one = await room(GOOD, reply="route")
    last = keyed(one, requests=1)
    for asked in (ask(bench=BenchField(reply="all", only=("ghost",), strict=True)), ask(turns=())):
        with pytest.raises(Fault) as caught:
            await one.bench.open_run(Asking(asked, lambda snapshot, now: last, {}))
        assert not isinstance(caught.value, RateLimited | UpstreamFault)
        await one.bench.recorder.settle()
    await turn(one, caller=last)
    with pytest.raises(RateLimited):
        await open_turn(one.bench, caller=last)
    with pytest.raises(RateLimited):
        await open_panel(one.bench, ask(bench=BenchField(reply="all")), last)
