"""The opaque state that a character which thinks gives away, and knows again when it comes back. Pure.

A seal is a word of 48 letters of base64 that tells by itself whether it is whole: a part of it is a digest of another,
so that a change of one letter, or a seal that somebody else made, is noticed without a memory. It hides nothing.
"""

from __future__ import annotations

import base64
import binascii
from hashlib import sha256
from random import Random

from msgspec import Struct

from gateway.canon.fault import BadRequest
from gateway.practice.request import ChatRequest

_MAKER = b"practice:"
_NUMBER, _DIGEST = 12, 15


class Held(Struct, frozen=True):
    """What a request brings back of the last turn in which the model spoke: whether it called tools, the seals of its
    thoughts, and that of its first call, None in a format whose calls have none."""

    calls: bool = False
    thoughts: tuple[str, ...] = ()
    first_call: str | None = None


def make_seal(rng: Random) -> str:
    """A seal like no other."""
    number = rng.randbytes(_NUMBER)
    return base64.b64encode(_MAKER + number + _digest(number)).decode()


def is_whole(seal: str) -> bool:
    """Is this a seal that was made here, to the last letter? Google's own library writes the letters of base64 that are
    made for addresses, so these count as well."""
    try:
        raw = base64.b64decode(seal.replace("-", "+").replace("_", "/"), validate=True)
    except (binascii.Error, ValueError):
        return False
    number = raw[len(_MAKER) : -_DIGEST]
    return len(number) == _NUMBER and raw == _MAKER + number + _digest(number)


def held_in_chat(request: ChatRequest) -> Held:
    """What a chat completion brings back, in `reasoning_details` and in the `extra_content` of a call."""
    for message in reversed(request.messages):
        if message.role == "assistant":
            calls = message.tool_calls or []
            details = [one.get("data") for one in message.reasoning_details or ()]
            extra = calls[0].get("extra_content") if calls else None
            first = extra.get("practice") if isinstance(extra, dict) else None
            thoughts = tuple(data for data in details if isinstance(data, str))
            return Held(bool(calls), thoughts, first if isinstance(first, str) else "")
    return Held()


def check_held(held: Held) -> None:
    """Raises BadRequest unless calls come back with the thoughts before them, and the first call with its own seal,
    all whole, as some providers demand it of those who tell results."""
    if not held.calls:
        return
    if not held.thoughts:
        raise BadRequest("The thoughts before these tool calls did not come back with their seal.", code="seal_missing")
    if held.first_call == "":
        raise BadRequest("The first of these tool calls did not come back with its seal.", code="seal_missing")
    if not all(map(is_whole, (*held.thoughts, *([held.first_call] if held.first_call is not None else [])))):
        raise BadRequest("A seal that came back is not as it was made.", code="seal_broken")


def _digest(number: bytes) -> bytes:
    return sha256(_MAKER + number).digest()[:_DIGEST]
