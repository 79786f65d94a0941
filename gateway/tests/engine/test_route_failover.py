"""A member that fails before the first piece of its answer is replaced unseen; what fails after it ends the turn."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from gateway.canon.event import Closed, Finish, ThoughtDelta, ToolOpened
from gateway.canon.fault import Fault
from gateway.models import Call, Turn
from gateway.tests.engine.rooms import Make
from gateway.tests.engine.turning import (
    asked_of,
    calls,
    hear,
    open_turn,
    reset_at_once,
    then_resets,
    then_waits,
    turn,
    turns,
)
from gateway.tests.engine.upstream import Script, refuses, says
from gateway.tests.engine.world import ask

GOOD = says("model lab/good", "text Blue", "text .", "usage 7 3", "end stop")
WORSE = {
    "reset": (reset_at_once(), "error"),
    "reset after the head": (then_resets(), "error"),
    "reset after a thought": (then_resets("thought hm"), "error"),
    "silence": (then_waits(head=False), "timeout"),
    "silence after the head": (then_waits(), "timeout"),
    "a 400": (refuses(400), "error"),
    "a 401": (refuses(401), "error"),
    "a 429": (refuses(429), "error"),
    "a 429 with a wait": (refuses(429, "retry-after: 1"), "error"),
    "a 500": (refuses(500), "error"),
    "a 529": (refuses(529), "error"),
    "a redirect": (refuses(307, "location: http://127.0.0.1:1/"), "error"),
    "an empty reply": (says("usage 7 0", "end stop"), "empty"),
    "blanks": (says("text  ", "text \t", "end stop"), "empty"),
    "a thought and no word": (says("thought hm", "usage 7 3", "end stop"), "empty"),
    "an error inside": (says("error out of order"), "error"),
    "an error after a thought": (says("thought hm", "error out of order"), "error"),
    "what is not of the protocol": (says("nonsense"), "error"),
    "a cut": (says(), "error"),
}


@pytest.mark.parametrize("fault", WORSE)
async def test_nobody_sees_a_failure_before_the_first_piece(room: Make, fault: str) -> None:
    script, status = WORSE[fault]
    one = await room(script, GOOD, reply="route")
    run = await open_turn(one.bench)
    heard = await hear(run)
    assert (heard.fault, heard.failed, heard.text) == (None, None, "Blue.")
    assert not any(isinstance(event, ThoughtDelta) for event in heard.events)
    assert asked_of(one) == ["m1", "m2"]
    assert (run.headers["X-Bench-Model"], heard.bench["alias"]) == ("m2", "m2")
    (failed,) = heard.bench["failed_over"]
    assert failed["alias"] == "m1"
    assert failed["error"]
    call = heard.bench["call"]
    assert await calls(one) == [("m1", status, 1, "route"), ("m2", "ok", 1, "route")]
    assert await turns(one) == [(1, "m2", "ok", call)]


@pytest.mark.parametrize("fault", ["reset", "a 500", "an empty reply"])
async def test_a_whole_reply_is_replaced_as_well(room: Make, fault: str) -> None:
    one = await room(WORSE[fault][0], GOOD, reply="route")
    reply = await (await open_turn(one.bench)).whole()
    assert (reply.text, reply.model, reply.finish) == ("Blue.", "lab/good", Finish.STOP)


async def test_reasoning_is_held_back_until_the_first_piece_and_comes_before_it(room: Make) -> None:
    go_on = asyncio.Event()

    async def script(line: Any, request: Any) -> None:
        await line.head()
        await line.chunk(b"thought hm\n")
        await go_on.wait()
        await line.chunk(b"text Blue\nend stop\n")
        await line.send(b"0\r\n\r\n")

    one = await room(script, reply="route")
    run = await open_turn(one.bench)
    batches = run.batches()
    first = asyncio.ensure_future(anext(batches))
    await asyncio.sleep(0.15)
    assert not first.done()
    assert "X-Bench-Model" not in run.headers
    go_on.set()
    kinds = [type(event).__name__ for event in await first]
    assert kinds[:2] == ["ThoughtDelta", "TextDelta"]
    assert run.headers["X-Bench-Model"] == "m1"
    async for _ in batches:
        pass


async def test_the_thoughts_of_a_member_that_failed_are_not_the_next_ones(room: Make) -> None:
    one = await room(says("thought wrong", "error no"), says("thought right", "text Blue", "end stop"), reply="route")
    heard = await turn(one)
    assert [event.text for event in heard.events if isinstance(event, ThoughtDelta)] == ["right"]


async def test_a_tool_call_is_a_first_piece(room: Make) -> None:
    one = await room(says("tool look", "end stop"), GOOD, reply="route")
    heard = await turn(one)
    assert [type(event) for event in heard.events] == [ToolOpened, Closed]
    assert isinstance(heard.events[-1], Closed)
    assert heard.events[-1].finish is Finish.TOOL_USE
    assert asked_of(one) == ["m1"]


async def test_three_members_are_tried_and_no_fourth(room: Make) -> None:
    one = await room(refuses(500), refuses(400), refuses(404), GOOD, reply="route")
    heard = await turn(one)
    assert heard.fault is not None
    assert (heard.fault.status, heard.events) == (502, [])
    assert asked_of(one) == ["m1", "m2", "m3"]
    assert [one.partition(":")[0] for one in heard.fault.message.split(" answered: ")[1].split("; ")] == [
        "m1",
        "m2",
        "m3",
    ]


async def test_only_the_last_is_asked_again(room: Make) -> None:
    one = await room(refuses(500, "retry-after: 0.05"), refuses(500, "retry-after: 0.05"), reply="route")
    await turn(one)
    assert asked_of(one) == ["m1", "m2", "m2", "m2"]
    assert [(alias, attempts) for alias, _, attempts, _ in await calls(one)] == [("m1", 1), ("m2", 3)]


@pytest.mark.parametrize(
    ("scripts", "status", "wait", "code"),
    [
        ((refuses(429, "retry-after: 700"), refuses(429, "retry-after: 90")), 429, 700.0, "nobody_answered"),
        ((refuses(400), refuses(400)), 400, None, "nobody_answered"),
        ((refuses(404), refuses(400)), 502, None, "nobody_answered"),
        ((refuses(401), refuses(401)), 502, None, "upstream_credentials"),
        ((says("end stop"),), 502, None, "nobody_answered"),
        ((then_waits(), then_resets()), 502, None, "nobody_answered"),
    ],
)
@pytest.mark.parametrize("stream", [True, False])
async def test_when_nobody_answered_the_fault_has_the_status_that_all_share(
    room: Make, scripts: tuple[Script, ...], status: int, wait: float | None, code: str, stream: bool
) -> None:
    one = await room(*scripts, reply="route")
    run = await open_turn(one.bench)
    if stream:
        fault = (await hear(run)).fault
    else:
        with pytest.raises(Fault) as caught:
            await run.whole()
        fault = caught.value
    assert fault is not None
    assert (fault.status, fault.code) == (status, code)
    assert fault.wait == pytest.approx(wait, abs=2) if wait else fault.wait is None
    ((number, alias, recorded, call),) = await turns(one)
    assert (number, alias, recorded, call) == (1, "", "error", "")


@pytest.mark.parametrize(
    ("script", "words", "status", "recorded"),
    [
        (then_resets("text Bl"), "the reply broke off", 502, "error"),
        (says("text Bl", "error overloaded"), "overloaded", 502, "error"),
        (says("text Bl", "nonsense"), "unknown kind", 502, "error"),
        (says("text Bl"), "ended before its end", 502, "error"),
    ],
)
async def test_a_failure_after_the_first_piece_ends_the_turn(
    room: Make, script: Script, words: str, status: int, recorded: str
) -> None:
    one = await room(script, GOOD, reply="route")
    heard = await turn(one)
    assert (heard.fault, heard.text) == (None, "Bl")
    assert heard.failed is not None
    assert heard.failed.status == status
    assert heard.failed.message.startswith("m1 failed part way through the turn: ")
    assert words in heard.failed.message
    with pytest.raises(Fault, match="m1 failed part way through the turn"):
        await (await open_turn(one.bench, ask("Another"))).whole()
    assert asked_of(one) == ["m1", "m1"]
    assert [(alias, status) for _, alias, status, _ in await turns(one)] == [("m1", recorded)] * 2


async def test_silence_after_the_first_piece_ends_at_the_turns_own_deadline(room: Make) -> None:
    one = await room(then_waits("text Bl"), GOOD, reply="route")
    one.bench.limits.route_first_piece_s = 0.1  # type: ignore[misc]
    one.bench.limits.route_turn_s = 0.4  # type: ignore[misc]
    heard = await turn(one)
    assert heard.failed is not None
    assert "no answer in 0.4 s" in heard.failed.message
    assert (await calls(one))[0][1] == "timeout"


async def test_a_thought_is_a_sign_of_life_and_the_turns_deadline_holds_from_then(room: Make) -> None:
    one = await room(then_waits("thought hm"), GOOD, reply="route")
    one.bench.limits.route_first_piece_s = 0.15  # type: ignore[misc]
    one.bench.limits.route_turn_s = 0.5  # type: ignore[misc]
    began = asyncio.get_running_loop().time()
    heard = await turn(one)
    assert 0.45 < asyncio.get_running_loop().time() - began < 2
    assert heard.text == "Blue."
    assert heard.bench["failed_over"][0]["error"] == "no answer in 0.5 s"


async def test_silence_is_told_with_the_seconds_it_lasted(room: Make) -> None:
    one = await room(then_waits(), GOOD, reply="route")
    one.bench.limits.route_first_piece_s = 0.15  # type: ignore[misc]
    assert (await turn(one)).bench["failed_over"][0]["error"] == "nothing in 0.15 s"


async def test_who_must_not_be_asked_is_not_asked_again_and_takes_nobodys_place(room: Make) -> None:
    barred = refuses(429, "retry-after: 700")
    one = await room(barred, barred, barred, GOOD, reply="route")
    first = await turn(one)
    assert first.fault is not None
    assert (first.fault.status, asked_of(one)) == (429, ["m1", "m2", "m3"])
    second = await turn(one)
    assert second.text == "Blue."
    assert asked_of(one) == ["m1", "m2", "m3", "m4"]
    assert [failed["alias"] for failed in second.bench["failed_over"]] == ["m1", "m2", "m3"]
    assert "asked for a pause of another" in second.bench["failed_over"][0]["error"]


async def test_when_nobody_may_be_asked_the_wait_is_told_without_asking(room: Make) -> None:
    one = await room(refuses(429, "retry-after: 700"), reply="route")
    await turn(one)
    for text in ("Why is the sky blue?", "Another"):
        fault = (await turn(one, ask(text))).fault
        assert fault is not None
        assert (fault.status, len(one.provider.requests)) == (429, 1)
        assert fault.wait == pytest.approx(700, abs=5)


async def test_a_short_stated_wait_bars_nobody(room: Make) -> None:
    one = await room(refuses(429, "retry-after: 30"), GOOD, reply="route")
    await turn(one)
    one.provider.requests.clear()
    assert (await turn(one, ask("Another"))).bench["alias"] == "m2"  # m1 rests, so it ranks last
    assert asked_of(one) == ["m2"]


async def test_a_refusal_stands_when_the_deadline_ends_the_next_attempt(room: Make) -> None:
    scripts = [refuses(429, "retry-after: 0.1")]

    async def once(line: Any, request: Any) -> None:
        await (scripts.pop() if scripts else then_waits(head=False))(line, request)

    one = await room(once, reply="route")
    one.bench.limits.route_first_piece_s = 2.0  # type: ignore[misc]
    fault = (await turn(one)).fault
    assert fault is not None
    assert (fault.status, fault.wait) == (429, 0.1)
    assert await calls(one) == [("m1", "error", 2, "route")]


@pytest.mark.parametrize("inside", [True, False], ids=["in the stream", "as a status"])
async def test_a_key_that_a_provider_repeats_is_nobodys_to_read(
    room: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, inside: bool
) -> None:
    monkeypatch.setenv("BENCHWARMERS_KEY_ANTHILL", "sk-canary-123456")

    async def repeats(line: Any, request: Any) -> None:
        told = f"no such key: {request.headers['authorization']}"
        script = says(f"error {told}") if inside else refuses(401, body=f'{{"message": "{told}"}}'.encode())
        await script(line, request)

    one = await room(repeats, GOOD, reply="route")
    heard = await turn(one)
    assert "no such key: Bearer [the endpoint's key]" in heard.bench["failed_over"][0]["error"]
    await one.bench.recorder.settle()
    rows = await one.query(lambda: [str(vars(row)) for table in (Turn, Call) for row in table.objects.all()])
    assert len(rows) == 3
    assert "canary" not in "".join([str(heard), caplog.text, *rows])
