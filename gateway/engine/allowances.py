"""What a gateway key may still use: requests and tokens a minute, and budgets of requests, tokens and money a day and a
month, over all processes. Reserved before a call and settled after its rows are in the database.

The truth is the database (gateway/engine/batch_spend.py). Redis decides, in one call a request for all limits together:
a request is let in while what is spent and what is reserved is below every limit, so at most one reservation goes over.
While Redis is away each process counts for itself. See docs/design/allowance.md.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any, Final

from django.db import InterfaceError, OperationalError
from msgspec import structs

from gateway.canon.fault import Unavailable
from gateway.engine.allowance_alone import Alone, Known
from gateway.engine.allowance_news import News, Teller, settled
from gateway.engine.allowance_script import BUDGET, LOAD, PREFIX, TAKE, TEACH
from gateway.engine.allowance_words import RPM, TPM, Full, Refusal, UsedUp, in_order, leaves_at, refusal_of
from gateway.engine.batch_spend import Spent, amounts_of, read_spent
from gateway.engine.database import DatabaseThread
from gateway.engine.grant import Amounts, Grant
from gateway.engine.pulse import PulseReader
from gateway.engine.records import CallMade, GrantOver, Record
from gateway.engine.snapshot import Budget, Caller

SPARE_S: Final = 60.0
"""How long a reservation outlives the time its request may take: then its process is dead."""
KNOWN_S: Final = 1.0
"""How old may be what one process alone goes by."""
_PLACES: Final = {"requests": 1, "tokens": 2, "money": 3}
Need = Callable[[], Amounts]
log = logging.getLogger(__name__)


class Allowances:
    """One per process. `clock` gives the time."""

    def __init__(self, pulse: PulseReader, reader: DatabaseThread, clock: Callable[[], datetime], process: str) -> None:
        self._pulse = pulse
        self._reader = reader
        self._clock = clock
        self._mark = f"{process}/{time.time_ns():x}"  # a restarted process may have the same name
        self._count = 0
        self._open: dict[str, Grant] = {}
        self._alone = Alone()
        self._known: dict[int, Known] = {}
        self._locks: dict[int, asyncio.Lock] = {}
        self._teller = Teller(pulse, lambda: clock().timestamp())
        self._complained = False

    async def let_in(self, caller: Caller, now: datetime, need: Need, life_s: float) -> Caller:
        """The caller with what its request is let in with. `now` is in the server's own time zone; `need` estimates
        what is to be reserved, and is asked only where tokens or money are limited; `life_s` is the longest that the
        request may take. Raises RateLimited, or Unavailable when it cannot be known what is spent."""
        if caller.key_id is None or not (caller.rpm or caller.tpm or caller.budgets):
            return structs.replace(caller, grant=Grant())
        measured = caller.tpm or any(budget.unit != "requests" for budget in caller.budgets)
        self._count += 1
        grant = Grant(caller.key_id, f"{self._mark}/{self._count}", need() if measured else Amounts(1))
        await self._reserve(caller, grant, now, in_order(caller.budgets), life_s)
        if not (caller.tpm or caller.budgets):
            grant.name = ""  # nothing is held for it
        return structs.replace(caller, grant=grant)

    async def let_in_aside(self, caller: Caller, now: datetime, need: Need, life_s: float) -> Caller:
        """The same for work that the caller did not ask for: it draws on tokens and money, and is no request."""
        budgets = tuple(budget for budget in caller.budgets if budget.unit != "requests")
        if caller.key_id is None or not budgets:
            return structs.replace(caller, grant=Grant(counted=True))
        caller = structs.replace(caller, rpm=None, tpm=None, budgets=budgets)
        taken = await self.let_in(caller, now, lambda: structs.replace(need(), requests=0), life_s)
        if taken.grant is not None:
            taken.grant.counted = True
        return taken

    def committed(self, records: Sequence[Record], spent: Sequence[Spent]) -> None:
        """Hears what is in the database by now, in the order it came."""
        touched: dict[str, Grant] = {}
        over: set[str] = set()
        for record in records:
            if isinstance(record, CallMade) and (grant := self._open.get(record.grant)) is not None:
                grant.used += amounts_of(record)
                touched[grant.name] = grant
            elif isinstance(record, GrantOver) and (grant := self._open.pop(record.name, None)) is not None:
                touched[grant.name] = grant
                over.add(grant.name)
                self._alone.settle(grant, self._clock().timestamp())
        self._tell(touched, over, spent)

    async def close(self) -> None:
        """After the last commit."""
        await self._teller.close()

    def _tell(self, touched: dict[str, Grant], over: set[str], spent: Sequence[Spent]) -> None:
        news: dict[int, list[Spent]] = {grant.key_id: [] for grant in touched.values()}
        for one in spent:
            news.setdefault(one.key_id, []).append(one)
            if (known := self._known.get(one.key_id)) is not None:
                known.grow(one.day, one.of_day, one.of_month)
        for key, days in news.items():
            mine = [grant for grant in touched.values() if grant.key_id == key and not grant.alone]
            told = tuple(settled(grant, over=grant.name in over) for grant in mine)
            for one in days[:-1]:
                self._teller.tell(News(key, one))
            if days or told:
                self._teller.tell(News(key, days[-1] if days else None, told))

    async def _reserve(
        self, caller: Caller, grant: Grant, now: datetime, budgets: tuple[Budget, ...], life_s: float
    ) -> None:
        heard = False
        try:
            why = await self._take(caller, grant, now, budgets, life_s)
            heard = True
        finally:
            if not heard:
                self._withdraw(grant)
        if why is not None:
            raise refusal_of(caller, why, now)
        if caller.tpm or budgets:
            self._open[grant.name] = grant

    def _withdraw(self, grant: Grant) -> None:
        """Nobody heard whether Redis has counted it: should it have, it is undone."""
        self._teller.tell(News(grant.key_id, None, (settled(Grant(name=grant.name), over=True),)))

    async def _take(
        self, caller: Caller, grant: Grant, now: datetime, budgets: tuple[Budget, ...], life_s: float
    ) -> Refusal | None:
        told = _arguments(caller, grant, now, budgets, life_s)
        keys = [f"{PREFIX}{grant.key_id}"]
        was_away = self._pulse.away
        answer = await self._pulse.call(TAKE, keys, told)
        if answer is not None and answer[0] == LOAD:
            async with self._lock(grant.key_id):  # of many at once, one reads
                answer = await self._pulse.call(TAKE, keys, told)
                if answer is not None and answer[0] == LOAD:
                    await self._teach(grant.key_id, now)
                    answer = await self._pulse.call(TAKE, keys, told)
        if answer is None and not was_away:
            self._withdraw(grant)
        if answer is None or answer[0] == LOAD:
            return await self._take_alone(caller, grant, now, budgets)
        if self._complained:
            self._complained = False
            log.warning("limits of keys are counted over all processes again")
        return _refusal(answer, budgets)

    async def _teach(self, key: int, now: datetime) -> None:
        known = await self._read(key, now.date())
        amounts = (known.of_day, known.of_month)
        told = [number for one in amounts for number in (one.requests, one.tokens, one.money)]
        await self._pulse.call(TEACH, [f"{PREFIX}{key}"], [repr(now.timestamp()), *_periods(now), *told])

    async def _take_alone(
        self, caller: Caller, grant: Grant, now: datetime, budgets: tuple[Budget, ...]
    ) -> Refusal | None:
        if not self._complained:
            self._complained = True
            log.warning("Redis is away: each process counts the limits of keys for itself")
        known = await self._fresh(grant.key_id, now.date()) if budgets else None
        grant.alone = True
        held = sum((one.left for one in self._open.values() if one.key_id == grant.key_id), Amounts())
        return self._alone.take(caller, grant, now.timestamp(), budgets, known, held)

    async def _fresh(self, key: int, day: date) -> Known:
        """What is spent, as of the last second. What this process itself commits is added as it goes."""
        async with self._lock(key):
            known = self._known.get(key)
            if known is None or known.day != day or time.monotonic() - known.read_at > KNOWN_S:
                read = await self._read(key, day)
                if known is not None:
                    read.grow(known.day, known.of_day, known.of_month)
                known = self._known[key] = read
        return known

    async def _read(self, key: int, day: date) -> Known:
        try:
            _, _, of_day, of_month = await self._reader.run(lambda: read_spent(key, day))
        except (OperationalError, InterfaceError) as error:
            log.warning("what a key has spent cannot be read (%s)", error)
            raise Unavailable(
                "It cannot be read what this key has spent: the database does not answer. Ask again in a moment.",
                code="spending_unknown",
            ) from error
        return Known(day, of_day, of_month, time.monotonic())

    def _lock(self, key: int) -> asyncio.Lock:
        return self._locks.setdefault(key, asyncio.Lock())


def _periods(now: datetime) -> tuple[str, str]:
    day = now.date().isoformat()
    return day, day[:7]


def _arguments(caller: Caller, grant: Grant, now: datetime, budgets: tuple[Budget, ...], life_s: float) -> list[Any]:
    at, reserved = now.timestamp(), grant.reserved
    found: list[Any] = [repr(at), grant.name, caller.rpm or 0, caller.tpm or 0, reserved.tokens]
    if budgets:
        found += [repr(at + life_s + SPARE_S), *_periods(now), reserved.requests, reserved.tokens, reserved.money]
        for budget in budgets:
            found += [_PLACES[budget.unit], budget.period, budget.amount]
    return found


def _refusal(answer: list[Any], budgets: tuple[Budget, ...]) -> Refusal | None:
    """What the script's answer means."""
    kind, *facts = answer
    if kind == BUDGET:
        place, spent, held = facts
        return UsedUp(budgets[place], spent, held)
    return Full(kind, leaves_at(float(facts[0]))) if kind in (RPM, TPM) else None
