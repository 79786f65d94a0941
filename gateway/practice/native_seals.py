"""Where each format keeps a character's seals: the signature of a block, encrypted content, the signature of a part.

Written as the wires keep the seals of providers that speak the format, so that callers get them in the format's own
place. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from msgspec import Raw, Struct

from gateway.canon.ask import Ask, Part, Thought, ToolCall
from gateway.practice.seals import Held
from gateway.wire.anthropic import seal as anthropic
from gateway.wire.gemini import seal as gemini
from gateway.wire.openai_responses import seal as responses


class Place(Struct, frozen=True):
    """`write` makes the seal of thoughts from their words and the seal's own; `read` finds the latter again, and gives
    nothing where another made the seal. `calls` says whether a call can have one, in the same form."""

    write: Callable[[str, str], Raw]
    read: Callable[[Raw], str]
    calls: bool = False


class _Plain(Struct):
    practice: str


def held_in(ask: Ask, place: Place) -> Held:
    """What a request brings back of the last turn in which the model spoke."""
    parts: list[Part] = []
    for turn in reversed(ask.turns):  # some clients send a turn for each piece of the stream
        if turn.role == "assistant":
            parts = [*turn.parts, *parts]
        elif parts:
            break
    calls = [part for part in parts if isinstance(part, ToolCall)]
    sealed = [part.seal for part in parts if isinstance(part, Thought) and part.seal is not None]
    seal = calls[0].seal if calls else None
    first = (place.read(seal) if seal is not None else "") if place.calls else None
    return Held(bool(calls), tuple(map(place.read, sealed)), first)


def _signature(words: str, seal: str) -> Raw:
    return anthropic.make_seal({"type": anthropic.THINKING, "signature": Raw(msgspec.json.encode(seal))})


def _read_signature(raw: Raw) -> str:
    return anthropic.signature_of(raw) if anthropic.open_seal(raw) is not None else ""


def _item(words: str, seal: str) -> Raw:
    summary = [{"type": "summary_text", "text": words}]
    item = {"type": "reasoning", "summary": summary, "encrypted_content": seal}
    return responses.make_seal(Raw(msgspec.json.encode(item)))


def _read_item(raw: Raw) -> str:
    item = responses.open_seal(raw)
    return (responses.read_item(item).encrypted_content or "") if item is not None else ""


def _part(words: str, seal: str) -> Raw:
    return gemini.seal_signature(seal) or Raw(b"{}")


def _read_part(raw: Raw) -> str:
    own = gemini.open_seal(raw)
    return own.signature if own is not None else ""


def _plain(words: str, seal: str) -> Raw:
    return Raw(msgspec.json.encode(_Plain(seal)))


def _read_plain(raw: Raw) -> str:
    try:
        return msgspec.json.decode(raw, type=_Plain).practice
    except msgspec.DecodeError:
        return ""


PLACES: Mapping[str, Place] = {
    "anthropic": Place(_signature, _read_signature),
    "openai_responses": Place(_item, _read_item),
    "gemini": Place(_part, _read_part, calls=True),
    "ollama": Place(_plain, _read_plain),
}
"""By protocol. Ollama's API has no place: there it is the gateway's own."""
