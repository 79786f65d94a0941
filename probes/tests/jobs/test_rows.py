"""The rows of jobs on SQLite, and the same on Postgres."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from gateway.tests.engine.test_batch import on_a_server, postgres
from probes.tests.jobs import checks

__all__ = ["on_a_server", "postgres"]
EVERY_CHECK = pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.__name__)


@EVERY_CHECK
def test_on_sqlite(check: Callable[[], None], db: Any) -> None:
    checks.run(check)


@EVERY_CHECK
@pytest.mark.xdist_group("postgres")
def test_on_postgres(check: Callable[[], None], on_a_server: None) -> None:
    with transaction.atomic():
        checks.run(check)
        transaction.set_rollback(True)
