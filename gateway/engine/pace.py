"""May this upstream call go now? Every paid call asks here before each request that it sends, and says afterwards how
it went.

`take` gives a Ticket at once, waits for room, or raises NotSent with how long it would take. A model and a connection
without any limit, set, learned, stated or adapted, cost nothing but a count in this process.
"""

from __future__ import annotations

import asyncio
import logging
import math
import os
from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec import Struct

from gateway.engine.pace_end import End
from gateway.engine.pace_line import SPARE_MS, Line, Nap, nap
from gateway.engine.pace_rules import (
    BUCKET_MS,
    DAY_MS,
    Blocked,
    Claim,
    Cold,
    Estimate,
    Limits,
    Rules,
    Scope,
    quota_key,
    rules_for,
)
from gateway.engine.pace_store import PaceStore, Recall
from gateway.engine.pace_windows import History, Settling
from gateway.engine.pulse import PulseReader
from gateway.engine.retry import LONGEST_WAIT_S
from gateway.engine.told import REQUESTS, Told

EXPIRES_AFTER_MS: Final = 60_000
NOTHING: Final = Estimate()
ASK_ANOTHER_S: Final = 2.0
"""How long a call is held back when somebody else could be asked instead."""
_FEW: Final = 20
_FEW_TOKENS: Final = 20_000
log = logging.getLogger(__name__)


class Want(Struct, frozen=True):
    """Who is to be asked. `own` are the model's own limits by axis; `estimate` tells its tokens and is only asked where
    they count. `left_s` is the time to the deadline that the wait must respect, `call_s` to the end of the whole call;
    `held_s` is the longest that the call may be held back though there is time where the model alone is in the way,
    `held_whole_s` where its whole connection is."""

    connection: str
    alias: str
    own: Mapping[str, int]
    estimate: Callable[[], Estimate]
    left_s: float
    call_s: float
    held_s: float = math.inf
    held_whole_s: float = math.inf


class Ticket(Struct, eq=False):
    """The right to send one request. `claim` is None where nothing counts it."""

    id: str
    connection: str
    alias: str
    taken_at: int
    expires_at: int
    claim: Claim | None = None
    settled: bool = False


class Pace:
    """One per process. `ledger` tells what a scope has sent up to a time, `limits` the connections' own; `clock` is in
    milliseconds since the epoch. `waited` hears which connection held a call back, and for how many seconds."""

    def __init__(
        self,
        pulse: PulseReader,
        ledger: Recall,
        limits: Callable[[], Mapping[str, Limits]],
        clock: Callable[[], int],
        waited: Callable[[str, float], None],
        sleep: Nap = nap,
    ) -> None:
        self._store = PaceStore(pulse, self._recall)
        self._ledger = ledger
        self._limits = limits
        self._clock = clock
        self._waited = waited
        self._sleep = sleep
        self._name = os.urandom(6).hex()
        self._count = 0
        self._open: dict[str, dict[str, Ticket]] = {}
        self._lines: dict[str, dict[str, Line]] = {}
        self._rules: dict[tuple[str, str], tuple[Limits | None, Mapping[str, int], Rules]] = {}

    @property
    def shared(self) -> bool:
        """False while Redis is away: limits are then kept by this process alone."""
        return self._store.shared

    def hear(self, limited: Mapping[str, int]) -> None:
        """What other processes know to be limited of late, as the pulse has it."""
        self._store.hear(limited)

    def at_once(self, connection: str, alias: str, own: Mapping[str, int], call_s: float) -> Ticket | None:
        """The right to send one request, where nothing limits it, as is usual; None where it must be asked for by
        `take`. The words are those of a Want."""
        now = self._clock()
        if self._in_line(connection, alias) or not self._is_free(connection, alias, own, now):
            return None
        return self._opened(self._ticket(connection, alias, now, call_s))

    async def take(self, want: Want) -> Ticket:
        """The right to send one request; settle it. Raises NotSent (429, `wait`) when there is no room in time."""
        now = self._clock()
        ticket = self._ticket(want.connection, want.alias, now, want.call_s)
        in_line = self._in_line(want.connection, want.alias)
        blocked = None if in_line else await self._try(want, ticket)
        if in_line or blocked is not None:
            await self._stand_in_line(want, ticket, now, blocked)
        return self._opened(ticket)

    def settle(self, ticket: Ticket, end: End) -> None:
        """Says how the request went. A second time changes nothing."""
        if ticket.settled:
            return
        ticket.settled = True
        now = self._clock()
        if end.too_many:
            self._cut(ticket, now)
        del self._open[ticket.connection][ticket.id]
        if ticket.claim is not None:
            settling = Settling(ticket.claim, ticket.taken_at, end.tokens, end.undone, end.answered)
            self._store.settle(settling, now)
        self._wake(ticket.connection)

    def told(self, told: Told) -> None:
        """What a provider said is left. Kept while its reset is ahead; a limit that is far off costs nobody a thing."""
        if told.remaining is None or told.reset_at is None:
            return
        now = self._clock()
        reset_at = min(math.ceil(told.reset_at * 1000), now + DAY_MS)  # a reset misread must not shut a model for good
        key = quota_key(told.connection, told.alias)
        if reset_at <= now or not (_near(told, told.remaining) or self._store.states(key, now)):
            return
        self._store.tell(key, told.metric, told.window, told.remaining, reset_at, now)
        self._wake(told.connection)

    def _ticket(self, connection: str, alias: str, now: int, call_s: float) -> Ticket:
        self._count += 1
        expires_at = now + math.ceil(call_s * 1000) + EXPIRES_AFTER_MS
        return Ticket(f"{self._name}/{self._count}", connection, alias, now, expires_at)

    def _opened(self, ticket: Ticket) -> Ticket:
        self._open.setdefault(ticket.connection, {})[ticket.id] = ticket
        return ticket

    def _in_line(self, connection: str, alias: str) -> bool:
        """Whether somebody waits for this model."""
        lines = self._lines.get(connection)
        return bool(lines and lines.get(alias))

    async def _stand_in_line(self, want: Want, ticket: Ticket, began: int, seen: Blocked | None) -> None:
        lines = self._lines.setdefault(want.connection, {})
        line = lines.setdefault(want.alias, Line())

        def give_up(blocked: Blocked | None) -> int:
            held_s = want.held_whole_s if blocked is not None and blocked.whole else want.held_s
            if blocked is not None and blocked.stated:
                held_s = min(held_s, LONGEST_WAIT_S)
            return began + math.floor(min(want.left_s * 1000 - SPARE_MS, held_s * 1000))

        try:
            await line.wait(seen, lambda: self._try(want, ticket), self._clock, give_up, self._sleep)
        finally:
            self._waited(want.connection, (self._clock() - began) / 1000)
            if not line and lines.get(want.alias) is line:
                del lines[want.alias]

    def _is_free(self, connection: str, alias: str, own: Mapping[str, int], now: int) -> bool:
        """Nothing limits this model or its connection."""
        rules = self._rules_of(connection, alias, own)
        return not (
            rules.scopes
            or rules.parallel
            or self._store.quotas_of(connection, alias, now)
            or self._store.adapts(connection, now)
        )

    async def _try(self, want: Want, ticket: Ticket) -> Blocked | None:
        """None when the ticket holds."""
        while isinstance(verdict := await self._claim(want, ticket), Cold):
            pass
        return verdict

    async def _claim(self, want: Want, ticket: Ticket) -> Blocked | Cold | None:
        """The same. A call that is cancelled meanwhile leaves no ticket."""
        now = self._clock()
        ticket.taken_at = now
        if self._is_free(want.connection, want.alias, want.own, now):
            ticket.claim = None
            return None
        rules = self._rules_of(want.connection, want.alias, want.own)
        quotas = self._store.quotas_of(want.connection, want.alias, now)
        adapted = self._store.adapts(want.connection, now)
        counts = rules.counts_tokens or bool(quotas)
        claim = Claim(
            id=ticket.id,
            rules=rules,
            estimate=want.estimate() if counts else NOTHING,
            expires_at=ticket.expires_at,
            registered=counts or adapted or rules.parallel is not None,
            quotas=quotas,
        )
        try:
            verdict = await self._store.take(claim, now)
        except asyncio.CancelledError:
            self._store.settle(Settling(claim, now, None, undone=True), now)
            raise
        ticket.claim = claim if verdict is None else None
        return verdict

    async def _recall(self, scope: Scope, now: int) -> History:
        """What the ledger tells, and what is under way here and not in it yet."""
        history = await self._ledger(scope, now)
        for one in self._open.get(scope.connection, {}).values():
            if scope.alias in ("", one.alias):
                tokens = one.claim.estimate.total if one.claim else 0
                history.recent.append((one.taken_at, one.id, tokens))
                requests, spent = history.day.get(one.taken_at // BUCKET_MS, (0, 0))
                history.day[one.taken_at // BUCKET_MS] = (requests + 1, spent + tokens)
                history.month_requests += 1
        return history

    def _rules_of(self, connection: str, alias: str, own: Mapping[str, int]) -> Rules:
        limits, key = self._limits().get(connection), (connection, alias)
        known = self._rules.get(key)
        if known is not None and known[0] is limits and known[1] is own:
            return known[2]
        rules = rules_for(connection, alias, limits, own)
        self._rules[key] = (limits, own, rules)
        return rules

    def _cut(self, ticket: Ticket, now: int) -> None:
        """The connection had too many calls at once: fewer from now on."""
        mine = self._open[ticket.connection]
        self._store.cut(
            ticket.connection, ticket.taken_at, lambda: {one.id: one.expires_at for one in mine.values()}, now
        )
        for one in mine.values():  # they are open for all to see now, and must be taken off there
            if one.claim is None:
                rules = Rules(one.connection, one.alias, (), None, counts_tokens=False)
                one.claim = Claim(one.id, rules, NOTHING, one.expires_at, registered=True)
            elif not one.claim.registered:
                one.claim = msgspec.structs.replace(one.claim, registered=True)

    def _wake(self, connection: str) -> None:
        for line in self._lines.get(connection, {}).values():
            line.wake()


def _near(told: Told, remaining: int) -> bool:
    """Is so little left that calls must be counted against it?"""
    few = _FEW if told.metric == REQUESTS else _FEW_TOKENS
    return remaining <= max(few, (told.limit or 0) // 4)
