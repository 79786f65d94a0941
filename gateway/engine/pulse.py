"""What changes between two requests, read from Redis in one round trip: the catalogue's stamp, a fresh number for an
id, and who was seated last by any process.

Redis may be away: then there is no stamp, ids carry more random digits and seating goes by what this process knows. A
failure is logged once and Redis is left alone for a second.
"""

from __future__ import annotations

import logging
import time
from typing import Final

from msgspec import Struct, field
from redis.asyncio import Redis
from redis.exceptions import RedisError

from collections_app.stamp import STAMP_KEY

SEATED_KEY: Final = "bench:seated"
NUMBER_KEY: Final = "bench:number:"
NUMBER_LIFE_S: Final = 7_500  # longer than the hour that a change of the clock repeats
PAUSE_S: Final = 1.0
TIMEOUT_S: Final = 0.5
log = logging.getLogger(__name__)


class Pulse(Struct, frozen=True):
    """`stamp` and `number` are None while Redis is away. `seated` maps aliases to epoch seconds."""

    stamp: str | None = None
    number: int | None = None
    seated: dict[str, float] = field(default_factory=dict)


class PulseReader:
    """This process's line to Redis."""

    def __init__(self, url: str) -> None:
        self._redis: Redis = Redis.from_url(
            url, decode_responses=True, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, protocol=2
        )
        self._away_until = 0.0

    @property
    def away(self) -> bool:
        return time.monotonic() < self._away_until

    async def read(self, second: str) -> Pulse:
        """`second` names the second in which an id is made; the number is unique within it, over all processes."""
        if self.away:
            return Pulse()
        try:
            async with self._redis.pipeline(transaction=False) as pipe:
                pipe.get(STAMP_KEY)
                pipe.incr(NUMBER_KEY + second)
                pipe.expire(NUMBER_KEY + second, NUMBER_LIFE_S)
                pipe.hgetall(SEATED_KEY)
                stamp, number, _, seated = await pipe.execute()
        except (TimeoutError, RedisError, OSError) as error:
            self._lost(error)
            return Pulse()
        return Pulse(stamp or "0", number, {alias: float(at) for alias, at in seated.items()})

    async def read_stamp(self) -> str | None:
        """The catalogue's stamp alone."""
        if self.away:
            return None
        try:
            return str(await self._redis.get(STAMP_KEY) or "0")
        except (TimeoutError, RedisError, OSError) as error:
            self._lost(error)
            return None

    async def tell_seated(self, seated: dict[str, float]) -> None:
        """Lets the other processes know who works now."""
        if not seated or self.away:
            return
        try:
            await self._redis.hset(SEATED_KEY, mapping={alias: repr(at) for alias, at in seated.items()})
        except (TimeoutError, RedisError, OSError) as error:
            self._lost(error)

    async def run(self, script: str, key: str, *arguments: str) -> str | None:
        """What a Lua script over one key answers; None while Redis is away."""
        if self.away:
            return None
        try:
            return str(await self._redis.eval(script, 1, key, *arguments))
        except (TimeoutError, RedisError, OSError) as error:
            self._lost(error)
            return None

    async def close(self) -> None:
        await self._redis.aclose()

    def _lost(self, error: BaseException) -> None:
        if not self.away:
            log.warning("Redis does not answer (%s); going on without it", error)
        self._away_until = time.monotonic() + PAUSE_S
