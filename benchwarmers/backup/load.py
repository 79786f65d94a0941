"""Fills the tables of an empty database from an archive, and reads every row back."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.db import Error, connection, transaction
from django.db.utils import IntegrityError

from benchwarmers.backup.archive import SAY_EVERY, Reader, Say, packed, unpacked
from benchwarmers.backup.manifest import Column, Table
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.snapshot import rows_of, snapshot
from benchwarmers.backup.tables import Shape
from benchwarmers.backup.values import Change, Kind, held, inward

PIECE: Final = 5_000
"""Rows that SQLite is given at a time."""


def load(archive: Reader, shapes: Sequence[Shape], say: Say) -> None:
    """Replace what is in these tables by what the archive has. Constraints are back, and hold, at the end.

    :raises Refused: the archive has other tables or columns, is damaged, or has what the database does not take.
    """
    tables = {table.name: table for table in archive.manifest.tables}
    _compare(tables, shapes)
    keys = _take_keys_away()
    with transaction.atomic():
        for shape in shapes:
            _run(f'DELETE FROM "{shape.name}"')  # noqa: S608 names of our own schema, as everywhere here
        for shape in shapes:
            try:
                with connection.wrap_database_errors:
                    _fill(shape, tables[shape.name], archive, say)
            except Error as error:
                raise Refused(f"The table {shape.name} cannot be filled: {_first(error)}.") from error
            _move_sequence(shape, tables[shape.name])
    _give_keys_back(keys)


def read_back(archive: Reader, shapes: Sequence[Shape], say: Say) -> None:
    """Compare every row of the database with the archive's.

    :raises Refused: one is missing, too many or different.
    """
    tables = {table.name: table for table in archive.manifest.tables}
    with snapshot() as view:
        for shape in shapes:
            columns = [held(Kind(column.kind), view.vendor) for column in shape.columns]
            lines = archive.lines(tables[shape.name])
            for count, (line, row) in enumerate(itertools.zip_longest(lines, rows_of(view, shape)), 1):
                if line is None or row is None or not _same(line, row, columns):
                    raise Refused(
                        f"The table {shape.name} is not as in the archive after it was filled, at row {count}."
                    )
                if count % SAY_EVERY == 0:
                    say(shape.name, count)


def _compare(tables: dict[str, Table], shapes: Sequence[Shape]) -> None:
    theirs = {name: set(table.columns) for name, table in tables.items()}
    ours = {shape.name: set(shape.columns) for shape in shapes}
    for name in sorted(theirs | ours):
        if theirs.get(name) != ours.get(name):
            raise Refused(f"The archive is damaged or not ours: its table {name} is not as its migrations make it.")


def _fill(shape: Shape, table: Table, archive: Reader, say: Say) -> None:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    rows = _told(shape.name, _changed(table.columns, archive.rows(table)), say)
    if connection.vendor == "sqlite":
        places = ", ".join("?" * len(table.columns))
        statement = f'INSERT INTO "{shape.name}" ({names}) VALUES ({places})'  # noqa: S608
        while piece := list(itertools.islice(rows, PIECE)):
            connection.connection.executemany(statement, piece)  # Django's cursor would rewrite each statement
        return
    with connection.cursor() as cursor, cursor.copy(f'COPY "{shape.name}" ({names}) FROM STDIN') as copy:
        for row in rows:
            copy.write_row(row)


def _changed(columns: Sequence[Column], rows: Iterator[list[Any]]) -> Iterator[list[Any]]:
    changes = [
        (place, change)
        for place, column in enumerate(columns)
        if (change := inward(Kind(column.kind), connection.vendor)) is not None
    ]
    for row in rows:
        for place, change in changes:
            if row[place] is not None:
                row[place] = change(row[place])
        yield row


def _told(name: str, rows: Iterator[list[Any]], say: Say) -> Iterator[list[Any]]:
    for count, row in enumerate(rows, 1):
        yield row
        if count % SAY_EVERY == 0:
            say(name, count)


def _same(line: bytes, row: list[Any], columns: Sequence[Change | None]) -> bool:
    if packed(row) == line:
        return True
    return all(
        theirs == ours
        or (change is not None and theirs is not None and ours is not None and change(theirs) == change(ours))
        for theirs, ours, change in zip(unpacked(line), row, columns, strict=True)
    )


def _move_sequence(shape: Shape, table: Table) -> None:
    """The next row gets a number that no row had before, even one that was deleted."""
    if not shape.is_numbered or not table.sequence:
        return
    if connection.vendor == "sqlite":
        _run("DELETE FROM sqlite_sequence WHERE name = %s", shape.name)
        _run("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", shape.name, table.sequence)
        return
    _run(f"SELECT setval(pg_get_serial_sequence('\"{shape.name}\"', %s), %s)", shape.key.name, table.sequence)


def _take_keys_away() -> list[tuple[str, str, str]]:
    """Foreign keys are not looked at row by row: (table, name, definition) of those that were removed for it."""
    if connection.vendor == "sqlite":
        connection.disable_constraint_checking()
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0"
        )
        keys = [(str(table), str(name), str(told)) for table, name, told in cursor.fetchall()]
    for table, name, _ in keys:
        _run(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
    return keys


def _give_keys_back(keys: list[tuple[str, str, str]]) -> None:
    """And check them, all at once."""
    try:
        for table, name, told in keys:
            _run(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {told}')
        if connection.vendor == "sqlite":
            connection.enable_constraint_checking()
            connection.check_constraints()
    except IntegrityError as error:
        raise Refused(f"The archive is not whole: {_first(error)}.") from None


def _run(statement: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)


def _first(error: Error) -> str:
    return str(error).partition("\n")[0]
