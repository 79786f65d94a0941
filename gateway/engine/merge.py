"""Runs a panel whose answers one model merges when all are in, and tells its words as they come.

Whatever keeps the merger from it, the caller gets every answer, as without a merger, and hears why. Words that were
told stay told: a merger that breaks off is said to have done so.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

import msgspec

from gateway.canon.ask import Ask, Text, Turn
from gateway.canon.event import Event, Finish, TextDelta
from gateway.canon.kinds import SeatStatus
from gateway.canon.tokens import estimate_prompt
from gateway.engine import merge_text, panel_text
from gateway.engine.merge_plan import NOBODY_ANSWERED, NoMerger, choose_merger, skipped_merger
from gateway.engine.panel import PanelRun
from gateway.engine.panel_fields import PLAIN, Answered, How
from gateway.engine.panel_json import fitting_document
from gateway.engine.panel_rows import asked_row
from gateway.engine.panel_words import Words
from gateway.engine.plan import PanelPlan
from gateway.engine.records import SeatRow
from gateway.engine.snapshot import Caller, Snapshot

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

log = logging.getLogger(__name__)
STOPPED: Final = "the panel was stopped before its answers could be merged"
DEFECT: Final = "the gateway failed on the merge; its log says why"
NO_DOCUMENT: Final = "gave no document of the format that was asked for"


class MergedRun(PanelRun):
    """One merged panel under way. The merger has a row, evidence and a ledger entry of its own, like a seat."""

    mode: ClassVar[str] = "merged"

    def __init__(self, bench: Bench, panel: str, plan: PanelPlan, ask: Ask, caller: Caller, snapshot: Snapshot) -> None:
        if (skipped := skipped_merger(plan.collection, snapshot)) is not None:
            plan = msgspec.structs.replace(plan, skipped=(*plan.skipped, skipped))
        self._no_merger = STOPPED
        self._words = Words(self._tell)
        self._sources: tuple[SeatRow, ...] = ()
        self._answered: Answered | None = None
        super().__init__(bench, panel, plan, ask, caller, snapshot)

    @property
    def headers(self) -> dict[str, str]:
        """`X-Bench-Answered` (`2/5`) of a reply that is made, when some seat gave no answer."""
        answered = self._answered
        return {**super().headers, **({"X-Bench-Answered": f"{answered.ok}/{answered.of}"} if answered else {})}

    # --- running ------------------------------------------------------------------------------------------------------

    async def _after_seats(self) -> None:
        """A defect here costs the merger and nothing else."""
        self._sources = tuple(self.seats)  # a seat that comes later than the merge is none of its sources
        (result,) = await asyncio.gather(self._merge(), return_exceptions=True)
        if isinstance(result, Exception):
            self._no_merger = DEFECT
            log.error("the merge of %s failed unexpectedly", self.id, exc_info=result)

    async def _merge(self) -> None:
        if not merge_text.count_answers(self._sources).ok:
            self._no_merger = NOBODY_ANSWERED
            return
        system = merge_text.INSTRUCTION if self._ask.output is None else merge_text.DOCUMENT_INSTRUCTION
        prompt = merge_text.merge_prompt(self.plan, self._sources)
        now = self._bench.clock().timestamp()
        resting = {alias for alias, until in self._bench.recency.resting(self._snapshot.cooling).items() if until > now}
        failed = {seat.alias for seat in self._sources if seat.status in (SeatStatus.ERROR, SeatStatus.EMPTY)}
        tokens = estimate_prompt(system, prompt, 0)
        chosen = choose_merger(self.plan, self._snapshot, tokens, resting | failed)
        if isinstance(chosen, NoMerger):
            self._no_merger = chosen.why
            return
        row = asked_row(self.id, len(self._rows) + 1, chosen, self._snapshot.models[chosen.alias])
        self._rows.append(row)
        self._bench.recorder.put(row)
        self._bench.recency.note((chosen.alias,), now)
        turns = (Turn("system", (Text(system),)), Turn("user", (Text(prompt),)))
        await self._sit(len(self._rows) - 1, msgspec.structs.replace(self._ask, turns=turns), self._words)

    # --- telling ------------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """Nothing is told before the merger speaks."""

    def _seat_done(self, index: int) -> None:
        """The same."""

    def _tail(self) -> list[Event]:
        merger = self._merger
        if merger is not None and merger.status == SeatStatus.OK:
            return [TextDelta(merge_text.closing(merger, self._sources)), *self._merged_ending(merger)]
        if merger is None or not self._words.said:
            return self._every_answer(merge_text.unavailable(self._why_not, self.seats))
        return self._every_answer(merge_text.broke_off(self._why_not, self.seats, merger.answer))

    def _all(self) -> list[Event]:
        merger = self._merger
        if merger is None or merger.status != SeatStatus.OK:
            return self._every_answer(merge_text.unavailable(self._why_not, self.seats))
        text = merger.answer + merge_text.closing(merger, self._sources)
        return [TextDelta(text), *self._merged_ending(merger)]

    def _document(self, how: How = PLAIN) -> list[Event]:
        """The merger's document where it is one of the format, else the seats' own, as without a merger."""
        merger, output = self._merger, self._ask.output
        if merger is not None and merger.status == SeatStatus.OK and output is not None:
            text = fitting_document(output, merger)
            if text is not None:
                return [TextDelta(text), *self._merged_ending(merger)]
            return super()._document(self._fallback(f"{merger.alias} {NO_DOCUMENT}"))
        return super()._document(self._fallback(self._why_not))

    @property
    def _merger(self) -> SeatRow | None:
        """The merger's row, once one is called."""
        return self._rows[-1] if len(self._rows) > len(self.plan.seats) else None

    @property
    def _why_not(self) -> str:
        """Why the merger has no answer that counts."""
        return self._no_merger if self._merger is None else merge_text.why_not(self._merger)

    def _merged_ending(self, merger: SeatRow) -> list[Event]:
        self._count(self._sources)
        finish = Finish(merger.finish) if merger.finish else Finish.STOP
        return self._ending(How("merged", merger, answered=self._answered), finish)

    def _every_answer(self, opening: str) -> list[Event]:
        """All that a panel without a merger says, after these words."""
        text = opening + panel_text.whole(self.id, self.plan, self.seats)
        return [TextDelta(text), *self._ending(self._fallback(self._why_not))]

    def _fallback(self, note: str) -> How:
        self._count(self.seats)
        return How("all", self._merger, note, self._answered)

    def _count(self, seats: Sequence[SeatRow]) -> None:
        """How many of these seats answered, where some did not."""
        answered = merge_text.count_answers(seats)
        self._answered = answered if answered.ok < answered.of else None
