"""A database in a file, as every thread sees it, and a side whose bench uses it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytest_django.plugin import DjangoDbBlocker

from gateway.engine.redirect import redirected
from gateway.tests.engine.databases import migrate
from probes.side import side


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker) -> Path:
    """A migrated database, to be copied."""
    path = tmp_path_factory.mktemp("template") / "bench.sqlite3"
    with django_db_blocker.unblock(), redirected(NAME=path):
        migrate()
    return path


@pytest.fixture(autouse=True)
def aside(migrated: Path, tmp_path: Path, settings: Any, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A database of the test's own, and the process's side opened anew for it."""
    path = tmp_path / "bench.sqlite3"
    shutil.copy(migrated, path)
    side().close()
    settings.BENCH = replace(settings.BENCH, home=tmp_path, redis_url="unix:///nowhere/valkey.sock")
    with django_db_blocker.unblock(), redirected(NAME=path):
        yield
        side().close()
