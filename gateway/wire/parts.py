"""Where the pieces of a streamed answer belong: a provider's ids and indexes to part indexes of the canon.

The one place where tool calls are put together. A call is known by its id: a known id continues its call whatever the
index says, a new id on a used index is a new call, and a piece without an id continues the call on its index, or the
last one. A name is taken once; arguments are joined. A call is told (`ToolOpened`) as soon as its id and name are both
known, so that no caller ever sees an id change; one whose id never comes is held back and gets a made-up id at the
end.

Pure: the made-up ids come from `seed`, which the reader sets to something that is the answer's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

import msgspec
from msgspec import Raw, Struct

from gateway.canon.event import ArgsDelta, Event, Note, ToolOpened


class _Call(Struct):
    part: int
    id: str = ""
    name: str = ""
    custom: bool = False
    seal: Raw | None = None
    told: bool = False
    waiting: list[str] = []
    written: bool = False


class PartTable:
    """Part indexes of one answer, in the order in which the parts first appear."""

    __slots__ = ("_by_id", "_by_index", "_calls", "_channels", "_next", "seed")

    def __init__(self, seed: str = "") -> None:
        self.seed = seed
        self._next = 0
        self._channels: dict[str, int] = {}
        self._calls: list[_Call] = []
        self._by_id: dict[str, _Call] = {}
        self._by_index: dict[int, _Call] = {}

    def channel(self, name: str) -> int:
        """The part index of a channel that an answer has once, such as its text or its reasoning."""
        index = self._channels.get(name)
        if index is None:
            index = self._channels[name] = self.take()
        return index

    def take(self) -> int:
        """A part index of its own."""
        index = self._next
        self._next += 1
        return index

    @property
    def calls(self) -> int:
        """How many calls have been told so far."""
        return sum(call.told for call in self._calls)

    def piece(
        self,
        *,
        index: int | None = None,
        id: str = "",
        name: str = "",
        arguments: str = "",
        custom: bool = False,
        seal: Raw | None = None,
    ) -> Iterator[Event]:
        """A piece of a tool call, as the provider marked it."""
        call = self._find(index, id, name, arguments)
        call.name = call.name or name
        call.custom = call.custom or custom
        call.seal = call.seal or seal
        if id and not call.id:
            call.id = id
            self._by_id[id] = call
        if arguments:
            call.waiting.append(arguments)
        if call.id and call.name:
            yield from self._tell(call)

    def close(self) -> Iterator[Event]:
        """The answer is over: calls held back for want of an id come out, and a function called with nothing gets
        `{}`."""
        for number, call in enumerate(self._calls):
            if not call.name:
                yield Note("anomaly", "The provider began a tool call and never named the tool; the call was left out.")
                continue
            call.id = call.id or self._made_up(number)
            yield from self._tell(call)
            if not call.written and not call.custom:
                yield ArgsDelta(call.part, "{}")

    def _find(self, index: int | None, id: str, name: str, arguments: str) -> _Call:
        if id and id in self._by_id:
            call = self._by_id[id]
        else:
            found = self._by_index.get(index) if index is not None else self._last()
            if found is None or (id and found.id) or self._is_next(found, name, arguments):
                found = self._new()
            call = found
        if index is not None:
            self._by_index[index] = call
        return call

    def _last(self) -> _Call | None:
        return self._calls[-1] if self._calls else None

    def _new(self) -> _Call:
        call = _Call(self.take())
        self._calls.append(call)
        return call

    @staticmethod
    def _is_next(found: _Call, name: str, arguments: str) -> bool:
        """Some providers send whole calls with neither ids nor distinct indexes. A second name with arguments, after
        arguments that are already whole, can only be another call."""
        return bool(found.name and name and arguments) and not found.id and _is_json("".join(found.waiting))

    @staticmethod
    def _tell(call: _Call) -> Iterator[Event]:
        if not call.told:
            call.told = True
            yield ToolOpened(call.part, call.id, call.name, call.custom, call.seal)
        waiting, call.waiting = call.waiting, []
        for text in waiting:
            call.written = call.written or bool(text.strip())
            yield ArgsDelta(call.part, text)

    def _made_up(self, number: int) -> str:
        return "call_" + hashlib.sha256(f"{self.seed}/{number}".encode()).hexdigest()[:24]


def _is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError:
        return False
    return True
