"""A database in a file, as every thread sees it, a side whose bench uses it, and a scripted provider."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from pytest_django.plugin import DjangoDbBlocker

from collections_app.models import Endpoint
from gateway.engine.redirect import redirected
from probes.side import side
from probes.tests.onboarding.scripted import Scripted, scripted
from probes.tests.sweeps.conftest import migrated

__all__ = ["migrated"]


@pytest.fixture
def aside(migrated: Path, tmp_path: Path, settings: Any, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The process's side, opened anew for the test and closed with it, over a database of the test's own."""
    path = tmp_path / "bench.sqlite3"
    shutil.copy(migrated, path)
    side().close()
    settings.BENCH = replace(settings.BENCH, home=tmp_path, redis_url="unix:///nowhere/valkey.sock")
    with django_db_blocker.unblock(), redirected(NAME=path):
        cache.clear()
        yield
        side().close()


@pytest.fixture
def provider(aside: None) -> Iterator[Scripted]:
    """A provider, and the endpoint `den` where it is."""
    with scripted() as running:
        Endpoint.objects.create(name="den", base=running.base, kind="local")
        yield running
