"""Reads a message from an upstream: streamed or whole, told apart by what comes and not by what was declared.

Text is never passed over: an event that is not JSON or not of this API, or a second message inside the first, ends the
answer as `Broken`. An answer is finished by `message_stop` alone; after `Closed` or `Failed` nothing more comes out.
Events of an unknown type are no answer and are ignored, as the API asks of its clients.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw, Struct, field

from gateway.canon.event import Event, Failed, Note, Opened, TextDelta, ThoughtDelta
from gateway.canon.fault import Broken, ErrorInReply
from gateway.wire.anthropic import seal
from gateway.wire.anthropic.ending import Ending
from gateway.wire.anthropic.shape import Delta, Fields, Frame, Reply, ReplyBlock
from gateway.wire.anthropic.usage import Counting
from gateway.wire.body import MISSING, given
from gateway.wire.errors import broken, describe, error_in_reply
from gateway.wire.intake import Intake
from gateway.wire.loose import read_loosely
from gateway.wire.parts import PartTable
from gateway.wire.sound import decode_sound
from gateway.wire.sse import SseEvent

_FRAME = msgspec.json.Decoder(Frame)
_BLOCK = msgspec.json.Decoder(ReplyBlock)
_FIELDS = msgspec.json.Decoder(Fields)
_WHOLE = msgspec.json.Decoder(Reply)
_DONE = b"[DONE]"
_CALL_FIELDS = frozenset({"type", "id", "name", "input"})
_NO_INPUT = (b"", b"null", b"{}")


class _Block(Struct):
    """A block under way. `part` is its index in the canon, for a call in the table of calls."""

    kind: str
    part: int
    fields: Fields
    words: bool = False
    json: list[str] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)


class MessageReader:
    """One answer of one upstream."""

    def __init__(self) -> None:
        self._intake = Intake()
        self._parts = PartTable()
        self._blocks: dict[int, _Block] = {}
        self._begun = 0
        self._opened = False
        self._over = False
        self._cited = False
        self._ending = Ending()
        self._counting = Counting()

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
            events.append(self._fail(self._broken_off()))
        return events

    # --- framing ------------------------------------------------------------------------------------------------------

    def _read_all(self, arrived: list[SseEvent]) -> list[Event]:
        events: list[Event] = []
        for name, data in arrived:
            if data.strip() == _DONE:
                # Not of this API; some relays of it end so.
                events.extend(self._close() if self._ending.native else ())
            else:
                events.extend(self._read_data(name, data))
            if self._over:
                break
        return events

    def _read_data(self, name: str, data: bytes) -> Iterable[Event]:
        try:
            frame = decode_sound(_FRAME, data)
        except (msgspec.DecodeError, RecursionError) as garbled:
            lines = [line for line in data.split(b"\n") if line.strip()]
            if name == "error":
                return (self._fail(error_in_reply(data.decode("utf-8", "replace"))),)
            if len(lines) > 1:
                # Several events without the blank lines between them.
                return self._read_all([(name, line) for line in lines])
            return (self._fail(_broken(data, garbled)),)
        kind = frame.type or name
        if kind == "error" or frame.error:
            return (self._fail(error_in_reply(frame.error or read_loosely(data))),)
        if not kind:
            return (self._fail(_broken(data, "an event without a type")),)
        return self._read_frame(kind, frame)

    def _read_whole(self, body: bytes) -> Iterator[Event]:
        try:
            reply = decode_sound(_WHOLE, body)
        except (msgspec.DecodeError, RecursionError) as garbled:
            told = read_loosely(body)
            yield self._fail(error_in_reply(told) if describe(told)[0] else _broken(body, garbled))
            return
        if reply.content is None:
            told = read_loosely(body)
            yield self._fail(error_in_reply(told) if describe(told)[0] else _broken(body, "no content"))
            return
        yield from self._open(reply)
        if not self._over:
            self._ending.take(reply.stop_reason, reply.stop_sequence)
            yield from self._close()

    # --- one event ----------------------------------------------------------------------------------------------------

    def _read_frame(self, kind: str, frame: Frame) -> Iterable[Event]:
        match kind:
            case "content_block_delta":
                return self._read_delta(frame.index or 0, frame.delta or Delta())
            case "content_block_start":
                return self._start(frame.index or 0, frame.content_block)
            case "content_block_stop":
                return self._stop(frame.index or 0)
            case "message_start" if self._begun:
                return (self._fail(Broken("The provider began another message before this one was finished.")),)
            case "message_start":
                return self._open(frame.message or Reply())
            case "message_delta":
                return self._read_end(frame)
            case "message_stop":
                return self._close()
            case _:
                return ()

    def _open(self, reply: Reply) -> Iterator[Event]:
        if not self._opened:
            self._opened = True
            opened = Opened(reply.model or "", str(reply.id or ""))
            self._parts.seed = f"{opened.id}/{opened.model}"
            if opened != Opened():
                yield opened
        usage = self._counting.take(reply.usage)
        if usage is not None:
            yield usage
        for index, raw in enumerate(reply.content or ()):
            yield from self._start(index, raw)
            if self._over:
                return
            yield from self._stop(index)

    def _read_end(self, frame: Frame) -> Iterator[Event]:
        delta = frame.delta or Delta()
        self._ending.take(delta.stop_reason, delta.stop_sequence)
        usage = self._counting.take(frame.usage)
        if usage is not None:
            yield usage

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _start(self, index: int, raw: Raw) -> Iterator[Event]:
        if index in self._blocks:
            yield from self._stop(index)
        try:
            block, fields = _BLOCK.decode(raw), _FIELDS.decode(raw)
        except msgspec.DecodeError as garbled:
            yield self._fail(_broken(bytes(raw), garbled))
            return
        self._begun += 1
        if block.type == "tool_use":
            self._blocks[index] = _Block("tool_use", self._begun, fields)
            others = {
                name: value for name, value in fields.items() if name not in _CALL_FIELDS and given(value) is not None
            }
            yield from self._parts.piece(
                index=self._begun,
                id=block.id or "",
                name=block.name or "",
                seal=seal.make_seal(others) if others else None,
            )
            return
        begun = self._blocks[index] = _Block(block.type or "text", self._parts.take(), fields)
        if begun.kind == "text" and block.text:
            yield TextDelta(block.text, begun.part)
        if begun.kind == "text" and bytes(block.citations) not in (b"", b"null", b"[]"):
            yield from self._cite()
        if begun.kind == "thinking" and block.thinking:
            yield ThoughtDelta(block.thinking, begun.part)

    def _read_delta(self, index: int, delta: Delta) -> Iterable[Event]:
        block = self._blocks.get(index)
        if block is None:
            kind = "thinking" if delta.type in ("thinking_delta", "signature_delta") else "text"
            block = self._blocks[index] = _Block(kind, self._parts.take(), {"type": Raw(msgspec.json.encode(kind))})
        match delta.type:
            case "text_delta":
                return (TextDelta(delta.text, block.part),) if delta.text else ()
            case "thinking_delta":
                return (ThoughtDelta(delta.thinking, block.part),) if delta.thinking else ()
            case "signature_delta":
                block.signature.append(delta.signature or "")
            case "input_json_delta":
                return self._read_input(block, delta.partial_json or "")
            case "citations_delta":
                return self._cite()
            case _ if given(delta.content) is not None:
                block.fields["content"] = delta.content
        return ()

    def _read_input(self, block: _Block, piece: str) -> Iterable[Event]:
        if block.kind != "tool_use":
            block.json.append(piece)
            return ()
        if not piece:
            return ()
        block.words = block.words or bool(piece.strip())
        return self._parts.piece(index=block.part, arguments=piece)

    def _stop(self, index: int) -> Iterator[Event]:
        block = self._blocks.pop(index, None)
        if block is None or block.kind == "text":
            return
        if block.kind == "tool_use":
            if not block.words:
                yield from self._parts.piece(index=block.part, arguments=_input_text(block.fields))
        elif block.kind == "thinking":
            if block.signature:
                block.fields["signature"] = Raw(msgspec.json.encode("".join(block.signature)))
            sealed = seal.seal_thinking(block.fields)
            if sealed is not None:
                yield ThoughtDelta("", block.part, sealed)
        else:
            text = "".join(block.json).strip().encode()
            if read_loosely(text) is not None:
                block.fields["input"] = Raw(text)
            yield ThoughtDelta("", block.part, seal.make_seal(block.fields))

    def _cite(self) -> Iterator[Event]:
        if not self._cited:
            self._cited = True
            yield Note("left_out", "The answer cites sources; the citations are not relayed.")

    # --- the end ------------------------------------------------------------------------------------------------------

    def _close(self) -> Iterator[Event]:
        for index in sorted(self._blocks):
            yield from self._stop(index)
        yield from self._parts.close()
        yield from self._ending.close(calls=self._parts.calls)
        self._over = True

    def _broken_off(self) -> Broken:
        if not self._opened:
            return Broken(f"The provider's reply holds no answer. It begins: {self._intake.shown}")
        return Broken("The provider's stream broke off before the answer was finished.")

    def _fail(self, fault: Broken | ErrorInReply) -> Failed:
        self._over = True
        return Failed(fault)


def _input_text(fields: Fields) -> str:
    """A call's arguments where its block holds them whole."""
    sent = fields.get("input", MISSING)
    if bytes(sent) in _NO_INPUT:
        return "{}"
    told = read_loosely(bytes(sent))
    return told if isinstance(told, str) else bytes(sent).decode()


def _broken(data: bytes, why: object) -> Broken:
    return broken("a message", data, why)
