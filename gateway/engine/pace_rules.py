"""Which limits a call must keep to, and the words of a refusal: pure.

A scope is what a limit counts: all models of a connection, or one model. Times are in whole milliseconds since the
epoch everywhere in pacing, so that Lua and Python count alike.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final

from msgspec import Struct

from gateway.canon.fault import FailureClass, NotSent
from gateway.engine.told import RETRY_AFTER, UNKNOWN

MINUTE_MS: Final = 60_000
DAY_MS: Final = 86_400_000
BUCKET_MS: Final = 300_000
"""A day is counted in pieces of five minutes. A piece counts until all of it is a day old, so never too little."""
AXES: Final = ("rpm", "tpm", "rpd", "tpd", "rpmo")
PARALLEL: Final = "parallel"
ADAPTED: Final = "adapted"
UNIT_OF: Final = {
    "rpm": "requests a minute",
    "tpm": "tokens a minute",
    "rpd": "requests a day",
    "tpd": "tokens a day",
    "rpmo": "requests a month",
    PARALLEL: "calls at once",
    ADAPTED: "calls at once since its last rate limit",
}


class Limits(Struct, frozen=True):
    """What may pass in a minute, a day back, a calendar month of UTC, and (a connection alone) at once. None: no
    limit."""

    rpm: int | None = None
    tpm: int | None = None
    rpd: int | None = None
    tpd: int | None = None
    rpmo: int | None = None
    parallel: int | None = None

    @property
    def minute(self) -> bool:
        return bool(self.rpm or self.tpm)

    @property
    def day(self) -> bool:
        return bool(self.rpd or self.tpd)

    @property
    def counts(self) -> str:
        """The axes that have a limit, such as `rpm tpd`."""
        return " ".join(axis for axis in AXES if getattr(self, axis))


class Scope(Struct, frozen=True):
    """What a limit counts. `alias` is empty for a whole connection; `counts` are the axes that have a limit: with
    others, what was counted before says too little."""

    connection: str
    alias: str
    limits: Limits
    counts: str

    @property
    def name(self) -> str:
        """As people know it."""
        return self.alias or self.connection

    @property
    def key(self) -> str:
        """As the stores know it."""
        return f"m:{self.alias}" if self.alias else f"c:{self.connection}"


class Rules(Struct, frozen=True):
    """All set and learned limits that bear on the calls of one model."""

    connection: str
    alias: str
    scopes: tuple[Scope, ...]
    parallel: int | None
    counts_tokens: bool


class Estimate(Struct, frozen=True):
    """Tokens of a call before it is made: those of the request, and those reserved for the answer."""

    input: int = 0
    output: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output


class Claim(Struct, frozen=True):
    """One request that wants to be sent. `expires_at` is when it counts as gone though nobody said so."""

    id: str
    rules: Rules
    estimate: Estimate
    expires_at: int
    registered: bool
    """Whether it stands among the open calls of its connection until it is settled."""
    quotas: tuple[str, ...] = ()
    """Whose stated limits bear on it: names as in `quota_key`."""


class Blocked(Struct, frozen=True):
    """Why a call may not go now. `wait_ms` is 0 when nobody knows: as soon as another call ends. `axis` is one of
    UNIT_OF or, where a provider states it, `metric|window`; `used` and `limit` are then 0. `whole` when every model of
    the connection is kept back, whose name `who` is then."""

    wait_ms: int
    axis: str
    who: str
    used: int
    limit: int
    whole: bool = False

    @property
    def stated(self) -> bool:
        """True where a provider said until when, and no window of ours."""
        return "|" in self.axis


class Cold(Struct, frozen=True):
    """The windows of this scope hold nothing yet and must be filled from the ledger first."""

    place: int


def rules_for(connection: str, alias: str, connection_limits: Limits | None, own: Mapping[str, int]) -> Rules:
    """The rules of one model. Limits of nought and below say nothing: they would be a way to retire it unseen."""
    scopes = []
    for name, limits in (("", connection_limits), (alias, Limits(**{axis: own.get(axis) for axis in AXES[:4]}))):
        if limits is not None and (counts := limits.counts):
            scopes.append(Scope(connection, name, limits, counts))
    tokens = any(scope.limits.tpm or scope.limits.tpd for scope in scopes)
    parallel = connection_limits.parallel if connection_limits else None
    return Rules(connection, alias, tuple(scopes), parallel or None, tokens)


def quota_key(connection: str, alias: str) -> str:
    """The name of what a provider states about a connection (`alias` empty) or a model on it."""
    return f"{connection}\n{alias}"


def month_of(now_ms: int) -> tuple[str, int]:
    """(the month of UTC such as 2026-11, when the next one begins)."""
    now = datetime.fromtimestamp(now_ms / 1000, UTC)
    following = datetime(now.year + now.month // 12, now.month % 12 + 1, 1, tzinfo=UTC)
    return f"{now:%Y-%m}", int(following.timestamp()) * 1000


def refusal(blocked: Blocked, wait_s: float) -> NotSent:
    """The fault of a call that is not sent for a limit's sake."""
    if blocked.axis in UNIT_OF:
        told = f"{blocked.who} may have {blocked.limit:,} {UNIT_OF[blocked.axis]} and stands at {blocked.used:,}"
    else:
        told = _stated(blocked)
    return NotSent(
        f"rate limit (not sent; {told}): try again in {in_words(wait_s)}",
        upstream_status=429,
        wait=max(wait_s, 0.0),
        failure=FailureClass.CAPACITY,
    )


def _stated(blocked: Blocked) -> str:
    metric, _, window = blocked.axis.partition("|")
    if window == RETRY_AFTER:
        return f"{blocked.who} was told to wait by its provider"
    span = "" if window == UNKNOWN else f" of a {window}"
    return f"{blocked.who} has used up its {metric}{span}, by its provider's own word"


def in_words(seconds: float) -> str:
    """A wait as people say it, rounded up: 12s, 5m, 3h."""
    if seconds < 120:
        return f"{max(math.ceil(seconds), 1)}s"
    return f"{math.ceil(seconds / 60)}m" if seconds < 7_200 else f"{math.ceil(seconds / 3600)}h"
