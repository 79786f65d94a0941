"""What cannot be done is told in a sentence, and leaves things as they were."""

from __future__ import annotations

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.contrib.auth.models import User
from django.db import connection

from benchwarmers.backup import place_postgres, place_sqlite
from benchwarmers.backup.draft import drafted, remove_left
from benchwarmers.backup.make import back_up
from benchwarmers.backup.refused import Refused
from benchwarmers.backup.restore import restore
from benchwarmers.env import Environment
from benchwarmers.tests.backup.conftest import Made
from benchwarmers.tests.upgrade.little import NOW

pytestmark = [pytest.mark.xdist_group("postgres"), pytest.mark.timeout(300)]


def test_a_database_that_is_not_empty_is_replaced_only_when_told_to_and_kept(
    made: Made, on_sqlite: Path, bench: Environment, quickly: None
) -> None:
    restore(made.archive, bench, NOW)
    User.objects.create(username="only here")
    connection.close()
    with pytest.raises(Refused, match="--replace puts the archive in its place"):
        restore(made.archive, bench, NOW)
    said = restore(made.archive, bench, NOW, replace=True)
    assert not User.objects.filter(username="only here").exists()
    kept = bench.home / "benchwarmers.sqlite3.before-20261130-120000"
    assert str(kept) in said[-1]
    with closing(sqlite3.connect(kept)) as before:
        assert before.execute("SELECT count(*) FROM auth_user WHERE username = 'only here'").fetchone() == (1,)


def test_a_file_that_others_have_open_is_left_alone(
    made: Made, on_sqlite: Path, bench: Environment, quickly: None
) -> None:
    restore(made.archive, bench, NOW)
    connection.close()
    with closing(sqlite3.connect(on_sqlite)) as other:
        other.execute("SELECT count(*) FROM auth_user").fetchone()
        with pytest.raises(Refused, match="stop web, worker and beat first"):
            restore(made.archive, bench, NOW, replace=True)
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_server_that_others_use_is_left_alone(
    made: Made, on_postgres: dict[str, Any], bench: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(place_postgres, "GOING_S", 0.2)
    where = {"host": on_postgres["HOST"], "user": on_postgres["USER"], "dbname": on_postgres["NAME"]}
    with (
        closing(psycopg.connect(**where)),
        pytest.raises(Refused, match="in use by 1 other connections: stop web, worker and beat first"),
    ):
        restore(made.archive, bench, NOW)


def test_two_restores_at_once_are_one_too_many(made: Made, on_postgres: dict[str, Any], bench: Environment) -> None:
    where = {"host": on_postgres["HOST"], "user": on_postgres["USER"], "dbname": on_postgres["NAME"]}
    with closing(psycopg.connect(**where, autocommit=True)) as other:
        other.execute("SELECT pg_advisory_lock(%s)", [place_postgres.LOCK])
        with pytest.raises(Refused, match="Another restore works on this database"):
            restore(made.archive, bench, NOW)


def test_a_disk_that_is_full_is_told_and_no_file_is_left(
    made: Made, on_sqlite: Path, bench: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quickly: None
) -> None:
    restore(made.archive, bench, NOW)
    before = sorted(path.name for path in tmp_path.iterdir())

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("benchwarmers.backup.draft.os.fsync", full)
    with pytest.raises(Refused, match=r"There is no room left for .*some\.zip; nothing of it is kept"):
        back_up(tmp_path / "some.zip", bench, NOW)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_disk_that_fills_while_a_database_is_built_is_told_and_nothing_is_left(
    made: Made, on_sqlite: Path, bench: Environment, monkeypatch: pytest.MonkeyPatch, quickly: None
) -> None:
    pages = made.template.stat().st_size // 4096 + 10
    monkeypatch.setattr(place_sqlite, "QUICK", f"{place_sqlite.QUICK} PRAGMA max_page_count={pages};")
    with pytest.raises(Refused, match=r"The table \w+ cannot be filled: database or disk is full"):
        restore(made.archive, bench, NOW)
    assert list(bench.home.iterdir()) == []


def test_what_a_database_does_not_take_is_told_with_its_table(
    made: Made, on_postgres: dict[str, Any], bench: Environment, monkeypatch: pytest.MonkeyPatch, quickly: None
) -> None:
    monkeypatch.setattr("benchwarmers.backup.load._changed", lambda columns, rows: (["x"] * len(columns) for _ in rows))
    with pytest.raises(Refused, match="The table account_emailaddress cannot be filled: invalid input syntax"):
        restore(made.archive, bench, NOW)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'benchwarmers%'")
        assert cursor.fetchone() == (0,)


def test_a_name_that_is_taken_is_left_alone(made: Made, bench: Environment) -> None:
    with pytest.raises(Refused, match="is there already"), drafted(made.archive):
        pass


def test_a_name_that_somebody_writes_is_left_alone(tmp_path: Path) -> None:
    with drafted(tmp_path / "some.zip") as file:
        file.write(b"one")
        with pytest.raises(Refused, match="Another backup is writing"), drafted(tmp_path / "some.zip"):
            pass
        remove_left(tmp_path, "*.zip")
    assert (tmp_path / "some.zip").read_bytes() == b"one"


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="cannot be written: No such file or directory"), drafted(tmp_path / "no" / "x"):
        pass


def test_no_database_is_no_backup(on_sqlite: Path, bench: Environment, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="There is no database at"):
        back_up(tmp_path / "some.zip", bench, NOW)
    sqlite3.connect(on_sqlite).close()
    with pytest.raises(Refused, match="the database has no tables yet"):
        back_up(tmp_path / "some.zip", bench, NOW)
    on_sqlite.write_bytes(b"this is no database, and longer than the head of one would be" * 20)
    with pytest.raises(Refused, match="The database cannot be read: file is not a database"):
        back_up(tmp_path / "some.zip", bench, NOW)
    assert not (tmp_path / "some.zip").exists()
