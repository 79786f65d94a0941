"""People, models and a panel, as the pages' tests have them; and the room of a panel, as the engine's do."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from benchwarmers.tests.dashboard.conftest import bens_panel
from benchwarmers.tests.pages.seed import make_models, make_people
from gateway.tests.engine.conftest import bench, little_wire, migrated, query, room, sqlite

__all__ = ["bench", "bens_panel", "little_wire", "migrated", "query", "room", "sqlite"]


@pytest.fixture
def people(db: None) -> None:
    """maya (curator), ben (caller), zoe (viewer), boss, and the models of the seed."""
    cache.clear()
    make_people()
    make_models()


@pytest.fixture
def as_person(client: Client, people: None) -> Callable[[str], Client]:
    """A client signed in as this person."""

    def enter(name: str) -> Client:
        client.force_login(User.objects.get(username=name))
        return client

    return enter
