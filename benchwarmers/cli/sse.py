"""Server-sent events out of lines. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec


class Event(NamedTuple):
    """`name` is `message` where the server gave none; `id` empty likewise."""

    name: str
    data: str
    id: str = ""

    @property
    def told(self) -> Any:
        """The document in it. Raises a msgspec.DecodeError."""
        try:
            return msgspec.json.decode(self.data)
        except RecursionError:
            raise msgspec.DecodeError("it is nested too deeply") from None


def events(lines: Iterable[str]) -> Iterator[Event]:
    """The events; comments are beats and say nothing. An event that was cut off is left out."""
    name, number = "message", ""
    data: list[str] = []
    for line in lines:
        if not line:
            if data:
                yield Event(name, "\n".join(data), number)
            name, data = "message", []
            continue
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event":
            name = value or "message"
        elif field == "data":
            data.append(value)
        elif field == "id":
            number = value
