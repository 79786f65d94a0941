"""Background work and what it found in the admin: seen, searched, never changed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.sites import site
from django.test import Client
from django.urls import reverse

from collections_app.tests.world import World, make_world

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
SCRIPT = "<script>alert(1)</script>"
admin.autodiscover()  # as the address table does
MODELS = [model for model in site._registry if model._meta.app_label == "probes"]


@pytest.fixture
def world(db: None) -> World:
    return make_world()


@pytest.fixture
def page(world: World, client: Client) -> Client:
    """One row of each, about `fast` or `north`."""
    made: dict[str, Any] = {str(model._meta.model_name): model._default_manager for model in MODELS}
    fast, north = world.model("fast"), world.endpoint("north")
    job = made["job"].create(kind="availability", key="fast", due_at=NOW, created_at=NOW, note=SCRIPT)
    made["jobline"].create(job=job, at=NOW, step=1, text=f"fast {SCRIPT}")
    made["slot"].create(kind="fast", counted_to=NOW)
    made["probesample"].create(
        language_model=fast, job=job, kind="availability", prompt="tiny", at=NOW, answered=False, detail=SCRIPT
    )
    made["onboardingissue"].create(language_model=fast, at=NOW, step="probed", failure="timeout", detail=SCRIPT)
    made["fingerprint"].create(language_model=fast, at=NOW, answers={"a": SCRIPT})
    made["served"].create(endpoint=north, served="fast", first_seen=NOW, last_seen=NOW)
    made["dismissal"].create(endpoint=north, served="fast", at=NOW, by="alice")
    made["feed"].create(name="fast", trouble=SCRIPT)
    made["offer"].create(provider="fast", name=SCRIPT, served="x", seen_at=NOW)
    made["connectionfact"].create(connection="fast")
    made["ownappprovider"].create(provider="fast", only=True)
    client.force_login(world.dora)
    return client


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_the_record_is_seen_and_searched_and_never_written(page: Client, model: Any) -> None:
    name = f"admin:probes_{model._meta.model_name}"
    row = model._default_manager.get()
    assert page.get(reverse(f"{name}_changelist"), {"q": "fast"}).status_code == 200
    answer = page.get(reverse(f"{name}_change", args=[row.pk]))
    assert answer.status_code == 200
    assert SCRIPT.encode() not in answer.content
    assert page.get(reverse(f"{name}_add")).status_code == 403
    assert page.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
    assert page.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def test_a_job_shows_its_output(page: Client) -> None:
    job = next(model for model in MODELS if model._meta.model_name == "job")._default_manager.get()
    answer = page.get(reverse("admin:probes_job_change", args=[job.pk])).content.decode()
    assert "fast &lt;script&gt;" in answer


def test_every_concept_has_its_page() -> None:
    from django.apps import apps

    missing = {model.__name__ for model in apps.get_app_config("probes").get_models()} - {m.__name__ for m in MODELS}
    assert missing <= {"HubConnection"}  # shown with its endpoint
