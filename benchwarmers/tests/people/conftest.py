"""People to sign in, a way to let them, and a provider of single sign-on on this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from allauth.socialaccount.providers import registry
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, override_settings

from benchwarmers.env_sign_in import Provider, SignIn
from benchwarmers.tests.pages.seed import make_people
from benchwarmers.tests.people.provider import Running, running_provider

Rules = Callable[..., None]


@pytest.fixture(autouse=True)
def people(db: None) -> None:
    """maya (curator), ben (caller), zoe (viewer), boss (superuser) and amy (admin); no memory of wrong passwords."""
    from collections_app.actions.person import do_save_person

    cache.clear()
    make_people()
    do_save_person(actor=None, username="amy", email="amy@example.org", groups=["admin"])


@pytest.fixture
def as_person(client: Client) -> Callable[[str], Client]:
    """A client signed in as this person."""

    def enter(name: str) -> Client:
        client.force_login(User.objects.get(username=name))
        return client

    return enter


@pytest.fixture(scope="session")
def provider() -> Iterator[Running]:
    """Started once for all tests of a process."""
    with running_provider() as found:
        registry.get_class_list()
        registry.register(OpenIDConnectProvider)
        yield found


@pytest.fixture
def rules(provider: Running) -> Iterator[Rules]:
    """Says how this installation lets people in, with the provider set up under the name `house`."""
    known = Provider("house", "The House", provider.issuer, "client", "hush")
    app: dict[str, Any] = {
        "provider_id": "house",
        "name": "The House",
        "client_id": "client",
        "secret": "hush",
        "settings": {"server_url": provider.issuer},
    }
    before = settings.BENCH

    def say(**fields: Any) -> None:
        settings.BENCH = replace(before, sign_in=SignIn(providers=(known,), **fields))

    with override_settings(
        BENCH=before, SOCIALACCOUNT_PROVIDERS={"openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}}
    ):
        say()
        yield say
