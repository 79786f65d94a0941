"""An installation with rows in every table, an archive of it, and databases to restore into."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from benchwarmers.backup import restore
from benchwarmers.backup.make import back_up
from benchwarmers.backup.place_postgres import SCHEMA
from benchwarmers.database import database as described
from benchwarmers.env import Environment
from benchwarmers.tests.up.prepared import DATABASE, prepare
from benchwarmers.tests.upgrade.little import NOW, fill
from collections_app.stamp import use_stamp
from gateway.engine.redirect import redirected
from gateway.tests.engine.test_batch import postgres

__all__ = ["postgres"]
OPTIONS: dict[str, Any] = described(None, Path())["OPTIONS"]


@dataclass(frozen=True)
class Made:
    """`archive` is of the installation in `file`; `template` is a migrated database without rows."""

    file: Path
    archive: Path
    template: Path


@pytest.fixture(scope="package")
def made(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Made:
    folder = tmp_path_factory.mktemp("made")
    found = Made(folder / "benchwarmers.sqlite3", folder / "made.zip", folder / "template" / DATABASE)
    put_back = use_stamp(lambda: False)
    try:
        prepare(found.template.parent)
        shutil.copy(found.template, found.file)
        with django_db_blocker.unblock(), redirected(NAME=found.file, OPTIONS=OPTIONS):
            fill()
            connection.close()
            back_up(found.archive, settings.BENCH, NOW)
    finally:
        put_back()
    return found


@pytest.fixture
def bench(tmp_path: Path) -> Environment:
    """The configuration of an installation elsewhere that has the same keys."""
    home = tmp_path / "home"
    home.mkdir()
    return replace(settings.BENCH, home=home)


@pytest.fixture
def on_sqlite(bench: Environment, django_db_blocker: DjangoDbBlocker) -> Iterator[Path]:
    """`default` is a SQLite file that is not there yet."""
    path = bench.home / "benchwarmers.sqlite3"
    with django_db_blocker.unblock(), redirected(NAME=path, OPTIONS=OPTIONS):
        yield path


@pytest.fixture(scope="package")
def ready(postgres: dict[str, Any], django_db_blocker: DjangoDbBlocker) -> str:
    """A Postgres database that is empty, but for a schema of its own with migrated tables; to be copied."""
    with django_db_blocker.unblock(), redirected(**postgres), connection.cursor() as cursor:
        cursor.execute('DROP DATABASE IF EXISTS "ready" WITH (FORCE)')  # tests of elsewhere may have come between
        cursor.execute('CREATE DATABASE "ready" TEMPLATE "postgres"')
    with django_db_blocker.unblock(), redirected(**{**postgres, "NAME": "ready"}), connection.cursor() as cursor:
        cursor.execute("ALTER SCHEMA public RENAME TO ready")
        cursor.execute("CREATE SCHEMA public")
    return "ready"


@pytest.fixture
def on_postgres(postgres: dict[str, Any], ready: str, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Any]]:
    """`default` is an empty Postgres database."""
    with django_db_blocker.unblock(), redirected(**postgres), connection.cursor() as cursor:
        cursor.execute('DROP DATABASE IF EXISTS "back" WITH (FORCE)')
        cursor.execute(f'CREATE DATABASE "back" TEMPLATE "{ready}"')
    with django_db_blocker.unblock(), redirected(**{**postgres, "NAME": "back"}):
        yield {**postgres, "NAME": "back"}


@pytest.fixture
def quickly(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables are copied, for a hundred migrations take seconds; on Postgres once for each test."""
    slowly: Callable[[Any], None] = restore.make_tables

    def make_tables(applied: Any) -> None:
        connection.ensure_connection()
        if connection.vendor == "sqlite":
            with closing(sqlite3.connect(made.template)) as template:
                template.backup(connection.connection)
            return
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'ready'")
            if not cursor.fetchone()[0]:
                return slowly(applied)
            cursor.execute(f"DROP SCHEMA {SCHEMA}")
            cursor.execute(f"ALTER SCHEMA ready RENAME TO {SCHEMA}")

    monkeypatch.setattr(restore, "make_tables", make_tables)
