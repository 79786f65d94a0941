"""Conversations in route mode: who answers them, in Redis, so that every web process keeps to the same member and a
restart forgets nothing.

One round trip at the start of a turn brings the catalogue's stamp and the conversation as it stands, or makes it. A
second is needed only where the member changes. While Redis is away each process goes by what it knows.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

import msgspec
from msgspec import Struct

from collections_app.stamp import STAMP_KEY
from gateway.engine.ids import conversation_id
from gateway.engine.pulse import NUMBER_KEY, NUMBER_LIFE_S, PulseReader
from gateway.engine.redis_line import script_of

IDLE_S: Final = 3_600
"""How long a conversation may rest before its next turn begins a new one."""
MEMORY_S: Final = 86_400
"""How long is remembered whose reasoning a caller holds."""
REMEMBERED: Final = 4_096
"""Conversations that a process knows, should Redis lose them; nearly a kilobyte each."""
_KEY: Final = "bench:conversation:"
_SEALS: Final = ":seals"
# KEYS: stamp, conversation, number. ARGV: now, idle life, memory, second, life of the number, alias, order,
# maker. Answers: stamp, known (1 or 0), second, number, alias, order, answered, turn, maker.
_TAKE: Final = script_of("""
local was = redis.call('HMGET', KEYS[2], 'seen', 'maker')
local known = was[1] and tonumber(ARGV[1]) - tonumber(was[1]) <= tonumber(ARGV[2])
if not known then
  local number = redis.call('INCR', KEYS[3])
  redis.call('EXPIRE', KEYS[3], ARGV[5])
  redis.call('DEL', KEYS[2])
  redis.call('HSET', KEYS[2], 'second', ARGV[4], 'number', number, 'alias', ARGV[6], 'order', ARGV[7],
    'answered', '', 'turn', 0, 'maker', was[1] and was[2] or ARGV[8])
end
redis.call('HSET', KEYS[2], 'seen', ARGV[1])
redis.call('HINCRBY', KEYS[2], 'turn', 1)
redis.call('EXPIRE', KEYS[2], ARGV[3])
local now = redis.call('HMGET', KEYS[2], 'second', 'number', 'alias', 'order', 'answered', 'turn', 'maker')
return {redis.call('GET', KEYS[1]) or '0', known and 1 or 0, unpack(now)}
""")
# KEYS: conversation, seals. ARGV: who answered, alias, maker, memory, new seals. Answers: place of who answered among
# all that have, and 1 when it is new there; nothing when the conversation is gone.
_KEEP: Final = script_of("""
local answered = redis.call('HGET', KEYS[1], 'answered')
if not answered then return {} end
local count, place = 0, 0
for one in string.gmatch(answered, '[^\\n]+') do
  count = count + 1
  if one == ARGV[1] then place = count end
end
local new = place == 0
if new then
  place = count + 1
  answered = count == 0 and ARGV[1] or answered .. '\\n' .. ARGV[1]
end
redis.call('HSET', KEYS[1], 'answered', answered, 'alias', ARGV[2], 'maker', ARGV[3])
for at = 5, #ARGV do redis.call('SADD', KEYS[2], ARGV[at]) end
if #ARGV > 4 then redis.call('EXPIRE', KEYS[2], ARGV[4]) end
return {place, new and 1 or 0}
""")
_OWN_SEALS: Final = script_of("return redis.call('SMEMBERS', KEYS[1])")


class Conversation(Struct, frozen=True):
    """A conversation at the start of a turn.

    `known` is False for a new one. `alias` answers it, `order` is whom to try after that, `answered` all who have
    answered, in that order; `turn` counts from 1. `maker` made all the sealed reasoning that the caller may hold; empty
    when that is mixed or unknown. `seen` is epoch seconds.
    """

    known: bool
    id: str
    alias: str
    order: tuple[str, ...]
    answered: tuple[str, ...]
    turn: int
    maker: str
    seen: float


class Place(Struct, frozen=True):
    """Where a member stands among those that have answered a conversation, from 1; `new` when it had not before."""

    number: int
    new: bool


class Taken(Struct, frozen=True):
    """`stamp` is the catalogue's, None while Redis is away."""

    stamp: str | None
    conversation: Conversation


class Conversations:
    """One per process."""

    def __init__(self, pulse: PulseReader, rng: Random) -> None:
        self._pulse = pulse
        self._rng = rng
        self._here: OrderedDict[str, Conversation] = OrderedDict()
        self._seals_here: dict[str, frozenset[str]] = {}
        self._worked: OrderedDict[str, None] = OrderedDict()

    def is_news(self, call: str) -> bool:
        """Whether this process has recorded no work by this call id so far. Another may have, or have ended first: a
        member's place is kept before its work is."""
        if call in self._worked:
            return False
        self._worked[call] = None
        if len(self._worked) > REMEMBERED:
            self._worked.popitem(last=False)
        return True

    async def take(self, key: str, now: float, second: str, order: tuple[str, ...], maker: str) -> Taken:
        """The conversation under this key with one turn more; a new one goes to the first of `order`. `now` is epoch
        seconds; `maker` counts for a new one only."""
        was = self._here.get(key)
        if was is not None and now - was.seen <= IDLE_S and was.alias in order:
            # Redis may have lost what this process still knows.
            order, maker = tuple(dict.fromkeys((was.alias, *order))), was.maker
        answer = await self._pulse.call(
            _TAKE,
            [STAMP_KEY, _KEY + key, NUMBER_KEY + second],
            [repr(now), IDLE_S, MEMORY_S, second, NUMBER_LIFE_S, order[0], "\n".join(order), maker],
        )
        if answer is None:
            return Taken(None, self._take_here(key, now, second, order, maker))
        stamp, known, begun, number, alias, ordered, answered, turn, made_by = answer
        conversation = Conversation(
            known=bool(known),
            id=conversation_id(begun, int(number), self._rng),
            alias=alias,
            order=tuple(ordered.split("\n")),
            answered=tuple(one for one in answered.split("\n") if one),
            turn=int(turn),
            maker=made_by,
            seen=now,
        )
        self._remember(key, conversation)
        return Taken(stamp, conversation)

    async def keep(self, key: str, now: Conversation, who: str, seals: Mapping[str, Iterable[str]]) -> Place:
        """Writes that `who` has answered, wholly or in part, and whom the conversation goes to from now on. `seals` are
        digests of what each of these members is now known to have sealed."""
        made = sorted(f"{one} {alias}" for alias, digests in seals.items() for one in digests)
        told = [who, now.alias, now.maker, MEMORY_S, *made]
        answer = await self._pulse.call(_KEEP, [_KEY + key, _KEY + key + _SEALS], told)
        # Read only now: other turns of the conversation may have begun or ended meanwhile.
        standing = self._here.get(key, now)
        here = standing.answered
        place, new = answer or (here.index(who) + 1 if who in here else len(here) + 1, who not in here)
        turn, seen = max(now.turn, standing.turn), max(now.seen, standing.seen)
        answered = here if who in here else (*here, who)
        self._remember(key, msgspec.structs.replace(now, known=True, answered=answered, turn=turn, seen=seen))
        self._seals_here[key] = self._seals_here.get(key, frozenset()).union(made)
        return Place(int(place), bool(new))

    async def own_seals(self, key: str, alias: str) -> frozenset[str]:
        """Digests of what this member is known to have sealed in this conversation."""
        answer: list[str] | None = await self._pulse.call(_OWN_SEALS, [_KEY + key + _SEALS], [])
        known = self._seals_here.get(key, frozenset()) if answer is None else answer
        return frozenset(digest for digest, _, maker in (one.partition(" ") for one in known) if maker == alias)

    def _take_here(self, key: str, now: float, second: str, order: tuple[str, ...], maker: str) -> Conversation:
        # Read only now: another turn may have begun while Redis was asked.
        was = self._here.get(key)
        if was is not None and now - was.seen <= IDLE_S:
            conversation = msgspec.structs.replace(was, known=True, turn=was.turn + 1, seen=now)
        else:
            kept = was.maker if was is not None else maker
            number = conversation_id(second, None, self._rng)
            conversation = Conversation(False, number, order[0], order, (), 1, kept, now)
        self._remember(key, conversation)
        return conversation

    def _remember(self, key: str, conversation: Conversation) -> None:
        self._here[key] = conversation
        self._here.move_to_end(key)
        while len(self._here) > REMEMBERED:
            old, _ = self._here.popitem(last=False)
            self._seals_here.pop(old, None)
