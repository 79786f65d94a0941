"""An upstream's reply as it arrives: a stream of events or one whole JSON document, told apart by how it begins.

What was declared does not count, so that a mislabelled reply is read all the same. Never looks inside a document or an
event.
"""

from __future__ import annotations

from gateway.wire.sse import SseEvent, SseSplitter

_BOM = b"\xef\xbb\xbf"
_SHOWN = 200


class Intake:
    """Takes bytes in any cuts. A stream's events come out as they are complete; a whole document is kept in `whole`."""

    __slots__ = ("_pieces", "_sse", "_start")

    def __init__(self) -> None:
        self._start = b""
        self._sse: SseSplitter | None = None
        self._pieces: list[bytes] | None = None

    def feed(self, data: bytes) -> list[SseEvent]:
        """The events that are complete with these bytes; none while a whole document arrives."""
        if self._sse is None and self._pieces is None:
            return self._begin(data)
        if len(self._start) < _SHOWN:
            self._start = (self._start + data)[:_SHOWN]
        if self._sse is not None:
            return self._sse.feed(data)
        if self._pieces is not None:
            self._pieces.append(data)
        return []

    def end(self) -> list[SseEvent]:
        """The last event, if a stream stopped short of its blank line."""
        return self._sse.end() if self._sse is not None else []

    @property
    def whole(self) -> bytes | None:
        """The document so far; None for a stream and while nothing has come."""
        return b"".join(self._pieces) if self._pieces is not None else None

    @property
    def shown(self) -> str:
        """How the reply begins, for a message."""
        return " ".join(self._start.removeprefix(_BOM).decode("utf-8", "replace").split()) or "nothing came"

    def _begin(self, data: bytes) -> list[SseEvent]:
        self._start = (self._start + data).lstrip()
        if not self._start or _BOM.startswith(self._start):
            return []
        start = self._start.removeprefix(_BOM).lstrip()
        self._start = start[:_SHOWN]
        if not start:
            return []
        if start[:1] in b"{[":
            self._pieces = [start]
            return []
        self._sse = SseSplitter()
        return self._sse.feed(start)
