"""Every version that is out becomes today's, with all its rows: in place on SQLite, from an archive on Postgres."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from pytest_django.plugin import DjangoDbBlocker

from benchwarmers.backup.archive import Writer
from benchwarmers.backup.make import back_up
from benchwarmers.backup.manifest import Column, Manifest
from benchwarmers.backup.restore import restore
from benchwarmers.backup.tables import Shape
from benchwarmers.backup.values import Kind
from benchwarmers.database import database as described
from benchwarmers.pending import load_pending
from benchwarmers.tests.house.tree import ROOT
from benchwarmers.tests.upgrade.compare import lost
from benchwarmers.tests.upgrade.keep import FOLDER, made
from benchwarmers.tests.upgrade.little import NOW, PLAIN, empty
from collections_app.models import Secret
from collections_app.vault import open_sealed
from gateway.engine.redirect import redirected
from gateway.tests.engine.test_batch import postgres

__all__ = ["postgres"]
pytestmark = [pytest.mark.xdist_group("postgres"), pytest.mark.timeout(600)]
RELEASED = sorted(FOLDER.glob("*.sql.gz"))
MEANT: dict[str, str] = {}
"""What `lost` names and is meant, and why. So far nothing is."""
Old = tuple[Path, Path, bool]
NEW_TABLES = 3
"""Tables that came after a release may be empty; that many or fewer."""


@pytest.fixture(scope="module", params=RELEASED, ids=lambda path: path.name)
def old(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Old:
    """The database of a released version, an archive of it, and whether there are migrations that are newer."""
    folder = tmp_path_factory.mktemp("old")
    made(request.param, folder / "old.sqlite3")
    with django_db_blocker.unblock(), redirected(NAME=folder / "old.sqlite3"):
        is_behind = load_pending() != []
        back_up(folder / "old.zip", settings.BENCH, NOW)
    return folder / "old.sqlite3", folder / "old.zip", is_behind


@pytest.fixture
def on_postgres(postgres: dict[str, Any], django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with django_db_blocker.unblock(), redirected(**postgres), connection.cursor() as cursor:
        cursor.execute('DROP DATABASE IF EXISTS "upgraded" WITH (FORCE)')
        cursor.execute('CREATE DATABASE "upgraded"')
    with django_db_blocker.unblock(), redirected(**{**postgres, "NAME": "upgraded"}):
        yield


def check(before: Path, after: Path) -> None:
    """Of the default database, which was upgraded."""
    assert load_pending() == []
    connection.check_constraints()
    back_up(after, settings.BENCH, NOW)
    assert [what for what in lost(before, after) if what not in MEANT] == []
    assert open_sealed(Secret.objects.get(name="little").cipher) == PLAIN
    assert len(list(empty())) <= 2 + NEW_TABLES  # sessions, of two kinds, are in no archive


def test_a_released_version_is_kept() -> None:
    """`python -m benchwarmers.tests.upgrade.keep` writes it, at the release."""
    told = (ROOT / "CHANGELOG.md").read_text("utf-8")
    out = {
        version
        for version, body in re.findall(r"^## (\d+\.\d+\.\d+)\n(.*?)(?=^## |\Z)", told, re.MULTILINE | re.DOTALL)
        if not body.lstrip().startswith("Not released yet")
    }
    assert out - {path.name.removesuffix(".sql.gz") for path in RELEASED} == set()
    assert RELEASED


def test_it_is_upgraded_in_place(old: Old, tmp_path: Path, django_db_blocker: DjangoDbBlocker) -> None:
    with django_db_blocker.unblock(), redirected(NAME=old[0], OPTIONS=described(None, tmp_path)["OPTIONS"]):
        call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
        check(old[1], tmp_path / "new.zip")


def test_an_archive_of_it_becomes_today_s_on_postgres(old: Old, on_postgres: None, tmp_path: Path) -> None:
    said = restore(old[1], replace(settings.BENCH, home=tmp_path), NOW)
    assert any("newer than the archive" in sentence for sentence in said) == old[2]
    check(old[1], tmp_path / "new.zip")


def test_what_is_lost_is_told(tmp_path: Path) -> None:
    number, text = Column("id", Kind.INTEGER), Column("name", Kind.TEXT)

    def archive(name: str, **tables: list[list[Any]]) -> Path:
        with (tmp_path / name).open("wb") as file:
            writer = Writer(file)
            told = [
                writer.table(Shape(table, (number, text), number, True), rows, 0, lambda *_: None)
                for table, rows in tables.items()
            ]
            writer.finish(Manifest(1, "1", "", "sqlite", {}, tuple(told), (), False))
        return tmp_path / name

    before = archive("before.zip", a=[[1, "x"], [2, "y"]], b=[[1, "z"]])
    assert lost(before, archive("same.zip", a=[[1, "x"], [2, "y"], [3, "new"]], b=[[1, "z"]])) == []
    assert lost(before, archive("less.zip", a=[[1, "other"]])) == ["a 2", "a 1 name", "b"]
