"""Who answers a conversation, kept in Redis for all processes and in each of them for when it is away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from typing import NamedTuple

import msgspec
import redis

from collections_app.stamp import STAMP_KEY
from gateway.engine.conversations import IDLE_S, MEMORY_S, REMEMBERED, Conversation, Conversations
from gateway.engine.pulse import PulseReader
from gateway.tests.engine.stores import Valkey

NOW = 1_796_000_000.0
SECOND = "20261129-120000"
ORDER = ("a", "b", "c")
NOWHERE = "unix:///nowhere/valkey.sock"


class Process(NamedTuple):
    """What one web process has."""

    store: Conversations
    pulse: PulseReader

    async def take(
        self, now: float = NOW, order: tuple[str, ...] = ORDER, maker: str = "a", key: str = "k"
    ) -> Conversation:
        return (await self.store.take(key, now, SECOND, order, maker)).conversation

    async def move(self, was: Conversation, alias: str, maker: str = "", **seals: list[str]) -> None:
        now = msgspec.structs.replace(was, alias=alias, maker=maker)
        await self.store.keep("k", now, alias, seals)


@asynccontextmanager
async def process(url: str) -> AsyncIterator[Process]:
    pulse = PulseReader(url)
    yield Process(Conversations(pulse, Random(1)), pulse)
    await pulse.close()


async def test_a_new_conversation_goes_to_the_first_of_the_order(valkey: Valkey) -> None:
    async with process(valkey.url) as one:
        taken = await one.store.take("k", NOW, SECOND, ORDER, "a")
    assert taken.stamp == "0"
    made = taken.conversation
    assert (made.known, made.alias, made.order, made.answered) == (False, "a", ORDER, ())
    assert (made.turn, made.maker, made.seen) == (1, "a", NOW)
    assert made.id.startswith(f"r{SECOND}-")
    assert len(made.id) == len(f"r{SECOND}-7c1e")


async def test_the_catalogues_stamp_comes_with_it(valkey: Valkey) -> None:
    with redis.Redis.from_url(valkey.url) as client:
        client.set(STAMP_KEY, "41")
    async with process(valkey.url) as one:
        assert (await one.store.take("k", NOW, SECOND, ORDER, "a")).stamp == "41"


async def test_the_next_turn_finds_it_whoever_ranks_first_by_then(valkey: Valkey) -> None:
    async with process(valkey.url) as one:
        first = await one.take()
        second = await one.take(NOW + 60, ("c", "b"), "c")
    assert (second.known, second.alias, second.order, second.turn) == (True, "a", ORDER, 2)
    assert (second.id, second.maker) == (first.id, "a")


async def test_two_conversations_of_one_second_have_two_ids(valkey: Valkey) -> None:
    async with process(valkey.url) as one:
        assert (await one.take()).id != (await one.take(key="other")).id


async def test_an_hour_of_rest_is_survived_and_a_second_more_is_not(valkey: Valkey) -> None:
    async with process(valkey.url) as one, process(valkey.url) as two:
        first = await one.take()
        awake = await two.take(NOW + IDLE_S)
        assert (awake.known, awake.id) == (True, first.id)
        again = await one.take(NOW + 2 * IDLE_S + 1, ("b", "a"), "b")
    assert (again.known, again.alias, again.answered, again.turn) == (False, "b", (), 1)
    assert again.id != first.id
    # The caller still holds what the first member sealed.
    assert again.maker == "a"


async def test_whoever_took_over_answers_the_next_turn(valkey: Valkey) -> None:
    async with process(valkey.url) as one, process(valkey.url) as two:
        await one.move(await one.take(), "b", "b")
        here, there = await one.take(NOW + 1), await two.take(NOW + 2)
    assert (here.alias, here.answered, here.maker) == ("b", ("b",), "b")
    assert (there.alias, there.answered, there.turn) == ("b", ("b",), 3)


async def test_turns_that_alternate_between_two_processes_stay_on_one_member(valkey: Valkey) -> None:
    async with process(valkey.url) as one, process(valkey.url) as two:
        turns = [await (one, two)[n % 2].take(NOW + n, ORDER[n % 3 :] + ORDER[: n % 3]) for n in range(8)]
    assert {turn.alias for turn in turns} == {"a"}
    assert {turn.id for turn in turns} == {turns[0].id}
    assert [turn.turn for turn in turns] == list(range(1, 9))


async def test_of_two_first_turns_at_once_the_first_writer_wins(valkey: Valkey) -> None:
    async with process(valkey.url) as one, process(valkey.url) as two:
        pair = await asyncio.gather(one.take(order=("a", "b")), two.take(order=("b", "a")))
    assert len({made.id for made in pair}) == 1
    assert len({made.alias for made in pair}) == 1
    assert sorted(made.turn for made in pair) == [1, 2]
    assert sorted(made.known for made in pair) == [False, True]


async def test_a_member_is_told_from_another_by_what_each_has_sealed(valkey: Valkey) -> None:
    async with process(valkey.url) as one, process(valkey.url) as two:
        first = await one.take()
        await one.move(first, "b", a=["d1", "d2"], b=["d3"])
        await one.move(await one.take(NOW + 1), "b", b=["d4"])
        for store in (one.store, two.store):
            assert await store.own_seals("k", "a") == {"d1", "d2"}
            assert await store.own_seals("k", "b") == {"d3", "d4"}
            assert await store.own_seals("k", "c") == frozenset()
            assert await store.own_seals("other", "a") == frozenset()
        # A new conversation under the same key does not make them anybody else's.
        again = await two.take(NOW + 2 * IDLE_S, ("c", "a"), "")
        assert (again.known, again.alias) == (False, "c")
        assert await two.store.own_seals("k", "c") == frozenset()
        assert await two.store.own_seals("k", "a") == {"d1", "d2"}


async def test_nothing_stays_in_redis_for_more_than_a_day(valkey: Valkey) -> None:
    async with process(valkey.url) as one:
        await one.move(await one.take(), "b", b=["d"])
    with redis.Redis.from_url(valkey.url) as client:
        keys = client.keys("bench:conversation:*")
        assert len(keys) == 2
        assert all(MEMORY_S - 60 < client.ttl(key) <= MEMORY_S for key in keys)


async def test_a_redis_that_lost_everything_gets_the_member_back(valkey: Valkey) -> None:
    async with process(valkey.url) as one:
        await one.move(await one.take(), "b", "b")
        with redis.Redis.from_url(valkey.url) as client:
            client.flushall()
        again = await one.take(NOW + 60, ("c", "b", "a"), "c")
    assert (again.alias, again.order, again.maker) == ("b", ("b", "c", "a"), "b")


async def test_what_redis_lost_and_cannot_take_the_turn_is_not_given_back(valkey: Valkey) -> None:
    async with process(valkey.url) as one:
        await one.take()
        with redis.Redis.from_url(valkey.url) as client:
            client.flushall()
        assert (await one.take(NOW + 60, ("c", "b"), "c")).alias == "c"


async def test_while_redis_is_away_the_process_goes_by_what_it_knows(valkey: Valkey) -> None:
    async with process(valkey.url) as one:
        first = await one.take()
        valkey.kill()
        taken = await one.store.take("k", NOW + 1, SECOND, ("c", "b", "a"), "c")
        assert taken.stamp is None
        away = taken.conversation
        assert (away.known, away.id, away.alias, away.turn) == (True, first.id, "a", 2)
        await one.move(away, "b", "b")
        assert (await one.take(NOW + 2)).alias == "b"


async def test_without_redis_conversations_live_in_the_process() -> None:
    async with process(NOWHERE) as one:
        first = await one.take()
        assert (first.known, first.alias, first.answered, first.turn, first.maker) == (False, "a", (), 1, "a")
        assert len(first.id) == len(f"r{SECOND}-") + 12
        await one.move(first, "b", b=["d1"])
        second = await one.take(NOW + IDLE_S)
        assert (second.known, second.id, second.alias, second.answered) == (True, first.id, "b", ("b",))
        assert await one.store.own_seals("k", "b") == {"d1"}
        assert await one.store.own_seals("k", "a") == frozenset()
        later = await one.take(NOW + 2 * IDLE_S + 1, ("c",), "c")
        assert (later.known, later.alias, later.turn, later.maker) == (False, "c", 1, "")


async def test_turns_that_overlap_without_redis_count_on() -> None:
    async with process(NOWHERE) as one:
        # The first of these look for Redis, and wait for that at once.
        both = await asyncio.gather(one.take(), one.take(NOW + 1))
        assert sorted(turn.turn for turn in both) == [1, 2]
        assert sorted(turn.known for turn in both) == [False, True]
        await one.move(both[0], "a")
        third = await one.take(NOW + 2)
        assert (third.turn, third.answered, third.seen) == (3, ("a",), NOW + 2)


async def test_a_process_remembers_the_latest_and_no_others() -> None:
    async with process(NOWHERE) as one:
        for n in range(REMEMBERED + 5):
            one.store._take_here(f"k{n}", NOW, SECOND, ORDER, "a")
        assert len(one.store._here) == REMEMBERED
        assert (await one.take(NOW + 1, key=f"k{REMEMBERED + 4}")).known
        assert not (await one.take(NOW + 1, key="k0")).known
