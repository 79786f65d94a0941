"""What pacing asks of Redis: pure, from a decision's values to a script with its keys and arguments, and back."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from gateway.engine.pace_lua import CUT, LIVE_KEY, PREFIX, SETTLE, TAKE, TELL, WARM
from gateway.engine.pace_rules import BUCKET_MS, Blocked, Claim, Cold, Scope, month_of
from gateway.engine.pace_windows import History, Settling
from gateway.engine.redis_line import Script

_GO: Final = 0
_COLD: Final = 1


class Command(NamedTuple):
    """A script to run."""

    script: Script
    keys: list[str]
    arguments: list[Any]


def adapting(connection: str) -> str:
    """The name, among the live, of a connection whose refusals have set a limit."""
    return f"a:{connection}"


def stating(key: str) -> str:
    """The name, among the live, of what a provider states."""
    return f"q:{key}"


def take_command(claim: Claim, now: int) -> Command:
    rules, estimate = claim.rules, claim.estimate
    month, over = month_of(now)
    arguments: list[Any] = [now, claim.id, estimate.total, estimate.input, estimate.output, claim.expires_at]
    arguments += [now // BUCKET_MS, month, over, rules.parallel or "", int(claim.registered)]
    arguments += [len(claim.quotas), len(rules.scopes)]
    for scope in rules.scopes:
        limits = scope.limits
        numbers = (limits.rpm, limits.tpm, limits.rpd, limits.tpd, limits.rpmo)
        arguments += [scope.counts, *(number or "" for number in numbers)]
    return Command(TAKE, [*_connection_keys(rules.connection), *_stated_keys(claim), *_scope_keys(claim)], arguments)


def read_take(answer: list[Any], claim: Claim) -> Blocked | Cold | None:
    """What TAKE says, in our own words."""
    if answer[0] == _GO:
        return None
    if answer[0] == _COLD:
        return Cold(answer[1] - 1)
    _, wait, who, axis, used, limit = answer
    connection, alias = claim.rules.connection, ""
    if who > 0:
        connection, _, alias = claim.quotas[who - 1].partition("\n")
    elif who < 0:
        alias = claim.rules.scopes[-who - 1].alias
    return Blocked(int(wait), axis, alias or connection, int(used), int(limit), whole=not alias)


def settle_command(end: Settling, now: int) -> Command:
    claim, at = end.claim, end.taken_at
    used = 0 if end.undone else claim.estimate.total if end.tokens is None else end.tokens
    arguments: list[Any] = [now, claim.id, claim.estimate.total, used, at, at // BUCKET_MS, month_of(at)[0]]
    arguments += [int(claim.registered), int(end.undone), int(end.answered)]
    arguments += [len(claim.rules.scopes), *(scope.counts for scope in claim.rules.scopes)]
    arguments += [claim.estimate.input, claim.estimate.output]
    keys = [*_connection_keys(claim.rules.connection), *_scope_keys(claim), *_stated_keys(claim)]
    return Command(SETTLE, keys, arguments)


def cut_command(connection: str, sent_at: int, open_calls: dict[str, int], now: int) -> Command:
    calls = [part for name, expires in open_calls.items() for part in (name, expires)]
    return Command(CUT, [*_connection_keys(connection), LIVE_KEY], [now, sent_at, adapting(connection), *calls])


def tell_command(key: str, metric: str, window: str, remaining: int, reset_at: int, now: int) -> Command:
    arguments = [now, f"{metric}|{window}", remaining, reset_at, stating(key)]
    return Command(TELL, [f"{PREFIX}q:{key}", LIVE_KEY], arguments)


def warm_command(scope: Scope, history: History, *, force: bool) -> Command:
    arguments: list[Any] = [scope.counts, int(force), history.month, history.month_requests]
    recent = history.recent if scope.limits.minute else []
    arguments += [len(recent), *(part for entry in recent for part in entry)]
    if scope.limits.day:
        arguments += [part for piece, sums in history.day.items() for part in (piece, *sums)]
    return Command(WARM, _keys_of(scope), arguments)


def _connection_keys(connection: str) -> list[str]:
    return [f"{PREFIX}o:{connection}", f"{PREFIX}a:{connection}"]


def _stated_keys(claim: Claim) -> list[str]:
    return [f"{PREFIX}q:{key}" for key in claim.quotas]


def _scope_keys(claim: Claim) -> list[str]:
    return [key for scope in claim.rules.scopes for key in _keys_of(scope)]


def _keys_of(scope: Scope) -> list[str]:
    return [f"{PREFIX}n:{scope.key}", f"{PREFIX}s:{scope.key}"]
