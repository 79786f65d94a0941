"""The rows of jobs on Postgres; on SQLite they are tried beside their code."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import transaction

from gateway.tests.engine.test_batch import on_a_server, postgres
from probes.tests.jobs import checks

__all__ = ["on_a_server", "postgres"]


@pytest.mark.xdist_group("postgres")
@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.__name__)
def test_on_postgres(check: Callable[[], None], on_a_server: None) -> None:
    with transaction.atomic():
        checks.run(check)
        transaction.set_rollback(True)
