"""A restore in a schema of its own, beside the one that is in use."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import Any, Final

from django.apps import apps
from django.db import Error, connection, transaction

from benchwarmers.backup.refused import Refused
from gateway.engine.redirect import redirected

SCHEMA: Final = "benchwarmers_restoring"
LOCK: Final = 8_122_011
"""Names the lock of restores among those that a database may be asked for."""
LOCK_WAIT: Final = "5s"
GOING_S: Final = 5.0
"""How long a connection that was closed may still be listed."""
OTHERS: Final = (
    "SELECT count(*) FROM pg_stat_activity"
    " WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
)


@contextmanager
def postgres_place() -> Iterator[PostgresPlace]:
    """The place, while no other restore works on this database."""
    try:
        connection.ensure_connection()
    except Error as error:
        raise Refused(f"The database cannot be reached: {_first(error)}.") from None
    if not _value("SELECT pg_try_advisory_lock(%s)", LOCK):
        raise Refused("Another restore works on this database.")
    try:
        yield PostgresPlace()
    finally:
        _value("SELECT pg_advisory_unlock(%s)", LOCK)


class PostgresPlace:
    """Builds in the schema SCHEMA."""

    def __init__(self) -> None:
        self._schema = str(_value("SELECT current_schema()") or "public")
        self.has_tables = bool(self._ours())

    def prepare(self) -> None:
        self._leave_alone()
        self.discard()
        _do(f"CREATE SCHEMA {SCHEMA}")

    def inside(self) -> AbstractContextManager[None]:
        options = dict(connection.settings_dict["OPTIONS"])
        options["options"] = f"{options.get('options', '')} -c search_path={SCHEMA}".strip()
        return redirected(OPTIONS=options)

    def finish(self, now: datetime) -> str:
        self._leave_alone()
        kept = f"benchwarmers_before_{now:%Y%m%d_%H%M%S}" if self.has_tables else ""
        try:
            with transaction.atomic():
                _do(f"SET LOCAL lock_timeout = '{LOCK_WAIT}'")
                if kept:
                    _do(f"CREATE SCHEMA {kept}")
                    _move(self._ours(), self._schema, kept)
                _move(_tables(SCHEMA), SCHEMA, self._schema)
                _do(f"DROP SCHEMA {SCHEMA} CASCADE")
        except Error as error:
            raise Refused(
                f"The tables could not be put in their place: {_first(error)}. Nothing was changed."
            ) from None
        return f"the schema {kept}" if kept else ""

    def discard(self) -> None:
        _do(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")

    def _ours(self) -> list[str]:
        """Tables of this program, of whatever version: others may share the schema."""
        labels = {config.label for config in apps.get_app_configs()} | {"django"}
        return [name for name in _tables(self._schema) if any(name.startswith(f"{label}_") for label in labels)]

    def _leave_alone(self) -> None:
        until = time.monotonic() + GOING_S
        while others := _value(OTHERS):
            if time.monotonic() < until:
                time.sleep(0.05)
                continue
            raise Refused(f"The database is in use by {others} other connections: stop web, worker and beat first.")


def _tables(schema: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = %s::regnamespace ORDER BY 1",
            [schema],
        )
        return [str(name) for (name,) in cursor.fetchall()]


def _move(tables: list[str], old: str, new: str) -> None:
    for name in tables:
        _do(f'ALTER TABLE "{old}"."{name}" SET SCHEMA "{new}"')


def _do(statement: str) -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(statement)
    except Error as error:
        if connection.in_atomic_block:
            raise
        raise Refused(f"The database refuses {statement.split()[0]}: {_first(error)}.") from None


def _value(statement: str, *values: Any) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or None)
        return cursor.fetchone()[0]


def _first(error: Error) -> str:
    return str(error).partition("\n")[0]
