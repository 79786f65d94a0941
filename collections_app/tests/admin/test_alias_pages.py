"""Aliases on their admin pages."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from collections_app.models import Change, ModelAlias
from collections_app.tests.world import World

ADD = "admin:collections_app_modelalias_add"


@pytest.fixture
def page(world: World, client: Client) -> Client:
    """Alice, a curator, is signed in."""
    client.force_login(world.alice)
    return client


def test_an_alias_is_added_moved_and_deleted(page: Client, world: World) -> None:
    core, pair = world.collection("core").pk, world.collection("pair").pk
    assert page.post(reverse(ADD), {"name": "gpt-oss:20b", "target": core, "mode": "merged"}).status_code == 302
    row = ModelAlias.objects.get(name="gpt-oss:20b")
    assert row.full_name == "bench/core:merged"
    change = reverse("admin:collections_app_modelalias_change", args=[row.pk])
    assert page.post(change, {"name": "other", "target": pair, "mode": ""}).status_code == 302
    row.refresh_from_db()
    assert (row.name, row.full_name) == ("gpt-oss:20b", "bench/pair")
    delete = reverse("admin:collections_app_modelalias_delete", args=[row.pk])
    assert page.post(delete, {"post": "yes"}).status_code == 302
    assert not ModelAlias.objects.filter(name="gpt-oss:20b").exists()
    assert set(Change.objects.filter(name="gpt-oss:20b").values_list("actor_name", flat=True)) == {"alice"}


@pytest.mark.parametrize(
    ("name", "mode", "field"),
    [("a b", "", "name"), ("core", "", "name"), ("gpt-5.5", "", "name"), ("mini", "loud", "mode")],
)
def test_a_refusal_shows_at_its_field(page: Client, world: World, name: str, mode: str, field: str) -> None:
    answer = page.post(reverse(ADD), {"name": name, "target": world.collection("core").pk, "mode": mode})
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == [field]
    assert ModelAlias.objects.count() == 1
