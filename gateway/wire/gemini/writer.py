"""Writes an answer to a caller: chunk by chunk, as server-sent events or as a JSON array that grows, or whole.

Every chunk is a whole document of this API. A tool call has no pieces here: it goes out as soon as its arguments and
those of the calls before it are complete, for the order of calls counts (the first of them has the signature). Counts
come with the last chunk, estimated where nobody counted. The gateway's own object is nowhere in it (see `headers`).
After the end it writes nothing.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct, field

from gateway.canon.ask import Ask, Thought, ToolCall
from gateway.canon.event import (
    ArgsDelta,
    Closed,
    Event,
    Failed,
    Note,
    Opened,
    TextDelta,
    ThoughtDelta,
    ToolOpened,
    Usage,
)
from gateway.canon.reply import Reply
from gateway.wire.base import Stamp
from gateway.wire.estimates import characters_of, estimate_usage
from gateway.wire.gemini import seal
from gateway.wire.gemini.array import ArraySplitter
from gateway.wire.gemini.ask import INCLUDE_THOUGHTS
from gateway.wire.gemini.errors import write_error
from gateway.wire.gemini.whole import (
    PartBody,
    write_answer,
    write_call,
    write_candidate,
    write_thought,
    write_whole,
)
from gateway.wire.sse import CONTENT_TYPE, frame

_NOTHING = b""
_JSON = "application/json"


class _Call(Struct):
    """A tool call whose arguments are still coming. `watch` waits for the end of the object that they are."""

    call: ToolCall
    pieces: list[str] = field(default_factory=list)
    watch: ArraySplitter = field(default_factory=ArraySplitter)
    complete: bool = False

    def add(self, piece: str) -> None:
        start = b"" if self.pieces else b"["
        self.pieces.append(piece)
        if not self.call.custom and self.watch.feed(start + piece.encode("utf-8", "replace")):
            self.complete = True

    def written(self) -> PartBody:
        return write_call(msgspec.structs.replace(self.call, arguments="".join(self.pieces)))


class GeminiWriter:
    """One reply to one caller."""

    def __init__(self, ask: Ask, stamp: Stamp) -> None:
        self._ask = ask
        self._stamp = stamp
        self._array = ask.stream_array
        self._thoughts = ask.extras.get(INCLUDE_THOUGHTS) == Raw(b"true")
        self.content_type = _JSON if self._array else CONTENT_TYPE
        self._begun = False
        self._calls: dict[int, _Call] = {}
        self._told: set[int] = set()
        self._words: dict[int, list[str]] = {}
        self._choices: set[int] = set()
        self._characters = 0
        self._usage: Usage | None = None
        self._over = False

    def feed(self, event: Event) -> bytes:
        """The bytes this event adds to the stream."""
        if self._over:
            return _NOTHING
        match event:
            case TextDelta():
                return self._text(event)
            case ThoughtDelta():
                return self._thought(event)
            case ToolOpened(part=part):
                call = ToolCall(event.call_id, event.name, "", event.custom, event.seal)
                self._calls.setdefault(part, _Call(call))
                return _NOTHING
            case ArgsDelta():
                return self._arguments(event)
            case Usage():
                self._usage = event
                return _NOTHING
            case Opened() | Note():
                return _NOTHING
            case Closed():
                return self._close(event)
            case Failed():  # pragma: no branch
                self._over = True
                return self._frame(write_error(event.fault), last=True)

    def beat(self) -> bytes:
        """A chunk with a text that is empty."""
        return _NOTHING if self._over else self._chunk([{"text": ""}])

    def whole(self, reply: Reply) -> bytes:
        """The reply as one answer."""
        usage = reply.usage or estimate_usage(self._ask, characters_of(reply))
        return write_whole(reply, self._stamp, usage=usage, thoughts=self._thoughts)

    # --- pieces -------------------------------------------------------------------------------------------------------

    def _text(self, event: TextDelta) -> bytes:
        self._characters += len(event.text)
        if event.choice:
            self._choices.add(event.choice)
        return self._chunk([{"text": event.text}], event.choice) if event.text else _NOTHING

    def _thought(self, event: ThoughtDelta) -> bytes:
        self._characters += len(event.text)
        words = self._words.setdefault(event.part, [])
        parts: list[PartBody] = []
        if event.text and words and event.seal is not None:
            write_thought(Thought(event.text), parts, thoughts=self._thoughts)
        elif event.text:
            write_thought(Thought(event.text, event.seal), parts, thoughts=self._thoughts)
        if event.text:
            words.append(event.text)
        if event.seal is not None and (len(words) > 1 or not event.text):
            # Its words have gone already; a seal of another format takes them along once more.
            told = "" if seal.open_seal(event.seal) is not None else "".join(words)
            write_thought(Thought(told, event.seal), parts, thoughts=False)
        return self._chunk(parts) if parts else _NOTHING

    def _arguments(self, event: ArgsDelta) -> bytes:
        call = self._calls.get(event.part)
        if call is None or call.complete or not event.text:
            return _NOTHING
        self._characters += len(event.text)
        call.add(event.text)
        parts = self._take_calls()
        return self._chunk(parts) if parts else _NOTHING

    def _take_calls(self, *, over: bool = False) -> list[PartBody]:
        """The calls that can be told now, in the order in which they began; all that are left when the answer is
        `over`."""
        parts: list[PartBody] = []
        for part, call in self._calls.items():
            if part in self._told:
                continue
            if not (call.complete or over):
                break
            self._told.add(part)
            parts.append(call.written())
        return parts

    def _close(self, closed: Closed) -> bytes:
        self._over = True
        parts = self._take_calls(over=True)
        candidates = [write_candidate(parts or [{"text": ""}], 0, closed)]
        candidates += [write_candidate([{"text": ""}], choice, Closed()) for choice in sorted(self._choices)]
        usage = self._usage or estimate_usage(self._ask, self._characters)
        return self._frame(write_answer(candidates, self._stamp, usage), last=True)

    def _chunk(self, parts: list[PartBody], choice: int = 0) -> bytes:
        return self._frame(write_answer([write_candidate(parts, choice)], self._stamp))

    def _frame(self, document: bytes, *, last: bool = False) -> bytes:
        if not self._array:
            return frame(document)
        start = b",\r\n" if self._begun else b"["
        self._begun = True
        return start + document + (b"]" if last else b"")
