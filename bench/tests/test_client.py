"""The client counts every reply once, whatever way it ends, and the upstream does what a model's name says."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from bench.client import Request, Run, Tally, percentiles
from bench.upstream import Upstream, script

BODY = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n"
CLOSED = {
    "says so": BODY + b"connection: close\r\n\r\nok",
    "old": BODY.replace(b"HTTP/1.1", b"HTTP/1.0") + b"\r\nok",
    "without a length": b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\ndata: a\n\ndata: b\n\n",
}


@contextlib.asynccontextmanager
async def listening(made: type[asyncio.Protocol]) -> AsyncIterator[str]:
    server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1/chat/completions"


async def asked(model: str, *, stream: bool = False, most: int = 9) -> Tally:
    body = b'{"model": "%s", "stream": %s}' % (model.encode(), b"true" if stream else b"false")
    async with listening(Upstream) as url:
        return await Run(Request(url, body, b"data: " if stream else b""), 2, 60, warm_s=0, most=most).go()


async def test_whole_replies_are_counted_by_their_length() -> None:
    tally = await asked("fake")
    assert tally.errors == 0
    assert tally.statuses[200] == tally.replies == len(tally.whole) == 9
    assert all(first <= whole for first, whole in zip(tally.first_byte, tally.whole, strict=True))


@pytest.mark.parametrize("chunks", [1, 7])
async def test_every_event_of_every_stream_is_counted(chunks: int) -> None:
    tally = await asked(f"fake-chunks{chunks}", stream=True)
    assert (tally.errors, tally.replies, len(tally.first_event)) == (0, 9, 9)
    assert tally.events == 9 * (chunks + 3), "the chunks, the finish, the usage and the end"


async def test_a_model_waits_and_refuses_as_its_name_says() -> None:
    slow = await asked("fake-delay30-chunks3-gap20", stream=True, most=2)
    assert min(slow.first_event) > 0.029
    assert min(slow.whole) > 0.089
    refused = await asked("fake-fail429", stream=True)
    assert refused.statuses == {429: 9}
    assert refused.told()["refused"] == 9


class Closes(asyncio.Protocol):
    """Answers once and closes."""

    reply = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(self.reply)
        self.transport.close()


@pytest.mark.parametrize("how", CLOSED)
async def test_a_server_that_closes_after_each_reply_is_asked_on_a_new_connection(
    how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Closes, "reply", CLOSED[how])
    async with listening(Closes) as url:
        tally = await Run(Request(url, b"{}", b"data: "), 2, 60, warm_s=0, most=6).go()
    assert (tally.errors, tally.replies) == (0, 6)
    assert tally.events == (12 if how == "without a length" else 0)


@pytest.mark.parametrize("reply", [b"", b"HTTP/1.1 200 OK\r\n", BODY + b"\r\no", script("fake").pieces[0]])
async def test_a_connection_that_ends_before_its_reply_is_an_error(
    reply: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Closes, "reply", reply)
    async with listening(Closes) as url:
        tally = await Run(Request(url, b"{}"), 1, 60, warm_s=0, most=3).go()
    assert (tally.errors, tally.replies) == (3, 0)


async def test_replies_that_began_while_warming_up_count_for_no_time() -> None:
    async with listening(Upstream) as url:
        tally = await Run(Request(url, b"{}"), 1, 60, warm_s=60, most=3).go()
    assert (tally.replies, tally.whole, tally.told()["per_s"]) == (3, [], 0)


async def test_a_run_that_is_stopped_leaves_its_streams_without_an_error() -> None:
    async with listening(Upstream) as url:
        run = Run(Request(url, b'{"model": "fake-gap1000", "stream": true}', b"data: "), 5, 60, warm_s=0)
        going = asyncio.create_task(run.go())
        async with asyncio.timeout(30):
            while run.heard < 5:
                assert run.tally.errors == 0
                await asyncio.sleep(0.01)
        run.stop()
        tally = await going
    assert (tally.errors, tally.replies) == (0, 0)


def test_nothing_beyond_this_machine_is_asked() -> None:
    with pytest.raises(ValueError, match="not on this machine"):
        Request("http://192.0.2.1/v1/chat/completions", b"{}").wire()


def test_percentiles_are_of_what_was_measured() -> None:
    assert percentiles([number / 1000 for number in range(1, 101)]) == pytest.approx({"p50": 51, "p95": 96, "p99": 100})
    assert percentiles([0.004]) == pytest.approx({"p50": 4, "p95": 4, "p99": 4})
