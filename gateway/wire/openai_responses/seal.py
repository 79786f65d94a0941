"""Opaque reasoning state in Responses: a reasoning item with encrypted content, whole, and in the same way what a tool
that its provider ran left behind.

A seal made here says so (`{"openai_responses": {...}}`), so that state of other formats is never taken for it; what is
inside is copied byte for byte. Towards callers an item gets an id that fits the stream it is in; a member gets it back
under its own id or none, never under one made up here. A seal of another format travels as the encrypted content of a
reasoning item, and so does the seal of a tool call, because clients keep such items when they drop every other field
they do not know.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Raw, Struct

from gateway.canon.ask import Part, Thought, ToolCall
from gateway.wire.body import MISSING
from gateway.wire.openai_responses.shape import Fields, OutputItem, OutputPart

MADE_UP = "rs_bench_"
"""How the ids of reasoning items begin that were made up here."""
_WRAPPED = '{"bench_seal":'


class _Envelope(Struct):
    openai_responses: Raw = MISSING


class Wrapped(Struct, omit_defaults=True):
    """A foreign seal as encrypted content. `text` is there when the words stand in an earlier item, `call_id` when the
    seal belongs to a tool call."""

    bench_seal: Raw = MISSING
    text: str = ""
    call_id: str = ""


def make_seal(item: Raw) -> Raw:
    """The seal of a reasoning item."""
    return Raw(b'{"openai_responses":' + bytes(item) + b"}")


def open_seal(seal: Raw | None) -> Raw | None:
    """The item inside a seal that was made here; None for any other."""
    if seal is None:
        return None
    try:
        item = msgspec.json.decode(seal, type=_Envelope).openai_responses
    except msgspec.DecodeError:
        return None
    return item if bytes(item) else None


def words_of(item: OutputItem) -> list[str]:
    """What a person may read of a reasoning item, part by part."""
    content = item.content if isinstance(item.content, list) else [OutputPart(text=item.content)]
    return [part.text for part in [*(item.summary or ()), *content] if part.text]


def read_item(item: Raw) -> OutputItem:
    """What can be understood of an item."""
    try:
        return msgspec.json.decode(item, type=OutputItem)
    except msgspec.DecodeError:
        return OutputItem()


def is_opaque(item: OutputItem) -> bool:
    """Does the item hold what only its maker can read?"""
    return bool(item.encrypted_content or item.signature)


def take_item(item: OutputItem, raw: Raw) -> list[Thought]:
    """A reasoning item that a caller sends back: one thought for each of its parts, the last with the seal."""
    words = words_of(item)
    wrapped = unwrap(item.encrypted_content)
    if wrapped is not None:
        words = [wrapped.text] if wrapped.text else words
        return _sealed(words, wrapped.bench_seal)
    return _sealed(words, make_seal(raw) if is_opaque(item) else None)


def unwrap(encrypted: str | None) -> Wrapped | None:
    """The foreign seal in encrypted content that was packed here."""
    if not encrypted or not encrypted.startswith(_WRAPPED):
        return None
    try:
        return msgspec.json.decode(encrypted, type=Wrapped)
    except msgspec.DecodeError:
        return None


def take_back(parts: Iterable[Part]) -> list[Part]:
    """The parts of a turn that a caller sends back. Words that were shown before their seal was known come twice: once
    bare, once with the seal."""
    kept = list(parts)
    sealed = {part.text for part in kept if isinstance(part, Thought) and part.seal is not None}
    return [part for part in kept if not (isinstance(part, Thought) and part.seal is None and part.text in sealed)]


def show_seal(seal: Raw, id: str, summary: list[str], *, text: str = "") -> dict[str, object]:
    """A reasoning item for a caller. `summary` is what was streamed of it; `text` what the seal vouches for, when that
    stands in an earlier item. An item whose content is packed already belongs to a member that is a gateway itself,
    and is packed once more."""
    own = open_seal(seal)
    if own is not None and unwrap(read_item(own).encrypted_content) is None:
        return {**msgspec.json.decode(own, type=Fields), "id": id}
    return {**plain_item(id, summary), "encrypted_content": msgspec.json.encode(Wrapped(seal, text)).decode()}


def show_call_seal(call: ToolCall, id: str) -> dict[str, object]:
    """The reasoning item in which a caller gets the seal of a tool call."""
    packed = msgspec.json.encode(Wrapped(call.seal or MISSING, call_id=call.id)).decode()
    return {**plain_item(id, []), "encrypted_content": packed}


def plain_item(id: str, summary: list[str]) -> dict[str, object]:
    """A reasoning item without opaque state."""
    return {"id": id, "type": "reasoning", "summary": [{"type": "summary_text", "text": text} for text in summary]}


def write_item(item: Raw) -> Raw:
    """A reasoning item as its maker gets it back."""
    if not (read_item(item).id or "").startswith(MADE_UP):
        return item
    fields = msgspec.json.decode(item, type=Fields)
    return Raw(msgspec.json.encode({name: raw for name, raw in fields.items() if name != "id"}))


def _sealed(words: list[str], seal: Raw | None) -> list[Thought]:
    if seal is None:
        return [Thought(text) for text in words]
    return [*(Thought(text) for text in words[:-1]), Thought(words[-1] if words else "", seal)]
