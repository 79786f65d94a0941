"""Reads from Redis how full the windows of pacing are, for the page of quotas. Sync; changes nothing."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

import redis

from collections_app.redis_client import redis_once
from gateway.engine.pace_lua import PREFIX
from gateway.engine.pace_rules import BUCKET_MS, DAY_MS, MINUTE_MS, Scope, month_of
from gateway.engine.pace_told import TIMEOUT_S

log = logging.getLogger(__name__)


class Window(NamedTuple):
    """What was sent in a window. `held_*` are the parts of calls that are still under way, whose tokens are estimated;
    `free_at` is when all of it has left the window (ms), 0 where nothing is in it."""

    requests: int = 0
    tokens: int = 0
    held_requests: int = 0
    held_tokens: int = 0
    free_at: int = 0


class Counted(NamedTuple):
    """The windows of one scope; a day and a month hold no parts under way of their own. None where a window is cold:
    nothing was counted in it for so long that it must be filled from the ledger."""

    minute: Window | None
    day: Window | None
    month: Window | None


class Pressure(NamedTuple):
    """By scope's key what was counted; by connection how many calls are under way."""

    scopes: dict[str, Counted]
    open_calls: dict[str, int]


def load_counted(url: str, scopes: Sequence[Scope], connections: Sequence[str], now: datetime) -> Pressure | None:
    """Three commands a scope and one a connection, in one exchange; None when Redis does not answer."""
    try:
        with redis_once(
            url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, decode_responses=True
        ) as client:
            return _read(client, scopes, connections, int(now.timestamp() * 1000))
    except (redis.RedisError, OSError) as error:
        log.warning("how full the windows are is unknown: Redis does not answer (%s)", error)
        return None


def _read(client: redis.Redis, scopes: Sequence[Scope], connections: Sequence[str], now: int) -> Pressure:
    every = sorted({*connections, *(scope.connection for scope in scopes)})
    line = client.pipeline(transaction=False)
    for name in every:
        line.zrangebyscore(f"{PREFIX}o:{name}", f"({now}", "+inf")
    for scope in scopes:
        line.zrangebyscore(f"{PREFIX}n:{scope.key}", f"({now - MINUTE_MS}", "+inf", withscores=True)
        line.hgetall(f"{PREFIX}s:{scope.key}")
    told: list[Any] = line.execute()
    opened: dict[str, set[str]] = {name: set(ids) for name, ids in zip(every, told, strict=False)}
    pairs = zip(told[len(every) :: 2], told[len(every) + 1 :: 2], strict=True)
    found = {
        scope.key: _counted(scope, recent, sums, opened[scope.connection], now)
        for scope, (recent, sums) in zip(scopes, pairs, strict=True)
    }
    return Pressure(found, {name: len(ids) for name, ids in opened.items()})


def _counted(
    scope: Scope, recent: list[tuple[str, float]], sums: dict[str, str], opened: set[str], now: int
) -> Counted:
    if sums.get("w") != scope.counts:
        return Counted(None, None, None)
    month, over = month_of(now)
    sent = int(sums.get(f"M{month}", 0))
    return Counted(_minute(recent, opened), _day(sums, now), Window(sent, free_at=over if sent else 0))


def _minute(recent: list[tuple[str, float]], opened: set[str]) -> Window:
    entries = [(name, int(tokens)) for name, _, tokens in (entry.rpartition(" ") for entry, _ in recent)]
    held = [tokens for name, tokens in entries if name in opened]
    free_at = int(max((at for _, at in recent), default=-MINUTE_MS)) + MINUTE_MS
    return Window(len(entries), sum(tokens for _, tokens in entries), len(held), sum(held), free_at)


def _day(sums: dict[str, str], now: int) -> Window:
    pieces = {int(name[1:]) for name in sums if name[0] == "r" and name[1:].isdigit()}
    live = [piece for piece in pieces if (piece + 1) * BUCKET_MS + DAY_MS > now and int(sums[f"r{piece}"])]
    requests = sum(int(sums[f"r{piece}"]) for piece in live)
    tokens = sum(int(sums.get(f"t{piece}", 0)) for piece in live)
    return Window(requests, tokens, free_at=(max(live) + 1) * BUCKET_MS + DAY_MS if live else 0)
