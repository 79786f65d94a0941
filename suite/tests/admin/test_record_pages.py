"""The suite in the admin: seen and searched, never written, but that tasks are accepted, dropped and brought back."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.sites import site
from django.test import Client
from django.urls import reverse

from collections_app.models import Change
from collections_app.tests.world import World, make_world
from gateway.canon.kinds import AttemptOutcome, TaskShape
from suite.asking import score_answer
from suite.drafts import Draft
from suite.models import Judgement, JudgeTrial, Task
from suite.store import begin_pass, keep_answer, keep_task

NOW = datetime(2026, 6, 1, tzinfo=UTC)
SCRIPT = "<script>alert(1)</script>"
DRAFT = Draft("fast-claim", SCRIPT, TaskShape.CLAIM, SCRIPT, {"must_find": ["verdict: true"]})
admin.autodiscover()  # as the address table does
MODELS = [model for model in site._registry if model._meta.app_label == "suite"]


@pytest.fixture
def world(db: None) -> World:
    return make_world()


@pytest.fixture
def page(world: World, client: Client) -> Client:
    """One row of each, about `fast`."""
    task, _ = keep_task(DRAFT, by="maya", now=NOW)
    fast = world.model("fast")
    version = task.versions.get()
    one = begin_pass("manual", [version], [fast], by="fast", now=NOW, note=SCRIPT)
    attempt = one.attempts.get()
    keep_answer(attempt, AttemptOutcome.ANSWERED, score_answer(version, SCRIPT), answer=SCRIPT, at=NOW)
    JudgeTrial.objects.create(language_model=fast, attempt=attempt, claim=SCRIPT, truth=True)
    Judgement.objects.create(language_model=fast, attempt=attempt, claim=SCRIPT)
    client.force_login(world.dora)
    return client


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_the_record_is_seen_and_searched_and_never_written(page: Client, model: Any) -> None:
    name = f"admin:suite_{model._meta.model_name}"
    row = model._default_manager.get()
    assert page.get(reverse(f"{name}_changelist"), {"q": "fast"}).status_code == 200
    answer = page.get(reverse(f"{name}_change", args=[row.pk]))
    assert answer.status_code == 200
    assert SCRIPT.encode() not in answer.content
    assert page.get(reverse(f"{name}_add")).status_code == 403
    assert page.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
    assert page.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403


def act(page: Client, verb: str) -> str:
    where, row = reverse("admin:suite_task_changelist"), Task.objects.get()
    answer = page.post(where, {"action": verb, "_selected_action": [row.pk], "sure": "yes"}, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_tasks_are_accepted_dropped_and_brought_back_and_it_is_written_down(page: Client) -> None:
    for verb, state in (("drop", (True, True)), ("bring_back", (True, False)), ("accept", (False, False))):
        act(page, verb)
        assert Task.objects.values_list("draft", "dropped").get() == state
    told = Change.objects.filter(thing="task").order_by("id").values_list("actor_name", "field", "new")
    assert list(told) == [("dora", "dropped", True), ("dora", "dropped", False), ("dora", "draft", False)]


def test_what_is_refused_is_told(page: Client) -> None:
    act(page, "drop")
    assert "fast-claim was dropped; restore it first." in act(page, "accept")
    assert Task.objects.get().draft


def test_a_task_leads_to_its_page(page: Client) -> None:
    answer = page.get(reverse("admin:suite_task_change", args=[Task.objects.get().pk])).content.decode()
    assert reverse("operations:suite-task", args=["fast-claim"]) in answer


def test_every_concept_has_its_page() -> None:
    from django.apps import apps

    assert set(apps.get_app_config("suite").get_models()) == set(MODELS)
