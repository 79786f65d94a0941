"""The scripts in Redis decide what the windows in Python decide, whatever happens in whatever order."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
from hypothesis import given, settings
from hypothesis import strategies as st

from gateway.engine.pace_commands import (
    Command,
    cut_command,
    read_take,
    settle_command,
    take_command,
    tell_command,
    warm_command,
)
from gateway.engine.pace_rules import BUCKET_MS, Claim, Cold, Estimate, Limits, month_of, quota_key, rules_for
from gateway.engine.pace_windows import History, Settling, Windows
from gateway.tests.engine.stores import Valkey

NOW = 1_796_000_000_123
MODELS = ("m1", "m2")
DAY = 86_400_000
STEPS = (0, 0, 1, 500, 5_000, 20_000, 59_999, 60_000, 60_001, BUCKET_MS, 3_600_000, DAY - BUCKET_MS, DAY + 1, 40 * DAY)
SELDOM = st.sampled_from((None, None, None, 1, 2, 3, 5))
TOKENS = st.sampled_from((None, None, 1, 400, 900, 3_000))
LIMITS = st.builds(Limits, rpm=SELDOM, tpm=TOKENS, rpd=SELDOM, tpd=TOKENS, rpmo=SELDOM, parallel=SELDOM)
OWN = st.fixed_dictionaries(
    {}, optional={"rpm": st.integers(1, 5), "tpm": st.integers(1, 900), "rpd": st.integers(1, 5)}
)
METRIC = st.sampled_from(("requests", "tokens", "input-tokens", "output-tokens"))
AHEAD = st.sampled_from((-5, 900, 30_000, 4_000_000))
TAKE = st.tuples(st.just("take"), st.sampled_from(MODELS), st.integers(0, 1000), st.booleans(), st.integers(0, 3))
SETTLE = st.tuples(st.just("settle"), st.integers(0, 30), st.sampled_from((None, 0, 3, 2_000)), st.integers(0, 3))
CUT = st.tuples(st.just("cut"), st.integers(0, 30))
TELL = st.tuples(st.just("tell"), st.sampled_from(("", *MODELS)), METRIC, st.integers(-1, 40), AHEAD)
ACTION = st.one_of(TAKE, TAKE, TAKE, SETTLE, SETTLE, TELL, CUT)
STORY = st.lists(st.tuples(st.sampled_from(STEPS), ACTION), max_size=50)


@pytest.fixture(scope="module")
def server() -> Iterator[redis.Redis]:
    with tempfile.TemporaryDirectory(prefix="bw-") as folder:
        valkey = Valkey(Path(folder))
        valkey.start()
        client = redis.Redis(unix_socket_path=str(valkey.socket), decode_responses=True)
        yield client
        client.close()
        valkey.kill()


class Both:
    """The same asked of both."""

    def __init__(self, server: redis.Redis, limits: Limits, own: dict[str, dict[str, int]]) -> None:
        server.flushall()
        self.server = server
        self.windows = Windows()
        self.rules = {alias: rules_for("hive", alias, limits, own[alias]) for alias in MODELS}
        self.now = NOW
        self.taken: list[tuple[Claim, int]] = []
        self.count = 0

    def run(self, command: Command) -> Any:
        return self.server.eval(command.script.text, len(command.keys), *command.keys, *command.arguments)

    def take(self, alias: str, tokens: int, stated: bool, unregistered: int = 1) -> None:
        self.count += 1
        keys = (quota_key("hive", ""), quota_key("hive", alias)) if stated else ()
        rules = self.rules[alias]
        claim = Claim(
            f"c/{self.count}",
            rules,
            Estimate(tokens // 3, tokens - tokens // 3),
            self.now + 90_000,
            registered=unregistered > 0,
            quotas=keys,
        )
        while True:
            told = read_take(self.run(take_command(claim, self.now)), claim)
            assert told == self.windows.take(claim, self.now)
            if not isinstance(told, Cold):
                break
            scope = rules.scopes[told.place]
            month, _ = month_of(self.now)
            day = {self.now // BUCKET_MS: (1, 50), self.now // BUCKET_MS - 7: (1, 3)}
            history = History([(self.now - 900, "row 1/0", 50)], day, month, 1)
            self.run(warm_command(scope, history, force=False))
            self.windows.warm(scope, history, self.now)
        if told is None:
            self.taken.append((claim, self.now))

    def settle(self, which: int, tokens: int | None, how: int) -> None:
        if self.taken:
            claim, at = self.taken[which % len(self.taken)]
            end = Settling(claim, at, tokens, undone=how == 1, answered=how > 1)
            assert self.run(settle_command(end, self.now)) == self.windows.settle(end, self.now)

    def cut(self, which: int) -> None:
        sent, mine = self.now, {"here/1": self.now + 50_000, "here/2": self.now + 20_000}
        if self.taken:
            claim, sent = self.taken[which % len(self.taken)]
            mine[claim.id] = claim.expires_at
        limit, _ = self.run(cut_command("hive", sent, mine, self.now))
        assert limit == self.windows.cut("hive", sent, mine, self.now)

    def tell(self, alias: str, metric: str, remaining: int, ahead: int) -> None:
        told = (quota_key("hive", alias), metric, "minute", remaining, self.now + ahead, self.now)
        self.run(tell_command(*told))
        self.windows.tell(*told)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(limits=LIMITS, own=st.fixed_dictionaries(dict.fromkeys(MODELS, OWN)), story=STORY)
def test_lua_and_python_count_alike(
    server: redis.Redis, limits: Limits, own: dict[str, dict[str, int]], story: list[tuple[int, tuple[Any, ...]]]
) -> None:
    both = Both(server, limits, own)
    for step, (name, *how) in story:
        both.now += step
        getattr(both, name)(*how)
    both.take("m1", 10, stated=True)


def test_the_tokens_of_a_minute_are_forgotten_with_its_entries_also_beside_a_longer_limit(server: redis.Redis) -> None:
    both = Both(server, Limits(tpm=1_000, rpd=50), {alias: {} for alias in MODELS})
    both.take("m1", 800, stated=False)
    both.now += 3 * 3_600_000
    server.delete("bench:pace:n:c:hive")  # as Redis does after an hour without a request
    both.take("m1", 300, stated=False)
    both.take("m1", 600, stated=False)
    assert len(both.taken) == 3
    both.take("m1", 300, stated=False)
    assert len(both.taken) == 3
