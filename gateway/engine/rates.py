"""A gateway key's calls a minute: a sliding window of 60 seconds, shared by all processes through Redis.

While Redis is away each process counts for itself, so a key may then get up to its limit from every process.
"""

from __future__ import annotations

import math
from collections import deque
from typing import Final

from gateway.canon.fault import RateLimited
from gateway.engine.pulse import PulseReader
from gateway.engine.redis_line import script_of
from gateway.engine.snapshot import Caller

WINDOW_S: Final = 60.0
# KEYS: the window. ARGV: now, limit, a name for this call. Answers "" when it may go, else when the oldest call was.
_TAKE: Final = script_of("""
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[1] - 60)
if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[2]) then
  redis.call('ZADD', KEYS[1], ARGV[1], ARGV[3])
  redis.call('EXPIRE', KEYS[1], 61)
  return ''
end
return redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
""")


class KeyRates:
    """One per process."""

    def __init__(self, pulse: PulseReader) -> None:
        self._pulse = pulse
        self._own: dict[int, deque[float]] = {}
        self._count = 0

    async def spend(self, caller: Caller, now: float, process: str) -> None:
        """Counts one call of this caller at `now` (epoch seconds). Raises RateLimited when the minute is full."""
        if caller.key_id is None or not caller.rpm:
            return
        self._count += 1
        name = f"{process}/{now!r}/{self._count}"  # a restarted process may have the same name
        oldest = await self._pulse.call(_TAKE, [f"bench:rpm:{caller.key_id}"], [repr(now), caller.rpm, name])
        if oldest is None:
            oldest = self._take_here(caller.key_id, caller.rpm, now)
        if oldest:
            wait = math.floor(float(oldest) + WINDOW_S - now) + 1
            raise RateLimited(
                f"Key {caller.name} has used its {caller.rpm} calls a minute; try again in {wait} s.",
                wait=wait,
                code="rate_limit_exceeded",
            )

    def _take_here(self, key: int, limit: int, now: float) -> str:
        window = self._own.setdefault(key, deque())
        while window and window[0] <= now - WINDOW_S:
            window.popleft()
        if len(window) >= limit:
            return repr(window[0])
        window.append(now)
        return ""
