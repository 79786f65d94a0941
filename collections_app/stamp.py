"""Tells every process that the catalogue moved: a counter in Redis that only goes up.

`bump_stamp` is called after a commit. It never fails the write that went before: with Redis away it says so in the
log once and returns False. Tests and embedders replace the way it is kept with `use_stamp`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import cache

import redis
from django.conf import settings

STAMP_KEY = "bench:catalogue"
TIMEOUT_S = 1.0

logger = logging.getLogger(__name__)


@cache
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S)


class _Redis:
    """The real counter. Remembers that it complained, so that an absent Redis fills no log."""

    complained = False

    def __call__(self) -> bool:
        try:
            _client(settings.BENCH.redis_url).incr(STAMP_KEY)
        except (redis.RedisError, OSError) as error:
            if not self.complained:
                logger.warning(
                    "Redis cannot be reached (%s): the change is saved, running processes see it later.",
                    type(error).__name__,
                )
            self.complained = True
            return False
        self.complained = False
        return True


_in_use: list[Callable[[], bool]] = [_Redis()]


def use_stamp(bump: Callable[[], bool]) -> Callable[[], None]:
    """Count with `bump` from now on; calling what is returned puts the former way back."""
    _in_use.append(bump)
    return lambda: _in_use.remove(bump)


def bump_stamp() -> bool:
    """Move the catalogue's stamp. True when the other processes can see it."""
    return _in_use[-1]()
