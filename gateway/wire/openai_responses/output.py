"""The items of a response as they grow: canon events to the events of items and parts.

A message or a reasoning item is closed as soon as another item begins, as clients expect; tool calls stay open to the
end, because their pieces may come in any order. Consecutive texts are parts of one message, consecutive thoughts parts
of one reasoning item, up to the seal. An item's last form is rendered once, for its own last event and for the whole
response.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import msgspec
from msgspec import Raw, Struct, field

from gateway.canon.ask import ToolCall
from gateway.canon.event import ArgsDelta, TextDelta, ThoughtDelta, ToolOpened
from gateway.wire.openai_responses import seal
from gateway.wire.openai_responses.calls import Call
from gateway.wire.openai_responses.names import Directory

Emit = Callable[[str, bytes], bytes]
"""Renders an event by its name and its further fields, each led by a comma."""
Body = dict[str, object]

_ENCODE = msgspec.json.Encoder().encode
_NOTHING = b""
_Key = tuple[int, int, bool]


class _Message(Struct):
    place: int
    id: str
    choice: int
    key: _Key
    content: list[Body] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    head: bytes = _NOTHING


class _Reasoning(Struct):
    place: int
    id: str
    part: int
    summary: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)


class Output:
    """All items of one response. `seed` makes their ids the response's own."""

    def __init__(self, emit: Emit, directory: Directory, seed: str) -> None:
        self._emit = emit
        self._directory = directory
        self._seed = seed
        self._next = 0
        self._current: _Message | _Reasoning | None = None
        self._calls: dict[int, Call] = {}
        self._thoughts: dict[int, list[str]] = {}
        self._done: dict[int, Raw] = {}

    @property
    def items(self) -> list[Raw]:
        """The finished items, in order."""
        return [self._done[place] for place in sorted(self._done)]

    @property
    def cut(self) -> list[Raw]:
        """The items of a response that will not be finished: the words of the one that was open are in it, calls that
        nobody may run are not."""
        current = self._current
        if current is None:
            return self.items
        text = "".join(current.pieces)
        if isinstance(current, _Message):
            body = _message(current, [*current.content, _part(text, current.key[2])], "incomplete")
        else:
            body = seal.plain_item(current.id, [*current.summary, text])
        return [*self.items, Raw(_ENCODE(body))]

    def close(self, status: str) -> bytes:
        """Finishes whatever is open."""
        written = self._close_current(status)
        for call in self._calls.values():
            written += call.finish(self._emit) + self._finish(call.place, call.body(status))
        return written

    # --- words --------------------------------------------------------------------------------------------------------

    def text(self, event: TextDelta) -> bytes:
        """A piece of text or of a refusal. Each further answer, where there are several, is a message of its own."""
        key = (event.choice, event.part, event.refusal)
        current = self._current
        if isinstance(current, _Message) and current.key == key:
            written = _NOTHING
        elif isinstance(current, _Message) and current.choice == event.choice:
            written = self._close_part(current)
            current.key = key
            written += self._open_part(current)
        else:
            written = self._close_current()
            current = self._current = _Message(self._take(), self._id("msg_"), event.choice, key)
            written += self._begin(current.place, _message(current, [], "in_progress")) + self._open_part(current)
        current.pieces.append(event.text)
        last = b',"delta":' + _ENCODE(event.text) + (_NOTHING if event.refusal else b',"logprobs":[]')
        return written + self._emit(_delta_name(event.refusal), current.head + last)

    def _open_part(self, message: _Message) -> bytes:
        message.pieces = []
        message.head = _at(message.id, message.place, b"content_index", len(message.content))
        part = _ENCODE(_part("", message.key[2]))
        return self._emit("response.content_part.added", message.head + b',"part":' + part)

    def _close_part(self, message: _Message) -> bytes:
        refusal = message.key[2]
        text = "".join(message.pieces)
        part = _part(text, refusal)
        message.content.append(part)
        said = b',"refusal":' + _ENCODE(text) if refusal else b',"text":' + _ENCODE(text) + b',"logprobs":[]'
        name = "response.refusal.done" if refusal else "response.output_text.done"
        return self._emit(name, message.head + said) + self._emit(
            "response.content_part.done", message.head + b',"part":' + _ENCODE(part)
        )

    # --- reasoning ----------------------------------------------------------------------------------------------------

    def thought(self, event: ThoughtDelta) -> bytes:
        """A piece of reasoning. A seal ends its item; one that comes when its words are closed has an item to
        itself."""
        written = self._think(event) if event.text else _NOTHING
        if event.seal is None:
            return written
        words = self._thoughts.get(event.part, [])
        current = self._current
        if words and isinstance(current, _Reasoning) and current.part == event.part:
            return written + self._close_reasoning(current, event.seal)
        return written + self._close_current() + self._lone(event.seal, "".join(words))

    def _think(self, event: ThoughtDelta) -> bytes:
        current = self._current
        if not isinstance(current, _Reasoning):
            written = self._close_current()
            current = self._current = _Reasoning(self._take(), self._id(seal.MADE_UP), event.part)
            written += self._begin(current.place, seal.plain_item(current.id, [])) + self._open_summary(current)
        elif current.part != event.part:
            written = self._close_summary(current)
            current.part = event.part
            written += self._open_summary(current)
        else:
            written = _NOTHING
        current.pieces.append(event.text)
        self._thoughts.setdefault(event.part, []).append(event.text)
        return written + self._emit(
            "response.reasoning_summary_text.delta", self._summary_at(current) + b',"delta":' + _ENCODE(event.text)
        )

    def _open_summary(self, item: _Reasoning) -> bytes:
        item.pieces = []
        part = b',"part":{"type":"summary_text","text":""}'
        return self._emit("response.reasoning_summary_part.added", self._summary_at(item) + part)

    def _close_summary(self, item: _Reasoning) -> bytes:
        at = self._summary_at(item)
        text = "".join(item.pieces)
        item.summary.append(text)
        said = _ENCODE(text)
        part = b',"part":{"type":"summary_text","text":' + said + b"}"
        return self._emit("response.reasoning_summary_text.done", at + b',"text":' + said) + self._emit(
            "response.reasoning_summary_part.done", at + part
        )

    def _summary_at(self, item: _Reasoning) -> bytes:
        return _at(item.id, item.place, b"summary_index", len(item.summary))

    def _close_reasoning(self, item: _Reasoning, sealed: Raw | None = None) -> bytes:
        self._current = None
        written = self._close_summary(item)
        body = seal.plain_item(item.id, item.summary)
        if sealed is not None:
            body = seal.show_seal(sealed, item.id, item.summary)
        return written + self._finish(item.place, body)

    def _lone(self, sealed: Raw, words: str) -> bytes:
        place, id = self._take(), self._id(seal.MADE_UP)
        return self._whole(place, seal.plain_item(id, []), seal.show_seal(sealed, id, [], text=words))

    # --- tool calls ---------------------------------------------------------------------------------------------------

    def open_tool(self, event: ToolOpened) -> bytes:
        """A call began. Its seal goes before it, in a reasoning item."""
        if event.part in self._calls:
            return _NOTHING
        written = self._close_current()
        if event.seal is not None:
            place, id = self._take(), self._id(seal.MADE_UP)
            call = ToolCall(event.call_id, event.name, "", seal=event.seal)
            written += self._whole(place, seal.plain_item(id, []), seal.show_call_seal(call, id))
        known = self._directory.find(event.name, custom=event.custom)
        place = self._take()
        opened = self._calls[event.part] = Call(place, "", event.call_id, known, event.custom)
        opened.id = self._id(opened.prefix)
        return written + self._begin(place, opened.body("in_progress"))

    def arguments(self, event: ArgsDelta) -> bytes:
        """A piece of a call's arguments."""
        call = self._calls.get(event.part)
        return call.take(event.text, self._emit) if call is not None and event.text else _NOTHING

    # --- items --------------------------------------------------------------------------------------------------------

    def _close_current(self, status: str = "completed") -> bytes:
        current, self._current = self._current, None
        if isinstance(current, _Message):
            written = self._close_part(current)
            return written + self._finish(current.place, _message(current, current.content, status))
        return self._close_reasoning(current) if current is not None else _NOTHING

    def _begin(self, place: int, body: Body) -> bytes:
        return self._emit("response.output_item.added", b',"output_index":%d,"item":%b' % (place, _ENCODE(body)))

    def _finish(self, place: int, body: Body) -> bytes:
        item = self._done[place] = Raw(_ENCODE(body))
        return self._emit("response.output_item.done", b',"output_index":%d,"item":%b' % (place, bytes(item)))

    def _whole(self, place: int, begun: Body, body: Body) -> bytes:
        return self._begin(place, begun) + self._finish(place, body)

    def _take(self) -> int:
        place = self._next
        self._next += 1
        return place

    def _id(self, prefix: str) -> str:
        """An id for the item that was begun last."""
        return prefix + hashlib.sha256(f"{self._seed}/{self._next}".encode()).hexdigest()[:24]


def _message(message: _Message, content: list[Body], status: str) -> Body:
    return {"id": message.id, "type": "message", "status": status, "role": "assistant", "content": content}


def _part(text: str, refusal: bool) -> Body:
    if refusal:
        return {"type": "refusal", "refusal": text}
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _delta_name(refusal: bool) -> str:
    return "response.refusal.delta" if refusal else "response.output_text.delta"


def _at(id: str, place: int, index: bytes, at: int) -> bytes:
    return b',"item_id":%b,"output_index":%d,"%b":%d' % (_ENCODE(id), place, index, at)
