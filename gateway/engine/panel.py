"""Runs a panel: every seat at once, each recorded as it finishes, and the answers told in the order they come.

The run and its telling are apart: a caller who leaves ends the telling, the run goes on and is recorded (or ends, where
the collection says so). Here every answer is shown; engine/merge.py and engine/panel_choices.py tell the same run
otherwise.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, ClassVar

import msgspec

from gateway.canon.ask import Ask
from gateway.canon.event import Closed, Event, Finish, TextDelta, Usage
from gateway.canon.reply import Reply, fold
from gateway.engine import panel_text
from gateway.engine.call import run_call
from gateway.engine.onlooker import Onlooker, Overheard
from gateway.engine.order import Listener, Order, Outcome
from gateway.engine.panel_fields import PLAIN, How, panel_field
from gateway.engine.panel_json import choose_document, no_document
from gateway.engine.panel_rows import asked_row, ended_row, opening_row, stopped_row, work_of
from gateway.engine.plan import PanelPlan
from gateway.engine.receipt import for_seats, panel_receipt
from gateway.engine.records import PanelClosed, SeatRow
from gateway.engine.recovery import INTERRUPTED
from gateway.engine.run import PANEL_HEADER
from gateway.engine.snapshot import Caller, Snapshot

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

log = logging.getLogger(__name__)
CALLER_LEFT = "the caller left, and this collection stops its seats then"
STOPPED = "whoever asked has stopped the panel"
DEFECT = "the gateway failed on this seat; its log says why"


class PanelRun:
    """One panel under way. Seats are asked as soon as it is made. `id` is the panel's, `plan` its line-up. An
    `onlooker` that is set before the loop goes on sees all of it."""

    mode: ClassVar[str] = "all"
    grace_s = 0.0

    def __init__(self, bench: Bench, panel: str, plan: PanelPlan, ask: Ask, caller: Caller, snapshot: Snapshot) -> None:
        self.id = panel
        self.plan = plan
        self._bench = bench
        self._caller = caller
        self._snapshot = snapshot
        self._receipt = panel_receipt(ask)
        self._ask = for_seats(ask)
        self._redact = bool(ask.media)
        self._rows = [
            asked_row(panel, place, seat, snapshot.models[seat.alias]) for place, seat in enumerate(plan.seats, 1)
        ]
        self._usage: list[Usage] = []
        self._if_cancelled = INTERRUPTED
        self._wound_up = False
        self._wishes = ask.bench
        self._answerable = asyncio.Event()
        self._ready: list[Event] = []
        self._wake = asyncio.Event()
        self.onlooker: Onlooker | None = None
        bench.runs[panel] = self
        bench.recorder.put(
            opening_row(
                panel,
                plan,
                ask,
                caller,
                reply=self.mode,
                left_out=self._receipt,
                stamp=snapshot.stamp,
                process=bench.process,
                at=bench.clock(),
                seats=tuple(self._rows),
            )
        )
        self._open()
        self._task = bench.keep(self._run(), name=panel)
        # A task that is cancelled before its first step never gets to its own end.
        self._task.add_done_callback(lambda _: self._wind_up(self._if_cancelled))

    @property
    def headers(self) -> dict[str, str]:
        return {PANEL_HEADER: self.id}

    @property
    def upstream_s(self) -> float:
        """The slowest seat, and whoever merges after it."""
        seats = len(self.plan.seats)
        slowest = max((row.seconds for row in self._rows[:seats]), default=0.0)
        return slowest + sum(row.seconds for row in self._rows[seats:])

    @property
    def seats(self) -> Sequence[SeatRow]:
        """The seats in their own order, as they stand."""
        return self._rows[: len(self.plan.seats)]

    async def batches(self) -> AsyncIterator[Sequence[Event]]:
        """The reply as it grows, in the groups in which it comes.

        Where an output format was asked for, the one document when all is done. Raises Broken when no seat gave any.
        """
        if self._one_document:
            yield await self.ended()
            return
        while not self._answerable.is_set() or self._ready:
            await self._wake.wait()
            self._wake.clear()
            ready, self._ready = self._ready, []
            if ready:
                yield ready
        await self._settle()
        yield self._tail()

    async def events(self) -> AsyncIterator[Event]:
        """The same, one by one."""
        async for batch in self.batches():
            for event in batch:
                yield event

    async def whole(self) -> Reply:
        """The reply when all is done, seats in their own order. Raises what `batches` raises."""
        return fold(await self.ended())

    async def ended(self) -> list[Event]:
        """The events of the whole reply."""
        await self._settle()
        return self._document() if self._one_document else self._all()

    def leave(self) -> None:
        """The caller is gone."""
        if (self._wishes.on_disconnect or self.plan.collection.on_disconnect) == "cancel":
            self._if_cancelled = CALLER_LEFT
            self._task.cancel()

    def stop(self) -> None:
        """Ends what still runs, by the wish of whoever asked. What has come stays."""
        self._if_cancelled = STOPPED
        self._task.cancel()

    # --- telling ------------------------------------------------------------------------------------------------------

    @property
    def _one_document(self) -> bool:
        return self._ask.output is not None

    def _open(self) -> None:
        """Before any seat is asked: header first."""
        self._tell(TextDelta(panel_text.header(self.id, self.plan)))

    def _seat_done(self, index: int) -> None:
        """A piece for each seat in the order they finish."""
        self._tell(TextDelta(panel_text.section(self._rows[index])))

    def _tail(self) -> list[Event]:
        """The end of a stream."""
        return [TextDelta(panel_text.footer(self.id)), *self._ending()]

    def _all(self) -> list[Event]:
        """The whole reply in words."""
        return [TextDelta(panel_text.whole(self.id, self.plan, self.seats)), *self._ending()]

    def _document(self, how: How = PLAIN) -> list[Event]:
        """The whole reply in the format that was asked for."""
        chosen = choose_document(self._ask.output, self.seats) if self._ask.output is not None else None
        if chosen is None:
            raise no_document(self.id, self.seats)
        text, structured = chosen
        return [TextDelta(text), *self._ending(msgspec.structs.replace(how, structured=structured))]

    def _ending(self, how: How = PLAIN, finish: Finish = Finish.STOP) -> list[Event]:
        usage: list[Event] = [sum(self._usage, Usage())] if self._usage else []
        return [*usage, Closed(finish, bench=panel_field(self.id, self.plan, self.seats, self._receipt, how))]

    def _tell(self, *events: Event) -> None:
        self._ready.extend(events)
        self._wake.set()

    def _may_be_told(self) -> None:
        """All that the caller waits for is there."""
        self._answerable.set()
        self._wake.set()

    async def _settle(self) -> None:
        await self._answerable.wait()
        # Whoever has the answer may judge it at once: it must be in the database first.
        await self._bench.recorder.settle()

    # --- running ------------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Every seat to its end, and what comes after. A defect in one is logged and never reaches the others."""
        places = range(len(self._rows))
        seats = [asyncio.ensure_future(self._sit(index, self._ask, self._listener(index))) for index in places]
        try:
            await _until_done(seats, self._quorum())
            await self._after_seats()
            if not all(seat.done() for seat in seats):
                self._may_be_told()
            for result in await asyncio.gather(*seats, return_exceptions=True):
                if isinstance(result, Exception):
                    log.error("a seat of %s failed unexpectedly", self.id, exc_info=result)
        except asyncio.CancelledError:
            for seat in seats:
                seat.cancel()
            await asyncio.gather(*seats, return_exceptions=True)
            self._wind_up(self._if_cancelled)
            raise
        self._wind_up(DEFECT)

    def _listener(self, index: int) -> Listener | None:
        """Who hears a seat while it speaks."""
        return None

    def _quorum(self) -> int:
        """How many seats must be done before the answer is told."""
        return self._wishes.quorum or len(self._rows)

    async def _after_seats(self) -> None:
        """What is done once all have answered."""

    def _wind_up(self, why: str) -> None:
        """However the run ended, no seat stays open and the panel is closed, once."""
        if self._wound_up:
            return
        for index, row in enumerate(self._rows):
            if row.finished_at is None:
                self._finish(index, stopped_row(row, why))
        self._bench.runs.pop(self.id, None)
        self._bench.recorder.put(PanelClosed(self.id, self._bench.clock()))
        self._bench.let_go(self._caller)
        self._wound_up = True
        self._may_be_told()

    async def _sit(self, index: int, ask: Ask, listener: Listener | None = None) -> None:
        row = self._rows[index]
        if self.onlooker is not None:
            self.onlooker.asked(row)
            listener = Overheard(row.place, self.onlooker, listener)
        order = Order(
            model=self._snapshot.models[row.alias],
            ask=ask,
            caller=self._caller,
            collection=self.plan.collection.name,
            seat=row.call,
            seconds=min(self._bench.limits.seat_s, self._wishes.timeout_s or self._bench.limits.seat_s),
        )
        outcome: Outcome | None = None
        why = DEFECT
        try:
            outcome = await run_call(self._bench, order, listener)
        except asyncio.CancelledError:
            why = self._if_cancelled
            raise
        finally:
            if outcome is None:
                row = stopped_row(row, why)
            else:
                row = ended_row(row, outcome, redact=self._redact)
                if row.usage is not None:
                    self._usage.append(row.usage)
            self._finish(index, row)

    def _finish(self, index: int, row: SeatRow) -> None:
        now = self._bench.clock()
        row = msgspec.structs.replace(row, finished_at=now)
        self._rows[index] = row
        self._bench.recorder.put(row, work_of(row, self.plan, now))
        if self.onlooker is not None:
            self.onlooker.ended(row)
        if index < len(self.plan.seats):
            self._seat_done(index)


async def _until_done(seats: Sequence[asyncio.Future[None]], quorum: int) -> None:
    """Waits until so many of them are done, or all."""
    left = set(seats)
    while left and len(seats) - len(left) < quorum:
        _, left = await asyncio.wait(left, return_when=asyncio.FIRST_COMPLETED)
