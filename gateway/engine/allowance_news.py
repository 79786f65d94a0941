"""Tells Redis what has come of reservations once the rows are in the database: what is spent goes up and what is
reserved goes down in one step, so that nothing is counted twice or not at all in between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Final

from msgspec import Struct

from gateway.engine.allowance_script import NEWS, PREFIX
from gateway.engine.batch_spend import Spent
from gateway.engine.grant import Amounts, Grant
from gateway.engine.pulse import PAUSE_S, PulseReader

FIRST_WAIT_S: Final = 0.001
LONGEST_WAIT_S: Final = 1.0
"""How long to wait for the news of others who committed before. Whoever has not told by then has died; what it holds
lapses."""
CLOSING_S: Final = 1.0


class Settled(Struct, frozen=True):
    """What is left of a reservation, and the tokens that were used so far."""

    name: str
    left: Amounts
    tokens: int
    over: bool


class News(Struct, frozen=True):
    """What a commit means for one key."""

    key_id: int
    spent: Spent | None
    settled: tuple[Settled, ...] = ()


def settled(grant: Grant, *, over: bool) -> Settled:
    return Settled(grant.name, grant.left, grant.used.tokens, over)


def merged(waiting: Sequence[News]) -> list[News]:
    """The same news in fewer: of each day and each reservation the last."""
    spent = {news.spent.day: news.spent for news in waiting if news.spent is not None}
    last = {one.name: one for news in waiting for one in news.settled}
    key = waiting[0].key_id
    days = [News(key, one) for one in spent.values()]
    return [*days, News(key, None, tuple(last.values()))] if last else days


def arguments_of(news: News, now: float, *, forced: bool) -> list[Any]:
    """As the script takes them."""
    spent = news.spent
    found: list[Any] = [repr(now), int(forced)]
    if spent is None:
        found += ["", "", *(0,) * 7]
    else:
        day, amounts = spent.day.isoformat(), (spent.of_day, spent.of_month)
        found += [day, day[:7], spent.before]
        found += [number for one in amounts for number in (one.requests, one.tokens, one.money)]
    for one in news.settled:
        left = one.left
        found += [one.name, left.requests, left.tokens, left.money, one.tokens, int(one.over)]
    return found


class Teller:
    """One per process. News of one key go one after the other; `clock` gives epoch seconds."""

    def __init__(self, pulse: PulseReader, clock: Callable[[], float]) -> None:
        self._pulse = pulse
        self._clock = clock
        self._waiting: dict[int, list[News]] = {}
        self._telling: dict[int, asyncio.Task[None]] = {}

    def tell(self, news: News) -> None:
        """Takes news without waiting."""
        self._waiting.setdefault(news.key_id, []).append(news)
        if news.key_id not in self._telling:
            self._telling[news.key_id] = asyncio.create_task(self._tell_on(news.key_id), name="allowance-news")

    async def close(self) -> None:
        """Gives what waits a moment to be told; what is not, the next who reads the database finds there."""
        tasks = list(self._telling.values())
        if tasks and not self._pulse.away:
            await asyncio.wait(tasks, timeout=CLOSING_S)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _tell_on(self, key: int) -> None:
        waiting, forced, waited = self._waiting[key], 0, 0.0
        try:
            while waiting:
                told = arguments_of(waiting[0], self._clock(), forced=forced > 0)
                answer = await self._pulse.call(NEWS, [f"{PREFIX}{key}"], told)
                if answer is None:
                    # What others told meanwhile is not known here, so nobody is waited for.
                    waiting[:] = merged(waiting)
                    forced = len(waiting)
                    await asyncio.sleep(PAUSE_S)
                elif answer:
                    del waiting[0]
                    forced, waited = max(forced - 1, 0), 0.0
                else:
                    pause = max(waited, FIRST_WAIT_S)  # so the whole wait doubles
                    forced = int(waited + pause > LONGEST_WAIT_S)
                    waited += pause
                    await asyncio.sleep(pause)
        finally:
            del self._waiting[key], self._telling[key]
