"""A bench with a decision model on the loopback, and short ways to pick a shape by it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

from collections_app.models import DecisionModel, Endpoint, Evidence, Setting
from gateway.engine.bench import Bench
from gateway.engine.picker import pick_shape
from gateway.engine.picker_plan import Picked
from gateway.engine.snapshot import Caller, DecisionView, Snapshot
from gateway.models import Call
from gateway.tests.engine.upstream import Line, Request, Script, Upstream
from gateway.tests.engine.world import LOCAL, collection

Query = Callable[[Callable[[], Any]], Awaitable[Any]]


def answers(choice: object = "code", confidence: object = 0.97, **more: Any) -> Script:
    """The answer to the question `shape`."""
    body = {"answers": {"shape": {"type": "choice", "choice": choice, "confidence": confidence}}, **more}

    async def script(line: Line, request: Request) -> None:
        await line.whole(json.dumps(body).encode())

    return script


def sends(body: bytes, status: int = 200, *headers: str) -> Script:
    async def script(line: Line, request: Request) -> None:
        await line.whole(body, status, *headers)

    return script


async def hang(line: Line, request: Request) -> None:
    await line.reader.read()


class Table:
    """Picks shapes; tells what was asked and written down."""

    def __init__(self, bench: Bench, query: Query, provider: Upstream) -> None:
        self.bench = bench
        self.query = query
        self.provider = provider

    async def snapshot(self) -> Snapshot:
        self.bench.catalogue._read_at = 0.0  # without Redis nobody says that it moved
        await asyncio.sleep(0)
        return await self.bench.catalogue.current(None)

    async def decider(self) -> DecisionView:
        return (await self.snapshot()).decisions[0]

    async def pick(self, prompt: str = "Write a parser.", system: str = "", caller: Caller = LOCAL) -> Picked:
        return await pick_shape(self.bench, await self.snapshot(), caller, collection("m1"), system, prompt)

    async def ledger(self) -> list[tuple[object, ...]]:
        """(alias, status, attempts, upstream status, purpose), in order."""
        await self.bench.recorder.settle()
        fields = ("alias", "status", "attempts", "upstream_status", "purpose")
        found: list[tuple[object, ...]] = await self.query(
            lambda: list(Call.objects.order_by("pk").values_list(*fields))
        )
        return found

    async def call(self) -> Call:
        await self.bench.recorder.settle()
        found: Call = await self.query(Call.objects.get)
        return found

    async def evidence(self) -> int:
        await self.bench.recorder.settle()
        found: int = await self.query(Evidence.objects.count)
        return found


def make_decider(base: str, **facts: Any) -> None:
    """The endpoint `oracle` and on it the decision model `jury`. Sync."""
    given: dict[str, Any] = {"question_types": ["choice"]}
    oracle = Endpoint.objects.create(
        name="oracle", base=base, decisions_url=base + "/{path}", headers={"X-Title": "bench"}, default=True
    )
    DecisionModel.objects.create(alias="jury", served="lab/jury", via=oracle, **(given | facts))


def set_picker(picker: str) -> None:
    Setting.load()
    Setting.objects.update(picker=picker)
