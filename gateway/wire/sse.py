"""Server-sent events: bytes in any cuts to (event name, data) pairs, and back.

Assumes nothing about the data. Line ends may be LF, CRLF or CR; comments, ids and retry hints are passed over; a last
event without its blank line is given out by `end`. Never decodes text, so a character cut in two by the network is
whole again before anybody looks.
"""

from __future__ import annotations

SseEvent = tuple[str, bytes]
"""The event's name, empty when it has none, and its data; several data lines are joined by a newline."""

CONTENT_TYPE = "text/event-stream"


class SseSplitter:
    """Takes bytes as they come and gives out whole events."""

    __slots__ = ("_data", "_name", "_tail")

    def __init__(self) -> None:
        self._tail: list[bytes] = []
        self._name = ""
        self._data: list[bytes] = []

    def feed(self, data: bytes) -> list[SseEvent]:
        """The events that are complete with these bytes."""
        if b"\n" not in data and b"\r" not in data:
            # One long line in many small pieces must not be copied again for each of them.
            self._tail.append(data)
            return []
        text = b"".join([*self._tail, data]) if self._tail else data
        if b"\r" in text:
            lines = self._split_returns(text)
            events = []
        else:
            *blocks, rest = text.split(b"\n\n")
            events = self._take_blocks(blocks)
            lines = rest.split(b"\n")
        last = lines.pop()
        self._tail = [last] if last else []
        if lines:
            self._take(lines, events)
        return events

    def end(self) -> list[SseEvent]:
        """The last event, if the stream stopped short of its blank line."""
        tail = b"".join(self._tail).rstrip(b"\r")
        self._tail = []
        events: list[SseEvent] = []
        self._take([tail, b""], events)
        return events

    @staticmethod
    def _split_returns(text: bytes) -> list[bytes]:
        # A CR at the very end may be the first half of a CRLF: it waits for what follows.
        held = b"\r" if text.endswith(b"\r") else b""
        body = text[:-1] if held else text
        lines = body.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        lines[-1] += held
        return lines

    def _take_blocks(self, blocks: list[bytes]) -> list[SseEvent]:
        """Each was ended by a blank line. Nearly all are a line of data."""
        events: list[SseEvent] = []
        for block in blocks:
            if block.startswith(b"data: ") and b"\n" not in block and not self._data and not self._name:
                events.append(("", block[6:]))
            else:
                self._take([*block.split(b"\n"), b""], events)
        return events

    def _take(self, lines: list[bytes], events: list[SseEvent]) -> None:
        for line in lines:
            if not line:
                if self._data:
                    events.append((self._name, self._data[0] if len(self._data) == 1 else b"\n".join(self._data)))
                    self._data = []
                self._name = ""
            elif line.startswith(b"data:"):
                self._data.append(line[6:] if line.startswith(b"data: ") else line[5:])
            elif line.startswith(b"event:"):
                self._name = line[6:].strip().decode("utf-8", "replace")


def frame(data: bytes, name: str = "") -> bytes:
    """One event of JSON. State that a provider sent on several lines is put on one: a line break would end it."""
    if b"\n" in data or b"\r" in data:
        data = b" ".join(data.splitlines())
    head = b"event: " + name.encode() + b"\n" if name else b""
    return head + b"data: " + data + b"\n\n"
