"""How often somebody may guess a password, or the code after it. Counts failures in the cache of all web processes.

Three counters a step: one address with one name, one address with any name, one name from anywhere. The last is
generous for passwords, so that a stranger cannot easily lock a person out; whoever guesses codes is no stranger.
Without the cache nobody is counted and nobody is locked out.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import redis
from django.core.cache import cache

log = logging.getLogger(__name__)

WINDOW_S = 15 * 60
PAIR_LIMIT = 5
ADDRESS_LIMIT = 30
NAME_LIMIT = 50
CODE_LIMIT = 10
PASSWORD = "sign-in"  # noqa: S105 the name of a step
CODE = "code"


def must_wait(address: str, name: str, step: str = PASSWORD) -> bool:
    """True when one of the counters is full."""
    full = False
    with _cache_may_be_away():
        full = any(int(cache.get(key, 0)) >= limit for key, limit in _counters(address, name, step))
    return full


def count_failure(address: str, name: str, step: str = PASSWORD) -> None:
    """One more wrong guess; a counter starts its window at the first."""
    with _cache_may_be_away():
        for key, _ in _counters(address, name, step):
            cache.add(key, 0, WINDOW_S)
            try:
                cache.incr(key)
            except ValueError:  # the window closed between the two calls
                cache.add(key, 1, WINDOW_S)


def forgive(address: str, name: str, step: str = PASSWORD) -> None:
    """The right password or code clears the counter of this address and name."""
    (key, _), *_ = _counters(address, name, step)
    with _cache_may_be_away():
        cache.delete(key)


@contextmanager
def _cache_may_be_away() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as error:
        log.warning("Sign-ins are not counted: the cache does not answer (%s).", type(error).__name__)


def _counters(address: str, name: str, step: str) -> Iterator[tuple[str, int]]:
    folded = name.strip().casefold()
    yield _key(step, "pair", f"{address} {folded}"), PAIR_LIMIT
    yield _key(step, "address", address), ADDRESS_LIMIT
    yield _key(step, "name", folded), CODE_LIMIT if step == CODE else NAME_LIMIT


def _key(step: str, kind: str, text: str) -> str:
    return f"{step}:{kind}:{hashlib.sha256(text.encode()).hexdigest()[:32]}"
