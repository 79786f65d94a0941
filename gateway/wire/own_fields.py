"""An object's fields that canon has no word for: found, with their path where they stand inside another object, and put
back."""

from __future__ import annotations

from collections.abc import Container, Mapping

import msgspec
from msgspec import Raw

from gateway.canon.ask import Turn

Fields = dict[str, Raw]

CALLS = "tool_calls"
"""The name among a turn's extras of its calls' own fields."""

_NOTHING = (b"", b"null", b"[]", b"{}", b'""')


def own_fields(fields: Fields, known: Container[str]) -> Fields:
    """The fields that are not known and say something."""
    return {name: raw for name, raw in fields.items() if name not in known and bytes(raw) not in _NOTHING}


def own_fields_below(fields: Fields, known: Mapping[str, Container[str]]) -> Fields:
    """The same of inner objects, by their path, such as `function.examples`. `known` says which fields are read of
    which object."""
    found: Fields = {}
    for name, read in known.items():
        raw = fields.get(name)
        if raw is not None and bytes(raw).startswith(b"{"):
            inner = own_fields(msgspec.json.decode(raw, type=Fields), read)
            found.update({f"{name}.{field}": value for field, value in inner.items()})
    return found


def pack_calls(calls: Mapping[str, Fields]) -> Fields:
    """The own fields of a turn's calls, by the id of the call, as the turn's extras."""
    return {CALLS: Raw(msgspec.json.encode(calls))} if calls else {}


def calls_of(turn: Turn) -> dict[str, Fields]:
    """What `pack_calls` has packed. A field of that name that a caller made up holds nothing of the kind."""
    packed = turn.extras.get(CALLS)
    try:
        return {} if packed is None else msgspec.json.decode(packed, type=dict[str, Fields])
    except msgspec.DecodeError:
        return {}


def put_back(entry: dict[str, object], extras: Fields) -> None:
    """Puts such fields to where their paths say."""
    for path, raw in extras.items():
        place, _, name = path.rpartition(".")
        inner = entry.get(place) if place else entry
        if isinstance(inner, dict):
            inner[name] = raw
