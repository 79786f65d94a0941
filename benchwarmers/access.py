"""The access log of the inference paths: one line a request, in the form of every other line of the log.

Lines gather for a moment and go out in one write. A log record for each would cost a tenth of a short turn.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from typing import Final, TextIO

from benchwarmers.log import TIME_FORMAT, one_line

GATHER_S: Final = 0.1
PATH_CAP: Final = 200
NAME: Final = "gateway.access"
log = logging.getLogger(NAME)


class AccessLines:
    """Made inside the running event loop. `stream` is where lines go, standard error unless given."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream
        self._loop = asyncio.get_running_loop()
        self._lines: list[str] = []
        self._second = (0, "")

    def note(self, method: str, path: str, status: int, caller: str) -> None:
        """Takes a line; it is written within a tenth of a second."""
        if not log.isEnabledFor(logging.INFO):
            return
        if not self._lines:
            self._loop.call_later(GATHER_S, self.flush)
        words = one_line(f"{method} {path[:PATH_CAP]} {status} {caller}")
        self._lines.append(f"{self._time()} INFO {NAME} {words}\n")

    def flush(self) -> None:
        """Writes what has gathered."""
        lines, self._lines = self._lines, []
        if lines:
            stream = self._stream or sys.stderr
            stream.write("".join(lines))
            stream.flush()

    def _time(self) -> str:
        now = int(time.time())
        second, words = self._second
        if now != second:
            words = time.strftime(TIME_FORMAT, time.localtime(now))
            self._second = (now, words)
        return words
