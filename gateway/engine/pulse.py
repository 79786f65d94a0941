"""What changes between two requests, read from Redis in one round trip: the catalogue's stamp, a fresh number for an
id, and who was seated last by any process.

Redis may be away: then there is no stamp, ids carry more random digits and seating goes by what this process knows. A
failure is logged once and Redis is left alone for a second.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from msgspec import Struct, field
from redis.exceptions import RedisError

from collections_app.stamp import STAMP_KEY
from gateway.engine.redis_line import RedisLine, Script, script_of

SEATED_KEY: Final = "bench:seated"
NUMBER_KEY: Final = "bench:number:"
NUMBER_LIFE_S: Final = 7_500  # longer than the hour that a change of the clock repeats
PAUSE_S: Final = 1.0
# One command and one answer cost half of four in a pipeline. Answers: stamp, number, then alias and time in turn.
_PULSE: Final = script_of("""
local number = redis.call('INCR', KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[1])
local pulse = {redis.call('GET', KEYS[1]) or '', number}
for _, part in ipairs(redis.call('HGETALL', KEYS[3])) do pulse[#pulse + 1] = part end
return pulse
""")
Result = TypeVar("Result")
log = logging.getLogger(__name__)


class Pulse(Struct, frozen=True):
    """`stamp` and `number` are None while Redis is away. `seated` maps aliases to epoch seconds."""

    stamp: str | None = None
    number: int | None = None
    seated: dict[str, float] = field(default_factory=dict)


class PulseReader:
    """This process's way to Redis."""

    def __init__(self, url: str) -> None:
        self._line = RedisLine(url)
        self._away_until = 0.0
        self._complained = False

    @property
    def away(self) -> bool:
        return time.monotonic() < self._away_until

    async def read(self, second: str) -> Pulse:
        """`second` names the second in which an id is made; the number is unique within it, over all processes."""
        answer = await self.call(_PULSE, [STAMP_KEY, NUMBER_KEY + second, SEATED_KEY], [NUMBER_LIFE_S])
        if answer is None:
            return Pulse()
        stamp, number, *seated = answer
        pairs = zip(seated[::2], seated[1::2], strict=True)
        return Pulse(stamp or "0", number, {alias: float(at) for alias, at in pairs})

    async def read_stamp(self) -> str | None:
        """The catalogue's stamp alone."""
        return await self._ask(self._read_stamp())

    async def tell_seated(self, seated: dict[str, float]) -> None:
        """Lets the other processes know who works now."""
        if seated:
            pairs = [part for alias, at in seated.items() for part in (alias, repr(at))]
            await self._ask(self._line.send("HSET", SEATED_KEY, *pairs))

    async def ping(self) -> bool:
        """Whether Redis answers."""
        return await self._ask(self._line.send("PING")) is not None

    async def call(self, script: Script, keys: list[str], arguments: list[Any]) -> Any:
        """What a script answers; None while Redis is away."""
        return await self._ask(self._line.evaluate(script, keys, arguments))

    async def close(self) -> None:
        await self._line.close()

    async def _read_stamp(self) -> str:
        return str(await self._line.send("GET", STAMP_KEY) or "0")

    async def _ask(self, work: Coroutine[Any, Any, Result]) -> Result | None:
        """What the work brings, or None while Redis is away."""
        if self.away:
            work.close()
            return None
        try:
            answer = await work
        except (TimeoutError, RedisError, OSError) as error:
            self._away_until = time.monotonic() + PAUSE_S
            if not self._complained:
                log.warning("Redis does not answer (%s); going on without it", error)
            self._complained = True
            return None
        if self._complained:
            log.warning("Redis answers again")
        self._complained = False
        return answer
