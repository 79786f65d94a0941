"""Plain INSERT statements over many rows, for SQLite and Postgres alike. Table names come from the models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Model

Row = tuple[Any, ...]


def insert(
    cursor: CursorWrapper, model: type[Model], columns: Sequence[str], rows: Iterable[Row], on: str = "", then: str = ""
) -> None:
    """`columns` are names of the model's own columns; `on` and `then` say what to do with a row that is there."""
    filled = [tuple(map(storable, row)) for row in rows]
    if not filled:
        return
    table = model._meta.db_table
    conflict = f" ON CONFLICT ({on}) DO UPDATE SET {then.format(table=table)}" if on else ""
    names, places = ", ".join(columns), ", ".join(["%s"] * len(columns))
    cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places}){conflict}", filled)  # noqa: S608


def storable(value: Any) -> Any:
    """Postgres holds no NUL in a text; a model or a caller may send one."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value


def taken(columns: Iterable[str]) -> str:
    """The clause that takes these columns from the row that came."""
    return ", ".join(f"{column} = excluded.{column}" for column in columns)


def moment(at: datetime | None) -> str | datetime | None:
    """A time as this database's driver takes it in a plain statement."""
    adapted: str | datetime | None = connection.ops.adapt_datetimefield_value(at)
    return adapted


def json_value(value: Any) -> Any:
    """A JSON value as this database's driver takes it."""
    return connection.ops.adapt_json_value(value, None)
