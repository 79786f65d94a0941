"""Where a restore is built, beside what is there, and how it is put in its place in one step.

SQLite: a file beside the database, which gets its name. Postgres: a schema of its own, whose tables are moved. What was
there before is kept, whole: as another file, or in another schema. A run that was killed leaves the unfinished place,
which the next one removes.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Protocol

from django.db import connection


class Place(Protocol):
    """A database that is built. `has_tables` tells whether there is one already."""

    has_tables: bool

    def prepare(self) -> None:
        """Make it, empty. Raises Refused when others use the database that it is to replace."""

    def inside(self) -> Any:
        """A context in which the default database is the one that is built."""

    def finish(self, now: datetime) -> str:
        """Put it in its place; where what was there before is kept, empty for nowhere. Raises Refused as `prepare`."""

    def discard(self) -> None:
        """Remove what is unfinished."""


@contextmanager
def place() -> Iterator[Place]:
    """The place for the default database, held for this process alone.

    :raises Refused: another restore is under way.
    """
    if connection.vendor == "sqlite":
        from benchwarmers.backup.place_sqlite import SqlitePlace

        yield SqlitePlace()
    else:
        from benchwarmers.backup.place_postgres import postgres_place

        with postgres_place() as found:
            yield found
