"""The shared world, three small feeds' offers, and people at the pages."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.tests.world import World, make_world
from probes.catalog.names import FREELLMAPI, MODELS_DEV
from probes.catalog.sources import FreeLlmApi, ModelsDev
from probes.catalog.store_offers import gather_offers
from probes.models import Offer
from probes.tests.catalog.feeds import FREELLMAPI as FREE_FEED
from probes.tests.catalog.feeds import MODELS_DEV as FEED

As = Callable[[str], Client]


@pytest.fixture
def world(db: None) -> World:
    """With an endpoint that leads to groq, and one offer that came today."""
    world = make_world()
    live = frozenset({MODELS_DEV, FREELLMAPI})
    long_ago = timezone.now() - timedelta(days=30)
    gather_offers(ModelsDev(FEED), FreeLlmApi(FREE_FEED), live, long_ago)
    more = {**FEED, "fresh": {"api": "https://fresh.example/v1", "models": {"new-1": {"cost": {"input": 3}}}}}
    gather_offers(ModelsDev(more), FreeLlmApi(FREE_FEED), live, timezone.now())
    do_save_endpoint(actor=None, name="groq", base="https://api.groq.com/openai/v1")
    return world


@pytest.fixture
def as_person(world: World) -> As:
    """A client signed in as this person."""

    def enter(name: str) -> Client:
        client = Client()
        client.force_login(User.objects.get(username=name))
        return client

    return enter


def offer(provider: str, served: str = "") -> Offer:
    """One of a provider's, or the one of this id."""
    rows = Offer.objects.filter(provider=provider)
    return rows.get(served=served) if served else rows[0]
