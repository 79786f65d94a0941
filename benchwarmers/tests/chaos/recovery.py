"""When is what a fault took away there again? The first success of what it is for, seen from outside."""

from __future__ import annotations

import asyncio
import json
import pickle
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import aiohttp
import psycopg
import redis

from benchwarmers.tests.chaos.place import WEBS, Place
from benchwarmers.tests.live.route_product import turn_request

LOOK_S: Final = 0.1
GIVE_UP_S: Final = 60.0
SWEEP_S: Final = 10.0
"""Worker and beat show that they live by the look for lost jobs, which beat asks for every ten seconds."""
SEEN_KEY: Final = "benchwarmers:1:processes-seen"


class Recovery:
    """Asks what a fault's target is for until it does it."""

    def __init__(self, place: Place, slack: float) -> None:
        self.place = place
        self.slack = slack
        self._client = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=5), connector=aiohttp.TCPConnector(force_close=True)
        )

    async def close(self) -> None:
        await self._client.close()

    async def seconds(self, target: str, ended: float) -> float | None:
        """How long after `ended` (epoch seconds) it did its work for the first time; None when it never did."""
        until = ended + GIVE_UP_S * self.slack
        check = self._check_of(target)
        while time.time() < until:
            done = await check(ended)
            if done:
                return max(0.0, (done if done > 1 else time.time()) - ended)
            await asyncio.sleep(LOOK_S)
        return None

    def _check_of(self, target: str) -> Callable[[float], Awaitable[float]]:
        """True, or the time (epoch seconds) at which it did its work; false or 0 for not yet."""
        kind, _, which = target.partition("-")
        match kind:
            case "web":
                return lambda _: self._turn(target, "steady")
            case "upstream":
                return lambda _: self._turn(WEBS[0], f"only-{which}")
            case "postgres":
                return lambda _: self._writes()
            case "valkey":
                return lambda _: self._counts_together()
            case _:
                return lambda ended: asyncio.to_thread(self._swept, target, ended)

    async def _turn(self, web: str, collection: str) -> bool:
        path, body = turn_request("chat", True, collection, (f"Are you there at {time.time()}?",))
        return await self._ask(web, path, body) is not None

    async def _writes(self) -> bool:
        """Both web processes write again: a new conversation's row is there when its answer ends."""
        for web in WEBS:
            said = await self._ask(web, *turn_request("chat", False, "steady", (f"Do you write at {time.time()}?",)))
            if said is None:
                return False
            call = json.loads(said)["bench"]["call"]
            judged = json.dumps({"call": call, "useful": True, "note": "recovered"}).encode()
            if await self._ask(web, "/bench/verdict", judged) is None:
                return False
        return True

    async def _counts_together(self) -> bool:
        for web in WEBS:
            told = await self._ask(web, "/health/ready", None)
            if told is None or json.loads(told)["redis"] != "ok":
                return False
        return True

    def _swept(self, target: str, ended: float) -> float:
        """When the worker (or beat, by what it sent) was seen at work after the fault's end."""
        store = redis.Redis(port=self.place.valkey_port, socket_timeout=2)
        try:
            kept: Any = store.get(SEEN_KEY)
        except (redis.RedisError, OSError):
            return 0
        finally:
            store.close()
        seen: dict[str, float] = pickle.loads(kept) if kept else {}  # noqa: S301 the product's own, on loopback
        own = f"/{self.place.parts[target].pid}"
        times = [at for name, at in seen.items() if (name == target if target == "beat" else name.endswith(own))]
        return next((at for at in times if at > ended), 0)

    async def _ask(self, web: str, path: str, body: bytes | None) -> bytes | None:
        """The body of a 2xx."""
        method = "GET" if body is None else "POST"
        headers = {"content-type": "application/json"}
        try:
            async with self._client.request(method, self.place.url(web) + path, data=body, headers=headers) as reply:
                data = await reply.read()
                return data if reply.status < 300 else None
        except (aiohttp.ClientError, OSError, TimeoutError):
            return None


def rows(dsn: str, question: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(dsn, connect_timeout=5, autocommit=True) as connection:
        return connection.execute(question).fetchall()
