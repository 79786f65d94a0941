"""Decision models on their admin pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.models import Change, DecisionModel, Endpoint, Setting
from collections_app.tests.world import World

ADD = "admin:collections_app_decisionmodel_add"


@pytest.fixture
def page(world: World, client: Client) -> Client:
    """Alice, a curator, is signed in; the north takes decisions."""
    do_save_endpoint(
        actor=None, name="north", base="https://north.example/v1", decisions_url="https://north.example/v1/{path}"
    )
    client.force_login(world.alice)
    return client


def form(world: World, **facts: Any) -> dict[str, Any]:
    return {
        "alias": "decider",
        "served": "maker/decide-1",
        "via": world.endpoint("north").pk,
        "path": "decisions",
        "question_types": ["choice", "score"],
        **facts,
    }


def test_a_decision_model_is_added_changed_and_deleted(page: Client, world: World) -> None:
    assert page.post(reverse(ADD), form(world)).status_code == 302
    row = DecisionModel.objects.get()
    assert row.question_types == ["choice", "score"]
    change = reverse("admin:collections_app_decisionmodel_change", args=[row.pk])
    assert b"maker/decide-1" in page.get(change).content
    assert page.post(change, form(world, alias="other", path="systemone", ad_hoc="on")).status_code == 302
    row.refresh_from_db()
    assert (row.alias, row.path, row.ad_hoc) == ("decider", "systemone", True)
    assert b"choice, score" in page.get(reverse("admin:collections_app_decisionmodel_changelist")).content
    delete = reverse("admin:collections_app_decisionmodel_delete", args=[row.pk])
    assert page.post(delete, {"post": "yes"}).status_code == 302
    assert not DecisionModel.objects.exists()
    assert set(Change.objects.filter(name="decider").values_list("actor_name", flat=True)) == {"alice"}


@pytest.mark.parametrize(
    ("facts", "field"),
    [({"alias": "fast"}, "alias"), ({"question_types": []}, "question_types"), ({"via": "south"}, "via")],
)
def test_a_refusal_shows_at_its_field(page: Client, world: World, facts: dict[str, Any], field: str) -> None:
    if "via" in facts:
        facts = {"via": Endpoint.objects.get(name="south").pk}
    answer = page.post(reverse(ADD), form(world, **facts))
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == [field]
    assert not DecisionModel.objects.exists()


def test_the_picker_is_set_on_the_page_of_the_settings(page: Client, world: World) -> None:
    change = reverse("admin:collections_app_setting_change", args=[Setting.load().pk])
    values = {"max_calls": 5, "max_explorers": 2, "scheduler": "off", "half_life_days": 60}
    values |= {"ledger_days": 0, "work_days": 0, "sample_days": 0, "log_days": 0}
    answer = page.post(change, {**values, "picker": "ghost"})
    assert list(answer.context["adminform"].form.errors) == ["picker"]
    assert page.post(change, {**values, "picker": "fast"}).status_code == 302
    assert Setting.load().picker == "fast"
