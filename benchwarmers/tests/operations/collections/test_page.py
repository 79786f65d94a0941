"""The page of one collection, its other names, its end, and the limits of all panels."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import resolve
from django.utils import timezone

from benchwarmers.tests.operations.collections.test_list import ask
from collections_app.actions.collection import do_remove_collection, do_save_collection
from collections_app.models import Change, Collection, ModelAlias, Setting, Standing
from collections_app.tests.world import World
from gateway.models import Panel


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_the_page_tells_who_sits_next_how_they_do_and_what_was_asked(alice: Client, world: World) -> None:
    panel = ask("core", world.alice, timezone.now() - timedelta(hours=2), seats=3)
    Standing.objects.create(
        language_model=world.model("fast"),
        collection_name="core",
        offloads=12,
        judged=8,
        useful=6,
        real_claims=3,
        lately_useful=3.0,
        lately_judged=4.0,
        lately_at=timezone.now(),
    )
    page = text(alice, "/collections/core/")
    assert "Member 1 of bench/core" in page
    assert "75%" in page
    assert "41–93%" in page
    assert "67%" in page
    assert 'href="/evidence/core/"' in page
    assert f'href="/panels/{panel.pk}/#seat-2"' in page
    assert "3 owed" in page
    assert '"model": "bench/core"' in page
    assert "gpt-5.5" in page
    assert "bench/core:route" in page


def test_others_panels_are_not_shown_to_who_does_not_see_them(as_person: Callable[[str], Client], world: World) -> None:
    panel = ask("core", world.dora, timezone.now())
    assert panel.pk in text(as_person("alice"), "/collections/core/")
    page = text(as_person("bob"), "/collections/core/")
    assert panel.pk not in page
    assert "dora" not in page
    assert 'href="/collections/core/edit/"' not in page
    assert "Remove this collection" not in page


def test_a_request_of_another_kind_previews_alone_for_a_script(alice: Client) -> None:
    answer = alice.get("/collections/core/?carries=tools", headers={"HX-Request": "true"}).content.decode()
    assert answer.startswith('<section id="preview"')
    assert "route mode takes them" in answer
    assert '<option value="tools" selected>' in text(alice, "/collections/core/?carries=tools")


def test_the_page_of_a_route_tells_the_shares(alice: Client) -> None:
    page = text(alice, "/collections/pair/")
    assert "The next conversation" in page
    assert "No agent has asked yet" in page


def test_the_page_costs_few_queries_however_much_was_asked(alice: Client, world: World) -> None:
    ask("core", world.alice, timezone.now(), seats=2)
    text(alice, "/collections/core/")
    with CaptureQueriesContext(connection) as few:
        text(alice, "/collections/core/")
    for minutes in range(40):
        ask("core", world.bob, timezone.now() - timedelta(minutes=minutes, seconds=7), seats=3)
    with CaptureQueriesContext(connection) as many:
        page = text(alice, "/collections/core/")
    assert len(many) == len(few)
    assert len(many) <= 25
    assert page.count("/#seat-1") == 30


def test_the_newest_of_a_collection_are_found_by_an_index(world: World) -> None:
    found = Panel.objects.filter(collection_name="core").order_by("-started_at")[:30]
    assert "collect" in found.explain()


def test_removing_it_takes_its_aliases_along_and_is_in_the_log(alice: Client) -> None:
    answer = alice.post("/collections/core/remove")
    assert answer["Location"] == "/collections/"
    assert not Collection.objects.filter(name="core").exists()
    assert not ModelAlias.objects.exists()
    assert Change.objects.filter(thing="collection", name="core", actor_name="alice").exists()


def test_another_name_is_added_and_taken_away(alice: Client) -> None:
    alice.post("/collections/core/aliases", {"alias": "claude-x", "mode": "merged"})
    assert ModelAlias.objects.get(name="claude-x").full_name == "bench/core:merged"
    refused = alice.post("/collections/core/aliases", {"alias": "core"}, follow=True).content.decode()
    assert "already asks the collection bench/core" in refused
    alice.post("/collections/core/aliases", {"remove": "claude-x"})
    assert not ModelAlias.objects.filter(name="claude-x").exists()
    assert alice.post("/collections/pair/aliases", {"remove": "gpt-5.5"}).status_code == 404


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"max_calls": "2", "max_explorers": "1"}, "bench/core (3)"),
        ({"max_calls": "11", "max_explorers": "1"}, "from 1 to 10"),
        ({"max_calls": "5", "max_explorers": "3"}, "max_explorers is 0, 1 or 2"),
        ({"max_calls": "x", "max_explorers": "1"}, "whole number"),
    ],
)
def test_limits_that_cannot_be_are_told_at_their_field(alice: Client, typed: dict[str, Any], told: str) -> None:
    answer = alice.post("/collections/-/gateway/", typed)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert (Setting.load().max_calls, Setting.load().max_explorers) == (5, 2)


def test_limits_are_saved_and_hold_for_the_editor(alice: Client) -> None:
    alice.post("/collections/-/gateway/", {"max_calls": "3", "max_explorers": "0"})
    assert (Setting.load().max_calls, Setting.load().max_explorers) == (3, 0)
    assert "3 of 3 seats" in text(alice, "/collections/core/edit/")


def test_who_may_not_change_settings_sees_no_limits(bob: Client) -> None:
    assert bob.get("/collections/-/gateway/").status_code == 403
    assert "/collections/-/gateway/" not in text(bob, "/collections/")


@pytest.mark.parametrize(
    "path", ["/collections/", "/collections/new/", "/collections/core/", "/collections/-/gateway/"]
)
def test_no_path_is_one_of_the_gateway_s_own(path: str) -> None:
    assert resolve(path).view_name.startswith("operations:")


def test_what_was_asked_of_a_collection_that_is_gone_is_no_page(alice: Client, world: World) -> None:
    ask("core", world.alice, timezone.now())
    do_remove_collection(actor=None, name="core")
    assert alice.get("/collections/core/").status_code == 404
    do_save_collection(actor=None, name="core", members=["fast"])
    assert alice.get("/collections/core/").status_code == 200


def test_who_judges_blind_is_not_told_who_answered(alice: Client, world: World) -> None:
    ask("core", world.alice, timezone.now(), seats=2)
    asked = text(alice, "/collections/core/").split('id="asked"')[1].split("</section>")[0]
    assert "#seat-1" in asked
    assert "fast" in asked
    session = alice.session
    session["blind"] = True
    session.save()
    asked = text(alice, "/collections/core/").split('id="asked"')[1].split("</section>")[0]
    assert "2 owed" in asked
    assert "#seat-1" not in asked
    assert "fast" not in asked
