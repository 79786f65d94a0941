"""A process's allowances over a Redis and a database, with a clock that stands where a test puts it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta

from django.utils import timezone

from gateway.canon.event import Usage
from gateway.canon.fault import RateLimited
from gateway.engine.allowances import Allowances
from gateway.engine.batch import write_records
from gateway.engine.batch_spend import Spent
from gateway.engine.database import DatabaseThread
from gateway.engine.grant import Amounts
from gateway.engine.pulse import PulseReader
from gateway.engine.records import CallMade, GrantOver, Record
from gateway.engine.snapshot import Budget, Caller

NOON = datetime(2026, 11, 29, 12, tzinfo=timezone.get_default_timezone())
NOWHERE = "unix:///nowhere/valkey.sock"
LIFE_S = 100.0


class Process:
    """What one process lets in, writes and tells."""

    def __init__(self, url: str, name: str = "a/1") -> None:
        self.now = NOON
        self.pulse = PulseReader(url)
        self.reader, self.writer = DatabaseThread("read"), DatabaseThread("write")
        self.allowances = Allowances(self.pulse, self.reader, lambda: self.now, name)

    def at(self, seconds: float) -> Process:
        """The same, so long after noon."""
        self.now = NOON + timedelta(seconds=seconds)
        return self

    async def take(self, caller: Caller, tokens: int = 0, money: int = 0) -> Caller:
        need = Amounts(1, tokens, money)
        return await self.allowances.let_in(caller, self.now, lambda: need, LIFE_S)

    async def passes(self, caller: Caller, tokens: int = 0, money: int = 0) -> bool:
        try:
            await self.take(caller, tokens, money)
        except RateLimited:
            return False
        return True

    async def refusal(self, caller: Caller, tokens: int = 0, money: int = 0) -> RateLimited:
        try:
            await self.take(caller, tokens, money)
        except RateLimited as fault:
            return fault
        raise AssertionError("it was let in")

    async def write(self, *records: Record) -> list[Spent]:
        """Brings records to the database and tells nobody yet."""
        return await self.writer.run(lambda: write_records(list(records)))

    async def commit(self, *records: Record) -> None:
        self.hear(*records, spent=await self.write(*records))
        await self.told()

    def hear(self, *records: Record, spent: list[Spent]) -> None:
        self.allowances.committed(records, spent)

    async def told(self) -> None:
        """All news of this process are out, where there is anybody to hear them."""
        while not self.pulse.away and (tasks := list(self.allowances._teller._telling.values())):
            await asyncio.wait(tasks, timeout=0.05)

    async def use(self, caller: Caller, tokens: int = 0, money: int | None = None) -> None:
        """One request from beginning to end."""
        taken = await self.take(caller, tokens)
        await self.commit(self.row(taken, tokens, money), over(taken))

    def row(self, caller: Caller, tokens: int = 0, money: int | None = None) -> CallMade:
        return CallMade(
            at=self.now,
            seat="",
            language_model_id=None,
            alias="m1",
            endpoint_name="anthill",
            connection="anthill",
            served="lab/m1",
            owner_id=None,
            key_id=caller.key_id,
            caller=caller.name,
            collection_name="core",
            purpose="",
            status="ok",
            upstream_status=None,
            failure="",
            attempts=1,
            usage=Usage(tokens, 0),
            seconds=1.0,
            first_token_s=None,
            requests=caller.count_request(),
            cost=money,
            grant=caller.drawn_on,
        )


def over(caller: Caller) -> GrantOver:
    assert caller.key_id is not None
    return GrantOver(caller.key_id, caller.drawn_on)


def limited(key: int, *budgets: tuple[str, str, int], rpm: int | None = None, tpm: int | None = None) -> Caller:
    return Caller("ci", key, rpm=rpm, tpm=tpm, budgets=tuple(Budget(*one) for one in budgets))


@asynccontextmanager
async def process(url: str, name: str = "a/1") -> AsyncIterator[Process]:
    one = Process(url, name)
    try:
        yield one
    finally:
        await one.allowances.close()
        await one.pulse.close()
        await one.reader.close()
        await one.writer.close()
