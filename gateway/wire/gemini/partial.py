"""A function call whose arguments come value by value, each at a path such as `$.places[0].name`.

Texts may come in pieces, which are joined. What a path of an unknown form brings is refused, not guessed at.
"""

from __future__ import annotations

import re

import msgspec

from gateway.wire.gemini.shape import PartialArg

_STEP = re.compile(r"\.(?P<name>[^.\[\]]+)|\[(?P<index>\d{1,4})\]|\[['\"](?P<quoted>[^'\"]*)['\"]\]")


class PartialCall:
    """The arguments so far."""

    def __init__(self) -> None:
        self._root: dict[str, object] = {"$": {}}

    def take(self, piece: PartialArg) -> None:
        """A value, or a piece of a text. Raises ValueError for a path of an unknown form."""
        place: dict[str, object] | list[object] = self._root
        key: str | int = "$"
        for step in _steps(piece.json_path):
            inner = _at(place, key)
            if not isinstance(inner, dict | list):
                inner = _empty(step)
                _put(place, key, inner)
            place, key = inner, step
        value: object = piece.bool_value if piece.bool_value is not None else piece.number_value
        if piece.string_value is not None:
            before = _at(place, key)
            value = (before if isinstance(before, str) else "") + piece.string_value
        _put(place, key, value)

    def arguments(self) -> str:
        """All of it, as JSON."""
        return msgspec.json.encode(self._root["$"]).decode()


def _steps(path: str) -> list[str | int]:
    rest = path.removeprefix("$")
    found = list(_STEP.finditer(rest))
    if "".join(step[0] for step in found) != rest:
        raise ValueError(f"the path {path} is of an unknown form")
    return [int(step["index"]) if step["index"] else step["name"] or step["quoted"] or "" for step in found]


def _empty(step: str | int) -> dict[str, object] | list[object]:
    """What a value at this step is put into."""
    return [] if isinstance(step, int) else {}


def _at(place: dict[str, object] | list[object], key: str | int) -> object:
    if isinstance(place, dict):
        return place.get(str(key))
    return place[key] if isinstance(key, int) and key < len(place) else None


def _put(place: dict[str, object] | list[object], key: str | int, value: object) -> None:
    if isinstance(place, dict):
        place[str(key)] = value
        return
    if not isinstance(key, int):
        raise ValueError("a list has no fields")
    place.extend([None] * (key + 1 - len(place)))
    place[key] = value
