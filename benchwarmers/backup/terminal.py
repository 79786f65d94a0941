"""How a long command behaves where somebody watches it: it says how far it is, and ends tidily when it is told to."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from benchwarmers.backup.archive import SAY_EVERY, Say


@contextmanager
def progress(stream: Any) -> Iterator[Say]:
    """What tells, on one line of a terminal, which table is at work; it says nothing into a pipe."""
    is_watched = stream.isatty()

    def say(table: str, rows: int) -> None:
        if is_watched and rows % SAY_EVERY == 0:
            stream.write(f"\r\033[K{table}: {rows:,} rows", ending="")
            stream.flush()

    try:
        yield say
    finally:
        if is_watched:
            stream.write("\r\033[K", ending="")


@contextmanager
def ending_well() -> Iterator[None]:
    """SIGTERM and SIGHUP end the block by an exception, so that nothing unfinished is left."""

    def leave(number: int, frame: object) -> None:
        sys.exit(128 + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
