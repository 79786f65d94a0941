"""A restore beside a SQLite file."""

from __future__ import annotations

import os
import sqlite3
from contextlib import AbstractContextManager, closing, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from django.db import connection

from benchwarmers.backup.flush import flush
from benchwarmers.backup.refused import Refused
from gateway.engine.redirect import redirected

BESIDE: Final = ("", "-wal", "-shm", "-journal")
QUICK: Final = "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;"
"""Nobody needs the file after a crash until it is finished, so nothing waits for the disk before that."""
BUSY: Final = "Another process has the database open: stop web, worker and beat first."


class SqlitePlace:
    """Builds in `.NAME.restoring`."""

    def __init__(self) -> None:
        self._target = Path(connection.settings_dict["NAME"]).absolute()
        self._built = self._target.with_name(f".{self._target.name}.restoring")
        self.has_tables = self._tables() > 0

    def prepare(self) -> None:
        connection.close()
        self._leave_alone("WAL")
        self.discard()

    def inside(self) -> AbstractContextManager[None]:
        options = {"transaction_mode": "DEFERRED", "init_command": QUICK}
        return redirected(NAME=self._built, OPTIONS=options)

    def finish(self, now: datetime) -> str:
        with closing(sqlite3.connect(self._built)) as built:
            built.execute("PRAGMA journal_mode=WAL")
        self._built.chmod(0o600)
        flush(self._built)
        self._leave_alone()
        kept = ""
        if self._target.exists() and self.has_tables:
            before = self._target.with_name(f"{self._target.name}.before-{now:%Y%m%d-%H%M%S}")
            os.link(self._target, before)
            kept = str(before)
        self._built.replace(self._target)
        flush(self._target.parent)
        return kept

    def discard(self) -> None:
        for end in BESIDE:
            with suppress(FileNotFoundError):
                Path(f"{self._built}{end}").unlink()

    def _tables(self) -> int:
        if not self._target.is_file():
            return 0
        try:
            with closing(sqlite3.connect(f"{self._target.as_uri()}?mode=ro", uri=True)) as opened:
                return int(opened.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()[0])
        except sqlite3.Error as error:
            raise Refused(f"{self._target} is there and cannot be read ({error}); move it away first.") from None

    def _leave_alone(self, then: str = "DELETE") -> None:
        """Raises Refused when somebody has the file open, and takes its log of writes into it: a log that was left
        there would be taken for the new file's. `then` is how writes are to be logged from now on."""
        if not self._target.is_file():
            return
        try:
            with closing(sqlite3.connect(self._target, timeout=2)) as opened:
                mode = opened.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
                opened.execute(f"PRAGMA journal_mode={then}")
        except sqlite3.OperationalError as error:
            raise Refused(BUSY if "locked" in str(error) else f"{self._target} cannot be used: {error}.") from None
        if mode != "delete":
            raise Refused(BUSY)
