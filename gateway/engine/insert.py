"""Plain INSERT statements over many rows, for SQLite and Postgres alike. Table names and how a value is stored come
from the models; rows hold plain Python values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeAlias

from django.db.backends.utils import CursorWrapper
from django.db.models import CharField, DateTimeField, Field, JSONField, Model, TextField

Row = tuple[Any, ...]
Way: TypeAlias = Callable[[Any], Any] | None
"""How a value of a column goes to the driver; None as it is."""


def insert(
    cursor: CursorWrapper, model: type[Model], columns: Sequence[str], rows: Iterable[Row], on: str = "", then: str = ""
) -> None:
    """`columns` are names of the model's own columns; `on` and `then` say what to do with a row that is there."""
    ways = _ways(model, tuple(columns), cursor.db.vendor)
    filled = [[value if way is None else way(value) for way, value in zip(ways, row, strict=True)] for row in rows]
    if not filled:
        return
    table = model._meta.db_table
    conflict = f" ON CONFLICT ({on}) DO UPDATE SET {then.format(table=table)}" if on else ""
    names, places = ", ".join(columns), ", ".join(["%s"] * len(columns))
    cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places}){conflict}", filled)  # noqa: S608


def taken(columns: Iterable[str]) -> str:
    """The clause that takes these columns from the row that came."""
    return ", ".join(f"{column} = excluded.{column}" for column in columns)


def storable(text: Any) -> Any:
    """Postgres holds no NUL in a text; a model or a caller may send one. What is no text stays as it is."""
    return text.replace("\0", "\ufffd") if isinstance(text, str) and "\0" in text else text


def moment(at: datetime | None, vendor: str) -> str | datetime | None:
    """A time as this database's driver takes it in a plain statement."""
    return _moment_text(at) if vendor == "sqlite" else at


@cache
def _ways(model: type[Model], columns: tuple[str, ...], vendor: str) -> tuple[Way, ...]:
    fields = {field.column: field for field in model._meta.concrete_fields}
    return tuple(_way(fields[column.strip('"')], vendor) for column in columns)


def _way(field: Field[Any, Any], vendor: str) -> Way:
    if isinstance(field, JSONField):
        return _json_text
    if isinstance(field, DateTimeField):
        return _moment_text if vendor == "sqlite" else None
    return storable if isinstance(field, CharField | TextField) else None


def _moment_text(at: datetime | None) -> str | None:
    """As Django keeps a time in SQLite: UTC, without saying so."""
    if at is None:
        return None
    return str((at if at.tzinfo is UTC else at.astimezone(UTC)).replace(tzinfo=None))


def _json_text(value: Any) -> str:
    """Both databases take JSON as its text."""
    if not value and isinstance(value, list | tuple):
        return "[]"
    text = json.dumps(value)
    return json.dumps(_clean(value)) if "\\u0000" in text else text


def _clean(value: Any) -> Any:
    match value:
        case dict():
            return {_clean(name): _clean(one) for name, one in value.items()}
        case list() | tuple():
            return [_clean(one) for one in value]
        case _:
            return storable(value)
