"""The list of endpoints, what is found without typing, and the buttons of an endpoint's page."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from msgspec.structs import replace
from pytest_django import DjangoAssertNumQueries

from benchwarmers.operations.endpoints.selectors import load_endpoints
from benchwarmers.tests.operations.endpoints.conftest import KEY, MODELS
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.endpoint_key import do_set_key
from collections_app.actions.language_model import do_save_model
from collections_app.actions.practice import do_practice_on
from collections_app.models import Endpoint, LanguageModel, Secret
from probes import detect
from probes.models import Served as ServedName
from probes.providers import PRESETS
from probes.tests.listing.servers import Served, serving

As = Callable[[str], Client]
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.fixture
def three() -> None:
    for name, key_env in (("north", ""), ("south", "NO_SUCH_VARIABLE_HERE"), ("west", "")):
        do_save_endpoint(actor=None, name=name, base=f"https://{name}.example/v1", key_env=key_env)
    do_set_key(actor=None, name="north", plain=KEY)
    do_save_model(actor=None, served="maker/one-1", endpoint="north", alias="one")
    row = Endpoint.objects.get(name="north")
    for served, missing in (("maker/one-1", None), ("maker/old", NOON)):
        ServedName.objects.create(endpoint=row, served=served, first_seen=NOON, last_seen=NOON, first_missing=missing)


def test_each_endpoint_stands_with_its_key_models_and_last_listing(three: None) -> None:
    lines = {line.row.name: line for line in load_endpoints(NOON)}
    north = lines["north"]
    assert (north.models, north.listed, north.listed_at, north.row.default) == (1, 1, NOON, True)
    assert north.key.words == f"key stored, …{KEY[-4:]}"
    assert lines["south"].key.missing
    assert "NO_SUCH_VARIABLE_HERE is not set" in lines["south"].key.words
    assert (lines["west"].key.words, lines["west"].listed_at) == ("no key", None)


def test_the_list_costs_as_many_queries_for_many_as_for_few(
    three: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        load_endpoints(NOON)
    for number in range(9):
        do_save_endpoint(actor=None, name=f"more-{number}", base="https://more.example/v1")
    with django_assert_num_queries(4):
        assert len(load_endpoints(NOON)) == 12


@pytest.mark.parametrize(("name", "adds"), [("maya", True), ("zoe", False)])
def test_whoever_sees_endpoints_sees_the_list_and_curators_may_add(
    as_person: As, three: None, name: str, adds: bool
) -> None:
    page = text(as_person(name), "/endpoints/")
    assert "https://north.example/v1" in page
    assert ("/endpoints/new/" in page) is adds
    assert KEY not in page


def test_an_empty_installation_says_what_to_do_next(as_person: As) -> None:
    page = text(as_person("maya"), "/endpoints/")
    assert "No endpoints yet" in page
    assert "Add your first endpoint" in page
    assert "/endpoints/new/" not in text(as_person("zoe"), "/endpoints/")


def test_the_practice_squad_alone_is_no_endpoint_of_one_s_own(maya: Client) -> None:
    do_practice_on(actor=None, base="http://127.0.0.1:8122/practice/v1")
    assert "Only the practice squad is here" in text(maya, "/endpoints/")
    page = text(maya, "/endpoints/practice/")
    assert "answers come from a script" in page
    assert maya.post("/endpoints/practice/", {"do": "save", "base": "https://x.example"}).status_code == 404
    assert maya.post("/endpoints/practice/remove/").status_code == 404


def test_a_server_on_this_machine_is_found_and_added_by_one_click(
    maya: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving({"/v1/models": MODELS}) as server:
        settings.BENCH = dataclasses.replace(settings.BENCH, detect_hosts=("127.0.0.1",))
        monkeypatch.setattr(detect, "PORTS", {server.port: "vLLM"})
        page = text(maya, "/endpoints/found/")
        assert f"{server.base}/v1" in page
        answer = maya.post("/endpoints/adopt/", {"id": "local", "base": f"{server.base}/v1", "api": "chat"})
        assert answer["Location"] == "/endpoints/local/?listed=2"
        assert "No model server answers" in text(maya, "/endpoints/found/")
    assert Endpoint.objects.get().kind == "local"


def test_a_server_that_went_away_meanwhile_is_told(maya: Client) -> None:
    with serving({}) as server:
        base = server.base
    answer = maya.post("/endpoints/adopt/", {"id": "local", "base": base, "api": "chat"}, follow=True)
    assert "No connection to 127.0.0.1" in answer.content.decode()
    assert not Endpoint.objects.exists()


def test_a_key_of_the_environment_is_offered_and_nothing_is_asked_before_the_click(
    maya: Client, provider: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    near = replace(PRESETS["groq"], base=f"{provider.base}/v1")
    monkeypatch.setattr(detect, "PRESETS", {"groq": near})
    monkeypatch.setenv("GROQ_API_KEY", KEY)
    page = text(maya, "/endpoints/")
    assert "GROQ_API_KEY" in page
    assert KEY not in page
    assert provider.asked == []
    answer = maya.post("/endpoints/adopt/", {"preset": "groq"})
    assert answer["Location"] == "/endpoints/groq/?listed=2"
    row = Endpoint.objects.get()
    assert (row.name, row.key_env) == ("groq", "GROQ_API_KEY")
    assert not Secret.objects.exists()
    assert "key from GROQ_API_KEY" in text(maya, "/endpoints/groq/")
    again = maya.post("/endpoints/adopt/", {"preset": "groq"}, follow=True)
    assert "not at hand any more" in again.content.decode()
    assert Endpoint.objects.count() == 1


def test_another_endpoint_is_made_the_default(maya: Client, three: None) -> None:
    maya.post("/endpoints/south/default/")
    assert Endpoint.objects.get(default=True).name == "south"
    assert maya.post("/endpoints/east/default/").status_code == 404


def test_a_stored_key_is_forgotten(maya: Client, three: None) -> None:
    page = maya.post("/endpoints/north/key/remove/", follow=True).content.decode()
    assert "The stored key of north is gone." in page
    assert not Secret.objects.exists()


def test_models_go_with_their_endpoint_only_when_its_name_is_typed(maya: Client, three: None) -> None:
    refused = maya.post("/endpoints/north/remove/", {"confirm": "north"}, follow=True).content.decode()
    assert "make another endpoint the default first" in refused
    maya.post("/endpoints/south/default/")
    refused = maya.post("/endpoints/north/remove/", {"confirm": "nort"}, follow=True).content.decode()
    assert "Type the name north" in refused
    assert LanguageModel.objects.exists()
    maya.post("/endpoints/north/remove/", {"confirm": "north"})
    assert not LanguageModel.objects.exists()
    assert set(Endpoint.objects.values_list("name", flat=True)) == {"south", "west"}
    maya.post("/endpoints/west/remove/")
    maya.post("/endpoints/south/remove/")
    assert not Endpoint.objects.exists()


def test_a_caller_may_press_none_of_the_buttons(as_person: As, three: None) -> None:
    ben = as_person("ben")
    for way in ("default", "key/remove", "remove"):
        assert ben.post(f"/endpoints/north/{way}/", {"confirm": "north"}).status_code == 404
    assert ben.post("/endpoints/adopt/", {"preset": "groq"}).status_code == 403
    assert ben.get("/endpoints/found/").status_code == 403
    assert Endpoint.objects.count() == 3


def test_strangers_are_led_to_the_door(client: Client, three: None) -> None:
    for address in ("/endpoints/", "/endpoints/new/", "/endpoints/found/", "/endpoints/north/"):
        assert client.get(address)["Location"].startswith("/login/?next=")
