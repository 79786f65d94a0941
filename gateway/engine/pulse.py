"""What changes between two requests, read from Redis in one round trip: the catalogue's stamp, a fresh number for an
id, and who was seated last by any process.

Redis may be away: then there is no stamp, ids carry more random digits and seating goes by what this process knows. A
failure is logged once and Redis is left alone for a second.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from msgspec import Struct, field, structs
from redis.exceptions import NoScriptError, RedisError

from collections_app.stamp import STAMP_KEY
from gateway.engine.pace_lua import LIVE_KEY
from gateway.engine.redis_line import RedisLine, Script, script_of

SEATED_KEY: Final = "bench:seated"
NUMBER_KEY: Final = "bench:number:"
NUMBER_LIFE_S: Final = 7_500  # longer than the hour that a change of the clock repeats
PAUSE_S: Final = 1.0
# One command and one answer cost half of four in a pipeline. Answers: stamp, number, then alias and time in turn, then
# what has a limit of late and until when, in turn.
_PULSE: Final = script_of("""
local number = redis.call('INCR', KEYS[2])
redis.call('EXPIRE', KEYS[2], ARGV[1])
return {redis.call('GET', KEYS[1]) or '', number, redis.call('HGETALL', KEYS[3]), redis.call('HGETALL', KEYS[4])}
""")
Result = TypeVar("Result")
Asked = tuple[Script, list[str], list[Any]]
log = logging.getLogger(__name__)


class Pulse(Struct, frozen=True):
    """`stamp` and `number` are None while Redis is away. `seated` maps aliases to epoch seconds; `limited` names what
    has a limit that no operator set, and until when (ms), as pacing keeps it."""

    stamp: str | None = None
    number: int | None = None
    seated: dict[str, float] = field(default_factory=dict)
    limited: dict[str, int] = field(default_factory=dict)


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
        keys = [STAMP_KEY, NUMBER_KEY + second, SEATED_KEY, LIVE_KEY]
        answer = await self.call(_PULSE, keys, [NUMBER_LIFE_S])
        if answer is None:
            return Pulse()
        stamp, number, seated, limited = answer
        pairs = zip(seated[::2], seated[1::2], strict=True)
        pulse = Pulse(stamp or "0", number, {alias: float(at) for alias, at in pairs})
        if limited:
            till = {name: int(at) for name, at in zip(limited[::2], limited[1::2], strict=True)}
            pulse = structs.replace(pulse, limited=till)
        return pulse

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

    def call(self, script: Script, keys: list[str], arguments: list[Any]) -> Coroutine[Any, Any, Any]:
        """What a script answers; None while Redis is away."""
        return self._ask(self._line.evaluate(script, keys, arguments))

    def post(
        self, script: Script, keys: list[str], arguments: list[Any], heard: Callable[[Any], None] | None = None
    ) -> None:
        """Runs a script without waiting; `heard` gets its answer, None when there is none because Redis is away."""
        if not self.away:
            self._post(self._line.run(script, keys, arguments), (script, keys, arguments), heard)
        elif heard is not None:
            heard(None)

    def _post(self, answer: asyncio.Future[Any], asked: Asked, heard: Callable[[Any], None] | None) -> None:
        def done(answer: asyncio.Future[Any]) -> None:
            failure = None if answer.cancelled() else answer.exception()  # whoever waits for the next tells of it
            if isinstance(failure, NoScriptError):
                self._post(self._line.run(*asked, anew=True), asked, heard)
            elif heard is not None:
                heard(None if answer.cancelled() or failure else answer.result())

        answer.add_done_callback(done)

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
