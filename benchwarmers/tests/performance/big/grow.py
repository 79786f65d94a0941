"""What is poured once, many times over: each copy lies one span of days before the other. Postgres alone.

Ten million rows take hours to make in Python and minutes to copy in the database. A copy is as skewed as what it is
made of, its names tell its own days, and its rows lie before those that are younger, as they would have been written.
"""

from __future__ import annotations

from typing import Any, Final

from django.core.management.color import no_style
from django.db import connection, models, transaction

from collections_app.models import Change, ClaimGroup, ClaimSeat, Evidence, Verdict
from gateway.models import Call, Conversation, Panel, Reading, Seat, Shadow, Turn
from probes.models import ProbeSample

GROWING: Final = (
    *(Panel, Seat, Conversation, Turn, Shadow, Call, Evidence, Verdict, ClaimGroup, ClaimSeat),
    *(ProbeSample, Change, Reading),
)
NAMES: Final = ("call", "seat", "panel", "conversation", "request")
"""Fields that hold a name which tells when, beside the keys of panels and conversations."""
_MOVED: Final = """
CREATE OR REPLACE FUNCTION pg_temp.moved(name text, days int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
SELECT CASE
    WHEN name ~ '^[pr][0-9]{8}-[0-9]{6}-' THEN left(name, 1) || to_char(
        to_timestamp(substr(name, 2, 15), 'YYYYMMDD-HH24MISS') - make_interval(days => days), 'YYYYMMDD-HH24MISS'
    ) || substr(name, 17)
    WHEN name ~ '^req-' AND days > 0 THEN name || '-' || days
    ELSE name
END
$$
"""


def grow(copies: int, days: int) -> None:
    """Every growing table holds so many times what it holds now, over so many times these days."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(_MOVED)
        cursor.execute("SET LOCAL session_replication_role = replica")  # what is copied refers to what is there
        strides: dict[Any, int] = {model: _set_aside(cursor, model) for model in GROWING}
        cursor.execute("TRUNCATE " + ", ".join(model._meta.db_table for model in GROWING))
        for model in GROWING:
            _copy(cursor, model, strides, copies, days)
        # What runs now did not run then.
        cursor.execute(
            f"UPDATE {Panel._meta.db_table} SET state = 'done', finished_at = started_at"  # noqa: S608
            " WHERE state = 'running' AND started_at < (SELECT max(started_at) FROM gateway_panel) - interval '1 day'"
        )
        for statement in connection.ops.sequence_reset_sql(no_style(), list(GROWING)):
            cursor.execute(statement)


def _set_aside(cursor: Any, model: type[models.Model]) -> int:
    """The table's rows as they are, in another; the largest of its numbers."""
    table, key = model._meta.db_table, model._meta.pk
    cursor.execute(f"CREATE TEMP TABLE aside_{table} ON COMMIT DROP AS TABLE {table}")
    if not isinstance(key, models.AutoField):
        return 0
    cursor.execute(f"SELECT coalesce(max(id), 0) FROM {table}")  # noqa: S608
    return int(cursor.fetchone()[0])


def _copy(cursor: Any, model: type[models.Model], strides: dict[Any, int], copies: int, days: int) -> None:
    """The indexes are made afterwards: sorted at once they take a fifth of the time."""
    table = model._meta.db_table
    cursor.execute(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index i WHERE indrelid = %s::regclass"
        " AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)",
        [table],
    )
    indexes = cursor.fetchall()
    for name, _ in indexes:
        cursor.execute(f"DROP INDEX {name}")
    fields = [field for field in model._meta.concrete_fields if field.column]
    columns = ", ".join(f'"{field.column}"' for field in fields)
    key = model._meta.pk
    assert key is not None
    order = "id" if isinstance(key, models.AutoField) else "ctid"
    for copy in range(copies):
        told = ", ".join(_moved(field, strides, copy, (copies - 1 - copy) * days) for field in fields)
        cursor.execute(f"INSERT INTO {table} ({columns}) SELECT {told} FROM aside_{table} ORDER BY {order}")  # noqa: S608
    for _, definition in indexes:
        cursor.execute(definition)


def _moved(field: Any, strides: dict[Any, int], copy: int, days: int) -> str:
    """This column of a copy. The oldest is the first and has the smallest numbers."""
    column = f'"{field.column}"'
    whose = field.related_model if isinstance(field, models.ForeignKey) else field.model if field.primary_key else None
    if isinstance(field, models.DateTimeField):
        return f"{column} - make_interval(days => {days})"
    if strides.get(whose):
        return f"{column} + {copy * strides[whose]}"
    if whose in strides or field.name in NAMES:
        return f"pg_temp.moved({column}, {days})"
    return column
