"""Many rows at once into an empty table: COPY on Postgres, one executemany on SQLite. Columns that are not named take
the default of their field, so that a new column needs no change here."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from typing import Any

from django.core.management.color import no_style
from django.db import connection, models, transaction

Row = Sequence[Any]
PIECE = 20_000


def pour(model: type[models.Model], columns: Sequence[str], rows: Iterable[Row]) -> int:
    """Rows of these columns (`id` or `pk` names the key) into the model's table; how many they were."""
    fields = [model._meta.pk if name == "pk" else model._meta.get_field(name) for name in columns]
    named = {field.attname for field in fields}  # type: ignore[union-attr]
    auto = [field for field in model._meta.concrete_fields if isinstance(field, models.AutoField) and field.primary_key]
    rest = [field for field in model._meta.concrete_fields if field.attname not in named and field not in auto]
    constants = tuple(_held(field, _default(field)) for field in rest)
    changed = [(place, changer) for place, field in enumerate(fields) if (changer := _changer(field))]
    names = [str(field.column) for field in (*fields, *rest)]  # type: ignore[union-attr]

    def held() -> Iterator[tuple[Any, ...]]:
        for row in rows:
            values = list(row)
            for place, changer in changed:
                values[place] = changer(values[place])
            yield (*values, *constants)

    with transaction.atomic():
        count = _copy(model, names, held()) if connection.vendor == "postgresql" else _insert(model, names, held())
    if auto and named & {field.attname for field in auto}:
        _move_sequence(model)
    return count


def _copy(model: type[models.Model], names: Sequence[str], rows: Iterator[tuple[Any, ...]]) -> int:
    count = 0
    quoted = ", ".join(f'"{name}"' for name in names)
    with connection.cursor() as cursor, cursor.copy(f'COPY "{model._meta.db_table}" ({quoted}) FROM STDIN') as copy:
        for row in rows:
            copy.write_row(row)
            count += 1
    return count


def _insert(model: type[models.Model], names: Sequence[str], rows: Iterator[tuple[Any, ...]]) -> int:
    count = 0
    quoted, places = ", ".join(f'"{name}"' for name in names), ", ".join(["?"] * len(names))
    statement = f'INSERT INTO "{model._meta.db_table}" ({quoted}) VALUES ({places})'  # noqa: S608
    connection.ensure_connection()
    while piece := list(itertools.islice(rows, PIECE)):
        connection.connection.executemany(statement, piece)  # Django's own cursor would rewrite each statement
        count += len(piece)
    return count


def _move_sequence(model: type[models.Model]) -> None:
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), [model]):
            cursor.execute(statement)


def _default(field: models.Field[Any, Any]) -> Any:
    if getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False):
        raise ValueError(f"say a time for {field.model.__name__}.{field.name}")
    return field.get_default()


def _held(field: models.Field[Any, Any], value: Any) -> Any:
    changer = _changer(field)
    return changer(value) if changer else value


def _changer(field: Any) -> Callable[[Any], Any] | None:
    """What makes the driver's value of a value of this field, None where it is the same."""
    match field:
        case models.DateTimeField():
            return connection.ops.adapt_datetimefield_value
        case models.DateField():
            return _day
        case models.JSONField():
            return _json
        case _:
            return None


def _day(value: date | None) -> str | None:
    return None if value is None else value.isoformat()


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value)
