"""JSON lines: bytes in any cuts to whole lines, and back.

Assumes nothing about what a line holds. Lines may end in LF or CRLF; blank ones are passed over; a last line without
its end is given out by `end`. Never decodes text, so a character cut in two by the network is whole again before
anybody looks.
"""

from __future__ import annotations

CONTENT_TYPE = "application/x-ndjson"


class LineSplitter:
    """Takes bytes as they come and gives out whole lines, without the white space around them."""

    def __init__(self) -> None:
        self._tail: list[bytes] = []

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete with these bytes."""
        if b"\n" not in data:
            # One long line in many small pieces must not be copied again for each of them.
            self._tail.append(data)
            return []
        lines = b"".join([*self._tail, data]).split(b"\n")
        self._tail = [lines.pop()]
        return [line for piece in lines if (line := piece.strip())]

    def end(self) -> list[bytes]:
        """The last line, if the stream stopped short of its end."""
        last = b"".join(self._tail).strip()
        self._tail = []
        return [last] if last else []


def frame(data: bytes) -> bytes:
    """One line. `data` must hold no line break, as compact JSON never does."""
    return data + b"\n"
