"""A bench, a provider with a script, and one model that asks it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from msgspec import Raw

from gateway.engine.bench import Bench
from gateway.engine.call import run_call
from gateway.engine.order import Listener, Order, Outcome
from gateway.models import Call
from gateway.tests.engine.upstream import Upstream
from gateway.tests.engine.world import LOCAL, ask
from gateway.tests.engine.written import Rows

Query = Callable[[Callable[[], Any]], Awaitable[Any]]


class Setting:
    """A provider with a script, and one model that asks it."""

    def __init__(self, bench: Bench, query: Query, provider: Upstream, rows: Rows) -> None:
        self.bench = bench
        self.query = query
        self.provider = provider
        self.rows = rows

    async def order(self, seconds: float = 5.0, options: dict[str, Raw] | None = None, **facts: Any) -> Order:
        snapshot = await self.bench.catalogue.current("1")
        model = msgspec.structs.replace(snapshot.models["m1"], options=options or {}, **facts)
        return Order(model, ask(), LOCAL, "core", "p1.member1", seconds)

    async def call(self, listener: Listener | None = None, **facts: Any) -> Outcome:
        return await run_call(self.bench, await self.order(**facts), listener)

    async def ledger(self) -> Call:
        await self.bench.recorder.settle()
        row: Call = await self.query(Call.objects.select_related("language_model").get)
        return row


Make = Callable[..., Awaitable[Setting]]
