"""People, models and a way to seat a panel in a line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.test import Client

from benchwarmers.tests.pages.seed import Played, make_models, make_panel, make_people

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def world(db: None) -> None:
    """maya (curator), ben (caller), zoe (viewer), boss, and no memory of wrong passwords."""
    cache.clear()
    make_people()
    make_models()


@pytest.fixture
def as_person(client: Client) -> Callable[[str], Client]:
    """A client signed in as this person."""
    from django.contrib.auth.models import User

    def enter(name: str) -> Client:
        client.force_login(User.objects.get(username=name))
        return client

    return enter


@pytest.fixture
def bens_panel() -> str:
    """A finished panel of ben's: one answer, one failure, one empty explorer."""
    return make_panel(
        NOON,
        "core",
        "What is a bench for?",
        [
            Played("member", "granite-l", "ok", 3.2, "To sit on.", first=0.4),
            Played("member", "osprey", "error", 1.0, error="429 from harbour"),
            Played("explorer", "wren", "empty", 2.0, why="not asked for 9 days"),
        ],
        owner="ben",
    )
