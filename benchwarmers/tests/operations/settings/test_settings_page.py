"""The page of settings: who sees what, saving by section, and what only the environment says."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client

from benchwarmers.operations.settings.server import read_server
from benchwarmers.tests.dashboard.conftest import as_person, world
from benchwarmers.tests.dashboard.test_usage import text_of
from collections_app.actions.secret import do_save_secret
from collections_app.models import Change, Setting
from probes.catalog.names import OWN_APP_ONLY
from probes.catalog.store_choices import own_app_only

__all__ = ["as_person", "world"]
As = Callable[[str], Client]
SAVE = "/settings/save"
KEEPING = {"section": "keeping", "ledger_days": "0", "work_days": "0", "sample_days": "0", "log_days": "0"}
MODELS = {"section": "models", "auto_retire": "on", "picker": "off", "half_life_days": "90"}


@pytest.mark.parametrize(("name", "runs"), [("zoe", False), ("ben", False), ("maya", True), ("boss", True)])
def test_everybody_has_a_theme_and_only_some_the_installations_settings(as_person: As, name: str, runs: bool) -> None:
    page = text_of(as_person(name), "/settings/")
    assert "High contrast" in page
    assert ("Retire models that are gone" in page) is runs
    assert ("Server and access" in page) is runs
    assert as_person(name).post(SAVE, MODELS).status_code == (302 if runs else 403)
    assert (Setting.load().half_life_days == 90) is runs


def test_a_section_is_saved_by_itself_and_written_down(as_person: As) -> None:
    answer = as_person("maya").post(SAVE, MODELS)
    assert answer["Location"] == "/settings/#models"
    row = Setting.load()
    assert (row.picker, row.half_life_days, row.auto_retire) == ("off", 90, True)
    assert set(Change.objects.filter(thing="settings").values_list("actor_name", "field")) == {
        ("maya", "picker"),
        ("maya", "half_life_days"),
    }
    as_person("maya").post(SAVE, {**MODELS, "auto_retire": ""})
    assert not Setting.load().auto_retire


@pytest.mark.parametrize(
    ("given", "field", "told"),
    [
        ({**MODELS, "half_life_days": "0"}, "half_life_days", "greater than or equal to 1"),
        ({**MODELS, "half_life_days": "soon"}, "half_life_days", "whole number"),
        ({**MODELS, "picker": "nobody-here"}, "picker", "There is no model"),
        ({"section": "alerts", "alert_mail": "not an address"}, "alert_mail", "is no e-mail address"),
        ({"section": "alerts", "alert_hook": "https://hooks.example/x"}, "alert_hook", "it is not the address"),
        ({**KEEPING, "ledger_days": "7"}, "ledger_days", "from 32 to"),
        ({**KEEPING, "work_days": "6"}, "work_days", "from 7 to"),
        ({**KEEPING, "sample_days": "61"}, "sample_days", "from 62 to"),
    ],
)
def test_what_cannot_be_meant_is_told_at_its_field_and_kept_as_typed(
    as_person: As, given: dict[str, str], field: str, told: str
) -> None:
    answer = as_person("maya").post(SAVE, given)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert told in page.partition(f'id="wrong-{field}"')[2].partition("</ul>")[0]
    assert given[field] in page
    assert not Change.objects.filter(thing="settings").exists()


def test_a_section_that_there_is_not_is_told(as_person: As) -> None:
    answer = as_person("maya").post(SAVE, {"section": "nothing"}, follow=True)
    assert "There is no such section" in answer.content.decode()


def test_free_elsewhere_is_said_here_too(as_person: As) -> None:
    provider = min(OWN_APP_ONLY)
    answer = as_person("maya").post("/settings/own-app", {"provider": provider, "only": "no"})
    assert answer["Location"] == "/settings/#own-app"
    assert provider not in own_app_only()
    assert "shown: said to answer elsewhere too" in text_of(as_person("maya"), "/settings/")


def test_what_the_environment_says_is_marked_and_no_secret_is_shown(
    as_person: As, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    token = "a-token-that-nobody-may-see"
    monkeypatch.setenv("BENCHWARMERS_ADMIN_TOKEN", token)
    database = "postgres://who:hidden-word@db.example/bench"
    settings.BENCH = dataclasses.replace(settings.BENCH, admin_token=token, database_url=database, require_keys=True)
    page = as_person("boss").get("/settings/").content.decode()
    assert token not in page
    assert "hidden-word" not in page
    lines = {
        line.variable: line
        for part in read_server(settings.BENCH, os.environ, with_folders=True)
        for line in part.lines
    }
    assert (lines["BENCHWARMERS_ADMIN_TOKEN"].value, lines["BENCHWARMERS_ADMIN_TOKEN"].fixed) == ("set", True)
    assert (lines["BENCH_PORT"].value, lines["BENCH_PORT"].fixed) == ("8122", False)
    assert lines["DATABASE_URL"].value == "postgres"
    assert lines["BENCHWARMERS_REQUIRE_KEYS"].value == "needed by every caller"


def test_only_admins_see_folders(as_person: As) -> None:
    home = str(configured.BENCH.home)
    assert home in as_person("boss").get("/settings/").content.decode()
    assert home not in as_person("maya").get("/settings/").content.decode()


def test_how_far_the_key_is_rotated_is_told(as_person: As) -> None:
    assert "No secret is stored yet." in text_of(as_person("maya"), "/settings/")
    do_save_secret(actor=None, name="north", plain="sk-north-0001")
    assert "The one stored secret is sealed with the newest key." in text_of(as_person("maya"), "/settings/")


def test_the_page_asks_the_database_little(as_person: As, django_assert_max_num_queries: Any) -> None:
    client = as_person("boss")
    with django_assert_max_num_queries(25):
        client.get("/settings/")
