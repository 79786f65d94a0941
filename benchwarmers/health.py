"""Whether this process lives, and whether it can serve: what a load balancer or an orchestrator asks for.

`/health` and `/health/live` say only that the process answers. `/health/ready` looks: 503 when the database does not
answer, and once the process is ending; a Redis that is away is told, but no reason to be taken out, for every process
then decides by itself.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.db import Error, connection

from benchwarmers.drain import Drain
from gateway.engine.bench import Bench

PATHS: Final = frozenset({"/health", "/health/live", "/health/ready"})
LOOK_S: Final = 2.0
KEEP_S: Final = 1.0
"""How long an answer stands: whoever asks oftener costs nothing."""
LIVE: Final = b'{"ok": true}'
ENDING: Final = b'{"ok": false, "ending": true}'


class Health:
    """Of one process."""

    def __init__(self, bench: Bench, drain: Drain) -> None:
        self._bench = bench
        self._drain = drain
        self._looking = asyncio.Lock()
        self._seen: tuple[float, int, bytes] = (-KEEP_S, 503, b"")

    async def answer(self, path: str) -> tuple[int, bytes]:
        """(status, JSON body) of one of PATHS."""
        if path != "/health/ready":
            return 200, LIVE
        if self._drain.begun:
            return 503, ENDING
        async with self._looking:
            if time.monotonic() - self._seen[0] >= KEEP_S:
                status, told = await self._look()
                self._seen = (time.monotonic(), status, json.dumps(told).encode())
        return self._seen[1:]

    async def _look(self) -> tuple[int, dict[str, Any]]:
        database, redis = await asyncio.gather(_in_time(sync_to_async(_ask_database)), _in_time(self._ask_redis))
        recorder = self._bench.recorder
        told = {
            "ok": database,
            "database": "ok" if database else "does not answer",
            "redis": "ok" if redis else "away: this process counts for itself",
            "records_waiting": recorder.waiting,
            "ledger_lag_s": round(recorder.lag_s, 3),
        }
        return 200 if database else 503, told

    async def _ask_redis(self) -> bool:
        return await self._bench.pulse.ping()


async def _in_time(ask: Callable[[], Awaitable[bool]]) -> bool:
    try:
        async with asyncio.timeout(LOOK_S):
            return await ask()
    except TimeoutError:
        return False


def _ask_database() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        connection.close()
        return False
    return True
