"""How many connections each web process of this machine has, in memory that all of them share, so that whoever has
fewest takes the next. The supervisor makes it; each process writes its own seat alone.

Standard library only.
"""

from __future__ import annotations

import mmap
import os
from array import array
from typing import Final

NOBODY: Final = -1
"""What a seat holds whose process takes no connections: not yet, or no more."""
WIDTH: Final = 4
"""Bytes of a seat."""


def make_tally(seats: int) -> int:
    """An open file with so many empty seats, for processes to inherit."""
    descriptor = _memory()
    os.write(descriptor, array("i", [NOBODY] * seats).tobytes())
    return descriptor


def _memory() -> int:
    if hasattr(os, "memfd_create"):
        return os.memfd_create("tally")
    import tempfile  # large, and not needed on Linux

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class Tally:
    """The seats behind a descriptor of `make_tally`."""

    def __init__(self, descriptor: int) -> None:
        self._seats = memoryview(mmap.mmap(descriptor, os.fstat(descriptor).st_size)).cast("i")

    def __len__(self) -> int:
        return len(self._seats)

    def note(self, seat: int, connections: int) -> None:
        """This seat's process has so many; NOBODY when it takes no more."""
        self._seats[seat] = connections

    def is_open(self, seat: int) -> bool:
        """Whether this seat's process takes connections."""
        return self._seats[seat] != NOBODY

    def fewest_beside(self, seat: int) -> int | None:
        """The fewest that any other process has which takes more; None when there is none."""
        others = [count for place, count in enumerate(self._seats) if place != seat and count != NOBODY]
        return min(others, default=None)
