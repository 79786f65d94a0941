"""The steps from an empty installation, and how things stand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client

from benchwarmers.operations.home.first_run import SETTLED, load_first_run
from collections_app.actions.collection import do_remove_collection, do_save_collection
from collections_app.actions.practice import do_practice_off, do_practice_on
from collections_app.models import Change, Collection, Endpoint, LanguageModel, Standing
from gateway.canon.kinds import EndpointKind

Enter = Callable[[str], Client]


def now_at(person: str = "maya") -> str:
    steps = load_first_run(User.objects.get(username=person)).get("steps", [])
    return next((step.name for step in steps if step.now), "")


def seat() -> None:
    do_save_collection(actor=None, name="core", members=["granite-l"])


def played(offloads: int, judged: int = 0, alias: str = "granite-l") -> None:
    model = LanguageModel.objects.get(alias=alias)
    Standing.objects.update_or_create(
        language_model=model, collection_name="", shape="", defaults={"offloads": offloads, "judged": judged}
    )


def test_it_leads_from_endpoint_to_models_to_collection_to_a_judged_panel_and_then_is_gone() -> None:
    assert now_at() == "Make a collection"  # the world's have no members
    seat()
    assert now_at() == "Ask it"
    played(3)
    assert now_at() == "Judge the answers"
    played(3, judged=1)
    assert now_at() == ""


def test_it_leads_back_to_what_is_missing() -> None:
    seat()
    do_remove_collection(actor=None, name="core")
    assert now_at() == "Make a collection"
    LanguageModel.objects.all().delete()
    assert now_at() == "Take models on"
    Endpoint.objects.all().delete()
    assert now_at() == "Add an endpoint"


def test_who_plays_much_is_no_newcomer_without_a_verdict_either() -> None:
    seat()
    played(SETTLED)
    assert load_first_run(User.objects.get(username="maya")) == {}


def test_practice_counts_as_nothing() -> None:
    played(SETTLED, judged=9)
    Endpoint.objects.update(kind=EndpointKind.PRACTICE)
    assert now_at() == "Add an endpoint"


@pytest.mark.parametrize("name", ["ben", "zoe"])
def test_who_cannot_take_the_steps_is_told_what_to_wait_for(as_person: Enter, name: str) -> None:
    do_practice_on(actor=None)
    assert now_at(name) == ""
    page = as_person(name).get("/").content.decode()
    assert "Nothing to ask yet" in page
    assert ("/ask/?collection=practice" in page) is (name == "ben")
    assert ("the group of callers" in page) is (name == "zoe")
    seat()
    assert "Nothing to ask yet" not in as_person(name).get("/").content.decode()


def test_the_first_step_offers_what_is_at_hand(as_person: Enter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROQ_API_KEY", "gsk-never-shown")
    Collection.objects.all().delete()
    LanguageModel.objects.all().delete()
    Endpoint.objects.all().delete()
    page = as_person("maya").get("/").content.decode()
    assert "GROQ_API_KEY" in page
    assert "gsk-never-shown" not in page
    assert 'hx-get="/endpoints/found/"' in page
    assert "step 1 of 5" in page
    assert "GROQ_API_KEY" not in as_person("zoe").get("/").content.decode()


def test_the_practice_squad_is_brought_in_and_asked(as_person: Enter) -> None:
    do_practice_off(actor=None)
    client = as_person("maya")
    assert 'action="/practice/on"' in client.get("/").content.decode()
    answer = client.post("/practice/on")
    assert answer["Location"] == "/ask/?collection=practice"
    assert Collection.objects.get(name="practice").seatings.exists()
    assert Change.objects.filter(actor_name="maya", name="practice").exists()
    assert 'href="/ask/?collection=practice"' in client.get("/").content.decode()
    assert as_person("ben").post("/practice/on").status_code == 403


def test_a_name_that_is_taken_is_told(as_person: Enter) -> None:
    do_practice_off(actor=None)
    do_save_collection(actor=None, name="practice", members=["granite-l"])
    answer = as_person("maya").post("/practice/on", follow=True)
    assert "rename or remove it first" in answer.content.decode()


def test_the_page_says_how_things_stand_and_links_to_more(as_person: Enter, bens_panel: str) -> None:
    seat()
    shown = as_person("ben").get("/").content.decode()
    assert "At a glance" in shown
    assert "Verdicts owed" in shown
    assert "From empty to a judged panel" not in shown
