"""The access log: one line a request, in the form of every other line of the log.

Lines gather for a moment and go out in one write. A log record for each would cost a tenth of a short turn.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import time
from functools import lru_cache
from typing import Final, TextIO

from benchwarmers.log import TIME_FORMAT, one_line
from gateway.api.served import Served

GATHER_S: Final = 0.1
PATH_CAP: Final = 200
NAME: Final = "gateway.access"
log = logging.getLogger(NAME)


class AccessLines:
    """Made inside the running event loop. `stream` is where lines go, standard error unless given; with `as_json` each
    is an object."""

    def __init__(self, stream: TextIO | None = None, *, as_json: bool = False) -> None:
        self._stream = stream
        self._line = self._json if as_json else self._text
        self._loop = asyncio.get_running_loop()
        self._lines: list[str] = []
        self._second = (0, "")

    def note(self, served: Served) -> None:
        """Takes a request that is over; its line is written within a tenth of a second."""
        if not log.isEnabledFor(logging.INFO):
            return
        if not self._lines:
            self._loop.call_later(GATHER_S, self.flush)
        self._lines.append(self._line(served))

    def flush(self) -> None:
        """Writes what has gathered."""
        lines, self._lines = self._lines, []
        if lines:
            stream = self._stream or sys.stderr
            stream.write("".join(lines))
            stream.flush()

    def _text(self, served: Served) -> str:
        request = one_line(served.origin.request) if served.origin.given else served.origin.request
        told = f"{served.status} {_caller(served.caller)} {served.seconds:.3f}s {request}"
        return f"{self._time()} INFO {NAME} {_asked(served.method, served.path)} {told}\n"

    def _json(self, served: Served) -> str:
        told = {
            "time": self._time(),
            "level": "info",
            "logger": NAME,
            "event": "request",
            "method": served.method,
            "path": one_line(served.path[:PATH_CAP]),
            "status": served.status,
            "caller": one_line(served.caller),
            "seconds": round(served.seconds, 4),
            "upstream_s": served.upstream_s,
            "format": served.format,
            "request": served.origin.request,
        }
        return json.dumps(told) + "\n"

    def _time(self) -> str:
        now = int(time.time())
        second, words = self._second
        if now != second:
            words = time.strftime(TIME_FORMAT, time.localtime(now))
            self._second = (now, words)
        return words


@lru_cache(256)  # looking for credentials costs as much as the rest of a line
def _asked(method: str, path: str) -> str:
    """What was asked, fit for the log. A word of a line is a field of it."""
    return one_line(f"{method} {path[:PATH_CAP].replace(' ', '%20')}")


@lru_cache(1_024)
def _caller(name: str) -> str:
    return one_line(name)
