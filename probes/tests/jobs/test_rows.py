"""The rows of jobs on SQLite; the same checks run on Postgres in `benchwarmers/tests/jobs`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from probes.tests.jobs import checks

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("check", checks.CHECKS, ids=lambda check: check.__name__)
def test_on_sqlite(check: Callable[[], None]) -> None:
    checks.run(check)
