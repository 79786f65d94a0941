"""What a page can tell of the limits that refusals have set."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import redis

from gateway.engine.pace_commands import cut_command
from gateway.engine.pace_told import AtOnce, load_adapted
from gateway.tests.engine.stores import Valkey

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
MS = int(NOW.timestamp() * 1000)


def test_connections_that_refused_a_call_are_told_for_an_hour(valkey: Valkey) -> None:
    assert load_adapted(valkey.url, NOW) == []
    client = redis.Redis(unix_socket_path=str(valkey.socket))
    for connection, count in (("quay", 9), ("harbour", 2)):
        command = cut_command(connection, MS - 1, {f"c/{n}": MS + 60_000 for n in range(count)}, MS)
        client.eval(command.script.text, len(command.keys), *command.keys, *command.arguments)
    client.close()
    until = NOW + timedelta(hours=1)
    assert load_adapted(valkey.url, NOW) == [AtOnce("harbour", 5, 2, until), AtOnce("quay", 5, 9, until)]
    assert load_adapted(valkey.url, NOW + timedelta(minutes=59)) == [
        AtOnce("harbour", 5, 0, until),
        AtOnce("quay", 5, 0, until),
    ]
    assert load_adapted(valkey.url, until) == []


def test_an_absent_redis_is_told_apart_from_no_limit(valkey: Valkey) -> None:
    valkey.kill()
    assert load_adapted(valkey.url, NOW) is None
