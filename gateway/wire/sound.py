"""Documents that are UTF-8 in every part. The decoder does not look into what it leaves unread, and opaque state that
is passed on unread would otherwise spoil what it is put into."""

from __future__ import annotations

from typing import TypeVar

import msgspec

T = TypeVar("T")


def decode_sound(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    """What the decoder makes of it. Raises msgspec.DecodeError for bytes that are not UTF-8, too."""
    if not data.isascii():
        try:
            data.decode()
        except UnicodeDecodeError as garbled:
            raise msgspec.DecodeError(f"Invalid UTF-8: {garbled.reason} at byte {garbled.start}") from garbled
    return decoder.decode(data)
