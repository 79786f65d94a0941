"""Runs one turn in route mode: one member answers with the caller's own request; one that fails before the first piece
of its answer is replaced unseen.

Events are held back until that piece, reasoning included. After it a failure ends the turn, for what the caller has
cannot be taken back. A caller who leaves ends the upstream call.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from gateway.canon.ask import Ask
from gateway.canon.event import Closed, Event, Failed, Finish, TextDelta, ToolOpened
from gateway.canon.fault import Fault
from gateway.canon.kinds import CallStatus
from gateway.canon.reply import Reply
from gateway.engine.bell import Bell
from gateway.engine.call import run_call
from gateway.engine.conversations import Conversation, Place
from gateway.engine.order import RETRIES, Order, Outcome
from gateway.engine.pace import ASK_ANOTHER_S
from gateway.engine.records import TurnMade, Work
from gateway.engine.retry import pause_left
from gateway.engine.route_end import Tried, broke_off, empty_reply, nobody_answered
from gateway.engine.route_field import route_field
from gateway.engine.route_plan import RoutePlan
from gateway.engine.seals import LEFT_OUT, digests_of, seals_in, without_foreign
from gateway.engine.shadow import Answered
from gateway.engine.snapshot import Caller, ModelView, Snapshot

if TYPE_CHECKING:
    from gateway.engine.bench import Bench

TRIES: Final = 3
PURPOSE: Final = "route"
AHEAD: Final = 2**15
"""Bytes of an answer that may wait for its caller. Beyond them the provider has to wait."""


class Opened(Struct, frozen=True):
    """A turn that may begin: `order` is whom to ask, in that order; `resting` until when (epoch seconds) members must
    not be asked, by their providers' own word."""

    key: str
    conversation: Conversation
    order: tuple[str, ...]
    plan: RoutePlan
    ask: Ask
    caller: Caller
    snapshot: Snapshot
    resting: Mapping[str, float]


class RouteRun:
    """One turn, under way once its answer is asked for: by `batches` or by `whole`, one of them and once."""

    def __init__(self, bench: Bench, opened: Opened, grace_s: float) -> None:
        self.grace_s = grace_s
        self._bench = bench
        self._opened = opened
        self._at = bench.clock()
        self._upstream_s = 0.0
        self._alias = ""
        self._tried: list[Tried] = []
        self._held: list[Event] = []
        self._ready: list[Event] = []
        self._ahead = 0
        self._room: Bell | None = None
        self._released = False
        self._recorded = False
        self._reply: Reply | None = None
        self._news = Bell(bench.loop)
        self._task: asyncio.Task[None] | None = None

    @property
    def opened(self) -> Opened:
        """What the turn began with."""
        return self._opened

    @property
    def reply(self) -> Reply | None:
        """The answer, with its fault when it broke off; None before the end, and when nobody answered."""
        return self._reply

    @property
    def headers(self) -> dict[str, str]:
        told = {"X-Bench-Conversation": self._opened.conversation.id}
        return {**told, "X-Bench-Model": self._alias} if self._released or self._reply else told

    @property
    def _redact(self) -> bool:
        """Whether a provider's words may repeat what was attached."""
        return bool(self._opened.ask.media)

    @property
    def upstream_s(self) -> float:
        return self._upstream_s

    async def batches(self) -> AsyncIterator[Sequence[Event]]:
        """Raises the fault of a turn that nobody answered."""
        task = self._task = self._bench.keep(self._run(), name=self._opened.conversation.id)
        task.add_done_callback(self._over)
        room = self._room = Bell(self._bench.loop)
        while not task.done() or self._ready:
            await self._news.rings()
            ready, self._ready = self._ready, []
            self._ahead = 0
            room.ring()
            if ready:
                yield ready
        task.result()

    async def whole(self) -> Reply:
        """Raises the fault of a turn that failed, even when a part of the answer had come."""
        self._task = asyncio.current_task(self._bench.loop)
        try:
            await self._run()
        finally:
            self._task = None
            self._over()
        reply = self._reply
        if reply is None:  # pragma: no cover a run that ended without an answer has raised
            raise RuntimeError("a turn ended without an answer")
        if reply.fault is not None:
            raise reply.fault
        return reply

    def leave(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def began(self) -> None:
        """A member begins to answer: what an earlier attempt said is forgotten."""
        self._held.clear()

    def hear(self, events: Sequence[Event]) -> None:
        """Holds events back until the first piece of the answer; the last event is this run's own to make."""
        heard = [event for event in events if type(event) is not Closed and type(event) is not Failed]
        if not self._released:
            self._held += heard
            if not any(map(_is_piece, heard)):
                return
            self._released = True
            heard = self._held
        if heard and not self._ready:  # otherwise it was rung, and nobody has come yet
            self._news.ring()
        self._ready += heard

    def came(self, size: int) -> bool:
        """There is nothing to wait for where the caller has all that may be told, or takes the answer whole."""
        self._ahead += size
        return self._ahead > AHEAD and bool(self._ready) and self._room is not None

    async def room(self) -> None:
        """Waits until the caller has taken all that there was, or its connection is at an end."""
        if self._room is not None:
            while self._ready:  # a ring may be older than what waits
                await self._room.rings()

    def _over(self, _: object = None) -> None:
        """However it went, were it over before it began."""
        self._task = None  # it knows this turn too
        self._bench.let_go(self._opened.caller)
        self._news.ring()

    def _tell(self, *events: Event) -> None:
        self._ready.extend(events)
        self._news.ring()

    async def _run(self) -> None:
        try:
            outcome = await self._try_members()
            if outcome is not None:
                await self._finish(outcome)
                return
        except asyncio.CancelledError as left:
            if not self._recorded:
                self._record(None, CallStatus.CANCELLED)
            # Its frames hold all that had come and know this task: they would stay until a collection of garbage.
            left.__traceback__ = None
            raise
        fault = nobody_answered(self._opened.plan.collection.full_name, self._tried)
        self._record(None, CallStatus.ERROR, fault.message)
        raise fault

    async def _try_members(self) -> Outcome | None:
        """The outcome of the member that answered, were it in part; None when none did."""
        order = self._opened.order
        now = self._bench.clock().timestamp()
        rests = {alias: pause_left(self._opened.resting.get(alias, 0.0), now) for alias in order}
        # Where all of them rest the first is told so by its call, which leaves the request a row in the ledger.
        asked = [alias for alias in order if rests[alias] is None][:TRIES] or order[:1]
        for alias in order:
            model = self._opened.snapshot.models[alias]
            if alias not in asked:
                if (rest := rests[alias]) is not None:
                    self._tried.append(Tried(alias, model.connection, rest))
                continue
            if alias != asked[0]:
                self._bench.note_failover(self._opened.plan.collection.name, self._alias)
            self._alias = alias
            if rests[alias] is None:
                self._bench.recency.note((alias,), self._bench.clock().timestamp())
            outcome = await run_call(self._bench, await self._order(model, asked[asked.index(alias) + 1 :]), self, self)
            self._upstream_s += outcome.seconds
            fault = outcome.fault
            if fault is None and not _has_answer(outcome.reply):
                fault = empty_reply(outcome.reply.finish)
            if fault is None or self._released:
                return outcome
            self._tried.append(Tried(alias, model.connection, fault, self._redact))
        return None

    async def _order(self, model: ModelView, after: Sequence[str]) -> Order:
        """What is asked of a member, with those who could be asked instead."""
        opened, limits = self._opened, self._bench.limits
        elsewhere = any(opened.snapshot.models[alias].connection != model.connection for alias in after)
        ask = await self._ask_for(model.alias)
        return Order(
            model=model,
            ask=ask,
            caller=opened.caller,
            collection=opened.plan.collection.name,
            seat=self._call_of(self._known_place(model.alias) or self._next_place()),
            seconds=limits.route_turn_s,
            purpose=PURPOSE,
            retries=0 if after else RETRIES,
            first_s=limits.route_first_piece_s,
            notes=() if ask is opened.ask else (LEFT_OUT,),
            held_s=ASK_ANOTHER_S if after else math.inf,
            held_whole_s=ASK_ANOTHER_S if elsewhere else math.inf,
        )

    async def _ask_for(self, alias: str) -> Ask:
        """The caller's request, without what another member has sealed."""
        opened = self._opened
        conversation = opened.conversation
        if conversation.maker == alias or not seals_in(opened.ask):
            return opened.ask
        own: frozenset[str] = frozenset()
        if not conversation.maker:
            own = await self._bench.conversations.own_seals(opened.key, alias)
        return without_foreign(opened.ask, own.__contains__)

    def _call_of(self, place: Place) -> str:
        return f"{self._opened.conversation.id}.{place.number}"

    def _known_place(self, alias: str) -> Place | None:
        """Where a member stands that has answered this conversation before."""
        answered = self._opened.conversation.answered
        return Place(answered.index(alias) + 1, new=False) if alias in answered else None

    def _next_place(self) -> Place:
        """Where a member will stand that answers first of those that have not."""
        return Place(len(self._opened.conversation.answered) + 1, new=True)

    async def _finish(self, outcome: Outcome) -> None:
        """Keeps who answered, then tells the end: a next turn that follows at once finds it written."""
        reply = _settled(outcome.reply)
        fault: Fault | None = None
        status = outcome.status
        if outcome.fault is not None:
            fault, status = broke_off(self._alias, outcome.fault, redact=self._redact), CallStatus.ERROR
        elif not _has_answer(reply):
            fault, status = broke_off(self._alias, empty_reply(reply.finish), redact=False), CallStatus.EMPTY
        place = await (self._keep(reply) if fault is None else self._keep_broken())
        if self._record(outcome, status, fault.message if fault else "", place):  # it may be judged at once
            await self._bench.recorder.settle()
        else:
            self._bench.recorder.secure()
        if fault is not None:
            self._reply = msgspec.structs.replace(reply, fault=fault)
            self._tell(Failed(fault))
            return
        opened, call = self._opened, self._call_of(place)
        bench = route_field(opened.plan, opened.conversation, call, self._alias, self._tried, outcome.notes)
        self._reply = msgspec.structs.replace(reply, bench=bench)
        self._tell(Closed(reply.finish or Finish.STOP, reply.native, reply.sequence, bench))
        self._bench.shadows.consider(Answered(opened, self._alias, reply))

    async def _keep(self, reply: Reply) -> Place:
        """Writes who answers this conversation from now on, where that changes what the next turn starts from."""
        was, alias, opened = self._opened.conversation, self._alias, self._opened
        new = not was.known and not seals_in(opened.ask)
        maker = alias if was.maker == alias or new else ""
        seals: dict[str, list[str]] = {}
        if not maker:
            seals[alias] = list(digests_of(reply.parts))
            if was.maker:  # all that the caller holds is its work, and it may be asked again
                seals[was.maker] = [one for turn in opened.ask.turns for one in digests_of(turn.parts)]
        place = self._known_place(alias)
        if place is not None and alias == was.alias and maker == was.maker and not any(seals.values()):
            return place
        now = msgspec.structs.replace(was, alias=alias, maker=maker)
        return await self._bench.conversations.keep(opened.key, now, alias, seals)

    async def _keep_broken(self) -> Place:
        """A member that failed part way has a place, but does not become the one that the conversation goes to."""
        was = self._opened.conversation
        known = self._known_place(self._alias)
        return known or await self._bench.conversations.keep(self._opened.key, was, self._alias, {})

    def _record(self, outcome: Outcome | None, status: CallStatus, error: str = "", place: Place | None = None) -> bool:
        """Whether there is new work to be judged."""
        self._recorded = True
        opened, bench = self._opened, self._bench
        conversation, collection = opened.conversation, opened.plan.collection
        model = opened.snapshot.models.get(self._alias)
        reply = outcome.reply if outcome else Reply()
        now = bench.clock()
        answered = place is not None and model is not None
        call = self._call_of(place) if place is not None else ""
        bench.recorder.put(
            TurnMade(
                conversation_id=conversation.id,
                call=call,
                at=self._at,
                done_at=now,
                turn=conversation.turn,
                alias=self._alias if answered else "",
                language_model_id=model.id if model and answered else None,
                owner_id=opened.caller.owner_id,
                key_id=opened.caller.key_id,
                caller=opened.caller.name,
                collection_id=collection.id,
                collection_name=collection.name,
                protocol=opened.ask.protocol,
                task=opened.plan.task,
                status=status,
                seconds=round((now - self._at).total_seconds(), 3),
                first_token_s=outcome.first_token_s if outcome else None,
                tool_calls=tuple(one.name for one in reply.calls),
                finish=reply.finish or "",
                usage=reply.usage,
                tried=[{"alias": one.alias, "error": one.error[-300:]} for one in self._tried],
                error=error[-500:],
            )
        )
        if place is None or model is None or not bench.conversations.is_news(call):
            return False
        bench.recorder.put(
            Work(
                call=call,
                language_model_id=model.id,
                collection_id=collection.id,
                collection_name=collection.name,
                kind="route",
                shape="",
                task=opened.plan.task,
                status=status,
                at=now,
                again=not place.new,
            )
        )
        return True


def _is_piece(event: Event) -> bool:
    """Whether the caller has a part of the answer once it has this."""
    return type(event) is ToolOpened or (type(event) is TextDelta and bool(event.text.strip()))


def _has_answer(reply: Reply) -> bool:
    return bool(reply.text.strip() or reply.calls)


def _settled(reply: Reply) -> Reply:
    """The reply with a finish that says what it holds: providers say `stop` beside a call, and `tool use` without."""
    finish = reply.finish
    if reply.calls and finish in (None, Finish.STOP):
        finish = Finish.TOOL_USE
    elif finish is Finish.TOOL_USE and not reply.calls:
        finish = Finish.STOP
    return reply if finish is reply.finish else msgspec.structs.replace(reply, finish=finish)
