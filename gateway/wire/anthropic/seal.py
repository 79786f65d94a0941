"""Opaque state in Messages: the signature of a thinking block, redacted thinking, what the provider's own tools left
behind, and fields of a tool call that canon has no word for.

A seal made here is the block's fields without its words (`{"anthropic": {"type": "thinking", "signature": ...}}`), so
that state of other formats is never taken for it; what is inside is copied byte for byte. Towards callers a seal of
another format travels as the signature of a thinking block, and as a field of its own on a tool call, and is unpacked
when it comes back.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Raw, Struct

from gateway.canon.ask import Part, Thought, ToolCall
from gateway.wire.anthropic.shape import Fields
from gateway.wire.body import MISSING, given

CALL_FIELD = "bench_seal"
THINKING = Raw(b'"thinking"')
EMPTY = Raw(b"{}")
_REDACTED = b'"redacted_thinking"'
_WRAPPED = '{"bench_seal":'


class _Envelope(Struct, omit_defaults=True):
    anthropic: Fields | None = None


class _Wrapped(Struct, omit_defaults=True):
    """A foreign seal as a signature. `text` is there when the words are not in the block itself."""

    bench_seal: Raw = MISSING
    text: str = ""


def make_seal(fields: Fields) -> Raw:
    """The seal of these fields."""
    return Raw(msgspec.json.encode(_Envelope(fields)))


def open_seal(seal: Raw | None) -> Fields | None:
    """The fields inside a seal that was made here; None for any other."""
    if seal is None:
        return None
    try:
        return msgspec.json.decode(seal, type=_Envelope).anthropic
    except msgspec.DecodeError:
        return None


def is_redacted(fields: Fields) -> bool:
    """Is this block reasoning that is not for people to read?"""
    return bytes(fields.get("type", MISSING)) == _REDACTED


def is_thinking(fields: Fields) -> bool:
    """Do these fields belong to a block with words, and not to one that is opaque as a whole?"""
    return bytes(fields.get("type", MISSING)) == bytes(THINKING)


# --- thoughts ---------------------------------------------------------------------------------------------------------


def seal_thinking(fields: Fields) -> Raw | None:
    """The seal of a thinking block; None without a signature, for then nothing vouches for it."""
    if bytes(given(fields.get("signature")) or b'""') == b'""':
        return None
    return make_seal({name: raw for name, raw in fields.items() if name != "thinking"})


def take_thinking(text: str, fields: Fields) -> Thought:
    """A thinking block that a caller sends back."""
    wrapped = _unwrap(fields.get("signature", MISSING))
    if wrapped is not None:
        return Thought(wrapped.text or text, wrapped.bench_seal)
    return Thought(text, seal_thinking(fields))


def take_opaque(fields: Fields) -> Thought:
    """A block of which nothing is for people to read."""
    return Thought("", make_seal(fields))


def take_back(parts: Iterable[Part]) -> list[Part]:
    """The parts of a turn that a caller sends back. Words that were shown before their seal was known come twice: once
    bare, once with the seal."""
    kept = list(parts)
    sealed = {part.text for part in kept if isinstance(part, Thought) and part.seal is not None}
    return [part for part in kept if not (isinstance(part, Thought) and part.seal is None and part.text in sealed)]


def signature_of(seal: Raw, words: str = "") -> str:
    """The signature that shows a seal to a caller: a member's own as it is, any other packed, and so one that is packed
    already, for that belongs to a member which is a gateway itself. `words` are what it vouches for, when they stand in
    an earlier block."""
    own = open_seal(seal)
    if own is not None and not words:
        signature = _text(own.get("signature", MISSING))
        if not signature.startswith(_WRAPPED):
            return signature
    return msgspec.json.encode(_Wrapped(seal, words)).decode()


def opaque_block(seal: Raw | None) -> Fields | None:
    """The block that a seal holds as a whole; None for a signature and for seals of other formats."""
    own = open_seal(seal)
    return None if own is None or is_thinking(own) else own


def show_thought(thought: Thought) -> dict[str, object]:
    """A thought as a block for a caller."""
    opaque = opaque_block(thought.seal)
    if opaque is not None:
        return dict(opaque)
    signature = signature_of(thought.seal) if thought.seal is not None else ""
    return {"type": "thinking", "thinking": thought.text, "signature": signature}


def write_thought(thought: Thought) -> dict[str, object] | None:
    """A thought as a block for a member; None when it was not made here."""
    own = open_seal(thought.seal)
    if own is None:
        return None
    return {"type": THINKING, "thinking": thought.text, **own} if is_thinking(own) else dict(own)


# --- tool calls -------------------------------------------------------------------------------------------------------


def take_call_seal(fields: Fields) -> Raw | None:
    """The seal in a call's fields beyond those that canon knows."""
    packed = given(fields.get(CALL_FIELD))
    if packed is not None:
        return packed
    return make_seal(fields) if fields else None


def show_call(call: ToolCall, input: Raw = EMPTY) -> dict[str, object]:
    """A call as a block for a caller, who gets its seal with it and may send it back."""
    block: dict[str, object] = {"type": "tool_use", "id": call.id, "name": call.name, "input": input}
    own = open_seal(call.seal)
    if call.seal is not None and (own is None or CALL_FIELD in own):
        block[CALL_FIELD] = call.seal
        return block
    return block | (own or {})


def _unwrap(signature: Raw) -> _Wrapped | None:
    text = _text(signature)
    if not text.startswith(_WRAPPED):
        return None
    try:
        return msgspec.json.decode(text, type=_Wrapped)
    except msgspec.DecodeError:
        return None


def _text(raw: Raw) -> str:
    try:
        return msgspec.json.decode(raw, type=str)
    except msgspec.DecodeError:
        return ""
