"""A JSON array as it arrives: bytes in any cuts to the array's elements, each as soon as it is whole.

Looks at brackets and quotes only; whether an element is JSON is for its reader to find out.
"""

from __future__ import annotations

import re

_MARK = re.compile(rb'["\\{}\[\]]')
_CLOSING = {ord("}"), ord("]")}
_OPENING = {ord("{"), ord("[")}


class ArraySplitter:
    """Takes bytes as they come, from the opening bracket on. `done` says that the array was closed."""

    def __init__(self) -> None:
        self.done = False
        self._pieces: list[bytes] = []
        self._depth = 0
        self._quoted = False
        self._escaped = False

    @property
    def rest(self) -> bytes:
        """What has come beside whole elements: the start of one, or what is none."""
        return b"".join(self._pieces).strip(b" \t\r\n,")

    def feed(self, data: bytes) -> list[bytes]:
        """The elements that are complete with these bytes."""
        elements: list[bytes] = []
        start = at = 0
        if self._escaped and data:
            self._escaped, at = False, 1
        while not self.done and (found := _MARK.search(data, at)):
            mark, at = data[found.start()], found.end()
            if mark == ord("\\"):
                self._escaped = self._quoted and at == len(data)
                at += self._quoted
            elif mark == ord('"'):
                self._quoted = not self._quoted
            elif self._quoted:
                continue
            elif mark in _OPENING:
                if self._depth == 0:
                    start = at
                self._depth += 1
            elif mark in _CLOSING:
                self._depth -= 1
                if self._depth == 1:
                    self._pieces.append(data[start:at])
                    elements.append(self.rest)
                    self._pieces, start = [], at
                elif self._depth <= 0:
                    self.done = True
                    self._pieces.append(data[start : found.start()])
        if not self.done and start < len(data):
            self._pieces.append(data[start:])
        return elements
