"""Who of several web processes takes the next connection, with real sockets and siblings that are only counted."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing

import pytest

from benchwarmers.door import AT_ONCE, Door, Seat
from benchwarmers.tally import NOBODY, Tally, make_tally

WITHIN_S = 20.0


@pytest.fixture
def tally() -> Iterator[Tally]:
    descriptor = make_tally(3)
    yield Tally(descriptor)
    os.close(descriptor)


class Guest(asyncio.Protocol):
    """A connection, counted while it is open."""

    def __init__(self, open_now: set[Guest]) -> None:
        self.open_now = open_now

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.open_now.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.open_now.discard(self)


class House:
    """A door of a process with this seat, and its guests."""

    def __init__(self, tally: Tally | None, seat: int, listener: socket.socket, *, inherited: bool = True) -> None:
        self.guests: set[Guest] = set()
        self.seat = Seat(self.guests, tally, seat)
        self.door = Door(listener, lambda: Guest(self.guests), self.seat, inherited=inherited)

    async def has(self, guests: int) -> None:
        """Wait until it has at least so many."""
        async with asyncio.timeout(WITHIN_S):
            while len(self.guests) < guests:  # noqa: ASYNC110 nobody would set an event
                await asyncio.sleep(0.001)

    async def end(self) -> None:
        """Close everything."""
        self.seat.leave()
        await self.door.close()
        for guest in self.guests:
            guest.transport.close()


def listening() -> socket.socket:
    opened = socket.socket()
    opened.bind(("127.0.0.1", 0))
    opened.listen(200)
    return opened


def knock(stack: ExitStack, listener: socket.socket, times: int) -> None:
    for _ in range(times):
        stack.enter_context(closing(socket.create_connection(listener.getsockname(), timeout=WITHIN_S)))


@pytest.mark.parametrize(
    ("others", "here", "room"),
    [
        ((NOBODY, NOBODY), 7, AT_ONCE),
        ((0, NOBODY), 0, 1),
        ((5, 9), 2, 4),
        ((5, 9), 6, 0),
        ((500, 500), 1, AT_ONCE),
    ],
)
def test_there_is_room_until_it_has_one_more_than_another(
    tally: Tally, others: tuple[int, int], here: int, room: int
) -> None:
    for place, count in enumerate(others, 1):
        tally.note(place, count)
    assert Seat(range(here), tally).room() == room
    assert tally.is_open(0)


def test_a_seat_that_was_left_stays_left(tally: Tally) -> None:
    seat = Seat([], tally)
    seat.note()
    seat.leave()
    seat.note()
    assert not tally.is_open(0)


async def test_who_has_fewer_takes_what_comes(tally: Tally) -> None:
    listener, stack = listening(), ExitStack()
    tally.note(1, 3)
    house = House(tally, 0, listener)
    knock(stack, listener, 4)
    await house.has(4)
    tally.note(1, 50)
    knock(stack, listener, 30)
    await house.has(34)
    await house.end()
    stack.close()


async def test_what_a_sibling_with_fewer_does_not_take_is_taken_all_the_same(tally: Tally) -> None:
    listener, stack = listening(), ExitStack()
    tally.note(1, 0)  # paused: it never takes any
    house = House(tally, 0, listener)
    knock(stack, listener, 40)
    await house.has(40)
    await house.end()
    stack.close()


async def test_a_closed_door_leaves_callers_to_those_who_share_it() -> None:
    listener, stack = listening(), ExitStack()
    first = House(None, 0, listener.dup())
    await first.end()
    knock(stack, listener, 2)
    second = House(None, 1, listener)
    await second.has(2)
    assert not first.guests
    await second.end()
    stack.close()


async def test_a_door_that_nobody_shares_takes_who_already_stands_there() -> None:
    listener, stack = listening(), ExitStack()
    address = listener.getsockname()
    house = House(None, 0, listener, inherited=False)
    knock(stack, listener, 3)  # nothing has run in between
    await house.door.close()
    assert len(house.guests) == 3
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(address, timeout=WITHIN_S)
    stack.close()
