"""Where what was sent is counted: in Redis for all processes or, while it is away, in this one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from gateway.engine.pace_adapt import FORGOTTEN_MS
from gateway.engine.pace_commands import (
    adapting,
    cut_command,
    read_take,
    settle_command,
    stating,
    take_command,
    tell_command,
    warm_command,
)
from gateway.engine.pace_rules import Blocked, Claim, Cold, Scope, quota_key
from gateway.engine.pace_windows import History, Settling, Windows
from gateway.engine.pulse import PulseReader

log = logging.getLogger(__name__)

Recall = Callable[[Scope, int], Awaitable[History]]


class PaceStore:
    """One per process. `recall` tells what a scope has sent by the ledger's account, as of a time in ms."""

    def __init__(self, pulse: PulseReader, recall: Recall) -> None:
        self._pulse = pulse
        self._recall = recall
        self._own = Windows()
        self._alone = False
        self._stale: set[str] = set()
        """Scopes that were counted here while Redis was away; what Redis knows of them is out of date."""
        self._warming: dict[str, asyncio.Task[None]] = {}
        self._live: dict[str, int] = {}

    @property
    def shared(self) -> bool:
        """False while Redis is away."""
        return not (self._alone or self._pulse.away)

    def hear(self, live: Mapping[str, int]) -> None:
        """What other processes know to be limited, and until when (ms)."""
        self._live.update(live)

    def adapts(self, connection: str, now: int) -> bool:
        """Is there a limit of calls at once that the connection's own refusals have set?"""
        return bool(self._live) and self._live.get(adapting(connection), 0) > now

    def states(self, key: str, now: int) -> bool:
        """Does a provider state a limit that is near?"""
        return bool(self._live) and self._live.get(stating(key), 0) > now

    def quotas_of(self, connection: str, alias: str, now: int) -> tuple[str, ...]:
        """Whose stated limits bear on a call."""
        if not self._live:
            return ()
        keys = (quota_key(connection, ""), quota_key(connection, alias))
        return tuple(key for key in keys if self.states(key, now))

    async def take(self, claim: Claim, now: int) -> Blocked | Cold | None:
        """None: it may go and is counted. Cold: the scope has been filled by now; ask again, with the time as it is."""
        for place, scope in enumerate(claim.rules.scopes):
            if self._stale and scope.key in self._stale and not self._pulse.away:
                await self._warm(scope, now)
                return Cold(place)
        answer = await self._pulse.call(*take_command(claim, now))
        self._note(here=answer is not None)
        verdict = self._own.take(claim, now) if answer is None else read_take(answer, claim)
        if answer is None:
            self._stale.update(scope.key for scope in claim.rules.scopes)
        if isinstance(verdict, Cold):
            await self._warm(claim.rules.scopes[verdict.place], now)
        return verdict

    def settle(self, end: Settling, now: int) -> None:
        """Puts the truth in place of the estimate. Does not wait."""
        claim, connection = end.claim, end.claim.rules.connection
        # Whichever has it: Redis may have gone or come back since it was taken.
        self._tell_growth(connection, self._own.settle(end, now))
        if claim.registered or end.undone:
            self._pulse.post(*settle_command(end, now), lambda limit: self._tell_growth(connection, int(limit or 0)))

    def cut(self, connection: str, sent_at: int, open_calls: Callable[[], dict[str, int]], now: int) -> None:
        """A call sent at `sent_at` was one too many. `open_calls` tells this process's own (id: expires at). Does not
        wait."""
        self._live[adapting(connection)] = now + FORGOTTEN_MS

        def here() -> None:
            calls = open_calls()
            tell(self._own.cut(connection, sent_at, calls, now), len(calls))

        def tell(limit: int, in_flight: int) -> None:
            if limit:
                log.info("%s may have %d calls at once: it refused one of %d", connection, limit, in_flight)

        if self.shared:
            command = cut_command(connection, sent_at, open_calls(), now)
            self._pulse.post(*command, lambda told: here() if told is None else tell(int(told[0]), int(told[1])))
        else:
            here()

    def tell(self, key: str, metric: str, window: str, remaining: int, reset_at: int, now: int) -> None:
        """A provider states what is left until `reset_at`. Does not wait."""
        name = stating(key)
        self._live[name] = max(self._live.get(name, 0), reset_at)
        self._own.tell(key, metric, window, remaining, reset_at, now)
        self._pulse.post(*tell_command(key, metric, window, remaining, reset_at, now))

    async def _warm(self, scope: Scope, now: int) -> None:
        """Fills a scope's windows from the ledger; those who come meanwhile wait for the same."""
        task = self._warming.get(scope.key)
        if task is None:
            task = asyncio.create_task(self._fill(scope, now), name=f"pace {scope.key}")
            self._warming[scope.key] = task
            task.add_done_callback(lambda _: self._warming.pop(scope.key, None))
        await asyncio.shield(task)

    async def _fill(self, scope: Scope, now: int) -> None:
        history = await self._recall(scope, now)
        answer = await self._pulse.call(*warm_command(scope, history, force=scope.key in self._stale))
        self._note(here=answer is not None)
        if answer is None:
            self._own.warm(scope, history, now)
        else:
            self._stale.discard(scope.key)

    def _note(self, *, here: bool) -> None:
        if here == self._alone:
            self._alone = not here
            if here:
                log.warning("Redis is back: limits are kept for all processes together again")
                self._own.drop()
            else:
                log.warning("Redis is away: this process keeps limits for itself, so several together may go over them")

    def _tell_growth(self, connection: str, limit: int) -> None:
        if limit:
            log.info("%s may have %d calls at once: it took what it was allowed", connection, limit)
