"""Shadow seats: where a collection asks for them, a share of its turns is answered once more by another model, after
the caller has its answer. The caller never waits for it and none of its tool calls is ever run; what it would have done
is recorded beside what the member did, to be judged like a seat.
"""

from __future__ import annotations

from datetime import datetime
from random import Random
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from gateway.canon.fault import RateLimited, Unavailable
from gateway.canon.kinds import Shape
from gateway.canon.redact import redact_text
from gateway.canon.reply import Reply
from gateway.engine.allowance_need import need_of_turn
from gateway.engine.call import run_call
from gateway.engine.explorers import Field, Pick, choose_explorers
from gateway.engine.fitness import read_load
from gateway.engine.moment import Moment
from gateway.engine.order import Order, Outcome
from gateway.engine.records import Proposal, Proposed, ShadowMade, Work
from gateway.engine.redis_line import script_of
from gateway.engine.route_plan import unfit
from gateway.engine.seals import without_foreign
from gateway.engine.snapshot import Caller

if TYPE_CHECKING:
    from gateway.engine.bench import Bench
    from gateway.engine.route import Opened

PURPOSE: Final = "shadow"
DAY_S: Final = 90_000  # a day, and the hour that a change of the clock adds
TEXT_CAP: Final = 100_000
# KEYS: the day's count. ARGV: cap, life. Answers 1 when one more may go.
_COUNT: Final = script_of("""
if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[1]) then return 0 end
redis.call('INCR', KEYS[1])
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
""")


class Answered(Struct, frozen=True):
    """A turn that was answered: by whom and with what."""

    opened: Opened
    alias: str
    reply: Reply


class Shadows:
    """One per process. While Redis is away each process counts its own day."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._here: dict[str, int] = {}

    def consider(self, turn: Answered) -> None:
        """Shadows the turn, or not; never waits."""
        collection = turn.opened.plan.collection
        if collection.shadow_share > 0 and self._bench.rng.random() < collection.shadow_share:
            self._bench.keep(self._shadow(turn), name=f"{turn.opened.conversation.id} shadow")

    async def _shadow(self, turn: Answered) -> None:
        bench, opened = self._bench, turn.opened
        moment = Moment(
            bench.clock().timestamp(),
            bench.recency.merged(opened.snapshot.last_work, {}),
            bench.recency.resting(opened.snapshot.cooling),
        )
        pick = choose_shadow(turn, moment, bench.rng)
        if pick is None:
            return
        try:
            caller = await bench.allowances.let_in_aside(
                opened.caller,
                bench.now(),
                lambda: need_of_turn(opened.ask, opened.plan.collection, opened.snapshot),
                bench.limits.route_turn_s,
            )
        except (RateLimited, Unavailable):
            return  # what is left of the key's budgets is for its own requests
        try:
            if await self._may_go(turn):
                await self._ask(turn, pick, caller)
        finally:
            bench.let_go(caller)

    async def _ask(self, turn: Answered, pick: Pick, caller: Caller) -> None:
        bench, opened = self._bench, turn.opened
        model, at = opened.snapshot.models[pick.alias], bench.clock()
        call = f"{opened.conversation.id}.shadow{opened.conversation.turn}"
        bench.recency.note((pick.alias,), at.timestamp())
        order = Order(
            model=model,
            ask=without_foreign(opened.ask, lambda seal: False),
            caller=caller,
            collection=opened.plan.collection.name,
            seat=call,
            seconds=bench.limits.route_turn_s,
            purpose=PURPOSE,
            retries=0,
        )
        outcome = await run_call(bench, order)
        bench.recorder.put(*records_of(turn, pick, call, outcome, model.id, at, bench.clock()))

    async def _may_go(self, turn: Answered) -> bool:
        """Counts one shadow of this collection today."""
        collection = turn.opened.plan.collection
        day = f"bench:shadow:{collection.id}:{self._bench.now():%Y%m%d}"
        told = await self._bench.pulse.call(_COUNT, [day], [collection.shadow_daily, DAY_S])
        if told is not None:
            return bool(told)
        count = self._here.get(day, 0)
        self._here = {day: count + 1} if count < collection.shadow_daily else self._here
        return count < collection.shadow_daily


def choose_shadow(turn: Answered, moment: Moment, rng: Random) -> Pick | None:
    """Whose evidence is stalest among those who could have taken the turn: other members, or models that are none."""
    opened = turn.opened
    snapshot, collection = opened.snapshot, opened.plan.collection
    ready = {alias for alias, until in moment.resting.items() if until > moment.now}
    if collection.shadow_who == "explorers":
        load = read_load(opened.ask)
        avoid = {
            alias: why
            for alias, model in snapshot.models.items()
            if (why := "rests" if alias in ready else unfit(model, opened.ask, load, opened.plan.tokens))
        }
        field = Field(snapshot.models, Shape.GENERAL, collection.members, avoid, moment.last_work, moment.now)
        picks, _ = choose_explorers(field, (), 1, rng)
        return picks[0] if picks else None
    others = [alias for alias in opened.plan.eligible if alias != turn.alias and alias not in ready]
    if not others:
        return None
    stalest = min(others, key=lambda alias: (moment.last_work.get(alias, 0.0), rng.random()))
    return Pick(stalest, f"the member of {collection.full_name} whose work is oldest")


def records_of(
    turn: Answered, pick: Pick, call: str, outcome: Outcome, language_model_id: int, at: datetime, now: datetime
) -> tuple[ShadowMade, Work]:
    """What is written down: the two proposals side by side, and a piece of work to be judged."""
    opened, fault = turn.opened, outcome.fault
    collection = opened.plan.collection
    words = fault.message if fault else ""
    shadow = ShadowMade(
        call=call,
        conversation_id=opened.conversation.id,
        number=opened.conversation.turn,
        alias=pick.alias,
        language_model_id=language_model_id,
        why=pick.why[:200],
        at=at,
        status=outcome.status,
        seconds=round(outcome.seconds, 3),
        first_token_s=outcome.first_token_s,
        finish=outcome.reply.finish or "",
        usage=outcome.reply.usage,
        error=(redact_text(words) if opened.ask.media else words)[-500:],
        proposal=proposal_of(outcome.reply),
        member=turn.alias,
        beside=proposal_of(turn.reply),
    )
    work = Work(
        call=call,
        language_model_id=language_model_id,
        collection_id=collection.id,
        collection_name=collection.name,
        kind=PURPOSE,
        shape="",
        task=opened.plan.task,
        status=outcome.status,
        at=now,
    )
    return shadow, work


def proposal_of(reply: Reply) -> Proposal:
    """What an answer says and would do."""
    calls = [Proposed(call.name, call.arguments[:TEXT_CAP]) for call in reply.calls]
    return Proposal(reply.text[:TEXT_CAP], reply.reasoning[:TEXT_CAP], calls)
