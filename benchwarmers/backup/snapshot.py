"""One unchanging view of a database, while others go on writing to it.

SQLite gives a reader the state at its first look (the log of writes is kept until it is done); on Postgres it is one
transaction that is REPEATABLE READ and READ ONLY. Rows are streamed: memory does not grow with their number.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from django.db import Error, connection

from benchwarmers.backup.manifest import Column
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.tables import Shape
from benchwarmers.backup.values import Kind, outward

PIECE = 2_000
"""Rows that Postgres sends at a time."""
MIGRATIONS = "django_migrations"
Row = list[Any]


class View(Protocol):
    """What both databases can be asked. `vendor` is Django's word for the kind."""

    vendor: str

    def tables(self) -> set[str]:
        """Names of all tables in reach."""

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        """All rows of a small answer."""

    def stream(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Rows of a large one."""

    def sequence(self, shape: Shape) -> int:
        """The last number given to a row of this table, 0 for none."""


@contextmanager
def snapshot() -> Iterator[View]:
    """A view of the default database.

    :raises Refused: it cannot be opened or read, or ends meanwhile.
    """
    try:
        if connection.vendor == "sqlite":
            with _sqlite() as view:
                yield view
        else:
            with _postgres() as view:
                yield view
    except (Error, sqlite3.Error) as error:
        raise Refused(f"The database cannot be read: {str(error).partition(chr(10))[0]}.") from error


def applied_in(view: View) -> dict[str, tuple[str, ...]]:
    """The migrations that were applied, as app to names; nothing for an empty database."""
    if MIGRATIONS not in view.tables():
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for app, name in view.ask(f"SELECT app, name FROM {MIGRATIONS} ORDER BY app, name"):  # noqa: S608 our own word
        found[app] = (*found.get(app, ()), name)
    return found


def rows_of(view: View, shape: Shape) -> Iterator[Row]:
    """The table's rows in the order of their key, as an archive has them."""
    changes = [
        (place, change)
        for place, column in enumerate(shape.columns)
        if (change := outward(Kind(column.kind), view.vendor)) is not None
    ]
    for found in view.stream(select(shape.name, shape.columns, shape.key, view.vendor)):
        row = list(found)
        for place, change in changes:
            if row[place] is not None:
                row[place] = change(row[place])
        yield row


def select(table: str, columns: Sequence[Column], key: Column, vendor: str) -> str:
    """All rows by their key; keys that are text in the order of their bytes, which is the same everywhere."""
    names = ", ".join(f'"{column.name}"' for column in columns)
    order = ' COLLATE "C"' if vendor != "sqlite" and key.kind == Kind.TEXT else ""
    return f'SELECT {names} FROM "{table}" ORDER BY "{key.name}"{order}'  # noqa: S608 names of our own schema


class _Sqlite:
    vendor = "sqlite"

    def __init__(self, opened: sqlite3.Connection) -> None:
        self._opened = opened

    def tables(self) -> set[str]:
        return {str(name) for (name,) in self.ask("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        return self._opened.execute(statement).fetchall()

    def stream(self, statement: str) -> Iterator[tuple[Any, ...]]:
        return self._opened.execute(statement)

    def sequence(self, shape: Shape) -> int:
        if not shape.is_numbered:
            return 0
        found = self._opened.execute("SELECT seq FROM sqlite_sequence WHERE name = ?", (shape.name,)).fetchone()
        return int(found[0]) if found else 0


class _Postgres:
    vendor = "postgresql"

    def __init__(self, opened: Any) -> None:
        self._opened = opened

    def tables(self) -> set[str]:
        return {
            str(name)
            for (name,) in self.ask(
                "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition"
                " AND relnamespace = current_schema()::regnamespace"
            )
        }

    def ask(self, statement: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self._opened.execute(statement).fetchall()
        return found

    def stream(self, statement: str) -> Iterator[tuple[Any, ...]]:
        with self._opened.cursor(name="benchwarmers_backup") as cursor:
            cursor.itersize = PIECE
            cursor.execute(statement)
            yield from cursor

    def sequence(self, shape: Shape) -> int:
        if not shape.is_numbered:
            return 0
        ((name,),) = self.ask(f"SELECT pg_get_serial_sequence('\"{shape.name}\"', '{shape.key.name}')")
        if name is None:
            return 0
        ((last, is_given),) = self.ask(f"SELECT last_value, is_called FROM {name}")  # noqa: S608 told by the database
        return int(last) if is_given else 0


@contextmanager
def _sqlite() -> Iterator[View]:
    path = Path(connection.settings_dict["NAME"])
    if not path.is_file():
        raise Refused(f"There is no database at {path}.")
    # Not Django's connection: that begins by taking the lock of writers, and makes objects of moments.
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)) as opened:
        opened.execute("PRAGMA busy_timeout = 20000")
        opened.execute("BEGIN")
        yield _Sqlite(opened)


@contextmanager
def _postgres() -> Iterator[View]:
    from psycopg import IsolationLevel

    with closing(connection.get_new_connection(connection.get_connection_params())) as opened:
        opened.autocommit = True
        opened.execute("SET TIME ZONE 'UTC'")
        opened.execute("SET statement_timeout = 0")
        opened.autocommit = False
        opened.isolation_level = IsolationLevel.REPEATABLE_READ
        opened.read_only = True
        yield _Postgres(opened)
        opened.rollback()
