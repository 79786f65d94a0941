"""Opaque reasoning state in Ollama's API, which has no place for any: two fields of the gateway's own.

`bench_thoughts` of a message lists reasoning with its seal, `bench_seal` of a tool call holds the call's. Whatever a
caller gets in them counts again when it comes back. A member that sends them is a gateway itself: what it sent is
sealed here (`{"ollama": ...}`) and goes back to it as it came, and to no other.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Raw, Struct

from gateway.canon.ask import Thought
from gateway.wire.body import MISSING, given, on_one_line
from gateway.wire.ollama.shape import SealedThought


class _Envelope(Struct, omit_defaults=True):
    ollama: Raw = MISSING


def make_seal(raw: Raw) -> Raw | None:
    """The seal of what a member sent; None when it sent nothing."""
    return None if given(raw) is None else Raw(msgspec.json.encode(_Envelope(raw)))


def open_seal(seal: Raw | None) -> Raw | None:
    """What is inside a seal that was made here; None for any other."""
    if seal is None:
        return None
    try:
        return given(msgspec.json.decode(seal, type=_Envelope).ollama)
    except msgspec.DecodeError:
        return None


def show_thoughts(thoughts: Iterable[Thought]) -> Raw | None:
    """`bench_thoughts` for a caller; None when no thought has a seal."""
    sealed = [SealedThought(thought.text, thought.seal) for thought in thoughts if thought.seal is not None]
    return on_one_line(Raw(msgspec.json.encode(sealed))) if sealed else None


def take_thoughts(text: str, raw: Raw) -> list[Thought]:
    """The reasoning in a message that a caller sends back. Sealed reasoning counts with the words it was sealed
    with."""
    entries = _read_entries(raw)
    if entries:
        return [Thought(entry.text, given(entry.seal)) for entry in entries]
    return [Thought(text)] if text else []


def _read_entries(raw: Raw) -> list[SealedThought]:
    if given(raw) is None:
        return []
    try:
        return msgspec.json.decode(raw, type=list[SealedThought])
    except msgspec.DecodeError:
        return []
