"""Where what was sent is counted."""

from __future__ import annotations

import logging
from typing import Final

from gateway.engine.pace_adapt import FORGOTTEN_MS
from gateway.engine.pace_rules import Blocked, Claim, Cold, quota_key
from gateway.engine.pace_windows import History, Settling, Windows

log = logging.getLogger(__name__)


class PaceStore:
    """This process's own windows."""

    shared: Final = False

    def __init__(self) -> None:
        self._own = Windows()
        self._adapting: dict[str, int] = {}
        self._stating: dict[str, int] = {}

    async def take(self, claim: Claim, now: int) -> Blocked | None:
        """None: it may go and is counted."""
        while isinstance(answer := self._own.take(claim, now), Cold):
            self._own.warm(claim.rules.scopes[answer.place], History(), now)
        return answer

    def settle(self, end: Settling, now: int) -> None:
        grown = self._own.settle(end, now)
        if grown:
            log.info("%s may have %d calls at once again: the last limit held", end.claim.rules.connection, grown)

    def cut(self, connection: str, sent_at: int, open_calls: dict[str, int], now: int) -> None:
        limit = self._own.cut(connection, sent_at, open_calls, now)
        if limit:
            self._adapting[connection] = now + FORGOTTEN_MS
            log.info("%s may have %d calls at once: it refused one of %d", connection, limit, len(open_calls))

    def tell(self, key: str, metric: str, window: str, remaining: int, reset_at: int, now: int) -> None:
        self._stating[key] = max(self._stating.get(key, 0), reset_at)
        self._own.tell(key, metric, window, remaining, reset_at, now)

    def adapts(self, connection: str, now: int) -> bool:
        return self._adapting.get(connection, 0) > now

    def states(self, key: str, now: int) -> bool:
        return self._stating.get(key, 0) > now

    def quotas_of(self, connection: str, alias: str, now: int) -> tuple[str, ...]:
        """Whose stated limits bear on a call."""
        if not self._stating:
            return ()
        keys = (quota_key(connection, ""), quota_key(connection, alias))
        return tuple(key for key in keys if self.states(key, now))
