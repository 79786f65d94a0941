"""Commands that are killed halfway leave nothing that is taken for whole, and the next one works."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from benchwarmers.backup.draft import draft_of
from benchwarmers.backup.make import back_up
from benchwarmers.backup.place import place
from benchwarmers.backup.place_postgres import SCHEMA
from benchwarmers.backup.restore import check, restore
from benchwarmers.env import Environment
from benchwarmers.tests.backup.conftest import Made
from benchwarmers.tests.house.tree import ROOT
from benchwarmers.tests.upgrade.little import NOW

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("postgres"), pytest.mark.timeout(300)]


@contextmanager
def paused(point: str, made: Made, home: Path, *command: str) -> Iterator[subprocess.Popen[str]]:
    """A command that stands still at this point."""
    kept = {name: text for name, text in os.environ.items() if name in {"PATH", "HOME", "LANG", "TMPDIR"}}
    variables = {
        "DJANGO_SETTINGS_MODULE": "benchwarmers.settings",
        "BENCHWARMERS_HOME": str(home),
        "BENCHWARMERS_VAULT_KEY": settings.BENCH.vault_keys[0],
    }
    words = [sys.executable, "-m", "benchwarmers.tests.backup.paused", point, str(made.template), *command]
    with subprocess.Popen(words, cwd=ROOT, env=kept | variables, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "here\n"
            yield process
        finally:
            process.kill()


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as opened:
        assert opened.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        return list(opened.iterdump())


@pytest.mark.parametrize(("number", "leaves"), [(signal.SIGKILL, True), (signal.SIGTERM, False)])
def test_a_backup_that_is_ended_halfway_has_no_file(
    made: Made, on_sqlite: Path, bench: Environment, tmp_path: Path, quickly: None, number: int, leaves: bool
) -> None:
    restore(made.archive, bench, NOW)
    connection.close()
    path = tmp_path / "some.zip"
    with paused("packing", made, bench.home, "backup", str(path)) as process:
        process.send_signal(number)
        process.wait(60)
    assert not path.exists()
    assert draft_of(path).exists() == leaves
    back_up(path, bench, NOW)
    assert check(path).rows > 2_000
    assert not draft_of(path).exists()


def test_a_restore_that_is_killed_halfway_changes_nothing(
    made: Made, on_sqlite: Path, bench: Environment, quickly: None
) -> None:
    restore(made.archive, bench, NOW)
    connection.close()
    before = dump(on_sqlite)
    with paused("filled", made, bench.home, "restore", str(made.archive), "--replace") as process:
        process.kill()
        process.wait(60)
    assert dump(on_sqlite) == before
    assert any("restoring" in path.name for path in bench.home.iterdir())
    restore(made.archive, bench, NOW, replace=True)
    assert not any("restoring" in path.name for path in bench.home.iterdir())


def test_what_a_killed_restore_left_on_postgres_is_removed_by_the_next(on_postgres: dict[str, Any]) -> None:
    where = {"host": on_postgres["HOST"], "user": on_postgres["USER"], "dbname": on_postgres["NAME"]}
    with closing(psycopg.connect(**where, autocommit=True)) as killed:
        killed.execute(f"CREATE SCHEMA {SCHEMA}")
        killed.execute(f"CREATE TABLE {SCHEMA}.half (a int)")
    with place() as spot:
        assert not spot.has_tables
        spot.prepare()
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT (SELECT count(*) FROM pg_namespace WHERE nspname = %s), to_regclass(%s)",
                [SCHEMA, f"{SCHEMA}.half"],
            )
            assert cursor.fetchone() == (1, None)
        spot.discard()
