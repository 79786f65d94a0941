"""Tells every process that the catalogue moved: a counter in Redis that only goes up.

`bump_stamp` is called after a commit. It never fails the write that went before: with Redis away it says so in the
log once and returns False. Tests and embedders replace the way it is kept with `use_stamp`.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import cache

import redis
from django.conf import settings

from collections_app.redis_client import open_redis

STAMP_KEY = "bench:catalogue"
TIMEOUT_S = 1.0
PAUSE_S = 1.0

logger = logging.getLogger(__name__)


@cache
def _client(url: str) -> redis.Redis:
    return open_redis(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)


class _Redis:
    """The real counter. Remembers that it complained, so that an absent Redis fills no log, and that there was no
    answer, so that not every reader waits for one.
    """

    def __init__(self) -> None:
        self.complained = False
        self.away_until = 0.0

    def bump(self) -> bool:
        try:
            _client(settings.BENCH.redis_url).incr(STAMP_KEY)
        except (redis.RedisError, OSError) as error:
            self._complain(error)
            return False
        self.complained, self.away_until = False, 0.0
        return True

    def read(self) -> str | None:
        if time.monotonic() < self.away_until:
            return None
        try:
            found = _client(settings.BENCH.redis_url).get(STAMP_KEY)
        except (redis.RedisError, OSError) as error:
            self.away_until = time.monotonic() + PAUSE_S
            self._complain(error)
            return None
        return found.decode() if isinstance(found, bytes) else "0"

    def _complain(self, error: Exception) -> None:
        if not self.complained:
            logger.warning(
                "Redis cannot be reached (%s): changes are saved, running processes see them later.",
                type(error).__name__,
            )
        self.complained = True


def _unknown() -> None:
    return None


_redis = _Redis()
_in_use: list[tuple[Callable[[], bool], Callable[[], str | None]]] = [(_redis.bump, _redis.read)]


def use_stamp(bump: Callable[[], bool], read: Callable[[], str | None] = _unknown) -> Callable[[], None]:
    """Count with `bump` and read with `read` from now on; calling what is returned puts the former way back."""
    way = (bump, read)
    _in_use.append(way)
    return lambda: _in_use.remove(way)


def bump_stamp() -> bool:
    """Move the catalogue's stamp. True when the other processes can see it."""
    return _in_use[-1][0]()


def read_stamp() -> str | None:
    """The stamp as it stands; None while Redis cannot be reached, and for a second after that."""
    return _in_use[-1][1]()
