"""A database in a file, as every thread sees it, a side whose bench uses it, and a scripted provider."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache

from collections_app.models import Endpoint
from gateway.tests.engine.conftest import Limits, migrated, sqlite
from probes.side import side
from probes.tests.onboarding.scripted import Scripted, scripted

__all__ = ["migrated", "sqlite"]


@pytest.fixture
def aside(sqlite: Path, tmp_path: Path, settings: Any) -> Iterator[None]:
    """The process's side, opened anew for the test and closed with it."""
    side().close()
    settings.BENCH = Limits(tmp_path)
    cache.clear()
    yield
    side().close()


@pytest.fixture
def provider(aside: None) -> Iterator[Scripted]:
    """A provider, and the endpoint `den` where it is."""
    with scripted() as running:
        Endpoint.objects.create(name="den", base=running.base, kind="local")
        yield running
