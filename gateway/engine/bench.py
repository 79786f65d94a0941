"""The runtime of one process: the connections it holds and the way in for a request. Made at start, passed down, closed
at the end; nothing in the engine is a global."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final, Protocol

from django.utils import timezone
from msgspec import Struct

from gateway.canon.fault import NotSent
from gateway.engine import recovery
from gateway.engine.admit import admit
from gateway.engine.allowances import Allowances
from gateway.engine.catalogue import Catalogue
from gateway.engine.conversations import Conversations
from gateway.engine.database import DatabaseThread
from gateway.engine.embed import EmbedAnswer, EmbedAsking, Embedders, embed
from gateway.engine.hearing import Hearing
from gateway.engine.ids import second_of
from gateway.engine.pace import Pace
from gateway.engine.pace_ledger import read_history
from gateway.engine.pace_rules import Scope
from gateway.engine.pace_windows import History
from gateway.engine.picker_memory import PickerMemory
from gateway.engine.pulse import Pulse, PulseReader
from gateway.engine.recency import Recency
from gateway.engine.recorder import Recorder
from gateway.engine.records import CallMade, GrantOver, KeyUsed, QuirkLearned
from gateway.engine.run import Asking, Run
from gateway.engine.shadow import Shadows
from gateway.engine.snapshot import Caller, ModelView, Snapshot
from gateway.engine.trail import FOLDER, Trail
from gateway.engine.trail_left import take_up
from gateway.engine.transport import Transport
from gateway.engine.upstreams import Upstream
from gateway.engine.watch import Watcher

if TYPE_CHECKING:
    from gateway.engine.panel import PanelRun

KEY_NEWS_S = 60.0

Announce = Callable[[list[str]], Awaitable[None]]


utc_now: Final[Callable[[], datetime]] = partial(datetime.now, UTC)
"""The time, without the look at the settings that Django's own takes: seats ask for it many times."""


class Limits(Protocol):
    """The settings the engine needs."""

    @property
    def home(self) -> Path: ...
    @property
    def redis_url(self) -> str: ...
    @property
    def allow_private(self) -> bool: ...
    @property
    def seat_s(self) -> float: ...
    @property
    def route_first_piece_s(self) -> float: ...
    @property
    def route_turn_s(self) -> float: ...
    @property
    def route_grace_s(self) -> float: ...


class Beginning(Struct, frozen=True):
    """The moment a request came in and what was known then."""

    now: datetime
    pulse: Pulse
    snapshot: Snapshot


class Bench:
    """Opened once per process, inside its event loop."""

    def __init__(self, limits: Limits, announce: Announce) -> None:
        self.limits = limits
        self.loop = asyncio.get_running_loop()
        self.clock: Callable[[], datetime] = utc_now
        self._zone = timezone.get_default_timezone()
        self.rng = Random()  # noqa: S311 it spreads waits and breaks ties, it guards nothing
        self.process = f"{socket.gethostname()[:50]}/{os.getpid()}"
        self.transport = Transport(allow_private=limits.allow_private)
        self.pulse = PulseReader(limits.redis_url)
        self.recency = Recency()
        self.embedders = Embedders()
        self.conversations = Conversations(self.pulse, self.rng)
        self.shadows = Shadows(self)
        self.picks = PickerMemory()
        self._announce = announce
        self._reader = DatabaseThread("bench-read")
        self._writer = DatabaseThread("bench-write")
        self.catalogue = Catalogue(self._reader)
        self.pace = Pace(
            self.pulse, self._sent, lambda: self.catalogue.latest.connection_limits, self._millis, self.note_wait
        )
        self.allowances = Allowances(self.pulse, self._reader, lambda: self.clock(), self.process)
        home, told = limits.home, self.allowances.committed
        self.recorder = Recorder(self._writer, home / "unwritten.jsonl", self._tell, told, Trail(home / FOLDER))
        self.hearing = Hearing(self.catalogue, self.recorder, self.pace, lambda: self.clock())
        self.watchers: list[Watcher] = []
        self.runs: dict[str, PanelRun] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._key_told: dict[int, datetime] = {}

    @classmethod
    async def open(cls, limits: Limits, announce: Announce) -> Bench:
        """A bench that is ready: what dead processes left is written, and panels that they left open are closed."""
        bench, ready = cls(limits, announce), False
        try:
            await bench._writer.run(lambda: take_up(limits.home / FOLDER))
            await bench._writer.run(lambda: recovery.close_lost_panels(bench.process, bench.clock()))
            await bench.catalogue.current(await bench.pulse.read_stamp())
            ready = True
        finally:
            if not ready:
                await bench.close()
        return bench

    async def finish(self, seconds: float) -> None:
        """Waits for what still runs, and for what follows from it, so long at most."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self._tasks:
                    await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Stops what still runs, as interrupted, and writes what is left. The server has given callers their time."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.hearing.flush()
        await self.recorder.close()
        await self.allowances.close()
        await self.transport.close()
        await self.pulse.close()
        await self._reader.close()
        await self._writer.close()

    def keep(self, work: Coroutine[Any, Any, None], name: str) -> asyncio.Task[None]:
        """Runs work that outlives its request."""
        task = self.loop.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _sent(self, scope: Scope, now: int) -> History:
        """What the ledger knows of a scope, with all that this process has written down so far."""
        await self.recorder.settle()
        return await self._reader.run(lambda: read_history(scope, now))

    def _millis(self) -> int:
        return int(self.clock().timestamp() * 1000)

    def now(self) -> datetime:
        """The time in the server's own zone, by which ids are made."""
        return self.clock().astimezone(self._zone)

    async def begin(self) -> Beginning:
        """What a request starts from, in one round trip to Redis."""
        now = self.now()
        pulse = await self.pulse.read(second_of(now))
        if pulse.limited:
            self.pace.hear(pulse.limited)
        return Beginning(now, pulse, await self.catalogue.current(pulse.stamp))

    def glance(self) -> Snapshot:
        """What this process knows without asking anybody."""
        return self.catalogue.latest

    async def open_run(self, asking: Asking) -> Run:
        """The work that a request asks for, under way. Raises the fault that refuses it."""
        return await admit(self, asking)

    def stop(self, panel: str) -> bool:
        """Ends a panel that runs in this process, by the wish of whoever asked it; False when none does."""
        run = self.runs.get(panel)
        if run is not None:
            run.stop()
        return run is not None

    async def embed(self, asking: EmbedAsking) -> EmbedAnswer:
        """The vectors that a request asks for. Raises the fault that refuses it or ended it."""
        return await embed(self, asking)

    def learn_quirks(self, model: ModelView, quirks: list[str]) -> None:
        """Keeps what a model's dialect was found to need, so that no later call pays for it."""
        self.catalogue.learn_quirks(model, quirks)
        self.recorder.put(QuirkLearned(model.id, tuple(quirks), self.clock()))

    def upstream_if_known(self, model: ModelView) -> Upstream | None:
        """How this model is called, or None when it cannot be, which is told where it is called."""
        try:
            return self.catalogue.upstream_of(model)
        except NotSent:
            return None

    def note_call(self, call: CallMade, number: int = 0) -> None:
        """Writes an upstream call into the ledger, and tells whoever watches. `number` as the recorder gave it when the
        call went out."""
        self.recorder.put(call)
        self.recorder.end(number)
        for watcher in self.watchers:
            watcher.called(call)

    def note_failover(self, collection: str, alias: str) -> None:
        """Tells whoever watches that another member is asked instead of this one."""
        for watcher in self.watchers:
            watcher.failed_over(collection, alias)

    def note_wait(self, connection: str, seconds: float) -> None:
        """Tells whoever watches that a call had to wait for room."""
        for watcher in self.watchers:
            watcher.waited(connection, seconds)

    def let_go(self, caller: Caller) -> None:
        """The caller's request makes no more calls: what is left of its reservation ends once its rows are written."""
        if caller.key_id is not None and caller.drawn_on:
            self.recorder.put(GrantOver(caller.key_id, caller.drawn_on))

    def note_use(self, caller: Caller, now: datetime) -> None:
        """A key's last use, written at most once a minute."""
        if caller.key_id is None:
            return
        told = self._key_told.get(caller.key_id)
        if told is None or (now - told).total_seconds() >= KEY_NEWS_S:
            self._key_told[caller.key_id] = now
            self.recorder.put(KeyUsed(caller.key_id, now))

    async def _tell(self, topics: set[str]) -> None:
        await self.pulse.tell_seated(self.recency.take_untold())
        if topics:
            kinds = {f"{topic.partition(':')[0]}s" for topic in topics}
            await self._announce([*sorted(kinds), *sorted(topics)])
