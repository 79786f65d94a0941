"""Events of one stream that differ in their text alone: what stands around it is read once.

An event that begins with the same bytes as one that was read, goes on with a whole JSON string and ends with the same
bytes says the same but for that string.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

_CONTENT: Final = b'"content":'
_STRING: Final = re.compile(rb'\s*"(?:[^"\\]|\\.)*"')
_decode: Final = msgspec.json.Decoder(str).decode


class Frame:
    """What stands before and after the text."""

    __slots__ = ("_after", "_before", "_end", "_least", "_start")

    def __init__(self, before: bytes, after: bytes) -> None:
        self._before = before
        self._after = after
        self._start = len(before)
        self._end = -len(after)
        self._least = len(before) + len(after) + 2

    def text_in(self, data: bytes) -> str:
        """The text of an event in this frame; empty for any other event, or one that has to be looked at closely."""
        if len(data) < self._least or not (data.startswith(self._before) and data.endswith(self._after)):
            return ""
        string = data[self._start : self._end]
        if not string.isascii():
            return ""
        try:
            return _decode(string)
        except msgspec.DecodeError:
            return ""


def frame_of(data: bytes, text: str) -> Frame | None:
    """The frame of an event that brings this text and nothing else; None where it cannot be told."""
    start = data.find(_CONTENT) + len(_CONTENT)
    if data.count(_CONTENT) != 1 or (found := _STRING.match(data, start)) is None or found.end() == len(data):
        return None
    frame = Frame(data[:start], data[found.end() :])
    return frame if frame.text_in(data) == text else None
