"""People, and a provider on loopback that lists models to whoever brings its key."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from benchwarmers.tests.pages.seed import make_people
from probes.tests.listing.servers import Served, key_needed, serving

KEY = "sk-a-key-of-twenty-letters"
MODELS = {"data": [{"id": "maker/one-1"}, {"id": "maker/two-2"}]}


@pytest.fixture(autouse=True)
def people(db: None) -> None:
    """maya (curator), ben (caller), zoe (viewer), boss."""
    cache.clear()
    make_people()


@pytest.fixture
def as_person(client: Client) -> Callable[[str], Client]:
    """A client signed in as this person."""

    def enter(name: str) -> Client:
        client.force_login(User.objects.get(username=name))
        return client

    return enter


@pytest.fixture
def maya(as_person: Callable[[str], Client]) -> Client:
    return as_person("maya")


@pytest.fixture
def provider() -> Iterator[Served]:
    with serving({"/v1/models": key_needed(MODELS, KEY)}) as server:
        yield server
