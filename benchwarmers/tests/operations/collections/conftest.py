"""The small world, and its people signed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from collections_app.stamp import use_stamp
from collections_app.tests.world import World, make_world


@pytest.fixture
def world(db: None) -> Iterator[World]:
    """alice curates, bob calls, charlie is in no group, dora is the admin. No Redis is asked for a stamp."""
    cache.clear()
    put_back = use_stamp(lambda: False)
    yield make_world()
    put_back()


@pytest.fixture
def as_person(world: World, client: Client) -> Callable[[str], Client]:
    """A client signed in as this person."""

    def enter(name: str) -> Client:
        client.force_login(User.objects.get(username=name))
        return client

    return enter


@pytest.fixture
def alice(as_person: Callable[[str], Client]) -> Client:
    return as_person("alice")


@pytest.fixture
def bob(as_person: Callable[[str], Client]) -> Client:
    return as_person("bob")
