"""The blocks of a streamed message: one open at a time, in order, each as soon as it can be.

Canon's parts may interleave; blocks may not. Text and reasoning are cut where another part comes between and go on in a
new block. A tool call cannot be cut: what comes while its input is unfinished waits until it is whole, or until the
answer ends. So calls stream piece by piece, and only those that a provider mixes are held back.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct, field

from gateway.canon.ask import ToolCall
from gateway.canon.event import ArgsDelta, TextDelta, ThoughtDelta, ToolOpened
from gateway.wire.anthropic import seal
from gateway.wire.arguments import write_input
from gateway.wire.free_text import FIELD
from gateway.wire.sse import frame

Piece = TextDelta | ThoughtDelta | ToolOpened | ArgsDelta
Key = tuple[str, int]

_ENCODE = msgspec.json.Encoder().encode
_NOTHING = b""
_TEXT = "text"
_FREE_TEXT_START = f'{{"{FIELD}":"'
_DELTA = b'event: content_block_delta\ndata: {"type":"content_block_delta","index":%d,"delta":{"type":"%b","%b":'
_DELTA_END = b"}}\n\n"


class _Call(Struct):
    """A tool call under way. `text` is its input so far; `held` says that it is no object and waits for its end."""

    call: ToolCall
    text: list[str] = field(default_factory=list)
    begun: bool = False
    held: bool = False
    closed: bool = False
    scanned: int = 0
    depth: int = 0
    quoted: bool = False
    escaped: bool = False

    def is_whole(self) -> bool:
        """Is the input an object that is complete? Each piece is looked at once."""
        if self.call.custom or self.held or not self.begun:
            return False
        pieces, self.scanned = self.text[self.scanned :], len(self.text)
        for piece in pieces:
            for letter in piece:
                self._scan(letter)
        return self.depth == 0

    def _scan(self, letter: str) -> None:
        if self.escaped:
            self.escaped = False
        elif self.quoted:
            self.escaped = letter == "\\"
            self.quoted = letter != '"'
        elif letter == '"':
            self.quoted = True
        elif letter in "{[":
            self.depth += 1
        elif letter in "}]":
            self.depth -= 1


class Blocks:
    """Writes the events of one message's blocks. With `vendor` the doings of the provider's own tools are shown."""

    def __init__(self, *, vendor: bool) -> None:
        self._vendor = vendor
        self._index = -1
        self._open: Key | None = None
        self._open_text: int | None = None
        self._text_head = _NOTHING
        self._calls: dict[int, _Call] = {}
        self._words: dict[int, list[str]] = {}
        self._waiting: list[Piece] = []
        self.answered = False

    def add(self, piece: Piece) -> bytes:
        """The bytes that this piece adds."""
        if type(piece) is TextDelta and piece.part == self._open_text and not piece.refusal and not piece.choice:
            return self._text_head + _ENCODE(piece.text) + _DELTA_END
        key = _key(piece)
        call = self._open_call()
        if call is None or key == self._open:
            written = self._put(piece, key)
            return written + self._release() if call is not None and self._waiting and call.is_whole() else written
        if self._waiting or not call.is_whole():
            self._waiting.append(piece)
            return _NOTHING
        return self._put(piece, key)

    def finish(self) -> bytes:
        """What still waits, and the end of the open block; an empty text block where there was no answer at all."""
        written = _NOTHING
        while self._waiting:
            written += self._release()
        written += self._stop()
        return (
            written
            if self.answered
            else written + self._start(("text", -1), {"type": "text", "text": ""}) + self._stop()
        )

    # --- order --------------------------------------------------------------------------------------------------------

    def _open_call(self) -> _Call | None:
        return self._calls.get(self._open[1]) if self._open is not None and self._open[0] == "tool" else None

    def _release(self) -> bytes:
        written = self._stop()
        waiting, self._waiting = self._waiting, []
        return written + b"".join(self.add(piece) for piece in waiting)

    def _put(self, piece: Piece, key: Key) -> bytes:
        match piece:
            case TextDelta():
                return self._text(piece.text, key)
            case ThoughtDelta():
                return self._thought(piece, key)
            case ToolOpened():
                return self._tool(piece, key)
            case ArgsDelta():
                return self._input(piece)

    # --- one block ----------------------------------------------------------------------------------------------------

    def _start(self, key: Key, block: object) -> bytes:
        written = self._stop()
        self._index += 1
        self._open = key
        self._open_text = key[1] if key[0] == _TEXT else None
        self._text_head = _DELTA % (self._index, b"text_delta", b"text")
        head = b'{"type":"content_block_start","index":%d,"content_block":' % self._index
        return written + frame(head + _ENCODE(block) + b"}", "content_block_start")

    def _delta(self, kind: bytes, name: bytes, text: str) -> bytes:
        return _DELTA % (self._index, kind, name) + _ENCODE(text) + _DELTA_END

    def _stop(self) -> bytes:
        if self._open is None:
            return _NOTHING
        call = self._open_call()
        written = self._end_input(call) if call is not None else _NOTHING
        self._open = self._open_text = None
        return written + frame(b'{"type":"content_block_stop","index":%d}' % self._index, "content_block_stop")

    def _text(self, text: str, key: Key) -> bytes:
        if not text:
            return _NOTHING
        self.answered = True
        start = _NOTHING if self._open == key else self._start(key, {"type": "text", "text": ""})
        return start + self._delta(b"text_delta", b"text", text)

    def _thought(self, piece: ThoughtDelta, key: Key) -> bytes:
        words = self._words.setdefault(piece.part, [])
        written = _NOTHING
        if piece.text:
            words.append(piece.text)
            written = self._thinking(key) + self._delta(b"thinking_delta", b"thinking", piece.text)
        if piece.seal is None:
            return written
        opaque = seal.opaque_block(piece.seal)
        if opaque is not None:
            return written + (self._opaque(key, opaque) if self._vendor or seal.is_redacted(opaque) else _NOTHING)
        elsewhere = "" if self._open == key else "".join(words)
        written += self._thinking(key) + self._delta(
            b"signature_delta", b"signature", seal.signature_of(piece.seal, elsewhere)
        )
        return written + self._stop()

    def _thinking(self, key: Key) -> bytes:
        if self._open == key:
            return _NOTHING
        return self._start(key, {"type": "thinking", "thinking": "", "signature": ""})

    def _opaque(self, key: Key, block: object) -> bytes:
        return self._start(key, block) + self._stop()

    # --- tool calls ---------------------------------------------------------------------------------------------------

    def _tool(self, piece: ToolOpened, key: Key) -> bytes:
        if piece.part in self._calls:
            return _NOTHING
        self.answered = True
        call = ToolCall(piece.call_id, piece.name, "", piece.custom, piece.seal)
        started = self._start(key, seal.show_call(call))
        self._calls[piece.part] = _Call(call)
        return started + (self._json(_FREE_TEXT_START) if piece.custom else _NOTHING)

    def _input(self, piece: ArgsDelta) -> bytes:
        call = self._calls.get(piece.part)
        if call is None or call.closed or not piece.text:
            return _NOTHING
        call.text.append(piece.text)
        if call.call.custom:
            return self._json(_ENCODE(piece.text).decode()[1:-1])
        if not call.begun and (start := piece.text.lstrip()):
            call.begun, call.held = True, not start.startswith("{")
        return _NOTHING if call.held else self._json(piece.text)

    def _end_input(self, call: _Call) -> bytes:
        call.closed = True
        text = "".join(call.text)
        if call.call.custom:
            return self._json('"}')
        if call.held:
            return self._json(bytes(write_input(msgspec.structs.replace(call.call, arguments=text))).decode())
        return _NOTHING if call.begun else self._json("{}")

    def _json(self, text: str) -> bytes:
        return self._delta(b"input_json_delta", b"partial_json", text)


def _key(piece: Piece) -> Key:
    match piece:
        case TextDelta(part=part, refusal=True):
            return "refusal", part
        case TextDelta(part=part, choice=choice):
            return f"choice {choice}" if choice else _TEXT, part
        case ThoughtDelta(part=part):
            return "thought", part
        case ToolOpened(part=part) | ArgsDelta(part=part):
            return "tool", part
