"""A database in a file, as every thread sees it, and a side whose bench uses it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gateway.tests.engine.conftest import Limits, migrated, sqlite
from probes.side import side

__all__ = ["migrated", "sqlite"]


@pytest.fixture(autouse=True)
def aside(sqlite: Path, tmp_path: Path, settings: Any) -> Iterator[None]:
    """The process's side, opened anew for the test and closed with it."""
    side().close()
    settings.BENCH = Limits(tmp_path)
    yield
    side().close()
