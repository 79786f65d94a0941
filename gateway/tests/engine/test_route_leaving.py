"""A caller who leaves ends the call to the provider, and what was used by then is in the ledger."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gateway.engine.call import ESTIMATED
from gateway.engine.route import RouteRun
from gateway.models import Call
from gateway.models import Turn as TurnRow
from gateway.tests.engine.rooms import Make, Room
from gateway.tests.engine.turning import calls, evidence, hear, open_turn, then_waits, turn, turns, until
from gateway.tests.engine.upstream import Line, Request, refuses, says

GOOD = says("text Blue.", "usage 7 3", "end stop")
LEFT = {
    "before the head": then_waits(head=False),
    "before the first piece": then_waits(),
    "after a thought": then_waits("thought hm"),
    "in the middle": then_waits("text Blue", "text , mos"),
    "in the middle of a call": then_waits("tool look"),
}


def listen(run: RouteRun, stream: bool = True) -> asyncio.Task[Any]:
    return asyncio.create_task(hear(run) if stream else run.whole())


async def leave(run: RouteRun, listening: asyncio.Task[Any]) -> None:
    """As the edge does for a caller who has gone."""
    listening.cancel()
    run.leave()
    with pytest.raises(asyncio.CancelledError):
        await listening


async def leave_when_asked(room: Room, stream: bool, after_s: float = 0.1) -> float:
    """Seconds from when the caller left until the provider saw its connection closed."""
    run = await open_turn(room.bench)
    listening = listen(run, stream)
    await until(lambda: bool(room.provider.requests), 2)
    await asyncio.sleep(after_s)
    assert not room.provider.closed.is_set()
    await leave(run, listening)
    return await until(room.provider.closed.is_set, 1)


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("when", LEFT)
async def test_the_provider_sees_its_connection_closed_and_the_rows_are_there(
    room: Make, when: str, stream: bool
) -> None:
    one = await room(LEFT[when], GOOD, reply="route")
    assert await leave_when_asked(one, stream) < 1
    ((number, alias, status, call),) = await turns(one)
    assert (number, alias, status, call) == (1, "", "cancelled", "")
    assert await calls(one) == [("m1", "cancelled", 1, "route")]
    row: Call = await one.query(Call.objects.get)
    assert (row.tokens_in or 0) > 3
    assert ((row.tokens_out or 0) > 0) is (when in ("after a thought", "in the middle"))
    assert ESTIMATED in row.notes
    assert await evidence(one) == []


async def test_tokens_that_were_told_by_then_are_not_estimated(room: Make) -> None:
    one = await room(then_waits("usage 70 5", "text Blue"), reply="route")
    await leave_when_asked(one, True)
    await turns(one)
    row: Call = await one.query(Call.objects.get)
    assert (row.tokens_in, row.tokens_out, row.notes) == (70, 5, [])


async def test_the_next_turn_of_a_conversation_that_was_left_works_and_is_evidence(room: Make) -> None:
    scripts = [then_waits("text Bl")]

    async def first_waits(line: Line, request: Request) -> None:
        await (scripts.pop() if scripts else GOOD)(line, request)

    one = await room(first_waits, reply="route")
    await leave_when_asked(one, True)
    heard = await turn(one)
    assert (heard.text, heard.bench["turn"]) == ("Blue.", 2)
    assert [row[2] for row in await turns(one)] == ["cancelled", "ok"]
    assert await evidence(one) == [("m1", f"{heard.bench['conversation']}.1", "route", "ok")]


async def test_who_leaves_while_a_retry_is_waited_for_is_not_asked_for_again(room: Make) -> None:
    one = await room(refuses(503, "retry-after: 20"), reply="route")
    one.bench.limits.route_first_piece_s = one.bench.limits.route_turn_s = 60  # type: ignore[misc]
    run = await open_turn(one.bench)
    listening = listen(run)
    await until(lambda: bool(one.provider.requests), 2)
    await asyncio.sleep(0.1)
    await leave(run, listening)
    assert [row[2] for row in await _when_written(one)] == ["cancelled"]
    assert len(one.provider.requests) == 1


async def test_a_turn_left_after_its_end_stays_as_it_was(room: Make) -> None:
    one = await room(GOOD, reply="route")
    run = await open_turn(one.bench)
    assert (await run.whole()).text == "Blue."
    run.leave()
    assert [row[2] for row in await turns(one)] == ["ok"]


@pytest.mark.parametrize("stream", [True, False])
async def test_a_turn_left_while_its_end_is_kept_is_recorded(
    room: Make, monkeypatch: pytest.MonkeyPatch, stream: bool
) -> None:
    one = await room(refuses(400), GOOD, reply="route")
    keeping, kept = asyncio.Event(), one.bench.conversations.keep

    async def slowly(*words: Any) -> None:
        if keeping.is_set():
            await kept(*words)
            return
        keeping.set()
        await asyncio.sleep(20)

    monkeypatch.setattr(one.bench.conversations, "keep", slowly)
    run = await open_turn(one.bench)
    listening = listen(run, stream)
    await asyncio.wait_for(keeping.wait(), 2)
    await leave(run, listening)
    assert [row[2] for row in await _when_written(one)] == ["cancelled"]
    assert [row[1] for row in await calls(one)] == ["error", "ok"]


async def _when_written(room: Room) -> list[tuple[Any, ...]]:
    for _ in range(100):
        if found := await turns(room):
            return found
        await asyncio.sleep(0.01)
    raise AssertionError(f"no turn was recorded; {await room.query(TurnRow.objects.count)}")


async def test_a_turn_left_while_its_rows_are_written_is_recorded_once(
    room: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await room(GOOD, reply="route")
    settling, settle = asyncio.Event(), one.bench.recorder.settle

    async def slowly() -> None:
        settling.set()
        await asyncio.sleep(20)

    monkeypatch.setattr(one.bench.recorder, "settle", slowly)
    run = await open_turn(one.bench)
    listening = listen(run)
    await asyncio.wait_for(settling.wait(), 2)
    await leave(run, listening)
    await asyncio.sleep(0.05)
    monkeypatch.setattr(one.bench.recorder, "settle", settle)
    assert [row[2] for row in await turns(one)] == ["ok"]
    assert len(await evidence(one)) == 1
