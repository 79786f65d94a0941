"""Brings records to the database in groups: one writer per process, which takes whatever has gathered while it wrote
the last group. So a lone record is written at once and a thousand a second cost a few transactions.

Nothing is lost in silence. A busy or absent database is tried again until it takes the group; a record that the
database refuses (a model deleted meanwhile) is written without the references that are gone, and if even that
fails it is appended to `unwritten.jsonl` in the data folder and logged.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import msgspec
from django.db import DatabaseError, InterfaceError, OperationalError

from gateway.engine.batch import write_records
from gateway.engine.batch_spend import Spent
from gateway.engine.database import DatabaseThread
from gateway.engine.records import (
    CallBegun,
    CallMade,
    GrantOver,
    KeyUsed,
    Learned,
    PanelClosed,
    PanelOpened,
    QuirkLearned,
    QuotaTold,
    Record,
    Rest,
    SeatRow,
    ShadowMade,
    TurnMade,
    Work,
)
from gateway.engine.references import without_missing
from gateway.engine.trail import Trail
from gateway.engine.trail_lines import LASTING, line_of

GROUP: Final = 2_000
RETRY_S: Final = 0.25
SETTLE_S: Final = 2.0
NEWS_S: Final = 0.2
GATHER_S: Final = 0.02
"""How long records gather while nobody waits for them: a transaction for each turn would cost more than the turn."""
# What no repetition mends: a row that is gone, a value the database cannot hold.
UNWRITABLE: Final = (DatabaseError, ValueError, TypeError, OverflowError)
log = logging.getLogger(__name__)

Tell = Callable[[set[str]], Awaitable[None]]
Committed = Callable[[list[Record], list[Spent]], None]


def _nobody(records: list[Record], spent: list[Spent]) -> None:
    """Nobody wants to know what is committed."""


class Recorder:
    """`tell` hears of what there are new rows, as topics (`panel:<id>`, `conversation:<id>`), at most five times a
    second. `committed` hears of each group once it is in the database or given up, with what keys have spent then; it
    must not wait."""

    def __init__(
        self,
        writer: DatabaseThread,
        spill: Path,
        tell: Tell,
        committed: Committed = _nobody,
        trail: Trail | None = None,
    ) -> None:
        self._writer = writer
        self._spill = spill
        self._tell = tell
        self._committed = committed
        self._trail = trail
        self._secured = 0
        self._group: list[Record] = []
        self._waiting: list[Record] = []
        self._taken = 0
        self._written = 0
        self._since = 0.0
        self._settling: list[tuple[int, asyncio.Future[None]]] = []
        self._touched: set[str] = set()
        self._wake = asyncio.Event()
        self._hurry = asyncio.Event()
        self._news = asyncio.Event()
        self._closing = False
        self._writing = asyncio.create_task(self._write_on(), name="recorder")
        self._telling = asyncio.create_task(self._tell_on(), name="recorder-news")

    def put(self, *records: Record) -> None:
        """Takes records without waiting."""
        if self._written >= self._taken:
            self._since = time.monotonic()
        self._waiting.extend(records)
        self._taken += len(records)
        self._wake.set()

    def begin(self, call: CallBegun, before: int = 0) -> int:
        """A call goes out: should the process end before it does, the ledger will have a row all the same. Its number;
        `before` is that of an earlier attempt, which this one replaces."""
        if self._trail is None:
            return 0
        self._trail.until(before, 0)
        return self._trail.note(line_of(call))

    def end(self, number: int) -> None:
        """The call of this number is over, and its row was put."""
        if self._trail is not None:
            self._trail.until(number, self._taken)

    def secure(self) -> None:
        """What was put so far outlives the process from now on, wherever the database is. Costs a copy of what is not
        written yet: for an answer that is told before its rows are written."""
        new = self._taken - max(self._secured, self._written)
        if self._trail is None or new <= 0:
            return
        pending = self._waiting if new <= len(self._waiting) else self._group + self._waiting
        lines = [line_of(record) for record in pending[-new:] if isinstance(record, LASTING)]
        if lines:
            self._trail.note(b"\n".join(lines), self._taken)
        self._secured = self._taken

    @property
    def waiting(self) -> int:
        """How many records are not in the database yet."""
        return self._taken - self._written

    @property
    def lag_s(self) -> float:
        """How long the oldest of them has waited, to within the time of one group."""
        return time.monotonic() - self._since if self.waiting else 0.0

    async def settle(self) -> None:
        """Waits until what was put before is in the database, or at most two seconds: a busy disk does not hold an
        answer for longer, and the record is written later all the same, were it by another process."""
        if self._written >= self._taken:
            return
        settled = asyncio.get_running_loop().create_future()
        self._settling.append((self._taken, settled))
        self._hurry.set()
        try:
            async with asyncio.timeout(SETTLE_S):
                await settled
        except TimeoutError:
            self.secure()
            log.warning("the database is slow: %d records are waiting", self._taken - self._written)

    async def close(self) -> None:
        """Writes everything that is waiting, then ends."""
        self._closing = True
        self._wake.set()
        self._hurry.set()
        await self._writing
        self._telling.cancel()
        await asyncio.gather(self._telling, return_exceptions=True)
        if self._trail is not None:
            self._trail.close()

    async def _write_on(self) -> None:
        while self._waiting or not self._closing:
            await self._wake.wait()
            await self._gather()
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            self._group = group
            if not self._waiting and not self._closing:
                self._wake.clear()
            if group:
                taken_at = time.monotonic()
                await self._write(group)
                self._since = taken_at
                self._written += len(group)
                self._group = []
                if self._trail is not None:
                    self._trail.written = self._written
                self._release()
                self._touched |= _topics_of(group)
                self._news.set()

    async def _gather(self) -> None:
        """Waits a moment for more, unless somebody waits for what is there."""
        if not self._settling:
            self._hurry.clear()
        if not self._hurry.is_set() and not self._closing:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GATHER_S):
                    await self._hurry.wait()

    def _release(self) -> None:
        for count, settled in self._settling:
            if count <= self._written and not settled.done():
                settled.set_result(None)
        self._settling = [one for one in self._settling if not one[1].done()]

    async def _tell_on(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            touched, self._touched = self._touched, set()
            for error in await asyncio.gather(self._tell(touched), return_exceptions=True):
                if isinstance(error, Exception):
                    log.warning("nobody was told of new rows (%s)", error)
            await asyncio.sleep(NEWS_S)

    async def _write(self, group: list[Record]) -> None:
        try:
            await self._write_patiently(group)
        except UNWRITABLE:
            for record in group:
                await self._write_one(record)

    async def _write_one(self, record: Record) -> None:
        try:
            await self._write_patiently([record])
        except UNWRITABLE:
            try:
                await self._write_patiently([await self._writer.run(lambda: without_missing(record))])
            except (*UNWRITABLE, InterfaceError) as error:
                self._spill_out([record], error)

    async def _write_patiently(self, group: list[Record]) -> None:
        """Tries until the database takes the group or refuses it. On closing, an absent database ends in the spill."""
        while True:
            try:
                spent = await self._writer.run(lambda: write_records(group))
                self._committed(group, spent)
                return
            except (OperationalError, InterfaceError) as error:
                if self._closing:
                    self._spill_out(group, error)
                    return
                log.warning("the database does not take records (%s); trying again", error)
                await asyncio.sleep(RETRY_S)

    def _spill_out(self, records: list[Record], error: BaseException) -> None:
        self._committed(records, [])
        records = [record for record in records if not isinstance(record, GrantOver)]
        with open(self._spill, "ab", opener=_for_the_owner) as spill:
            for record in records:
                # With escapes, so that even a text that is not Unicode can be kept.
                spill.write(json.dumps({type(record).__name__: msgspec.to_builtins(record)}).encode() + b"\n")
        log.error("%d records could not be written (%s) and are kept in %s", len(records), error, self._spill)


def _for_the_owner(path: str, flags: int) -> int:
    """The spill holds prompts and answers: nobody else on the machine may read it."""
    return os.open(path, flags, 0o600)


def _topics_of(group: list[Record]) -> set[str]:
    topics: set[str] = set()
    for record in group:
        match record:
            case PanelOpened(id=panel) | PanelClosed(id=panel):
                topics.add(f"panel:{panel}")
            case SeatRow(panel_id=panel):
                topics.add(f"panel:{panel}")
            case TurnMade(conversation_id=conversation) | ShadowMade(conversation_id=conversation):
                topics.add(f"conversation:{conversation}")
            case Work() | CallMade() | Rest() | QuirkLearned() | Learned() | QuotaTold() | KeyUsed() | GrantOver():
                continue
    return topics
