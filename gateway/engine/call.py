"""One model's answer to one request: send, read, try again where that may help, and write the ledger row.

Every call that can cost money goes through here. The deadline covers everything, waits and retries included.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Iterable, Mapping
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING, Final

import msgspec

from gateway.canon.ask import ToolCall
from gateway.canon.event import ArgsDelta, Closed, Event, Failed, TextDelta, ThoughtDelta, ToolOpened, Usage
from gateway.canon.fault import Broken, ErrorInReply, NotSent, Rejected, Silent, UpstreamFault
from gateway.canon.kinds import CallStatus
from gateway.canon.names import as_offered
from gateway.canon.reply import Fold, Reply
from gateway.canon.tokens import count_ask, estimate_length
from gateway.engine.call_row import begun, ledger_row, status_of
from gateway.engine.classify import notice_in, rejected, understand
from gateway.engine.order import Listener, Order, Outcome, Telling
from gateway.engine.pace import Want
from gateway.engine.pace_end import BROKEN_OFF, end_of
from gateway.engine.pace_estimate import estimate_of
from gateway.engine.quirks import apply_quirk, quirk_in
from gateway.engine.resting import note_rest
from gateway.engine.retry import larger_budget, pause_left, retry_wait
from gateway.engine.upstreams import Upstream, hide_secret
from gateway.wire.base import Facts
from gateway.wire.think_tags import ThinkTags

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

DRAIN_S: Final = 0.02
_PIECES: Final = frozenset({TextDelta, ThoughtDelta, ToolOpened, ArgsDelta})
_ENDS: Final = frozenset({Closed, Failed})
ESTIMATED: Final = "the call was broken off before its tokens were told; they are estimated"
SPENT_FIRST: Final = "a first answer spent its budget before a word and was asked for again; the ledger counts both"


async def run_call(
    bench: Bench, order: Order, listener: Listener | None = None, telling: Telling | None = None
) -> Outcome:
    """The outcome; never raises a Fault. A cancellation is recorded and passed on. Time that `telling` takes to make
    room does not count as the model's."""
    at = bench.clock()
    started = monotonic()
    reply: Reply | None = None
    unfinished = CallStatus.ERROR
    seconds = order.seconds if order.first_s is None else min(order.first_s, order.seconds)
    patience = asyncio.timeout_at(started + seconds + order.room_s)
    calling = _Calling(bench, order, listener, started, patience, telling, at)
    try:
        async with patience:
            reply = await calling.answer()
    except TimeoutError:
        reply = calling.late()
    except asyncio.CancelledError:
        unfinished = CallStatus.CANCELLED
        raise
    finally:
        if reply is None:  # what was sent may have cost something, even where a defect of ours ended it
            bench.note_call(ledger_row(order, calling.outcome(calling.so_far(), unfinished), at), calling.number)
    outcome = calling.outcome(reply, status_of(reply))
    bench.note_call(ledger_row(order, outcome, at), calling.number)
    note_rest(bench, order.model, outcome.fault)
    bench.hearing.answered(order.model, order.ask, outcome.reply, outcome.notes)
    return outcome


class _Calling:
    """A call under way. What has come so far is kept here, so that a deadline or a cancellation can still tell of
    it."""

    def __init__(
        self,
        bench: Bench,
        order: Order,
        listener: Listener | None,
        started: float,
        patience: asyncio.Timeout,
        telling: Telling | None,
        at: datetime,
    ) -> None:
        self.bench = bench
        self.order = order
        self.listener = listener
        self.telling = telling
        self.at = at
        self.number = 0
        self.started = started
        self.ends = started + order.seconds + order.room_s
        self.patience = patience
        self.hurried = order.first_s is not None and order.first_s < order.seconds
        """Whether there is less time to the first piece than to the whole."""
        self.upstream: Upstream | None = None
        self.attempts = 0
        self.first_token_s: float | None = None
        self.fold = Fold()
        self.notes: tuple[str, ...] = ()
        self.tags: ThinkTags | None = None
        self.spent: Reply | None = None
        """The first answer, when it spent its budget before a word and a second is made."""
        self.refusal: Reply | None = None
        """What the provider answered to the attempt before, when it was refused and is asked again."""
        self.guess: Usage | None = None
        self.held_s = 0.0
        """How long it has waited for leave to ask, or to ask again."""
        self.one_too_many = False

    async def answer(self) -> Reply:
        try:
            upstream = self.bench.catalogue.upstream_of(self.order.model)
        except NotSent as fault:
            return self.failed(fault)
        self.upstream = upstream
        if (pause := self._pause()) is not None:
            return self.failed(pause)
        reply, facts = await self._tries(upstream)
        if reply.fault is None and not reply.calls and (notice := notice_in(reply.text)) is not None:
            return msgspec.structs.replace(reply, fault=notice)
        grown = larger_budget(facts, reply) if self.order.retries else None
        if grown is None:
            return reply
        self.spent = reply
        second = await self._once(upstream, grown)
        return second if second.text or second.calls else reply

    def _pause(self) -> NotSent | None:
        """Why this model must not be asked now, by its provider's own word, whoever asks."""
        alias = self.order.model.alias
        until = self.bench.recency.barred_until(alias, self.bench.catalogue.latest.barred)
        return pause_left(until, self.bench.clock().timestamp())

    def late(self) -> Reply:
        """What the deadline leaves: an empty answer that had come stands, as does what had come of the only one, and a
        refusal until something better comes."""
        if self.spent is not None:
            return self.spent
        if self.refusal is not None and self.first_token_s is None:
            return self.refusal
        order = self.order
        if self.hurried and self.first_token_s is None and order.first_s is not None:
            return self.failed(Silent(f"nothing in {order.first_s:g} s"))
        return self.failed(Silent(f"no answer in {order.seconds:g} s"))

    def so_far(self) -> Reply:
        """What had come when the call was broken off. Its tokens are estimated where nobody told them: they were
        used."""
        reply = self.fold.reply()
        if reply.usage is not None or not self.attempts:
            return reply
        written = estimate_length(
            sum(len(part.arguments if isinstance(part, ToolCall) else part.text) for part in reply.parts)
        )
        self.notes = (*self.notes, ESTIMATED)
        self.guess = Usage(count_ask(self.order.ask), written)
        return reply

    def _paid(self) -> Usage | None:
        """The tokens of both answers, where there were two."""
        first, second = self.spent.usage if self.spent else None, self.fold.usage or self.guess
        return (first + second).bounded() if first and second else first or second

    async def _tries(self, upstream: Upstream) -> tuple[Reply, Facts]:
        facts = upstream.facts
        tried = 0
        found: list[str] = []
        before: Reply | None = None
        while True:
            reply = await self._once(upstream, facts)
            if before is not None and isinstance(reply.fault, NotSent):
                return before, facts  # what the provider said tells more than why it is not asked again
            if reply.fault is None:
                if found:
                    self.bench.learn_quirks(self.order.model, found)
                return reply, facts
            quirk = quirk_in(facts, reply.fault)
            if quirk is not None:
                facts = apply_quirk(facts, quirk)
                found.append(quirk)
                continue
            wait = retry_wait(reply.fault, tried, self.bench.rng, self.held_s)
            deadline = self.patience.when()
            left = deadline - monotonic() if deadline is not None else math.inf
            if wait is None or wait >= left or tried >= self.order.retries:
                return reply, facts
            tried, before = tried + 1, reply
            self.refusal = reply if isinstance(reply.fault, Rejected) else None
            await asyncio.sleep(wait)
            self.held_s += wait

    async def _once(self, upstream: Upstream, facts: Facts) -> Reply:
        """One request, once pacing lets it go."""
        pace, end, model, asked_at = self.bench.pace, BROKEN_OFF, self.order.model, monotonic()
        ticket = pace.at_once(model.connection, model.alias, model.kept_limits, self.ends - asked_at)
        if ticket is None:
            try:
                ticket = await pace.take(self._want(facts))
            except NotSent as fault:
                return self.failed(fault)
            self.held_s += monotonic() - asked_at
        try:
            reply = await self._send(upstream, facts)
            end = end_of(reply.usage, reply.fault, again=self.one_too_many)
            self.one_too_many = self.one_too_many or end.too_many
        finally:
            pace.settle(ticket, end)
        return reply

    def _want(self, facts: Facts) -> Want:
        order, now, deadline = self.order, monotonic(), self.patience.when()
        return Want(
            connection=order.model.connection,
            alias=order.model.alias,
            own=order.model.kept_limits,
            estimate=lambda: estimate_of(order.ask, facts),
            left_s=(self.ends if deadline is None else deadline) - now,
            call_s=self.ends - now,
            held_s=order.held_s,
            held_whole_s=order.held_whole_s,
        )

    async def _send(self, upstream: Upstream, facts: Facts) -> Reply:
        outgoing = upstream.wire.write_ask(self.order.ask, facts)
        url, headers = upstream.base + outgoing.path, {**upstream.headers, **outgoing.headers}
        if self.order.room_s and not self.attempts and not self.patience.expired():
            self.ends = monotonic() + self.order.seconds
            self.patience.reschedule(self.ends)
        if self.hurried and self.first_token_s is not None:  # of an attempt before
            self._give_the_whole_time()
        self.attempts += 1
        order = self.order
        going = begun(order, self.at, self.attempts, seat=order.seat, purpose=order.purpose)
        self.number = self.bench.recorder.begin(going, self.number)
        self.fold = Fold()
        self.notes = (*self.order.notes, *outgoing.notes)
        self.tags = ThinkTags() if upstream.thinks_in_tags else None
        if self.listener is not None:
            self.listener.began()
        try:
            async with self.bench.transport.post(
                url, headers, outgoing.body, private=upstream.private, secrets=upstream.hidden
            ) as answer:
                if not 200 <= answer.status < 300:
                    body = await answer.body_of_error()
                    message, code = upstream.wire.read_error(answer.status, body)
                    fault = rejected(answer.status, answer.headers, message, code, body, self.bench.clock())
                    self._refused(upstream, outgoing.body, fault, answer.headers, body)
                    return self.failed(fault)
                self.bench.hearing.head(self.order.model, answer.status, answer.headers)
                reader = upstream.wire.reader(content_type=answer.content_type)
                chunks = answer.chunks()
                async for chunk in chunks:
                    if self._take(reader.feed(chunk)):
                        if not answer.ended:
                            await _drain(chunks)
                        return self._came(upstream, outgoing.body)
                    if self.hurried and self.first_token_s is not None:
                        self._give_the_whole_time()
                    if self.telling is not None and self.telling.came(len(chunk)):
                        await self._held_by(self.telling)
                self._take(reader.end())
        except UpstreamFault as fault:
            # Its trace holds this frame, and with it all that had come: up to the cap for as long as the fault lives.
            return self.failed(fault.with_traceback(None))
        return self._came(upstream, outgoing.body)

    def _give_the_whole_time(self) -> None:
        """The first piece is there, and it was not all: the rest may take as long as the whole."""
        self.hurried = False
        if not self.patience.expired():
            self.patience.reschedule(self.ends)

    async def _held_by(self, telling: Telling) -> None:
        """Reads no further until there is room. The model is not at fault meanwhile, so its time stands still."""
        began, expired = monotonic(), self.patience.expired()
        if not expired:
            self.patience.reschedule(None)
        await telling.room()
        self.ends += monotonic() - began
        if not expired:
            self.patience.reschedule(self.ends)

    def _came(self, upstream: Upstream, sent: bytes) -> Reply:
        reply = self.fold.reply()
        if isinstance(reply.fault, ErrorInReply):
            understand(reply.fault)
            self._refused(upstream, sent, reply.fault, {}, b"")
        return reply

    def _refused(
        self, upstream: Upstream, sent: bytes, fault: UpstreamFault, headers: Mapping[str, str], body: bytes
    ) -> None:
        hide_secret(fault, upstream)
        self.bench.hearing.refused(self.order.model, sent, fault, headers, body)

    def _take(self, events: Iterable[Event]) -> bool:
        """Folds events in; True when one of them ends the answer."""
        came = list(events if self.tags is None else self.tags.feed(events))
        if not came:
            return False
        kinds = set(map(type, came))
        if ToolOpened in kinds:
            came = [self._as_offered(event) if type(event) is ToolOpened else event for event in came]
        if self.first_token_s is None and not _PIECES.isdisjoint(kinds):
            self.first_token_s = monotonic() - self.started
        self.fold.feed_all(came)
        if self.listener is not None:
            self.listener.hear(came)
        return not _ENDS.isdisjoint(kinds)

    def _as_offered(self, event: ToolOpened) -> ToolOpened:
        """With the tool's name as the caller wrote it."""
        name = as_offered(event.name, [tool.name for tool in self.order.ask.tools])
        return event if name == event.name else msgspec.structs.replace(event, name=name)

    def failed(self, fault: UpstreamFault) -> Reply:
        """What had come, with the fault that ended it."""
        return msgspec.structs.replace(self.fold.reply(), fault=fault)

    def outcome(self, reply: Reply, status: CallStatus) -> Outcome:
        seconds = monotonic() - self.started
        if self.upstream is not None and isinstance(reply.fault, UpstreamFault):
            hide_secret(reply.fault, self.upstream)
        told = (note.text for note in reply.notes)
        twice = () if self.spent is None else (SPENT_FIRST,)
        notes = (*self.notes, *twice, *told)
        return Outcome(reply, status, seconds, self.attempts, self.first_token_s, notes, self._paid())


async def _drain(chunks: AsyncIterator[bytes]) -> None:
    """Reads the reply's last bytes so that its connection can be used again, if they are there at once."""
    try:
        async with asyncio.timeout(DRAIN_S):
            async for _ in chunks:
                pass
    except (TimeoutError, Broken):
        return  # the connection is closed instead; the answer is whole
