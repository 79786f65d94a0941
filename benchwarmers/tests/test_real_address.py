"""The address of whoever asks reaches the change log, and cannot be made up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from collections_app.models import Change
from collections_app.tests.world import make_world

FORM = {"name": "west", "base": "https://west.example/v1", "api": "chat", "headers": "{}", "quirks": "{}"}


def add_endpoint(client: Client, **headers: str) -> set[str]:
    client.force_login(make_world().dora)
    sent = FORM | {"unlisted_models": "[]"}
    answer = client.post("/admin/collections_app/endpoint/add/", sent, headers=headers)
    assert answer.status_code == 302, answer.content.decode()
    return set(Change.objects.filter(thing="endpoint", name="west").values_list("address", flat=True))


@pytest.mark.django_db
def test_a_write_from_a_page_has_the_address_of_the_other_end() -> None:
    assert add_endpoint(Client(REMOTE_ADDR="203.0.113.9")) == {"203.0.113.9"}


@pytest.mark.django_db
def test_a_stranger_cannot_forward_an_address() -> None:
    assert add_endpoint(Client(REMOTE_ADDR="203.0.113.9"), x_forwarded_for="198.51.100.1") == {"203.0.113.9"}


@pytest.mark.django_db
def test_a_trusted_proxy_can(settings: Any) -> None:
    settings.BENCH = replace(settings.BENCH, trusted_proxies=("203.0.113.9/32",))
    assert add_endpoint(Client(REMOTE_ADDR="203.0.113.9"), x_forwarded_for="198.51.100.1") == {"198.51.100.1"}


@pytest.mark.django_db
def test_what_the_installation_does_by_itself_has_none() -> None:
    make_world()
    assert set(Change.objects.values_list("address", flat=True)) == {""}
