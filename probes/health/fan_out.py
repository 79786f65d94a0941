"""Many probing calls at once: the connections side by side, each connection's calls one after the other.

The calls are made in the side's loop. What comes of them goes, one by one, to the thread that works on the job, which
keeps it; nothing waits for a database in the loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from typing import Final

from msgspec import Struct

from gateway.engine.bench import Bench
from probes.asking import PURPOSE, Question, Seen, ask_one
from probes.jobs.work import JobAtWork, Leaving, Stopped
from probes.side import side

AT_ONCE: Final = 32
"""The most connections that are asked at one time."""
ROOM_S: Final = 900.0
"""How long a limit may hold a call of a sweep back."""
TICK_S: Final = 1.0


class Errand(Struct, frozen=True):
    """A question to one model, to be asked `times` times."""

    model_id: int
    alias: str
    question: Question
    times: int = 1


class NotAsked(Struct, frozen=True):
    """A question that was not put, how many times, and why."""

    errand: Errand
    why: str
    times: int


class Manner(Struct, frozen=True):
    """How a sweep asks. `gap_s` seconds pass between two calls of a connection; `hinders` says why a model must not be
    asked just now, empty when it may. `purpose` is what the ledger says, `retries` how often a call is tried again
    where that may help. With `whole`, nothing more is asked of a model that left one of its questions unanswered, and
    nothing told of the rest."""

    gap_s: float = 0.0
    at_once: int = AT_ONCE
    purpose: str = PURPOSE
    retries: int = 0
    hinders: Callable[[Bench, str], str] = lambda bench, alias: ""
    whole: bool = False


PLAIN: Final = Manner()


def run_errands(
    at_work: JobAtWork, errands: Iterable[Errand], keep: Callable[[Seen | NotAsked], None], manner: Manner = PLAIN
) -> None:
    """Asks all of it; `keep` is called in this thread with what came of each, as it comes. Raises what `check` of the
    job raises, once everything that had come by then is kept."""
    told: SimpleQueue[Seen | NotAsked | None] = SimpleQueue()
    wanted = tuple(errands)
    at_work.check()
    asking = side().begin_with_bench(lambda bench: _ask_all(bench, wanted, manner, told.put))
    asking.add_done_callback(lambda done: told.put(None))
    try:
        while True:
            try:
                came = told.get(timeout=TICK_S)
            except Empty:
                at_work.check()
                continue
            if came is None:
                break
            keep(came)
            at_work.check()
    except (Stopped, Leaving):
        asking.cancel()
        _keep_rest(told, keep)
        raise
    finally:
        asking.cancel()  # no change to one that is over
    asking.result()


def _keep_rest(told: SimpleQueue[Seen | NotAsked | None], keep: Callable[[Seen | NotAsked], None]) -> None:
    while not told.empty():
        if (came := told.get()) is not None:
            keep(came)


async def _ask_all(
    bench: Bench, errands: tuple[Errand, ...], manner: Manner, tell: Callable[[Seen | NotAsked], None]
) -> None:
    by_connection: dict[str, list[Errand]] = {}
    for errand in errands:
        model = bench.catalogue.latest.models.get(errand.alias)
        by_connection.setdefault(model.connection if model else "", []).append(errand)
    free = asyncio.Semaphore(manner.at_once)
    async with asyncio.TaskGroup() as group:
        for mine in by_connection.values():
            group.create_task(_ask_in_turn(bench, mine, manner, tell, free))


async def _ask_in_turn(
    bench: Bench,
    errands: list[Errand],
    manner: Manner,
    tell: Callable[[Seen | NotAsked], None],
    free: asyncio.Semaphore,
) -> None:
    asked = False
    failed: set[str] = set()
    for errand in errands:
        if manner.whole and errand.alias in failed:
            continue
        for before in range(errand.times):
            if asked and manner.gap_s:
                await asyncio.sleep(manner.gap_s)
            async with free:
                # A sweep may take hours: what was entered or stopped meanwhile counts.
                await bench.catalogue.current(await bench.pulse.read_stamp())
                why = manner.hinders(bench, errand.alias) or _gone(bench, errand.alias)
                if why:
                    tell(NotAsked(errand, why, errand.times - before))
                    break
                asking = ask_one(
                    bench, errand.alias, errand.question, manner.purpose, room_s=ROOM_S, retries=manner.retries
                )
                seen = await asking
            tell(seen)
            asked = True
            if not seen.answered:
                failed.add(errand.alias)


def _gone(bench: Bench, alias: str) -> str:
    model = bench.catalogue.latest.models.get(alias)
    if model is None:
        return "it has another name by now, or is gone"
    return "it was retired meanwhile" if model.retired else ""
