"""Our own secrets in a provider's answer, whole or broken in two by the network."""

from __future__ import annotations

import pytest

from gateway.engine.hiding import HIDDEN, Hiding, to_hide
from gateway.engine.transport import Transport
from gateway.tests.engine.upstream import Line, Request, upstream

KEY = b"prov-7c1d9e2b4f60a8"
OTHER = b"prov-door-55aa66bb77"
BODY = b'data: {"content": "my key is ' + KEY + b", the other " + OTHER + b' and prov-7c1"}\n\ndata: ' + KEY
CLEAN = BODY.replace(KEY, HIDDEN).replace(OTHER, HIDDEN)


@pytest.mark.parametrize("size", [1, 2, 7, 18, 19, 20, 64, 1_000])
def test_a_secret_is_hidden_wherever_the_network_breaks_it(size: int) -> None:
    hiding = Hiding((KEY, OTHER))
    pieces = [hiding.feed(BODY[at : at + size]) for at in range(0, len(BODY), size)]
    assert b"".join([*pieces, hiding.end()]) == CLEAN


@pytest.mark.parametrize("body", [b"", b"p", b"prov-", KEY[:-1], b"prov-prov-7c1d9e2b4f60a", b"pppppppp", b"a\n\nb"])
def test_what_only_begins_like_a_secret_comes_whole(body: bytes) -> None:
    for size in (1, 3, 100):
        hiding = Hiding((KEY,))
        pieces = [hiding.feed(body[at : at + size]) for at in range(0, len(body), size)]
        assert b"".join([*pieces, hiding.end()]) == body


def test_a_secret_that_begins_right_after_a_false_start_waits_too() -> None:
    hiding = Hiding((KEY,))
    assert hiding.feed(b"p" + KEY[:10]) == b"p"
    assert hiding.feed(KEY[10:]) + hiding.end() == HIDDEN


def test_a_chunk_that_cannot_begin_a_secret_waits_for_nothing() -> None:
    hiding = Hiding((KEY,))
    assert hiding.feed(b"data: hello") == b"data: hello"
    assert hiding.feed(b"data: prov\n\n") == b"data: prov\n\n"
    assert hiding.feed(b"data: prov") == b"data: "


@pytest.mark.parametrize(
    ("secrets", "hidden"),
    [
        (("", "lm-studio", "not-needed"), ()),
        ((KEY.decode(), "", KEY.decode()), (KEY,)),
    ],
)
def test_short_keys_may_be_words_and_are_left_alone(secrets: tuple[str, ...], hidden: tuple[bytes, ...]) -> None:
    assert to_hide(secrets) == hidden


async def test_a_body_that_comes_in_small_pieces_is_clean() -> None:
    async def echo(line: Line, request: Request) -> None:
        await line.head()
        for at in range(0, len(BODY), 5):
            await line.chunk(BODY[at : at + 5])
        await line.chunk(b"")

    transport = Transport()
    async with upstream(echo) as provider:
        async with transport.post(provider.base, {}, b"{}", secrets=(KEY, OTHER)) as answer:
            assert b"".join([chunk async for chunk in answer.chunks()]) == CLEAN
        async with transport.post(provider.base, {}, b"{}") as answer:
            assert b"".join([chunk async for chunk in answer.chunks()]) == BODY
    await transport.close()
