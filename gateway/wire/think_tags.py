"""For members that think aloud inside their text: `<think>` at the start of an answer up to `</think>` is reasoning.

Works on events, whatever the cuts between them; a tag split over deltas is held until it is whole. A tag that is never
closed leaves everything as reasoning, which is what it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from gateway.canon.event import Closed, Event, Failed, TextDelta, ThoughtDelta

OPEN: Final = "<think>"
CLOSE: Final = "</think>"
THOUGHT_PART: Final = 1_000_000
"""A part index that no reader gives."""


class ThinkTags:
    """A filter over the events of one answer."""

    __slots__ = ("_held", "_part", "_thinking", "_trimming")

    def __init__(self) -> None:
        self._held = ""
        self._thinking: bool | None = None
        """None until the first words show whether the answer begins with a thought."""
        self._trimming = False
        """True while the blank lines after a thought are passed over."""
        self._part = 0

    def feed(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            match event:
                case TextDelta(refusal=False, choice=0):
                    self._part = event.part
                    self._held += event.text
                    yield from self._read()
                case Closed() | Failed():
                    yield from self._rest()
                    yield event
                case _:
                    yield event

    def _read(self) -> Iterator[Event]:
        if self._thinking is None:
            start = self._held.lstrip()
            if not start or (len(start) < len(OPEN) and OPEN.startswith(start)):
                return
            self._thinking = start.startswith(OPEN)
            if self._thinking:
                self._held = start[len(OPEN) :]
        if self._thinking:
            thought, tag, after = self._held.partition(CLOSE)
            if not tag:
                keep = _tail(self._held)
                thought, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
                yield from _thought(thought)
                return
            yield from _thought(thought)
            self._thinking, self._held, self._trimming = False, after, True
        if self._trimming:
            self._held = self._held.lstrip("\n")
            self._trimming = not self._held
        if self._held:
            yield TextDelta(self._held, self._part)
            self._held = ""

    def _rest(self) -> Iterator[Event]:
        if self._held:
            yield from _thought(self._held) if self._thinking else [TextDelta(self._held, self._part)]
        self._held = ""


def _thought(text: str) -> list[Event]:
    return [ThoughtDelta(text, THOUGHT_PART)] if text else []


def _tail(text: str) -> int:
    """How many characters at the end may be the beginning of the closing tag."""
    return next((size for size in range(len(CLOSE) - 1, 0, -1) if text.endswith(CLOSE[:size])), 0)
