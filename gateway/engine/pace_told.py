"""Reads from Redis how many calls at once connections may have since they refused one, for the page of quotas. Sync."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple, cast

import redis

from collections_app.redis_client import redis_once
from gateway.engine.pace_commands import adapting
from gateway.engine.pace_lua import LIVE_KEY, PREFIX

TIMEOUT_S: Final = 1.0
log = logging.getLogger(__name__)


class AtOnce(NamedTuple):
    """`limit` calls at once, of which `open_calls` are under way, until at the latest `until`."""

    connection: str
    limit: int
    open_calls: int
    until: datetime


def load_adapted(url: str, now: datetime) -> list[AtOnce] | None:
    """The connections that refused a call within the hour, by name; None when Redis does not answer."""
    try:
        with redis_once(
            url, socket_timeout=TIMEOUT_S, socket_connect_timeout=TIMEOUT_S, decode_responses=True
        ) as client:
            return _read(client, int(now.timestamp() * 1000))
    except (redis.RedisError, OSError) as error:
        log.warning("the limits that refusals have set are unknown: Redis does not answer (%s)", error)
        return None


def _read(client: redis.Redis, now: int) -> list[AtOnce]:
    live = cast("dict[str, str]", client.hgetall(LIVE_KEY))
    mark = adapting("")
    names = sorted(name.removeprefix(mark) for name, till in live.items() if name.startswith(mark) and int(till) > now)
    line = client.pipeline(transaction=False)
    for name in names:
        line.hmget(f"{PREFIX}a:{name}", "limit", "until")
        line.zcount(f"{PREFIX}o:{name}", now, "+inf")
    told: list[Any] = line.execute()
    return [
        AtOnce(name, int(limit), open_calls, datetime.fromtimestamp(int(until) / 1000, UTC))
        for name, (limit, until), open_calls in zip(names, told[::2], told[1::2], strict=True)
        if limit is not None and int(until) > now
    ]
