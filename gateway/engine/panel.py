"""Runs a panel: every seat at once, each recorded as it finishes, and the answers told in the order they come.

The run and its telling are apart: a caller who leaves ends the telling, the run goes on and is recorded (or ends, where
the collection says so).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

import msgspec

from gateway.canon.ask import Ask
from gateway.canon.event import Closed, Event, Finish, TextDelta, Usage
from gateway.canon.flatten import first_line
from gateway.canon.kinds import SeatStatus
from gateway.canon.redact import redact_text
from gateway.canon.reply import Reply, fold
from gateway.engine import panel_text
from gateway.engine.call import Order, Outcome, run_call
from gateway.engine.panel_fields import panel_field
from gateway.engine.panel_json import Structured, choose_document, no_document
from gateway.engine.plan import PanelPlan, SeatPlan
from gateway.engine.receipt import for_seats, panel_receipt
from gateway.engine.records import PanelClosed, PanelOpened, SeatRow, Work
from gateway.engine.recovery import INTERRUPTED
from gateway.engine.snapshot import Caller, ModelView, Snapshot

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

ERROR_CAP = 500
log = logging.getLogger(__name__)
CALLER_LEFT = "the caller left, and this collection stops its seats then"
DEFECT = "the gateway failed on this seat; its log says why"


class PanelRun:
    """One panel under way. Seats are asked as soon as it is made."""

    grace_s = 0.0

    def __init__(self, bench: Bench, panel: str, plan: PanelPlan, ask: Ask, caller: Caller, snapshot: Snapshot) -> None:
        self.id = panel
        self.plan = plan
        self._bench = bench
        self._caller = caller
        self._receipt = panel_receipt(ask)
        self._ask = for_seats(ask)
        self._redact = bool(ask.media)
        self._rows = [self._row(place, seat, snapshot.models[seat.alias]) for place, seat in enumerate(plan.seats, 1)]
        self._models = [snapshot.models[seat.alias] for seat in plan.seats]
        self._usage: list[Usage] = []
        self._if_cancelled = INTERRUPTED
        self._wound_up = False
        self._done: asyncio.Queue[SeatRow] = asyncio.Queue()
        bench.recorder.put(self._opening(ask, snapshot.stamp, bench.clock()))
        self._task = bench.keep(self._run(), name=panel)
        # A task that is cancelled before its first step never gets to its own end.
        self._task.add_done_callback(lambda _: self._wind_up(self._if_cancelled))

    @property
    def headers(self) -> dict[str, str]:
        return {"X-Bench-Panel": self.id}

    async def events(self) -> AsyncIterator[Event]:
        """The reply as it grows: header, a piece for each seat in the order they finish, footer, usage, end.

        Where an output format was asked for, the one document when all is done. Raises Broken when no seat gave any.
        """
        if self._ask.output is not None:
            for event in await self.ended():
                yield event
            return
        yield TextDelta(panel_text.header(self.id, self.plan))
        for _ in self._rows:
            yield TextDelta(panel_text.section(await self._done.get()))
        yield TextDelta(panel_text.footer(self.id))
        await self._settle()
        for event in self._ending():
            yield event

    async def batches(self) -> AsyncIterator[Sequence[Event]]:
        """The same, one by one."""
        async for event in self.events():
            yield (event,)

    async def whole(self) -> Reply:
        """The reply when all is done, seats in their own order. Raises what `events` raises."""
        return fold(await self.ended())

    async def ended(self) -> list[Event]:
        """The events of the whole reply."""
        await self._settle()
        if self._ask.output is None:
            return [TextDelta(panel_text.whole(self.id, self.plan, self._rows)), *self._ending()]
        chosen = choose_document(self._ask.output, self._rows)
        if chosen is None:
            raise no_document(self.id, self._rows)
        text, structured = chosen
        return [TextDelta(text), *self._ending(structured)]

    def leave(self) -> None:
        """The caller is gone."""
        if self.plan.collection.on_disconnect == "cancel":
            self._if_cancelled = CALLER_LEFT
            self._task.cancel()

    async def _settle(self) -> None:
        # Not awaited itself: a run that is stopped has an ending too, and a caller who leaves stops no run.
        await asyncio.wait([self._task])
        # Whoever has the answer may judge it at once: it must be in the database first.
        await self._bench.recorder.settle()

    def _ending(self, structured: Structured | None = None) -> list[Event]:
        usage: list[Event] = [sum(self._usage, Usage())] if self._usage else []
        bench = panel_field(self.id, self.plan, self._rows, self._receipt, structured)
        return [*usage, Closed(Finish.STOP, bench=bench)]

    async def _run(self) -> None:
        """Every seat to its end. A defect in one is logged and never reaches the others."""
        seats = [self._sit(index) for index in range(len(self._rows))]
        try:
            results = await asyncio.gather(*seats, return_exceptions=True)
        except asyncio.CancelledError:
            self._wind_up(self._if_cancelled)
            raise
        for result in results:
            if isinstance(result, Exception):
                log.error("a seat of %s failed unexpectedly", self.id, exc_info=result)
        self._wind_up(DEFECT)

    def _wind_up(self, why: str) -> None:
        """However the run ended, no seat stays open and the panel is closed, once."""
        if self._wound_up:
            return
        self._wound_up = True
        for index, row in enumerate(self._rows):
            if row.finished_at is None:
                self._finish(index, msgspec.structs.replace(row, status=SeatStatus.ERROR, error=why))
        self._bench.recorder.put(PanelClosed(self.id, self._bench.clock()))

    async def _sit(self, index: int) -> None:
        order = Order(
            model=self._models[index],
            ask=self._ask,
            caller=self._caller,
            collection=self.plan.collection.name,
            seat=self._rows[index].call,
            seconds=self._bench.limits.seat_s,
        )
        outcome: Outcome | None = None
        why = DEFECT
        try:
            outcome = await run_call(self._bench, order)
        except asyncio.CancelledError:
            why = self._if_cancelled
            raise
        finally:
            row = self._rows[index]
            if outcome is None:
                row = msgspec.structs.replace(row, status=SeatStatus.ERROR, error=why)
            else:
                row = self._filled(row, outcome)
            self._finish(index, row)

    def _finish(self, index: int, row: SeatRow) -> None:
        now = self._bench.clock()
        row = msgspec.structs.replace(row, finished_at=now)
        self._rows[index] = row
        self._bench.recorder.put(row, self._work(row, now))
        self._done.put_nowait(row)

    def _filled(self, row: SeatRow, outcome: Outcome) -> SeatRow:
        reply, fault = outcome.reply, outcome.fault
        if reply.usage is not None:
            self._usage.append(reply.usage)
        error = ""
        if fault is not None:
            words = redact_text(fault.message) if self._redact else fault.message
            # The start names the status, the end is where providers explain: keep both.
            error = words if len(words) <= ERROR_CAP else f"{words[:100]} … {words[-(ERROR_CAP - 103) :]}"
            status = SeatStatus.ERROR
        else:
            status = SeatStatus.OK if reply.text.strip() else SeatStatus.EMPTY
        return msgspec.structs.replace(
            row,
            status=status,
            answer=reply.text,
            reasoning=reply.reasoning,
            error=error,
            failure=fault.failure if fault else "",
            upstream_status=fault.upstream_status if fault else None,
            finish=reply.finish or "",
            usage=reply.usage,
            seconds=round(outcome.seconds, 1),
            first_token_s=outcome.first_token_s,
            notes=outcome.notes,
        )

    def _row(self, place: int, seat: SeatPlan, model: ModelView) -> SeatRow:
        return SeatRow(
            call=f"{self.id}.{seat.key}",
            panel_id=self.id,
            place=place,
            label=seat.label,
            alias=seat.alias,
            language_model_id=model.id,
            connection=model.connection,
            why=seat.why[:200],
            until=seat.until[:200],
            status=SeatStatus.ASKED,
        )

    def _opening(self, ask: Ask, stamp: str, now: datetime) -> PanelOpened:
        plan = self.plan
        return PanelOpened(
            id=self.id,
            owner_id=self._caller.owner_id,
            key_id=self._caller.key_id,
            caller=self._caller.name,
            collection_id=plan.collection.id,
            collection_name=plan.collection.name,
            protocol=ask.protocol,
            reply="all",
            shape=plan.shape,
            shape_by=plan.shape_by,
            system=plan.system,
            prompt=plan.prompt,
            skipped=[msgspec.structs.asdict(skip) for skip in plan.skipped],
            left_out=self._receipt,
            stamp=stamp,
            process=self._bench.process,
            at=now,
            seats=tuple(self._rows),
        )

    def _work(self, row: SeatRow, now: datetime) -> Work:
        return Work(
            call=row.call,
            language_model_id=row.language_model_id,
            collection_id=self.plan.collection.id,
            collection_name=self.plan.collection.name,
            kind="seat",
            shape=self.plan.shape,
            task=first_line(self.plan.prompt),
            status=row.status,
            at=now,
        )
