"""The steps from an empty installation, and how things stand."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.test import Client

from benchwarmers.operations.home.first_run import first_steps
from collections_app.actions.collection import do_remove_collection, do_save_collection
from collections_app.models import Collection, Endpoint, LanguageModel
from gateway.canon.kinds import EndpointKind

Enter = Callable[[str], Client]


def now_at(person: str = "maya") -> str:
    return next((step.name for step in first_steps(User.objects.get(username=person)) if step.now), "")


def test_it_leads_from_endpoint_to_models_to_collection_and_then_is_gone() -> None:
    assert now_at() == "Make a collection"  # the world's have no members
    seat()
    assert now_at() == ""
    do_remove_collection(actor=None, name="core")
    assert now_at() == "Make a collection"
    LanguageModel.objects.all().delete()
    assert now_at() == "Take models on"
    Endpoint.objects.all().delete()
    assert now_at() == "Add an endpoint"


def seat() -> None:
    do_save_collection(actor=None, name="core", members=["granite-l"])


def test_practice_counts_as_nothing() -> None:
    Endpoint.objects.update(kind=EndpointKind.PRACTICE)
    assert now_at() == "Add an endpoint"


def test_who_cannot_take_the_steps_is_not_shown_them() -> None:
    Collection.objects.all().delete()
    assert now_at("zoe") == ""


def test_the_page_says_how_things_stand_and_links_to_more(as_person: Enter, bens_panel: str) -> None:
    seat()
    shown = as_person("ben").get("/").content.decode()
    assert "At a glance" in shown
    assert "verdicts you owe" in shown
    assert "From empty to a judged panel" not in shown
