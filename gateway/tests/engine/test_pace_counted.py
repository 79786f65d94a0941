"""What a page can tell of windows: sent, under way, and when they are empty again."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import redis

from gateway.engine.pace_commands import settle_command, take_command, warm_command
from gateway.engine.pace_counted import Counted, Window, load_counted
from gateway.engine.pace_rules import BUCKET_MS, DAY_MS, Claim, Estimate, Limits, Scope, month_of, rules_for
from gateway.engine.pace_windows import History, Settling
from gateway.tests.engine.stores import Valkey

NOW = datetime(2026, 11, 29, 12, 2, tzinfo=UTC)
MS = int(NOW.timestamp() * 1000)
LIMITS = Limits(rpm=10, tpm=9_000, rpd=100, tpd=90_000, rpmo=1_000, parallel=4)
RULES = rules_for("harbour", "osprey", LIMITS, {})
SCOPE = RULES.scopes[0]


def load(valkey: Valkey, now: datetime = NOW, scope: Scope = SCOPE) -> tuple[Counted, int]:
    found = load_counted(valkey.url, [scope], ["harbour"], now)
    assert found is not None
    return found.scopes[scope.key], found.open_calls["harbour"]


def claim(name: str, tokens: int) -> Claim:
    return Claim(name, RULES, Estimate(tokens, 0), MS + 60_000, registered=True)


def test_windows_tell_what_was_sent_what_is_under_way_and_when_they_are_empty(valkey: Valkey) -> None:
    assert load(valkey) == (Counted(None, None, None), 0)
    client = redis.Redis(unix_socket_path=str(valkey.socket))
    earlier = History(day={MS // BUCKET_MS - 3: (7, 70)}, month="2026-11", month_requests=9)
    done, under_way = claim("done", 500), claim("under way", 300)
    for command in (
        warm_command(SCOPE, earlier, force=False),
        take_command(done, MS - 2_000),
        take_command(under_way, MS - 1_000),
        settle_command(Settling(done, MS - 2_000, 400), MS - 500),
    ):
        client.eval(command.script.text, len(command.keys), *command.keys, *command.arguments)
    client.close()
    counted, opened = load(valkey)
    assert opened == 1
    assert counted.minute == Window(2, 700, 1, 300, MS - 1_000 + 60_000)
    assert counted.day == Window(9, 770, 0, 0, (MS // BUCKET_MS + 1) * BUCKET_MS + DAY_MS)
    assert counted.month == Window(11, 0, 0, 0, month_of(MS)[1])
    later, opened = load(valkey, NOW + timedelta(minutes=2))
    assert (later.minute, opened) == (Window(), 0)
    assert later.day == counted.day


def test_windows_that_counted_for_other_limits_say_nothing(valkey: Valkey) -> None:
    client = redis.Redis(unix_socket_path=str(valkey.socket))
    command = warm_command(SCOPE, History(), force=False)
    client.eval(command.script.text, len(command.keys), *command.keys, *command.arguments)
    client.close()
    fewer = rules_for("harbour", "osprey", Limits(rpm=3), {}).scopes[0]
    assert load(valkey, scope=fewer)[0] == Counted(None, None, None)
    assert load(valkey)[0].minute == Window()


def test_an_absent_redis_is_told_apart_from_empty_windows(valkey: Valkey) -> None:
    valkey.kill()
    assert load_counted(valkey.url, [SCOPE], ["harbour"], NOW) is None
