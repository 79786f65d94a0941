"""The gateway's record in the admin: seen, searched, never changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.sites import site
from django.test import Client
from django.urls import reverse

from collections_app.models import GatewayKey
from collections_app.tests.world import World

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
admin.autodiscover()  # as the address table does
MODELS = [model for model in site._registry if model._meta.app_label == "gateway"]


@pytest.fixture
def page(world: World, client: Client) -> Client:
    """One row of each."""
    made: dict[str, Any] = {str(model._meta.model_name): model for model in MODELS}
    fast = world.model("fast")
    panel = made["panel"].objects.create(
        id="p1", caller="bob", collection_name="core", protocol="chat", shape="general", shape_by="set", started_at=NOW
    )
    made["seat"].objects.create(
        call="p1.member", panel=panel, place=1, label="member", alias="fast", answer="<script>alert(1)</script>"
    )
    made["call"].objects.create(
        at=NOW, alias="fast", endpoint_name="north", connection="north", caller="bob", status="ok"
    )
    made["cooldown"].objects.create(language_model=fast, until=NOW)
    conversation = made["conversation"].objects.create(
        id="r1", caller="fast", collection_name="core", protocol="anthropic", started_at=NOW, last_at=NOW
    )
    for number in range(1, 121):
        turn = {"number": number, "call": "r1.1", "alias": "fast", "at": NOW, "status": "ok"}
        conversation.turns.create(tool_calls=[f"<script>alert({number})</script>"], **turn)
    shadow = {"number": 1, "alias": "slow", "member": "fast", "at": NOW, "status": "ok"}
    conversation.shadows.create(call="r1.shadow1", proposal={"text": "<script>alert(1)</script>"}, **shadow)
    key = GatewayKey.objects.create(owner=world.bob, name="fast", digest="d", hint="h")
    made["keyspend"].objects.create(key=key, unit="requests", period="day", start=NOW.date(), spent=1)
    made["quota"].objects.create(connection="fast", metric="requests", window="minute", observed_at=NOW)
    made["reading"].objects.create(reader_name="fast", thing="panel", name="p1", owner_name="bob")
    made["usageday"].objects.create(day=NOW.date(), caller="bob", alias="fast", connection="north")
    client.force_login(world.dora)
    return client


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_the_record_is_seen_and_searched_and_never_written(page: Client, model: Any) -> None:
    name = f"admin:gateway_{model._meta.model_name}"
    row = model._default_manager.get()
    assert page.get(reverse(f"{name}_changelist"), {"q": "fast"}).status_code == 200
    answer = page.get(reverse(f"{name}_change", args=[row.pk]))
    assert answer.status_code == 200
    assert b"<script>alert" not in answer.content
    assert page.get(reverse(f"{name}_add")).status_code == 403
    assert page.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
    assert page.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def test_a_panel_shows_its_seats(page: Client) -> None:
    answer = page.get(reverse("admin:gateway_panel_change", args=["p1"]))
    assert "&lt;script&gt;alert(1)" in answer.content.decode()


def test_a_conversation_shows_its_turns_a_page_at_a_time_newest_first(page: Client) -> None:
    answer = page.get(reverse("admin:gateway_conversation_change", args=["r1"])).content.decode()
    assert "&lt;script&gt;alert(120)" in answer
    assert "&lt;script&gt;alert(21)" in answer
    assert "&lt;script&gt;alert(20)" not in answer


@pytest.mark.parametrize(("who", "status"), [("alice", 200), ("dora", 200), ("bob", 404)])
def test_curators_and_admins_see_conversations_and_shadows(page: Client, world: World, who: str, status: int) -> None:
    page.force_login(getattr(world, who))
    for model, key in (("conversation", "r1"), ("shadow", "r1.shadow1")):
        assert page.get(reverse(f"admin:gateway_{model}_change", args=[key])).status_code == status
