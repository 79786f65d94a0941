"""Reads an answer of generateContent from an upstream: server-sent events, a JSON array or one document, told apart by
what comes and not by what was declared.

Text is never passed over: a piece that is not JSON or not of this API ends the answer as `Broken`. An answer is
finished once a reason for its end has come; the end is held back until the bytes end, because counts may follow.
After `Closed` or `Failed` nothing more comes out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw

from gateway.canon.event import Event, Failed, Note, Opened, TextDelta, ThoughtDelta
from gateway.canon.fault import Broken, ErrorInReply
from gateway.wire.body import given
from gateway.wire.errors import describe
from gateway.wire.gemini import seal
from gateway.wire.gemini.array import ArraySplitter
from gateway.wire.gemini.ending import Ending, blocked
from gateway.wire.gemini.errors import error_in_reply, loose
from gateway.wire.gemini.partial import PartialCall
from gateway.wire.gemini.shape import Candidate, Chunk, FunctionCall, ReplyPart
from gateway.wire.gemini.usage import Counting
from gateway.wire.intake import Intake
from gateway.wire.parts import PartTable
from gateway.wire.sound import decode_sound
from gateway.wire.sse import SseEvent

_CHUNK = msgspec.json.Decoder(Chunk)
_PART = msgspec.json.Decoder(ReplyPart)
_DONE = b"[DONE]"
_SHOWN = 200
_MOST_CHOICES = 128


class GeminiReader:
    """One answer of one upstream."""

    def __init__(self) -> None:
        self._intake = Intake()
        self._array: ArraySplitter | None = None
        self._document = False
        self._parts = PartTable()
        self._run = ("", 0)
        self._calls = 0
        self._partial: tuple[ReplyPart, FunctionCall, PartialCall] | None = None
        self._opened = Opened()
        self._seen = False
        self._over = False
        self._told: set[str] = set()
        self._ending = Ending()
        self._counting = Counting()

    def feed(self, data: bytes) -> Iterable[Event]:
        """Events that are complete with these bytes."""
        if self._over:
            return ()
        if self._array is not None:
            return self._read_elements(self._array, data)
        events = self._read_events(self._intake.feed(data))
        if not self._document and (start := self._intake.whole) is not None:
            self._document = True
            if start.startswith(b"["):
                self._array = ArraySplitter()
                return self._read_elements(self._array, start)
        return events

    def end(self) -> Iterable[Event]:
        """The upstream closed."""
        if self._over:
            return ()
        if self._array is not None:
            return list(self._end_array(self._array))
        if (whole := self._intake.whole) is not None:
            events = list(self._read(whole))
        else:
            events = self._read_events(self._intake.end())
        return [*events, *self._finish()]

    # --- framing ------------------------------------------------------------------------------------------------------

    def _read_events(self, arrived: list[SseEvent]) -> list[Event]:
        events: list[Event] = []
        for name, data in arrived:
            if data.strip() == _DONE:
                # Not of this API; some relays of it end so.
                events.extend(self._finish())
            else:
                events.extend(self._read(data, name))
            if self._over:
                break
        return events

    def _read_elements(self, array: ArraySplitter, data: bytes) -> list[Event]:
        events: list[Event] = []
        for element in array.feed(data):
            if not self._over:
                events.extend(self._read(element))
        return events

    def _end_array(self, array: ArraySplitter) -> Iterator[Event]:
        if rest := array.rest:
            yield self._fail(_broken(rest, "not all of the list are answers" if array.done else "it was cut short"))
        else:
            yield from self._finish()

    def _read(self, data: bytes, name: str = "") -> Iterable[Event]:
        try:
            chunk = decode_sound(_CHUNK, data)
        except (msgspec.DecodeError, RecursionError) as garbled:
            lines = [line for line in data.split(b"\n") if line.strip()]
            if name == "error":
                return (self._fail(error_in_reply(data.decode("utf-8", "replace"))),)
            if name or self._document or len(lines) < 2:
                told = loose(data) if isinstance(loose(data), list) else None
                return (self._fail(error_in_reply(told) if describe(told)[0] else _broken(data, garbled)),)
            # Several events without the blank lines between them.
            return self._read_events([(name, line) for line in lines])
        if chunk.error or name == "error":
            return (self._fail(error_in_reply(chunk.error or loose(data))),)
        if chunk == Chunk() and describe(loose(data))[0]:
            return (self._fail(error_in_reply(loose(data))),)
        return list(self._read_chunk(chunk))

    # --- one chunk ----------------------------------------------------------------------------------------------------

    def _read_chunk(self, chunk: Chunk) -> Iterator[Event]:
        if self._opened == Opened() and (chunk.response_id or chunk.model_version):
            self._opened = Opened(chunk.model_version or "", chunk.response_id or "")
            yield self._opened
        usage = self._counting.take(chunk.usage_metadata)
        if usage is not None:
            yield usage
        refused = blocked(chunk.prompt_feedback)
        if refused is not None:
            yield self._fail(refused)
            return
        for at, candidate in enumerate(chunk.candidates or ()):
            if not self._over:
                self._seen = True
                yield from self._read_candidate(candidate, at if candidate.index is None else candidate.index)
        if not self._over and (failure := self._ending.failure) is not None:
            yield self._fail(failure)

    def _read_candidate(self, candidate: Candidate, index: int) -> Iterator[Event]:
        for raw in (candidate.content.parts if candidate.content is not None else None) or ():
            try:
                part = _PART.decode(raw)
            except (msgspec.DecodeError, RecursionError) as garbled:
                yield self._fail(_broken(bytes(raw), garbled))
                return
            yield from self._read_part(part, raw) if not index else self._read_other(part, index)
            if self._over:
                return
        if index:
            return
        if candidate.finish_reason:
            self._ending.take(candidate)
        if given(candidate.grounding_metadata) is not None or given(candidate.citation_metadata) is not None:
            yield from self._note("The answer cites sources; the citations are not relayed.")

    # --- parts --------------------------------------------------------------------------------------------------------

    def _read_part(self, part: ReplyPart, raw: Raw) -> Iterator[Event]:
        if part.function_call is not None:
            yield from self._read_call(part, part.function_call)
        elif part.text is not None and part.thought:
            yield from self._read_thought(part.text, part.thought_signature)
        elif part.text is not None:
            yield from self._read_text(part.text, part.thought_signature)
        elif given(part.inline_data) is not None or given(part.file_data) is not None:
            yield from self._note("The answer has an image, a sound or a file, which is not relayed.")
        elif bytes(raw) != b"{}":
            # Doings of the provider's own tools, owed to it in the next request.
            yield ThoughtDelta("", self._index(), seal.seal_part(raw))

    def _read_text(self, text: str, signature: str | None) -> Iterator[Event]:
        if text:
            # What is signed is never mixed with what is not.
            yield TextDelta(text, self._index() if signature else self._index("text"))
        if signature and text:
            yield ThoughtDelta("", self._index(), seal.seal_signature(signature, on_text=True))
        elif signature:
            part = Raw(msgspec.json.encode({"text": "", "thoughtSignature": signature}))
            yield ThoughtDelta("", self._index(), seal.seal_part(part))

    def _read_thought(self, text: str, signature: str | None) -> Iterator[Event]:
        kind, _ = self._run
        if signature:
            index = self._index("thought") if not text and kind == "thought" else self._index()
            self._run = ("", 0)
            yield ThoughtDelta(text, index, seal.seal_signature(signature))
        elif text:
            yield ThoughtDelta(text, self._index("thought"))

    def _index(self, kind: str = "") -> int:
        """The part that a piece belongs to: pieces of one kind are one part until something else comes between."""
        if not kind or self._run[0] != kind:
            self._run = (kind, self._parts.take())
        return self._run[1]

    def _read_other(self, part: ReplyPart, index: int) -> Iterator[Event]:
        """Answers beside the first: their text is told under its index; anything else in them is left out, and said
        so."""
        if part.text and not part.thought and 0 < index <= _MOST_CHOICES:
            yield TextDelta(part.text, choice=index)
        elif part.text != "":
            yield from self._note("The provider sent several answers; only the first is relayed in full.")

    def _note(self, text: str) -> Iterator[Event]:
        if text not in self._told:
            self._told.add(text)
            yield Note("left_out", text)

    # --- calls --------------------------------------------------------------------------------------------------------

    def _read_call(self, part: ReplyPart, call: FunctionCall) -> Iterator[Event]:
        self._run = ("", 0)
        if self._partial is not None and not call.name:
            yield from self._go_on(call)
        elif call.will_continue or call.partial_args:
            yield from self._end_partial()
            self._partial = (part, call, PartialCall())
            yield from self._go_on(call)
        elif call.name:
            yield from self._end_partial()
            yield from self._call(part, call, bytes(call.args).decode() if given(call.args) is not None else "")

    def _go_on(self, call: FunctionCall) -> Iterator[Event]:
        assembled = self._partial[2] if self._partial is not None else PartialCall()
        try:
            for piece in call.partial_args or ():
                assembled.take(piece)
        except ValueError as odd:
            yield self._fail(Broken(f"The provider sent arguments of a tool call that cannot be put together: {odd}."))
            return
        if not call.will_continue:
            yield from self._end_partial()

    def _end_partial(self) -> Iterator[Event]:
        if self._partial is not None:
            part, call, assembled = self._partial
            self._partial = None
            yield from self._call(part, call, assembled.arguments())

    def _call(self, part: ReplyPart, call: FunctionCall, arguments: str) -> Iterator[Event]:
        """A whole call. Without an id it gets one that is the same however the bytes were cut."""
        self._calls += 1
        name = call.name or ""
        made = f"{self._opened.id}/{self._opened.model}/{self._calls}/{name}/{arguments}"
        return self._parts.piece(
            index=self._calls,
            id=call.id or "call_" + hashlib.sha256(made.encode()).hexdigest()[:24],
            name=name,
            arguments=arguments,
            seal=seal.seal_signature(part.thought_signature),
        )

    # --- the end ------------------------------------------------------------------------------------------------------

    def _finish(self) -> Iterator[Event]:
        if self._over:
            return
        if not self._seen:
            shown = self._intake.shown if self._array is None else "["
            yield self._fail(Broken(f"The provider's reply holds no answer. It begins: {shown}"))
        elif not self._ending.native:
            yield self._fail(Broken("The provider's stream broke off before the answer was finished."))
        else:
            yield from self._end_partial()
            yield from self._parts.close()
            yield from self._ending.close(calls=self._parts.calls)
            self._over = True

    def _fail(self, fault: Broken | ErrorInReply) -> Failed:
        self._over = True
        return Failed(fault)


def _broken(data: bytes, why: object) -> Broken:
    shown = data[:_SHOWN].decode("utf-8", "replace")
    return Broken(f"The provider sent what is not an answer of generateContent ({why}): {shown}", body=shown)
