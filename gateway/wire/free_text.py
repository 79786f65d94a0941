"""Free-text tools (`custom`) for members that know functions only: sent as a function with one text, and undone in the
answer.

A caller that offered a free-text tool gets the text itself, never the JSON around it, and gets it as it streams. Works
on the canon, so that every writer can use it whatever the member spoke.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from gateway.canon.ask import Tool, ToolCall
from gateway.canon.event import ArgsDelta, Closed, Event, Failed, ToolOpened

FIELD = "input"
PARAMETERS = Raw(
    b'{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}'
)

_START = re.compile(r'\s*\{\s*"input"\s*:\s*"')
_LONGEST_START = 64
_PIECE = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_OPEN_PAIR = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}\Z")
_NO_NAMES: frozenset[str] = frozenset()


def as_function(tool: Tool) -> Tool:
    """The function that stands for a free-text tool. The grammar goes into the description."""
    lines = [tool.description, f"Put the whole text into `{FIELD}`, as it is, without JSON inside."]
    if tool.grammar is not None:
        lines.append(f"The text must fit this grammar: {bytes(tool.grammar).decode('utf-8', 'replace')}")
    return replace(
        tool,
        kind="function",
        grammar=None,
        parameters=PARAMETERS,
        description="\n\n".join(line for line in lines if line),
    )


def wrap(text: str) -> str:
    """The arguments of that function for a free text."""
    return msgspec.json.encode({FIELD: text}).decode()


def unwrap(arguments: str) -> str:
    """The free text in the arguments a model wrote; a model that wrote no such object meant the text itself."""
    try:
        found = json.loads(arguments, strict=False)
    except (ValueError, RecursionError):
        return arguments
    if not isinstance(found, dict):
        return arguments
    values = [found[FIELD]] if FIELD in found else list(found.values())
    return _sound(values[0]) if len(values) == 1 and isinstance(values[0], str) else "" if not found else arguments


def unwrap_call(call: ToolCall, free: frozenset[str]) -> ToolCall:
    """A whole call with its free text, where its name is one of `free`."""
    if call.custom or call.name not in free:
        return call
    return replace(call, arguments=unwrap(call.arguments), custom=True)


def names_of(tools: Iterable[Tool]) -> frozenset[str]:
    """The names of the free-text tools among `tools`."""
    names = [tool.name for tool in tools if tool.kind == "custom"]
    return frozenset(names) if names else _NO_NAMES


class Unwrapping:
    """Events of a member that knew functions only, as the caller of free-text tools expects them."""

    __slots__ = ("_free", "_texts")

    def __init__(self, free: frozenset[str]) -> None:
        self._free = free
        self._texts: dict[int, _Text] = {}

    def feed(self, event: Event) -> Iterator[Event]:
        """The same event, or what it amounts to."""
        match event:
            case ToolOpened(part=part, name=name, custom=False) if name in self._free:
                self._texts.setdefault(part, _Text())
                yield replace(event, custom=True)
            case ArgsDelta(part=part, text=text) if part in self._texts:
                if piece := self._texts[part].feed(text):
                    yield ArgsDelta(part, piece)
            case Closed() | Failed():
                for part, text_of_part in self._texts.items():
                    if rest := text_of_part.end():
                        yield ArgsDelta(part, rest)
                yield event
            case _:
                yield event


class _Text:
    """The text inside `{"input": "..."}`, as it arrives."""

    def __init__(self) -> None:
        self._held = ""
        self._inside = False
        self._over = False
        self._odd: list[str] | None = None

    def feed(self, piece: str) -> str:
        if self._over:
            return ""
        if self._odd is not None:
            self._odd.append(piece)
            return ""
        self._held += piece
        if not self._inside:
            start = _START.match(self._held)
            if start is None:
                if len(self._held) > _LONGEST_START:
                    self._odd = [self._held]
                return ""
            self._inside = True
            self._held = self._held[start.end() :]
        return self._take()

    def end(self) -> str:
        """What is left when nothing more comes."""
        if self._inside:
            return "" if self._over else self._held
        return unwrap("".join(self._odd) if self._odd is not None else self._held)

    def _take(self) -> str:
        found = _PIECE.match(self._held)
        ready = found[0] if found is not None else ""
        rest = self._held[len(ready) :]
        if rest.startswith('"'):
            self._over = True
        elif half := _OPEN_PAIR.search(ready):
            ready, rest = ready[: half.start()], half[0] + rest
        self._held = rest
        return _sound(json.loads(f'"{ready}"', strict=False)) if ready else ""


def _sound(text: str) -> str:
    """Without halves of characters, which no encoding can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
