"""The two ends of an exchange: when the 200 of a stream goes, beats in its silence, and a caller who has gone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, cast

import pytest

from gateway.api.alarm import Alarm
from gateway.api.consumer import PARTING_S, Gateway
from gateway.api.exchange import LINE, CallerGone, ReplyBody, StreamHead, WhilePresent, read_body
from gateway.canon.event import TextDelta
from gateway.engine.bench import Bench
from gateway.tests.api.asking import WAYS, FakeBench, FakePanel, Limits, Way
from gateway.wire.base import Writer


class Beating:
    """As much of a writer as these ends need."""

    content_type = "text/event-stream"

    def beat(self) -> bytes:
        return b"beat"


WRITER = cast(Writer, Beating())


class Sent:
    """What went out, and how long each sending takes."""

    def __init__(self, takes: float = 0.0) -> None:
        self.messages: list[dict[str, Any]] = []
        self.takes = takes

    async def __call__(self, message: dict[str, Any]) -> None:
        await asyncio.sleep(self.takes)
        self.messages.append(message)

    @property
    def heads(self) -> list[dict[bytes, bytes]]:
        return [dict(one["headers"]) for one in self.messages if one["type"] == "http.response.start"]

    @property
    def bodies(self) -> list[bytes]:
        return [one["body"] for one in self.messages if one["type"] == "http.response.body"]


def coming(*messages: dict[str, Any]) -> Any:
    """A `receive` that gives these, then waits."""
    waiting = list(messages)

    async def receive() -> dict[str, Any]:
        if waiting:
            return waiting.pop(0)
        await asyncio.Event().wait()
        raise AssertionError

    return receive


GONE = {"type": "http.disconnect"}


async def test_a_head_goes_by_itself_when_its_time_has_come() -> None:
    sent = Sent()
    head = StreamHead(sent, WRITER, 10, Alarm(asyncio.get_running_loop()))
    head.due_in(0.05, {"X-Bench-Conversation": "r1"})
    assert sent.heads == []
    await asyncio.sleep(0.1)
    assert head.begun
    (told,) = sent.heads
    assert told[b"content-type"] == b"text/event-stream"
    assert (told[b"cache-control"], told[b"x-bench-conversation"]) == (b"no-cache", b"r1")
    head.hush()


async def test_of_two_times_the_later_word_counts() -> None:
    sent = Sent()
    head = StreamHead(sent, WRITER, 10, Alarm(asyncio.get_running_loop()))
    head.due_in(0.05, {})
    head.due_in(0.2, {"X-Bench-Conversation": "r1"})
    await asyncio.sleep(0.1)
    assert sent.heads == []
    await asyncio.sleep(0.15)
    assert [head[b"x-bench-conversation"] for head in sent.heads] == [b"r1"]
    head.hush()


async def test_the_first_piece_sends_the_head_with_what_is_known_by_then() -> None:
    sent = Sent()
    head = StreamHead(sent, WRITER, 10, Alarm(asyncio.get_running_loop()))
    head.due_in(0.1, {})
    await (await head.sent({"X-Bench-Model": "m1"})).piece(b"x")
    await asyncio.sleep(0.15)
    assert [told[b"x-bench-model"] for told in sent.heads] == [b"m1"]
    assert sent.bodies == [b"x"]
    head.hush()


async def test_a_piece_waits_for_a_head_that_is_under_way() -> None:
    sent = Sent(takes=0.1)
    head = StreamHead(sent, WRITER, 10, Alarm(asyncio.get_running_loop()))
    head.due_in(0.0, {"X-Bench-Conversation": "r1"})
    await asyncio.sleep(0.05)
    await (await head.sent({"X-Bench-Model": "m1"})).piece(b"x")
    assert [one["type"] for one in sent.messages] == ["http.response.start", "http.response.body"]
    assert b"x-bench-model" not in sent.heads[0]
    head.hush()


async def test_a_refusal_within_the_time_finds_no_head_and_none_goes_later() -> None:
    sent = Sent()
    head = StreamHead(sent, WRITER, 10, Alarm(asyncio.get_running_loop()))
    head.due_in(0.05, {})
    assert await head.if_sent() is None
    await asyncio.sleep(0.1)
    assert sent.messages == []


async def test_a_refusal_after_it_finds_the_body() -> None:
    sent = Sent(takes=0.05)
    head = StreamHead(sent, WRITER, 10, Alarm(asyncio.get_running_loop()))
    head.due_in(0.0, {})
    await asyncio.sleep(0.02)
    body = await head.if_sent()
    assert body is not None
    await body.end()
    assert sent.bodies == [b""]
    assert sent.messages[-1].get("more_body", False) is False


async def test_beats_fill_the_silence_and_stop_with_the_end() -> None:
    sent = Sent()
    body = ReplyBody(sent, WRITER, 0.1, Alarm(asyncio.get_running_loop()))
    await asyncio.sleep(0.06)
    await body.piece(b"x")
    await asyncio.sleep(0.07)
    assert sent.bodies == [b"x"]  # the silence is counted from the last piece
    await asyncio.sleep(0.15)
    assert sent.bodies[:2] == [b"x", b"beat"]
    await body.end()
    beats = sent.bodies.count(b"beat")
    await asyncio.sleep(0.15)
    assert sent.bodies.count(b"beat") == beats


async def test_what_gives_the_format_nothing_to_say_is_silence() -> None:
    sent = Sent()
    body = ReplyBody(sent, WRITER, 0.1, Alarm(asyncio.get_running_loop()))
    for _ in range(5):
        await asyncio.sleep(0.03)
        await body.piece(b"")
    assert sent.bodies == [b"beat"]
    body.hush()


async def test_a_body_in_pieces_is_put_together() -> None:
    pieces: list[dict[str, Any]] = [
        {"type": "http.request", "body": b"a", "more_body": True},
        {"type": "http.request", "body": b"b"},
    ]
    assert await read_body(coming(*pieces)) == b"ab"


async def test_a_caller_who_leaves_in_the_middle_of_its_body_is_gone() -> None:
    with pytest.raises(CallerGone):
        await read_body(coming({"type": "http.request", "body": b"a", "more_body": True}, GONE))


async def test_work_ends_when_its_caller_leaves_and_the_task_goes_on() -> None:
    with pytest.raises(CallerGone), WhilePresent({}, coming(GONE)):
        await asyncio.sleep(5)
    task = asyncio.current_task()
    assert task is not None
    assert task.cancelling() == 0
    await asyncio.sleep(0)


class Wire:
    """A line that is cut by hand."""

    def __init__(self) -> None:
        self.told: list[Callable[[], None]] = []

    def when_gone(self, tell: Callable[[], None]) -> None:
        self.told.append(tell)

    def forget(self, tell: Callable[[], None]) -> None:
        self.told.remove(tell)


async def test_a_server_that_knows_its_lines_tells_of_a_caller_who_leaves() -> None:
    wire = Wire()
    asyncio.get_running_loop().call_later(0.01, lambda: wire.told[0]())
    with pytest.raises(CallerGone), WhilePresent({LINE: wire}, coming()):
        await asyncio.sleep(5)
    assert wire.told == []


async def test_word_of_a_leaving_that_comes_after_the_work_stops_nothing() -> None:
    wire = Wire()
    with WhilePresent({LINE: wire}, coming()):
        (tell,) = wire.told
    tell()
    await asyncio.sleep(0)


async def test_work_that_is_done_first_ends_as_it_would() -> None:
    with WhilePresent({}, coming()):
        await asyncio.sleep(0.01)
    with pytest.raises(ValueError, match="mine"), WhilePresent({}, coming()):
        raise ValueError("mine")


async def test_a_cancellation_from_elsewhere_is_no_caller_who_left() -> None:
    async def work() -> None:
        with WhilePresent({}, coming()):
            await asyncio.sleep(5)

    task = asyncio.create_task(work())
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
async def test_a_server_that_stops_takes_leave_in_the_format(way: Way, stream: bool) -> None:
    path, body = way.request(stream)
    plain, _, query = path.partition("?")
    bench = FakeBench(FakePanel((TextDelta("Yes"), 30.0)))
    sent = Sent()
    receive = coming({"type": "http.request", "body": json.dumps(body).encode()})
    scope = {"type": "http", "method": "POST", "path": plain, "query_string": query.encode(), "headers": []}
    serving = asyncio.ensure_future(Gateway(cast(Bench, bench), Limits(), lambda *_: None)(scope, receive, sent))
    await asyncio.sleep(0.05)
    serving.cancel()
    await serving
    assert sent.messages[0]["status"] == (200 if stream else 503)
    assert b"The server is stopping." in b"".join(sent.bodies)
    assert not sent.messages[-1].get("more_body", False)
    assert not bench.panel.left  # the run is stopped, and recorded as that, by whoever stops the server


async def test_a_caller_who_does_not_read_holds_up_no_stop() -> None:
    sent = Sent()
    receive = coming({"type": "http.request", "body": json.dumps(WAYS["chat"].request(True)[1]).encode()})
    scope = {"type": "http", "method": "POST", "path": WAYS["chat"].path, "query_string": b"", "headers": []}
    bench = FakeBench(FakePanel((TextDelta("Yes"), 30.0)))
    serving = asyncio.ensure_future(Gateway(cast(Bench, bench), Limits(), lambda *_: None)(scope, receive, sent))
    await asyncio.sleep(0.05)
    sent.takes = 30.0
    serving.cancel()
    done, _ = await asyncio.wait([serving], timeout=PARTING_S + 1)
    assert done == {serving}
