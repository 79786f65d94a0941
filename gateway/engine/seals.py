"""Whose sealed reasoning goes to whom: pure. A seal (a signature, encrypted content) goes back byte for byte to the
member that made it and to no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Raw

from gateway.canon.ask import Ask, Part, Text, Thought, ToolCall, Turn

_OWN_BYTES = frozenset({"content", "parts"})
"""The extras in which protocols keep a turn's own bytes, seals included."""
LEFT_OUT = "earlier reasoning was left out: it belongs to the model that made it"


def digest(seal: Raw) -> str:
    """A short name for a seal, the same after any trip through a caller: clients write JSON anew, in another order and
    without what is null, but leave alone the one long text that matters."""
    try:
        held = msgspec.json.decode(seal)
    except msgspec.MsgspecError:
        return _name(bytes(seal))
    longest = max(_texts(held), key=lambda text: (len(text), text), default="")
    return _name(longest.encode() if longest else msgspec.json.encode(held, order="deterministic"))


def _name(data: bytes) -> str:
    return sha256(data).hexdigest()[:24]


def _texts(held: Any) -> Iterator[str]:
    """Every text in a value, names of fields aside."""
    waiting = [held]
    while waiting:
        match waiting.pop():
            case str() as text:
                yield text
            case dict() as fields:
                waiting.extend(fields.values())
            case list() as items:
                waiting.extend(items)
            case _:
                continue


def seals_in(ask: Ask) -> bool:
    """True when the caller holds sealed reasoning of some member."""
    for turn in ask.turns:
        for part in turn.parts:
            if type(part) is not Text and _seal_of(part) is not None:
                return True
    return False


def digests_of(parts: Iterable[object]) -> Iterator[str]:
    """The names of all the seals in an answer."""
    for part in parts:
        seal = _seal_of(part)
        if seal is not None:
            yield digest(seal)


def without_foreign(ask: Ask, own: Callable[[str], bool]) -> Ask:
    """The request without the seals that are not `own`, which is asked for the digest of each. Sealed thoughts go, for
    their text means nothing to another member, and with them a turn that held nothing else; calls stay and lose their
    seal."""
    kept = ((turn, _turn(turn, own)) for turn in ask.turns)
    turns = tuple(now for was, now in kept if now.parts or not was.parts)
    return ask if turns == ask.turns else msgspec.structs.replace(ask, turns=turns)


def _turn(turn: Turn, own: Callable[[str], bool]) -> Turn:
    foreign = [part for part in turn.parts if (seal := _seal_of(part)) is not None and not own(digest(seal))]
    if not foreign:
        return turn
    parts: list[Part] = []
    for part in turn.parts:
        if part not in foreign:
            parts.append(part)
        elif isinstance(part, ToolCall):
            parts.append(msgspec.structs.replace(part, seal=None))
    extras = {name: raw for name, raw in turn.extras.items() if name not in _OWN_BYTES}
    return msgspec.structs.replace(turn, parts=tuple(parts), extras=extras)


def _seal_of(part: object) -> Raw | None:
    return part.seal if isinstance(part, Thought | ToolCall) else None
