"""Limits of connections on their admin pages."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from collections_app.models import Change, ConnectionLimit
from collections_app.tests.world import World

ADD = "admin:collections_app_connectionlimit_add"


@pytest.fixture
def page(world: World, client: Client) -> Client:
    """Dora, the admin, is signed in."""
    client.force_login(world.dora)
    return client


def test_a_limit_is_added_changed_and_deleted(page: Client) -> None:
    assert page.post(reverse(ADD), {"connection": "north", "rpm": "60"}).status_code == 302
    row = ConnectionLimit.objects.get()
    assert (row.connection, row.rpm, row.tpm) == ("north", 60, None)
    change = reverse("admin:collections_app_connectionlimit_change", args=[row.pk])
    assert b"Requests a month" in page.get(change).content
    assert page.post(change, {"rpm": "", "tpm": "9000", "parallel": "2"}).status_code == 302
    row.refresh_from_db()
    assert (row.connection, row.rpm, row.tpm, row.parallel) == ("north", None, 9000, 2)
    delete = reverse("admin:collections_app_connectionlimit_delete", args=[row.pk])
    assert page.post(delete, {"post": "yes"}).status_code == 302
    assert not ConnectionLimit.objects.exists()
    assert set(Change.objects.filter(name="north", thing="limit").values_list("actor_name", flat=True)) == {"dora"}


@pytest.mark.parametrize(
    ("values", "field"), [({"rpm": "0"}, "rpm"), ({}, "connection"), ({"connection": "", "rpm": "1"}, "connection")]
)
def test_a_refusal_shows_at_its_field(page: Client, values: dict[str, str], field: str) -> None:
    answer = page.post(reverse(ADD), {"connection": "north", **values})
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == [field]
    assert not ConnectionLimit.objects.exists()
