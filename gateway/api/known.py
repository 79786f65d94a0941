"""The snapshot that Django's views go by: one a process, read again when the catalogue's stamp has moved.

The engine keeps its own beside the event loop (gateway/engine/catalogue.py); this one is for threads, under the same
rules: a stamp costs one look at Redis, a moved one a read; without Redis a snapshot serves for a second, and never for
longer than 15, since standings and cooldowns move without a stamp.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from collections_app.stamp import read_stamp
from gateway.engine.catalogue import AGE_S, AGE_WITHOUT_STAMP_S
from gateway.engine.loading import load_snapshot
from gateway.engine.snapshot import Snapshot


class Known:
    """Thread-safe. `clock` gives seconds that only go up."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None
        self._read_at = 0.0

    def current(self) -> Snapshot:
        """What is known now. Of the threads that find it out of date one reads, and the others wait for that."""
        stamp = read_stamp()
        known = self._snapshot
        if known is not None and self._serves(known, stamp):
            return known
        with self._lock:
            known = self._snapshot
            if known is None or not self._serves(known, stamp):
                began = self._clock()
                # Read after the stamp: what is written meanwhile moves it again.
                known = load_snapshot(stamp or "")
                self._snapshot, self._read_at = known, began
            return known

    def forget(self) -> None:
        """Read anew next time: the database is another one."""
        self._snapshot = None

    def _serves(self, known: Snapshot, stamp: str | None) -> bool:
        age = self._clock() - self._read_at
        if stamp is None:
            return age <= AGE_WITHOUT_STAMP_S
        return stamp == known.stamp and age <= AGE_S


KNOWN: Final = Known()
