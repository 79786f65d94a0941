"""What a process has begun and not yet brought to the database, in a file that outlives it: a call on its way to a
provider, and the records of an answer that was told before its rows were written. Whoever finds the file of a process
that is gone takes up what stands there (engine/trail_left.py).

The file is mapped into memory, so a line costs a copy and no call to the system, and what is in it is safe from the
death of the process, though not from that of the machine. It is locked for as long as its process lives. When it is
full, what still counts goes into a new one. Where the disk has no room for that, new lines are not kept until it has.
"""

from __future__ import annotations

import fcntl
import logging
import math
import mmap
import os
import secrets
from pathlib import Path
from typing import Final

FOLDER: Final = "trail"
ENDING: Final = ".trail"
SIZE: Final = 2**18
log = logging.getLogger(__name__)


class Trail:
    """Opened once per process. A line is needed until so many records are written as it was told, or for ever."""

    def __init__(self, folder: Path) -> None:
        self.written = 0
        """How many records of the process are in the database."""
        self._folder = folder
        self._file = -1
        self._path = folder
        self._page: mmap.mmap | None = None
        self._size = 0
        self._at = 0
        self._number = 0
        self._complained = False
        self._live: dict[int, tuple[float, int, int]] = {}
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._begin_anew(0)
        except OSError as error:
            self._complain(error)

    def note(self, line: bytes, needed: float = math.inf) -> int:
        """Keeps a line, or several with a line break between them, until `needed` records are written. None holds a
        NUL. Its number; 0 where nothing can be kept."""
        page = self._page
        if page is None:
            return 0
        line += b"\n"
        at = self._at
        end = at + len(line)
        if end >= self._size:  # a NUL must be left behind the last
            try:
                page = self._begin_anew(len(line))
            except OSError as error:
                self._complain(error)
                return 0
            at = self._at
            end = at + len(line)
        page[at:end] = line
        number = self._number = self._number + 1
        self._live[number] = (needed, at, end)
        self._at = end
        return number

    def until(self, number: int, needed: int) -> None:
        """The line is needed until so many records are written."""
        if (kept := self._live.get(number)) is not None:
            self._live[number] = (needed, kept[1], kept[2])

    def close(self) -> None:
        """Everything is written: nothing is left to be taken up."""
        if self._page is not None:
            self._drop(self._page, self._file, self._path)
            self._page = None

    def _begin_anew(self, room: int) -> mmap.mmap:
        """The memory of a new file with what still counts, before the old one goes. Raises OSError."""
        old, file, path = self._page, self._file, self._path
        live = {number: entry for number, entry in self._live.items() if entry[0] > self.written}
        kept = {} if old is None else {number: (needed, old[a:b]) for number, (needed, a, b) in live.items()}
        size = max(SIZE, 4 * (room + sum(b - a for _, a, b in live.values())))
        anew = self._folder / f"{secrets.token_hex(8)}{ENDING}"
        self._file, page = _make(anew, size)
        self._page, self._path, self._size = page, anew, size
        self._at, self._live = 0, {}
        for number, (needed, line) in kept.items():
            end = self._at + len(line)
            page[self._at : end] = line
            self._live[number] = (needed, self._at, end)
            self._at = end
        if old is not None:
            self._drop(old, file, path)
        return page

    @staticmethod
    def _drop(page: mmap.mmap, file: int, path: Path) -> None:
        path.unlink(missing_ok=True)
        page.close()
        os.close(file)

    def _complain(self, error: OSError) -> None:
        if not self._complained:
            log.warning("what is under way will not outlive this process: no room in %s (%s)", self._folder, error)
        self._complained = True


def _make(path: Path, size: int) -> tuple[int, mmap.mmap]:
    """A locked file of NULs of this size, whose name appears once it is locked; and its memory."""
    making = path.with_suffix(".making")
    file = os.open(making, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(file, 0, size)  # a hole would end the process when the disk is full
        else:
            os.ftruncate(file, size)
        page = mmap.mmap(file, size)
        making.rename(path)
    except OSError:
        os.close(file)
        making.unlink(missing_ok=True)
        raise
    return file, page
