"""A backup shows one moment of a database that others write to all the while."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import connection, transaction

from benchwarmers.backup.archive import Writer, opened
from benchwarmers.backup.make import back_up
from benchwarmers.backup.restore import restore
from benchwarmers.env import Environment
from benchwarmers.tests.backup.conftest import Made
from benchwarmers.tests.upgrade.little import NOW

pytestmark = [pytest.mark.xdist_group("postgres"), pytest.mark.timeout(300)]
PATIENCE_S = 60


class Busy:
    """Makes groups with two rights each, one transaction after another, and removes every other one again."""

    def __init__(self) -> None:
        self.made = 0
        self._turn, self._done = threading.Semaphore(0), threading.Semaphore(0)
        self._over = threading.Event()
        self._rights = list(Permission.objects.order_by("pk")[:2])

    def write(self) -> None:
        """In a thread of its own: one transaction for each `step`."""
        try:
            while self._turn.acquire(timeout=PATIENCE_S) and not self._over.is_set():
                with transaction.atomic():
                    Group.objects.create(name=f"busy-{self.made}").permissions.set(self._rights)
                    Group.objects.filter(name=f"busy-{self.made - 2}").delete()
                self.made += 1
                self._done.release()
        finally:
            connection.close()

    def step(self) -> None:
        """Have it write once, and wait until it has."""
        self._turn.release()
        assert self._done.acquire(timeout=PATIENCE_S)

    def end(self) -> None:
        self._over.set()
        self._turn.release()


@contextmanager
def writing(monkeypatch: pytest.MonkeyPatch) -> Iterator[Busy]:
    """Somebody who writes before each table that a backup reads."""
    busy = Busy()
    thread = threading.Thread(target=busy.write)
    thread.start()
    table: Callable[..., Any] = Writer.table

    def interrupted(self: Writer, *args: Any) -> Any:
        busy.step()
        return table(self, *args)

    monkeypatch.setattr(Writer, "table", interrupted)
    try:
        busy.step()
        yield busy
    finally:
        busy.end()
        thread.join(PATIENCE_S)


def check(archive: Path, busy: Busy) -> None:
    """Every group that is told has both its rights, and nothing was written after the first look."""
    with opened(archive) as file:
        tables = {table.name: table for table in file.manifest.tables}
        groups = {row[0]: row[1] for row in file.rows(tables["auth_group"]) if row[1].startswith("busy-")}
        links = [row[1] for row in file.rows(tables["auth_group_permissions"])]
        assert busy.made > len(tables)
    assert list(groups.values()) == ["busy-0"]
    assert {number: links.count(number) for number in groups} == dict.fromkeys(groups, 2)
    assert set(links) - set(groups) <= {pk for pk in Group.objects.values_list("pk", flat=True)}


def test_on_sqlite_it_shows_one_moment(
    made: Made, on_sqlite: Path, bench: Environment, tmp_path: Path, quickly: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    restore(made.archive, bench, NOW)
    with writing(monkeypatch) as busy:
        back_up(tmp_path / "busy.zip", bench, NOW)
    check(tmp_path / "busy.zip", busy)
    connection.close()
    restore(tmp_path / "busy.zip", bench, NOW, replace=True)


def test_on_postgres_it_shows_one_moment(
    made: Made,
    on_postgres: dict[str, Any],
    bench: Environment,
    tmp_path: Path,
    quickly: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    restore(made.archive, bench, NOW)
    with writing(monkeypatch) as busy:
        back_up(tmp_path / "busy.zip", bench, NOW)
    check(tmp_path / "busy.zip", busy)
