"""Records as lines of the trail, and back: pure. `NAME JSON`, without a line break."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from gateway.engine.records import (
    CallBegun,
    CallMade,
    PanelClosed,
    PanelOpened,
    Record,
    SeatRow,
    ShadowMade,
    TurnMade,
    Work,
)

LASTING: Final = (CallMade, TurnMade, SeatRow, Work, PanelOpened, PanelClosed, ShadowMade)
"""What must not be lost. The rest is learned again by itself."""
_KINDS: Final[dict[str, Any]] = {kind.__name__: kind for kind in (*LASTING, CallBegun)}
_NAMES: Final[dict[Any, bytes]] = {kind: name.encode() + b" " for name, kind in _KINDS.items()}
_encode: Final = msgspec.json.Encoder().encode


def line_of(record: Record | CallBegun) -> bytes:
    """The record as a line."""
    try:
        return _NAMES[type(record)] + _encode(record)
    except UnicodeEncodeError:  # a text may hold half a character, which no file of text does
        plain = msgspec.to_builtins(record)
        return _NAMES[type(record)] + _encode(_whole(plain))


def read_lines(data: bytes) -> Iterator[Record | CallBegun]:
    """What a trail holds. A last line that was cut by the end of its process was never acknowledged; one of a version
    that knew other records is passed over as well."""
    written, _, _ = data.partition(b"\0")
    for line in written.split(b"\n"):
        name, _, document = line.partition(b" ")
        if (kind := _KINDS.get(name.decode("ascii", "replace"))) is None:
            continue
        try:
            yield msgspec.json.decode(document, type=kind)
        except msgspec.DecodeError:
            continue


def begun_alone(records: Iterable[Record | CallBegun]) -> Iterator[CallBegun]:
    """Calls that were begun and of whose end nothing stands here, each as it was last attempted."""
    begun: dict[tuple[object, ...], CallBegun] = {}
    ended = set()
    for record in records:
        match record:
            case CallBegun():
                begun[key_of(record)] = record
            case CallMade():
                ended.add(key_of(record))
            case _:
                continue
    return (call for key, call in begun.items() if key not in ended)


def key_of(call: CallMade | CallBegun) -> tuple[object, ...]:
    """By which a call is known again."""
    return call.at, call.request, call.alias, call.seat


def _whole(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "replace").decode()
        case dict():
            return {name: _whole(one) for name, one in value.items()}
        case list() | tuple():
            return [_whole(one) for one in value]
        case _:
            return value
