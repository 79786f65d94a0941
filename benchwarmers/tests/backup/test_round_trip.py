"""What is restored is what was there: on the same kind of database, on the other, and back again."""

from __future__ import annotations

import sqlite3
import stat
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.db.models import Max

from benchwarmers.backup.archive import opened
from benchwarmers.backup.make import back_up
from benchwarmers.backup.restore import check, restore
from benchwarmers.backup.tables import LEFT_OUT
from benchwarmers.env import Environment
from benchwarmers.tests.backup.conftest import Made
from benchwarmers.tests.upgrade.little import NOW, PLAIN
from collections_app.models import Change, Secret
from collections_app.vault import open_sealed

pytestmark = [pytest.mark.xdist_group("postgres"), pytest.mark.timeout(300)]


def tables(archive: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as file:
        return {name: file.read(name) for name in file.namelist() if name.startswith("tables/")}


def same(one: Path, other: Path) -> bool:
    """Whether two archives hold the same, in whatever order the names of JSON objects stand."""
    ours, theirs = tables(one), tables(other)
    return ours.keys() == theirs.keys() and all(plain(ours[name]) == plain(theirs[name]) for name in ours)


def plain(lines: bytes) -> list[Any]:
    return [[_read(value) for value in msgspec.json.decode(line)] for line in lines.splitlines()]


def _read(value: Any) -> Any:
    try:
        return msgspec.json.decode(value) if isinstance(value, str) and value[:1] in {"{", "["} else value
    except msgspec.DecodeError:
        return value


def test_an_archive_has_every_table_and_says_what_is_in_it(made: Made) -> None:
    with closing(sqlite3.connect(made.file)) as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        wanted = names - LEFT_OUT - {"django_migrations", "sqlite_sequence"}
        counts = {name: database.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in wanted}  # noqa: S608
    with opened(made.archive) as archive:
        assert {table.name: table.rows for table in archive.manifest.tables} == counts
        assert min(counts.values()) > 0
        assert not archive.manifest.has_keys
        assert archive.keys() == {}
    assert check(made.archive).rows == sum(counts.values())
    assert stat.S_IMODE(made.archive.stat().st_mode) == 0o600


def test_secrets_and_sessions_are_in_no_archive(made: Made) -> None:
    whole = b"".join(tables(made.archive).values())
    assert PLAIN.encode() not in whole
    assert b"gAAAA" in whole
    assert not {f"tables/{name}.jsonl" for name in LEFT_OUT} & tables(made.archive).keys()


def test_on_sqlite_it_is_the_same_again(made: Made, on_sqlite: Path, bench: Environment, tmp_path: Path) -> None:
    said = restore(made.archive, bench, NOW)
    assert "Every row was read back and compared." in said[0]
    assert stat.S_IMODE(on_sqlite.stat().st_mode) == 0o600
    back_up(tmp_path / "again.zip", bench, NOW)
    assert tables(tmp_path / "again.zip") == tables(made.archive)
    assert open_sealed(Secret.objects.get(name="little").cipher) == PLAIN
    assert [path.name for path in bench.home.iterdir() if "restoring" in path.name] == []


def test_it_moves_to_postgres_and_back(
    made: Made, on_postgres: dict[str, Any], bench: Environment, tmp_path: Path, quickly: None
) -> None:
    restore(made.archive, bench, NOW)
    back_up(tmp_path / "there.zip", bench, NOW)
    assert same(tmp_path / "there.zip", made.archive)
    newest = Change.objects.aggregate(newest=Max("pk"))["newest"]
    assert Change.objects.create(actor_name="x", thing="x", name="x").pk > newest
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND convalidated")
        assert cursor.fetchone()[0] > 50
        cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'benchwarmers%'")
        assert cursor.fetchall() == []
    again = restore(tmp_path / "there.zip", bench, NOW, replace=True)
    assert again[-1] == (
        "What was there before is kept as the schema benchwarmers_before_20261130_120000: remove it when all is well."
    )
    back_up(tmp_path / "back.zip", bench, NOW)
    assert tables(tmp_path / "back.zip") == tables(tmp_path / "there.zip")


def test_numbers_of_deleted_rows_are_not_given_again(
    made: Made, on_sqlite: Path, bench: Environment, tmp_path: Path, quickly: None
) -> None:
    restore(made.archive, bench, NOW)
    newest = Change.objects.latest("pk").pk
    Change.objects.filter(pk=newest).delete()
    connection.close()
    back_up(tmp_path / "less.zip", bench, NOW)
    restore(tmp_path / "less.zip", bench, NOW, replace=True)
    assert Change.objects.create(actor_name="x", thing="x", name="x").pk == newest + 1
