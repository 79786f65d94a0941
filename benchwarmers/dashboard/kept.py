"""Sums that are worth keeping: made once, kept in the cache under a mark of what they are made of, and made anew when
that has changed. Nobody waits for heavy ones before they see a page: what was kept is shown, with a word that it is
being made anew, and whoever asks `now` makes it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from time import perf_counter
from typing import Any, Final, Generic, TypeVar

import redis
from django.core.cache import cache
from django.utils import timezone

log = logging.getLogger(__name__)
KEPT_S: Final = 24 * 3_600
BUSY_S: Final = 60
"""So long somebody who makes them is believed to be at it."""
LONG_S: Final = 1.0
"""Making sums that took longer is worth avoiding."""
PATIENCE: Final = 20
"""So many times as long as they took to make, such sums are shown after something changed."""

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Kept(Generic[Made]):
    """`value` is None where nothing was kept and nobody has made it; `stale` where it should be asked for `now`."""

    value: Made | None
    stale: bool


def keep(name: str, mark: str, make: Callable[[], Made], *, heavy: bool = False, now: bool = False) -> Kept[Made]:
    """What is kept under `name` for this `mark`, else what `make` makes. `heavy` sums are made only for whoever asks
    `now`, and by one at a time. When the cache is away they are made each time."""
    key = f"kept:{sha256(name.encode()).hexdigest()[:24]}"
    held, there = _held(key)
    if held is not None and (held[0] == mark or timezone.now() < held[1]):
        return Kept(held[2], False)
    if heavy and there and not (now and _mine(key)):
        return Kept(held[2] if held is not None else None, True)
    began = perf_counter()
    made = make()
    took = perf_counter() - began
    until = timezone.now() + timedelta(seconds=PATIENCE * took if took > LONG_S else 0)
    _store(key, (mark, until, made))
    return Kept(made, False)


def _held(key: str) -> tuple[Any, bool]:
    """(what is kept: mark, until, value; whether the cache answers)."""
    try:
        return cache.get(key), True
    except redis.RedisError as error:
        log.warning("Sums are made anew: the cache does not answer (%s).", type(error).__name__)
        return None, False


def _mine(key: str) -> bool:
    """Whether nobody else is making it."""
    try:
        return bool(cache.add(f"{key}:busy", 1, BUSY_S))
    except redis.RedisError:
        return True


def _store(key: str, held: tuple[str, datetime, Any]) -> None:
    try:
        cache.set(key, held, KEPT_S)
        cache.delete(f"{key}:busy")
    except redis.RedisError as error:
        log.warning("Sums are not kept: the cache does not answer (%s).", type(error).__name__)
