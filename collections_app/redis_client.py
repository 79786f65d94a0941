"""Clients of the one Redis that all processes share, wherever its address says it is.

With sentinels, each new connection asks them which server is the primary now, so whoever connects again after a failure
comes to the right one. Decides no time limits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

import redis
import redis.asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.asyncio.sentinel import SentinelConnectionPool as AsyncSentinelConnectionPool
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelConnectionPool

from collections_app.redis_address import Sentinels, read_sentinels

ASK_S: Final = 0.15
"""How long a sentinel may take to say where the server is; then the next is asked. Of three, two may be dead and all of
it still be within the half second that a request waits for Redis."""
REACH_S: Final = 0.5
CLUSTER: Final = (
    "REDIS_URL names a Redis Cluster, which cannot be used: what belongs together is changed together here, by scripts "
    "over keys that a cluster keeps apart. Use one primary, and for a stand-by replicas with sentinels: "
    "redis+sentinel://host:26379,host:26379/service."
)


def open_redis(url: str, **options: Any) -> redis.Redis:
    """A client for programs without an event loop; whoever opens it closes it."""
    sentinels = read_sentinels(url)
    if sentinels is None:
        client: redis.Redis = redis.Redis.from_url(url, **options)
        return client
    return redis.Redis.from_pool(_pool(sentinels, options))


@contextmanager
def redis_once(url: str, **options: Any) -> Iterator[redis.Redis]:
    """A client for a few commands."""
    client = open_redis(url, **options)
    try:
        yield client
    finally:
        client.close()


def open_redis_async(url: str, **options: Any) -> redis.asyncio.Redis:
    """A client inside the running event loop; whoever opens it closes it."""
    sentinels = read_sentinels(url)
    if sentinels is None:
        client: redis.asyncio.Redis = redis.asyncio.Redis.from_url(url, **options)
        return client
    asked = sentinel_options(sentinels, in_loop=True)
    manager = AsyncSentinel(sentinels.hosts, sentinel_kwargs=asked)  # type: ignore[no-untyped-call]
    every = {**server_options(sentinels), **options}
    return redis.asyncio.Redis.from_pool(_AsyncPool(sentinels.service, manager, **every))  # type: ignore[no-untyped-call]


def unfit(info: Mapping[str, Any]) -> str | None:
    """Why a server that says this of itself cannot be ours, as a sentence; None for one that can."""
    if info.get("redis_mode") == "cluster" or info.get("server_mode") == "cluster" or info.get("cluster_enabled"):
        return CLUSTER
    if info.get("role") == "slave":
        return "REDIS_URL names a replica, which takes no writes; name the primary, or the sentinels that know it."
    return None


def find_unfit(url: str) -> str | None:
    """The same of the server at this address; None also while it cannot be reached."""
    try:
        with redis_once(url, socket_timeout=REACH_S, socket_connect_timeout=REACH_S) as client:
            return unfit(client.info())
    except (redis.RedisError, OSError):
        return None


def sentinel_options(sentinels: Sentinels, *, in_loop: bool = False) -> dict[str, Any]:
    """How sentinels themselves are asked: each once."""
    retry = AsyncRetry(NoBackoff(), 0) if in_loop else Retry(NoBackoff(), 0)
    return {
        "socket_timeout": ASK_S,
        "socket_connect_timeout": ASK_S,
        "retry": retry,
        "password": sentinels.sentinel_password,
    }


def server_options(sentinels: Sentinels) -> dict[str, Any]:
    """How the server that they name is spoken to."""
    return {"db": sentinels.number, "username": sentinels.username, "password": sentinels.password}


class SentinelPool(SentinelConnectionPool):
    """A pool that is made from an address of sentinels, as Django's cache makes one."""

    @classmethod
    def from_url(cls, url: str, **options: Any) -> SentinelPool:
        """:raises ValueError: it is another kind of address."""
        sentinels = read_sentinels(url)
        if sentinels is None:
            raise ValueError("no address of sentinels")
        return _pool(sentinels, options)

    def disconnect(self, inuse_connections: bool = True) -> None:
        """Close its connections, those to the sentinels too."""
        super().disconnect(inuse_connections)
        for one in self.sentinel_manager.sentinels:
            one.close()


class _AsyncPool(AsyncSentinelConnectionPool):
    async def disconnect(self, inuse_connections: bool = True) -> None:
        await super().disconnect(inuse_connections)
        for one in self.sentinel_manager.sentinels:
            await one.aclose()


def _pool(sentinels: Sentinels, options: dict[str, Any]) -> SentinelPool:
    manager = Sentinel(sentinels.hosts, sentinel_kwargs=sentinel_options(sentinels))  # type: ignore[no-untyped-call]
    every = {**server_options(sentinels), **options}
    return SentinelPool(sentinels.service, manager, **every)  # type: ignore[no-untyped-call]
