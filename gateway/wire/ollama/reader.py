"""Reads an Ollama chat, or what generate says, from an upstream: streamed or whole, which differ in nothing but the
number of lines.

Text is never passed over: a line that is not JSON, is not of this API or holds a broken character ends the answer as
`Broken`. An answer is whole only with its last line (`done`). After `Closed` or `Failed` nothing more comes out. A
document written over several lines is put together first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec
from msgspec import Raw

from gateway.canon.event import ArgsDelta, Event, Failed, Note, Opened, TextDelta, ThoughtDelta, ToolOpened, Usage
from gateway.canon.fault import Broken, ErrorInReply
from gateway.wire.body import given, join_lists
from gateway.wire.errors import broken, describe, error_in_reply
from gateway.wire.loose import read_loosely
from gateway.wire.ndjson import LineSplitter
from gateway.wire.ollama import seal
from gateway.wire.ollama.ending import read_ending
from gateway.wire.ollama.messages import read_arguments
from gateway.wire.ollama.shape import CallEntry, Line, ReplyMessage
from gateway.wire.parts import PartTable
from gateway.wire.sound import decode_sound

_DECODER = msgspec.json.Decoder(Line)
_BOM = b"\xef\xbb\xbf"
_SHOWN = 200


class OllamaReader:
    """One answer of one upstream."""

    def __init__(self) -> None:
        self._lines = LineSplitter()
        self._first = b""
        self._held: list[bytes] | None = None
        self._parts = PartTable()
        self._calls: dict[str, tuple[str, str]] = {}
        self._thoughts: list[Raw] = []
        self._opened = False
        self._answered = False
        self._over = False

    def feed(self, data: bytes) -> Iterable[Event]:
        """Events that are complete with these bytes."""
        return () if self._over else self._read_all(self._lines.feed(data))

    def end(self) -> Iterable[Event]:
        """The upstream closed."""
        if self._over:
            return ()
        events = self._read_all(self._lines.end())
        if self._held is not None:
            held, self._held = b"\n".join(self._held), None
            self._read_line(held, events)
        if not self._over:
            events.append(self._fail(self._cut()))
        return events

    # --- lines --------------------------------------------------------------------------------------------------------

    def _read_all(self, lines: list[bytes]) -> list[Event]:
        events: list[Event] = []
        for line in lines:
            if not self._first:
                line = line.removeprefix(_BOM).strip()
                self._first = line[:_SHOWN]
                if line and _is_cut(line):
                    self._held = [line]
                    continue
            if self._held is not None:
                self._held.append(line)
            elif line:
                self._read_line(line, events)
            if self._over:
                break
        return events

    def _read_line(self, data: bytes, events: list[Event]) -> None:
        try:
            line = decode_sound(_DECODER, data)
            self._take(line, events)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as garbled:
            told = read_loosely(data)
            if isinstance(told, dict | list) and not self._answered and describe(told)[0]:
                events.append(self._fail(error_in_reply(told)))
            else:
                events.append(self._fail(_broken(data, garbled)))
            return
        if line.error:
            events.append(self._fail(error_in_reply(read_loosely(data))))
        elif line.done:
            events.extend(self._close(line))

    def _take(self, line: Line, events: list[Event]) -> None:
        if not self._opened and line.model:
            self._opened = True
            self._parts.seed = f"{line.model}/{line.created_at or ''}"
            events.append(Opened(line.model))
        message = line.message
        if message is None and (line.response is not None or line.thinking is not None):
            message = ReplyMessage(line.response, line.thinking)
        if message is not None:
            self._answered = True
            self._read_message(message, events)

    def _read_message(self, message: ReplyMessage, events: list[Event]) -> None:
        if message.thinking:
            events.append(ThoughtDelta(message.thinking, self._parts.channel("thought")))
        if given(message.bench_thoughts) is not None:
            self._thoughts.append(message.bench_thoughts)
        if message.content:
            events.append(TextDelta(message.content, self._parts.channel("text")))
        for entry in message.tool_calls or ():
            events.extend(self._read_call(entry))

    def _read_call(self, entry: CallEntry) -> Iterator[Event]:
        """A call, which always comes whole. The same call under the same id again is a repetition."""
        name = (entry.function.name if entry.function is not None else None) or ""
        if entry.function is None or not name:
            yield Note("anomaly", "The provider sent a tool call that names no tool; the call was left out.")
            return
        arguments = read_arguments(entry.function.arguments)
        id = entry.id or ""
        if id and self._calls.get(id) == (name, arguments):
            return
        if not id or id in self._calls:
            id = self._make_up_id(name, arguments)
        self._calls[id] = (name, arguments)
        part = self._parts.take()
        yield ToolOpened(part, id, name, seal=seal.make_seal(entry.bench_seal))
        yield ArgsDelta(part, arguments)

    def _make_up_id(self, name: str, arguments: str) -> str:
        own = f"{self._parts.seed}/{len(self._calls)}/{name}/{arguments}"
        return "call_" + hashlib.sha256(own.encode("utf-8", "replace")).hexdigest()[:24]

    # --- the end ------------------------------------------------------------------------------------------------------

    def _close(self, line: Line) -> Iterator[Event]:
        if self._thoughts:
            yield ThoughtDelta("", self._parts.channel("thought"), seal.make_seal(join_lists(self._thoughts)))
        if line.prompt_eval_count is not None or line.eval_count is not None:
            yield Usage(int(line.prompt_eval_count or 0), int(line.eval_count or 0))
        self._over = True
        yield read_ending(line, calls=len(self._calls))

    def _cut(self) -> Broken:
        if self._answered:
            return Broken("The provider's stream broke off before the answer was finished.")
        shown = " ".join(self._first.decode("utf-8", "replace").split()) or "nothing came"
        return Broken(f"The provider's reply holds no answer. It begins: {shown}")

    def _fail(self, fault: Broken | ErrorInReply) -> Failed:
        self._over = True
        return Failed(fault)


def _is_cut(line: bytes) -> bool:
    """Is this the beginning of a document that goes on in further lines?"""
    try:
        msgspec.json.decode(line, type=Raw)
    except msgspec.DecodeError as garbled:
        return "truncated" in str(garbled)
    except RecursionError:
        return False
    return False


def _broken(data: bytes, why: object) -> Broken:
    return broken("of Ollama's API", data, why)
