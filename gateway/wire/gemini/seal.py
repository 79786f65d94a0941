"""Opaque state in generateContent: the `thoughtSignature` of a part, and parts that are opaque as a whole.

A seal made here says so (`{"gemini": {...}}`), so that state of other formats is never taken for it. Towards callers a
seal of another format travels as a signature, packed as base64 because clients insist on that, and is unpacked when it
comes back. Signatures are copied byte for byte.

A text part has a seal too, but the canon's Text has no room for one: it follows as a thought without words that says it
belongs to the text before it.
"""

from __future__ import annotations

import base64

import msgspec
from msgspec import Raw, Struct

from gateway.wire.body import MISSING, given

SKIP = "skip_thought_signature_validator"
"""What newer models take in place of a signature, on calls that they did not make themselves."""


class OwnSeal(Struct, omit_defaults=True):
    """State of a member that speaks this API: a signature (`on_text` for that of the text before), or a whole part."""

    signature: str = ""
    on_text: bool = False
    part: Raw = MISSING


class _Envelope(Struct, omit_defaults=True):
    gemini: OwnSeal | None = None


class Wrapped(Struct, omit_defaults=True):
    """A seal of another format, with the words that it vouches for."""

    bench_seal: Raw = MISSING
    text: str = ""


_START = base64.b64encode(b'{"bench_seal":').decode().rstrip("=")[:-1]


def seal_signature(signature: str | None, *, on_text: bool = False) -> Raw | None:
    """The seal of a signature; None where there is none."""
    return Raw(msgspec.json.encode(_Envelope(OwnSeal(signature, on_text)))) if signature else None


def seal_part(part: Raw) -> Raw:
    """The seal that is a whole part."""
    return Raw(msgspec.json.encode(_Envelope(OwnSeal(part=part))))


def open_seal(seal: Raw | None) -> OwnSeal | None:
    """What is inside a seal that was made here; None for any other."""
    if seal is None:
        return None
    try:
        return msgspec.json.decode(seal, type=_Envelope).gemini
    except msgspec.DecodeError:
        return None


def pack(seal: Raw, words: str = "") -> str:
    """A seal of another format as a signature."""
    return base64.b64encode(msgspec.json.encode(Wrapped(seal, words))).decode()


def unpack(signature: str) -> Wrapped | None:
    """The seal of another format in a signature that a caller sends back; None for a signature of this API."""
    if not signature.startswith(_START):
        return None
    try:
        inner = base64.b64decode(to_standard(signature))
        wrapped = msgspec.json.decode(inner, type=Wrapped)
    except (ValueError, msgspec.DecodeError):
        return None
    return wrapped if given(wrapped.bench_seal) is not None else None


def to_standard(data: str) -> str:
    """Base64 in the usual letters and padded. Google's own library writes the letters made for addresses."""
    data = data.replace("-", "+").replace("_", "/")
    return data + "=" * (-len(data) % 4)


def show_signature(seal: Raw, words: str = "") -> str:
    """The signature that a caller gets: a member's own as it is, any other packed with the words that it vouches for.
    One that is packed already belongs to a member which is a gateway itself, and is packed once more."""
    own = open_seal(seal)
    return own.signature if own is not None and unpack(own.signature) is None else pack(seal, words)


def show_call_seal(seal: Raw | None) -> str:
    """The signature that a caller gets with a call; empty for none."""
    if seal is None:
        return ""
    return show_signature(seal)


def take_call_seal(signature: str | None) -> Raw | None:
    """The seal of a call that a caller sends back."""
    wrapped = unpack(signature or "")
    return wrapped.bench_seal if wrapped is not None else seal_signature(signature)
