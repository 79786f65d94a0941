"""In the admin models are asked again and alerts settled, by who may, and what is refused is told."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collections_app.actions.alert import Raised, raise_alert
from collections_app.actions.retirement import do_retire_model
from collections_app.models import Alert, Change
from collections_app.tests.world import World, make_world
from gateway.canon.kinds import AlertKind
from probes.health.retry import KIND
from probes.models import Job

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def world(db: None) -> World:
    return make_world()


@pytest.fixture
def page(world: World, client: Client) -> Client:
    """dora's, with an alert about a model and one about a connection."""
    raise_alert("served", Raised("model:fast", AlertKind.REGISTRATION, "fast is not listed", alias="fast"), NOON)
    raise_alert("served", Raised("connection:x", AlertKind.CONNECTION, "x is silent", connection="x"), NOON)
    client.force_login(world.dora)
    return client


def run(page: Client, name: str, action: str, *rows: Any) -> str:
    sent = {"action": action, "_selected_action": [row.pk for row in rows], "sure": "yes"}
    return page.post(reverse(f"admin:collections_app_{name}_changelist"), sent, follow=True).content.decode()


def test_models_are_asked_again_and_what_is_retired_is_told(page: Client, world: World) -> None:
    do_retire_model(actor=None, alias="slow", why="late")
    told = run(page, "languagemodel", "ask_again", world.model("fast"), world.model("slow"))
    assert "Asked again, as jobs: 1." in told
    assert "slow is retired; restore it first." in told
    assert [(job.kind, job.key) for job in Job.objects.all()] == [(KIND, str(world.model("fast").pk))]


def test_the_model_of_an_alert_is_asked_again(page: Client, world: World) -> None:
    told = run(page, "alert", "ask_again", *Alert.objects.all())
    assert "This alert is not about one model." in told
    assert Job.objects.get().key == str(world.model("fast").pk)
    assert Alert.objects.count() == 2  # it goes when the model answers


def test_settling_is_asked_first_then_done_and_noted(page: Client) -> None:
    row = Alert.objects.get(connection="x")
    sent = {"action": "settle", "_selected_action": [row.pk]}
    asked = page.post(reverse("admin:collections_app_alert_changelist"), sent).content.decode()
    assert "Settle these alerts?" in asked
    assert Alert.objects.count() == 2
    assert "Settled: 1." in run(page, "alert", "settle", row)
    assert [one.key for one in Alert.objects.all()] == ["model:fast"]
    noted = Change.objects.get(thing="alert")
    assert (noted.actor_name, noted.name, noted.old) == ("dora", "connection:x", "connection: x is silent")


def test_an_alert_is_seen_and_searched_and_written_by_nobody(page: Client) -> None:
    row = Alert.objects.get(connection="x")
    listed = page.get(reverse("admin:collections_app_alert_changelist"), {"q": "silent"}).content.decode()
    assert "x is silent" in listed
    assert "fast is not listed" not in listed
    where = reverse("admin:collections_app_alert_change", args=[row.pk])
    assert page.get(where).status_code == 200
    assert page.post(where, {"message": "all is well"}).status_code == 403
    assert page.post(reverse("admin:collections_app_alert_add")).status_code == 403


def test_who_may_only_look_is_offered_nothing(page: Client, world: World) -> None:
    world.bob.is_staff = True
    world.bob.save()
    page.force_login(world.bob)
    run(page, "alert", "settle", *Alert.objects.all())
    run(page, "languagemodel", "ask_again", world.model("fast"))
    assert Alert.objects.count() == 2
    assert not Job.objects.exists()
