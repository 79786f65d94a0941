"""The way out: one POST over a real socket, and every way in which it can go wrong."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from gateway.canon.fault import Broken, NotSent, Unreachable, UpstreamFault
from gateway.engine.transport import ERROR_CAP, Transport
from gateway.tests.engine.upstream import ANSWER, Line, Request, refuses, says, upstream


@pytest_asyncio.fixture
async def transport() -> AsyncIterator[Transport]:
    one = Transport()
    yield one
    await one.close()


async def read(transport: Transport, url: str, **headers: str) -> bytes:
    async with transport.post(url, headers, b"{}") as answer:
        return b"".join([chunk async for chunk in answer.chunks()])


async def failure(transport: Transport, url: str, **headers: str) -> UpstreamFault:
    with pytest.raises(UpstreamFault) as caught:
        await read(transport, url, **headers)
    return caught.value


async def test_the_body_and_the_headers_arrive_as_they_were_given(transport: Transport) -> None:
    async with upstream(ANSWER) as provider:
        async with transport.post(provider.base + "/x?alt=sse", {"x-key": "k", "accept": "a/b"}, b'{"a":1}') as answer:
            assert (answer.status, answer.content_type) == (200, "text/event-stream")
            assert b"".join([chunk async for chunk in answer.chunks()]).startswith(b"text Blue\n")
        (request,) = provider.requests
    assert request.line == "POST /v1/x?alt=sse HTTP/1.1"
    assert request.body == b'{"a":1}'
    assert (request.headers["x-key"], request.headers["accept"]) == ("k", "a/b")
    assert "cookie" not in request.headers


async def test_a_connection_is_used_again_after_a_reply_read_to_its_end(transport: Transport) -> None:
    async with upstream(ANSWER) as provider:
        for _ in range(5):
            await read(transport, provider.base)
        assert provider.connections == 1


async def test_a_reply_left_half_read_closes_its_connection(transport: Transport) -> None:
    async with upstream(says(*["text more"] * 50, pause=0.05)) as provider:
        async with transport.post(provider.base, {}, b"") as answer:
            async for _ in answer.chunks():
                break
        async with asyncio.timeout(1):
            await provider.closed.wait()


async def test_cookies_are_not_kept(transport: Transport) -> None:
    async with upstream(refuses(200, "set-cookie: a=1; Path=/")) as provider:
        await read(transport, provider.base)
        await read(transport, provider.base)
        assert all("cookie" not in request.headers for request in provider.requests)


async def test_a_redirect_is_not_followed(transport: Transport) -> None:
    async with upstream(ANSWER) as target, upstream(refuses(307, f"location: {target.base}/take")) as provider:
        async with transport.post(provider.base, {"authorization": "Bearer hunter2"}, b"") as answer:
            assert answer.status == 307
        assert target.requests == []


async def test_a_gzipped_reply_is_opened(transport: Transport) -> None:
    async with upstream(refuses(200, "content-encoding: gzip", body=gzip.compress(b"x" * 100_000))) as provider:
        assert await read(transport, provider.base) == b"x" * 100_000


async def test_a_reply_that_only_claims_to_be_gzipped_is_broken(transport: Transport) -> None:
    async with upstream(refuses(200, "content-encoding: gzip", body=b"plain words")) as provider:
        assert isinstance(await failure(transport, provider.base), Broken)


async def test_a_reply_over_the_cap_is_cut_off(transport: Transport) -> None:
    async def flood(line: Line, request: Request) -> None:
        await line.head()
        for _ in range(40):
            await line.chunk(b"x" * 1_000_000)

    async with upstream(flood) as provider:
        fault = await failure(transport, provider.base)
    assert isinstance(fault, Broken)
    assert fault.code == "oversized"


async def test_a_small_body_that_unpacks_to_a_huge_one_is_cut_off(transport: Transport) -> None:
    bomb = gzip.compress(b"\0" * 40_000_000, 1)
    async with upstream(refuses(200, "content-encoding: gzip", body=bomb)) as provider:
        assert (await failure(transport, provider.base)).code == "oversized"


async def test_a_long_error_is_read_only_at_its_start(transport: Transport) -> None:
    long = refuses(500, body=b"e" * 3_000_000)
    async with upstream(long) as provider, transport.post(provider.base, {}, b"") as answer:
        assert len(await answer.body_of_error()) == ERROR_CAP


async def test_an_error_that_breaks_off_keeps_what_came(transport: Transport) -> None:
    async def cut(line: Line, request: Request) -> None:
        await line.head(429, "content-length: 1000", chunked=False)
        await line.send(b"slow down")
        line.reset()

    async with upstream(cut) as provider, transport.post(provider.base, {}, b"") as answer:
        assert answer.status == 429
        assert await answer.body_of_error() in (b"slow down", b"")


async def test_nobody_listening_is_unreachable(transport: Transport) -> None:
    async with upstream(ANSWER) as provider:
        base = provider.base
    fault = await failure(transport, base)
    assert isinstance(fault, Unreachable)
    assert "127.0.0.1" in fault.message


async def test_a_reset_before_the_reply_is_unreachable(transport: Transport) -> None:
    async def reset(line: Line, request: Request) -> None:
        line.reset()

    async with upstream(reset) as provider:
        assert isinstance(await failure(transport, provider.base), Unreachable)


async def test_something_that_is_not_http_is_unreachable(transport: Transport) -> None:
    async def babble(line: Line, request: Request) -> None:
        await line.send(b"220 mail.test ESMTP\r\n\r\n")

    async with upstream(babble) as provider:
        assert isinstance(await failure(transport, provider.base), Unreachable)


@pytest.mark.parametrize("chunked", [True, False])
async def test_a_reset_in_the_middle_is_broken(transport: Transport, chunked: bool) -> None:
    async def cut(line: Line, request: Request) -> None:
        await line.head(200, *([] if chunked else ["content-length: 900"]), chunked=chunked)
        await (line.chunk if chunked else line.send)(b"text Blue\n")
        await asyncio.sleep(0.05)
        line.reset()

    async with upstream(cut) as provider:
        fault = await failure(transport, provider.base)
    assert isinstance(fault, Broken)
    assert fault.code == "broke_off"


@pytest.mark.parametrize(
    "url",
    ["", "nonsense", "ftp://anthill.test/v1", "http://", "http://[::1/v1", "/v1", "http://x:99999/"],
)
async def test_an_address_that_cannot_be_used_is_not_sent(transport: Transport, url: str) -> None:
    assert isinstance(await failure(transport, url), NotSent)


@pytest.mark.parametrize("headers", [{"x-key": "two\r\nlines: here"}, {"x-key": "ключ"}, {"x-key": "nul\0"}])
async def test_a_header_that_cannot_be_sent_is_not_sent(transport: Transport, headers: dict[str, str]) -> None:
    async with upstream(ANSWER) as provider:
        assert isinstance(await failure(transport, provider.base, **headers), NotSent)
        assert provider.requests == []


async def test_a_host_that_does_not_exist_is_unreachable(transport: Transport) -> None:
    assert isinstance(await failure(transport, "http://nowhere.invalid/v1"), Unreachable)
