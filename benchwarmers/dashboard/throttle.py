"""How often somebody may guess a password, or the code after it. Counts wrong guesses in the cache of all processes.

Three counters a step: one address with one name, one address with any name, one name from anywhere. The last is
generous for passwords, so that a stranger cannot easily lock a person out; whoever guesses codes is no stranger.
Without the cache nobody is counted and nobody is locked out.
"""

from __future__ import annotations

import hashlib
import logging
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager, suppress

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


def may_guess(address: str, name: str, step: str = PASSWORD) -> bool:
    """Counts one guess before it is looked at, so that many at once are no more than one after another. False when one
    of the counters is full; a refused guess fills none further."""
    full = False
    with _cache_may_be_away():
        counters = list(_counters(address, name, step))
        full = any(int(cache.get(key, 0)) >= limit for key, limit in counters)
        if not full:
            full = any([_count(key) > limit for key, limit in counters])
    return not full


def forgive(address: str, name: str, step: str = PASSWORD) -> None:
    """The right password or code clears the counter of this address and name, and was no wrong guess for the others."""
    (pair, _), *others = _counters(address, name, step)
    with _cache_may_be_away():
        cache.delete(pair)
        for key, _ in others:
            with suppress(ValueError):  # the window closed meanwhile
                cache.decr(key)


def may_happen(step: str, who: str, limit: int) -> bool:
    """Counts one thing that is no guess; False when there were more than `limit` in the window. True while the cache is
    away."""
    within = True
    with _cache_may_be_away():
        within = _count(_key(step, "any", who)) <= limit
    return within


def _count(key: str) -> int:
    """One more; a counter starts its window at the first."""
    cache.add(key, 0, WINDOW_S)
    try:
        return int(cache.incr(key))
    except ValueError:  # the window closed between the two calls
        cache.add(key, 1, WINDOW_S)
        return 1


@contextmanager
def _cache_may_be_away() -> Iterator[None]:
    try:
        yield
    except redis.RedisError as error:
        log.warning("Sign-ins are not counted: the cache does not answer (%s).", type(error).__name__)


def _counters(address: str, name: str, step: str) -> Iterator[tuple[str, int]]:
    folded = unicodedata.normalize("NFKC", name).strip().casefold()  # as the sign-in form reads a name
    yield _key(step, "pair", f"{address} {folded}"), PAIR_LIMIT
    yield _key(step, "address", address), ADDRESS_LIMIT
    yield _key(step, "name", folded), CODE_LIMIT if step == CODE else NAME_LIMIT


def _key(step: str, kind: str, text: str) -> str:
    return f"{step}:{kind}:{hashlib.sha256(text.encode()).hexdigest()[:32]}"
