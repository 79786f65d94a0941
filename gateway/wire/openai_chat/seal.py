"""Opaque reasoning state in chat completions: `reasoning_details` of a message, `extra_content` of a message or a tool
call.

A seal made here says so (`{"openai_chat": {...}}`), so that state from other formats is never taken for it. Towards
callers a seal of another format is wrapped, and unwrapped when it comes back. What is inside is copied byte for byte.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from gateway.canon.ask import Thought
from gateway.wire.body import MISSING, on_one_line
from gateway.wire.openai_chat.shape import ReasoningDetail

_WRAPPED = "bench.seal"


class OwnSeal(Struct, omit_defaults=True):
    """State of a member that speaks chat completions, as the fields it goes back in."""

    reasoning_details: Raw = MISSING
    extra_content: Raw = MISSING


class _Envelope(Struct, omit_defaults=True):
    openai_chat: OwnSeal | None = None


class _Wrapped(Struct, omit_defaults=True):
    bench_seal: Raw = MISSING


def present(raw: Raw) -> bool:
    """Is there something in this field?"""
    return bytes(raw) not in (b"", b"null", b"[]", b"{}", b'""')


def make_seal(details: Raw, extra: Raw = MISSING) -> Raw | None:
    """The seal of what a member sent; None when it sent nothing."""
    if details is MISSING and extra is MISSING:
        return None
    own = OwnSeal(details if present(details) else MISSING, extra if present(extra) else MISSING)
    return (
        on_one_line(Raw(msgspec.json.encode(_Envelope(own))))
        if present(own.reasoning_details) or present(own.extra_content)
        else None
    )


def open_seal(seal: Raw | None) -> OwnSeal | None:
    """The fields inside a seal that was made here; None for any other."""
    if seal is None:
        return None
    try:
        return msgspec.json.decode(seal, type=_Envelope).openai_chat
    except msgspec.DecodeError:
        return None


def read_details(raw: Raw) -> list[ReasoningDetail]:
    """The entries of `reasoning_details`; none when they are of an unknown shape."""
    try:
        return msgspec.json.decode(raw, type=list[ReasoningDetail])
    except msgspec.DecodeError:
        return []


def show_thought(thought: Thought) -> OwnSeal:
    """The fields in which a caller gets a thought's seal and may send it back. A seal of another format takes its
    words along: what it vouches for must return with it. What is wrapped already belongs to a member that is a gateway
    itself, and is wrapped once more."""
    own = open_seal(thought.seal)
    if thought.seal is None or (own is not None and not _is_wrapped(own)):
        return own or OwnSeal()
    wrapped = msgspec.json.encode([{"type": _WRAPPED, "text": thought.text, "seal": thought.seal}])
    return OwnSeal(on_one_line(Raw(wrapped)))


def take_thoughts(text: str, details: Raw, extra: Raw) -> list[Thought]:
    """The reasoning in a message that a caller sends back."""
    entries = read_details(details) if present(details) else []
    wrapped = [
        Thought(entry.text or "", entry.seal) for entry in entries if entry.type == _WRAPPED and present(entry.seal)
    ]
    if wrapped:
        return wrapped
    words = text or "".join(entry.text or entry.summary or "" for entry in entries)
    sealed = make_seal(details, extra)
    return [Thought(words, sealed)] if words or sealed is not None else []


def show_call_seal(seal: Raw) -> Raw:
    """`extra_content` of a tool call, as a caller gets it."""
    own = open_seal(seal)
    if own is not None and present(own.extra_content) and not present(_unwrapped(own.extra_content)):
        return own.extra_content
    return on_one_line(Raw(msgspec.json.encode(_Wrapped(seal))))


def take_call_seal(extra: Raw) -> Raw | None:
    """The seal in the `extra_content` of a tool call that a caller sends back."""
    if not present(extra):
        return None
    wrapped = _unwrapped(extra)
    return wrapped if present(wrapped) else make_seal(MISSING, extra)


def _is_wrapped(own: OwnSeal) -> bool:
    return any(entry.type == _WRAPPED for entry in read_details(own.reasoning_details))


def _unwrapped(extra: Raw) -> Raw:
    try:
        return msgspec.json.decode(extra, type=_Wrapped).bench_seal
    except msgspec.DecodeError:
        return MISSING
