"""Reads a chat completion from an upstream: streamed or whole, told apart by what comes and not by what was declared.

Text is never passed over: an event that is not JSON, is not of this API or holds a broken character ends the answer as
`Broken`. The end is held back until `[DONE]` or the end of the bytes, because usage may follow the finish. After
`Closed` or `Failed` nothing more comes out. Tags that some models think in are not looked at here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw

from gateway.canon.event import Event, Failed, Note, Opened, TextDelta, ThoughtDelta, Usage
from gateway.canon.fault import Broken, ErrorInReply
from gateway.wire.body import MISSING, join_lists
from gateway.wire.errors import broken, describe, error_in_reply
from gateway.wire.intake import Intake
from gateway.wire.loose import Json, read_loosely
from gateway.wire.openai_chat import ending, seal
from gateway.wire.openai_chat.frames import Frame, frame_of
from gateway.wire.openai_chat.shape import CallEntry, Choice, Chunk, Delta, FunctionCall, ReplyPart, plain_text
from gateway.wire.openai_chat.usage import read_usage
from gateway.wire.parts import PartTable
from gateway.wire.sound import decode_sound
from gateway.wire.sse import SseEvent

_DECODER = msgspec.json.Decoder(Chunk)
_DECODE = _DECODER.decode
_DONE = b"[DONE]"
_LEGACY_INDEX = -1
_MOST_CHOICES = 128
_LOOKS = 4
"""How often the bytes around a text are looked at: some providers change them with every event."""


class ChatReader:
    """One answer of one upstream."""

    def __init__(self) -> None:
        self._intake = Intake()
        self._parts = PartTable()
        self._opened = False
        self._over = False
        self._done = False
        self._seen_choice = False
        self._left_out = False
        self._plain_thought = False
        self._ending = ending.Ending()
        self._usage: Usage | None = None
        self._details: list[Raw] = []
        self._extra = MISSING
        self._text: int | None = None
        """The part that text goes to, once there is any."""
        self._frame: Frame | None = None
        self._looks = _LOOKS

    def feed(self, data: bytes) -> Iterable[Event]:
        """Events that are complete with these bytes."""
        return () if self._over else self._read_all(self._intake.feed(data))

    def end(self) -> Iterable[Event]:
        """The upstream closed."""
        if self._over:
            return ()
        if (whole := self._intake.whole) is not None:
            return list(self._read_whole(whole))
        events = self._read_all(self._intake.end())
        if not self._over:
            events.extend(self._finish())
        return events

    # --- framing ------------------------------------------------------------------------------------------------------

    def _read_all(self, arrived: list[SseEvent]) -> list[Event]:
        events: list[Event] = []
        for name, data in arrived:
            if not data.startswith(b"{") and data.strip() == _DONE:
                self._done = True
                events.extend(self._finish())
            else:
                self._read_event(name, data, events)
            if self._over:
                break
        return events

    def _read_event(self, name: str, data: bytes, events: list[Event]) -> None:
        if self._frame is not None and self._text is not None and not name and (text := self._frame.text_in(data)):
            events.append(TextDelta(text, self._text))
            return
        try:
            chunk = _DECODE(data) if data.isascii() else decode_sound(_DECODER, data)
        except (msgspec.DecodeError, RecursionError) as garbled:
            lines = [line for line in data.split(b"\n") if line.strip()]
            if name == "error":
                events.append(self._fail(error_in_reply(data.decode("utf-8", "replace"))))
            elif len(lines) > 1:
                # Several events without the blank lines between them.
                events.extend(self._read_all([(name, line) for line in lines]))
            else:
                events.append(self._fail(_broken(data, garbled)))
            return
        if name == "error" and not chunk.error and not chunk.choices:
            events.append(self._fail(error_in_reply(read_loosely(data))))
            return
        if self._text is not None and self._opened and not name and (text := plain_text(chunk)):
            events.append(TextDelta(text, self._text))
            if self._looks:
                self._looks -= 1
                self._frame = frame_of(data, text)
        else:
            self._read_chunk(chunk, events)

    def _read_whole(self, body: bytes) -> Iterator[Event]:
        try:
            chunk = decode_sound(_DECODER, body)
        except (msgspec.DecodeError, RecursionError) as garbled:
            message = describe(read_loosely(body))[0]
            yield self._fail(error_in_reply(read_loosely(body)) if message else _broken(body, garbled))
            return
        if not chunk.choices and not chunk.error and describe(read_loosely(body))[0]:
            yield self._fail(error_in_reply(read_loosely(body)))
            return
        for choice in chunk.choices or ():
            choice.delta = choice.message or choice.delta
        self._done = True
        events: list[Event] = []
        self._read_chunk(chunk, events)
        yield from events
        if not self._over:
            yield from self._finish()

    # --- one chunk ----------------------------------------------------------------------------------------------------

    def _read_chunk(self, chunk: Chunk, events: list[Event]) -> None:
        if not self._opened and (chunk.id or chunk.model):
            self._opened = True
            opened = Opened(chunk.model or "", str(chunk.id or ""))
            self._parts.seed = f"{opened.id}/{opened.model}"
            events.append(opened)
        entry = chunk.usage or (chunk.x_groq.usage if chunk.x_groq else None)
        if entry is not None:
            usage = read_usage(entry)
            if usage is not None and usage != self._usage:
                self._usage = usage
                events.append(usage)
        for choice in chunk.choices or ():
            self._seen_choice = True
            if choice.index:
                self._read_other_choice(choice, events)
                continue
            delta = choice.delta if choice.delta is not None else choice.message
            if delta is not None:
                self._read_delta(delta, events)
            if choice.finish_reason:
                self._ending.take(choice)
        if chunk.error:
            events.append(self._fail(error_in_reply(chunk.error)))
        elif self._ending.failed:
            events.append(self._fail(ErrorInReply(ending.ERROR_MESSAGE, provider_code=self._ending.native)))

    def _read_delta(self, delta: Delta, events: list[Event]) -> None:
        thought = delta.reasoning_content or delta.reasoning
        if thought:
            self._plain_thought = True
            events.append(ThoughtDelta(thought, self._parts.channel("thought")))
        if delta.reasoning_details is not MISSING or delta.extra_content is not MISSING:
            self._read_state(delta, events)
        content = delta.content
        if content:
            if isinstance(content, str):
                self._text = self._parts.channel("text")
                events.append(TextDelta(content, self._text))
            else:
                self._read_parts(content, events)
        if delta.refusal:
            events.append(TextDelta(delta.refusal, self._parts.channel("refusal"), refusal=True))
        if delta.tool_calls:
            for entry in delta.tool_calls:
                events.extend(self._read_call(entry))
        if delta.function_call is not None:
            events.extend(self._read_legacy_call(delta.function_call))

    def _read_state(self, delta: Delta, events: list[Event]) -> None:
        if seal.present(delta.extra_content):
            self._extra = delta.extra_content
        if not seal.present(delta.reasoning_details):
            return
        self._details.append(delta.reasoning_details)
        if not self._plain_thought:
            for entry in seal.read_details(delta.reasoning_details):
                if words := entry.text or entry.summary:
                    events.append(ThoughtDelta(words, self._parts.channel("thought")))

    def _read_parts(self, parts: list[ReplyPart | str], events: list[Event]) -> None:
        for part in parts:
            if isinstance(part, str):
                if part:
                    events.append(TextDelta(part, self._parts.channel("text")))
            elif part.thinking:
                thinking = part.thinking
                words = thinking if isinstance(thinking, str) else "".join(inner.text or "" for inner in thinking)
                if words:
                    events.append(ThoughtDelta(words, self._parts.channel("thought")))
            elif part.refusal:
                events.append(TextDelta(part.refusal, self._parts.channel("refusal"), refusal=True))
            elif part.text:
                events.append(TextDelta(part.text, self._parts.channel("text")))
            elif part.type not in ("text", "thinking", "refusal", None):
                events.append(Note("left_out", f"The answer had a part of type {part.type}, which is not relayed."))

    def _read_call(self, entry: CallEntry) -> Iterator[Event]:
        custom = entry.custom
        extra = entry.extra_content
        if custom is not None and (entry.type == "custom" or (entry.type is None and entry.function is None)):
            name, arguments, is_custom = custom.name or "", custom.input or "", True
        else:
            function = entry.function or FunctionCall()
            name, arguments, is_custom = function.name or "", write_arguments(function.arguments), False
        yield from self._parts.piece(
            index=entry.index,
            id=entry.id or "",
            name=name,
            arguments=arguments,
            custom=is_custom,
            seal=seal.make_seal(MISSING, extra) if extra is not MISSING else None,
        )

    def _read_legacy_call(self, call: FunctionCall) -> Iterator[Event]:
        if call.name or call.arguments:
            yield from self._parts.piece(
                index=_LEGACY_INDEX, name=call.name or "", arguments=write_arguments(call.arguments)
            )

    def _read_other_choice(self, choice: Choice, events: list[Event]) -> None:
        """Answers beside the first: their text is told under its index; anything else in them is left out, and said
        so."""
        delta, index = choice.delta or choice.message or Delta(), choice.index or 0
        if isinstance(delta.content, str) and delta.content and 0 < index <= _MOST_CHOICES:
            events.append(TextDelta(delta.content, choice=index))
        elif (delta.content or delta.tool_calls or delta.refusal) and not self._left_out:
            self._left_out = True
            events.append(Note("left_out", "The provider sent several answers; only the first is relayed in full."))

    # --- the end ------------------------------------------------------------------------------------------------------

    def _finish(self) -> Iterator[Event]:
        if not self._seen_choice:
            yield self._fail(Broken(f"The provider's reply holds no answer. It begins: {self._intake.shown}"))
        elif not self._done and not self._ending.native:
            yield self._fail(Broken("The provider's stream broke off before the answer was finished."))
        else:
            yield from self._close()

    def _close(self) -> Iterator[Event]:
        sealed = seal.make_seal(self._opaque_details(), self._extra)
        if sealed is not None:
            yield ThoughtDelta("", self._parts.channel("thought"), sealed)
        yield from self._parts.close()
        yield from self._ending.close(calls=self._parts.calls)
        self._over = True

    def _opaque_details(self) -> Raw:
        """All of `reasoning_details`, if any entry holds what only its maker can read; words alone need no seal."""
        if not self._details:
            return MISSING
        entries = (entry for piece in self._details for entry in seal.read_details(piece))
        opaque = any(entry.data or entry.signature or seal.present(entry.seal) for entry in entries)
        return join_lists(self._details) if opaque else MISSING

    def _fail(self, fault: Broken | ErrorInReply) -> Failed:
        self._over = True
        return Failed(fault)


def write_arguments(arguments: Json) -> str:
    """A call's arguments as text: as they are, or as JSON where a provider sent an object."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode()


def _broken(data: bytes, why: object) -> Broken:
    return broken("a chat completion", data, why)
