"""A primary dies, its replica takes over, and everything that uses Redis finds it by asking the sentinel."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import kombu
import pytest
import redis
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

from benchwarmers.redis_address import broker_options, broker_url, cache_options, layer_host
from benchwarmers.tests.redis.servers import PASSWORD, SERVICE, Server
from collections_app.redis_client import open_redis
from gateway.engine.pulse import PulseReader

WITHIN_S = 60.0
pytestmark = pytest.mark.xdist_group("sentinel")


class Three:
    """A primary, its replica in step with it, and a sentinel that knows both."""

    def __init__(self, folder: Path) -> None:
        self.primary = Server(folder)
        self.replica = Server(folder, replica_of=self.primary.port)
        self.sentinel = Server(folder, sentinel_of=self.primary.port)
        # The second sentinel is not there: any that answers will do.
        self.url = f"redis+sentinel://:{PASSWORD}@127.0.0.1:1,127.0.0.1:{self.sentinel.port}/{SERVICE}/0"
        with closing(self.primary.client()) as client:
            until(lambda: client.info("replication").get("slave0", {}).get("state") == "online")
        with closing(self._watching()) as client:
            until(lambda: len(client.sentinel_slaves(SERVICE)) == 1)

    def lose_primary(self) -> None:
        """Returns when the replica has taken over."""
        self.primary.kill()
        with closing(self._watching()) as client:
            until(lambda: client.sentinel_get_master_addr_by_name(SERVICE)[1] == self.replica.port)
        with closing(self.replica.client()) as client:
            until(lambda: client.info("replication")["role"] == "master")

    def _watching(self) -> Any:
        return redis.Redis(port=self.sentinel.port, decode_responses=True)

    def end(self) -> None:
        for server in (self.sentinel, self.replica, self.primary):
            server.kill()


def until(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + WITHIN_S
    while not ready():
        assert time.monotonic() < end
        time.sleep(0.02)


def until_it_works(work: Callable[[], Any]) -> Any:
    """What it answers, once it does: whoever held a connection to the lost server may fail first."""
    end = time.monotonic() + WITHIN_S
    while True:
        try:
            return work()
        except (RedisError, OSError, kombu.exceptions.OperationalError):
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.fixture
def three(tmp_path: Path) -> Iterator[Three]:
    one = Three(tmp_path)
    yield one
    one.end()


def test_everything_goes_on_with_the_replica_that_took_over(three: Three) -> None:
    client = open_redis(three.url, socket_timeout=1.0)
    cache = RedisCache([three.url], {"OPTIONS": cache_options(three.url)})
    broker = kombu.Connection(broker_url(three.url), transport_options=broker_options(three.url))
    client.incr("counted")
    cache.set("kept", "before")
    queue = broker.SimpleQueue("quick")
    queue.put("one")
    assert client.wait(1, 5_000) == 1

    three.lose_primary()
    assert until_it_works(lambda: client.incr("counted")) == 2
    assert until_it_works(lambda: cache.get("kept")) == "before"
    with broker.clone() as again:
        message = until_it_works(lambda: again.SimpleQueue("quick").get(timeout=5))
        assert message.payload == "one"
        message.ack()
    client.close()
    broker.close()


async def test_pulse_and_pages_go_on_too(three: Three) -> None:
    pulse = PulseReader(three.url)
    layer = RedisPubSubChannelLayer(hosts=[layer_host(three.url)])
    channel = await layer.new_channel()
    await layer.group_add("changed", channel)
    first = await pulse.read("20270105-091500")
    assert first.number == 1

    await asyncio.to_thread(three.lose_primary)
    async with asyncio.timeout(WITHIN_S):
        while (again := await pulse.read("20270105-091501")).number is None:  # noqa: ASYNC110 nothing tells of it
            await asyncio.sleep(0.05)
        assert again.number == 1
        heard = asyncio.ensure_future(layer.receive(channel))
        while not heard.done():
            with suppress(RedisError, OSError):
                await layer.group_send("changed", {"type": "changed", "topics": ["home"]})
            await asyncio.sleep(0.05)
    assert (await heard)["topics"] == ["home"]
    watched = [shard._redis.connection_pool.sentinel_manager for shard in layer._shards]
    await layer.flush()
    for one in (one for manager in watched for one in manager.sentinels):
        await one.aclose()  # the layer leaves them open
    await pulse.close()
