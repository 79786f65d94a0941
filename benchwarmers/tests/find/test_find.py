"""The search over everything: what it finds, for whom, and at what price."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.places import GROUPS, groups_for, places_for
from benchwarmers.find.search import EACH, find
from collections_app.models import Endpoint, LanguageModel

As = Callable[[str], Client]


def hits(name: str, words: str) -> dict[str, list[str]]:
    return {kind.name: [hit.name for hit in kind.hits] for kind in find(User.objects.get(username=name), words)}


def test_without_words_it_lists_the_pages_of_the_navigation(as_person: As) -> None:
    as_person("maya")
    person = User.objects.get(username="maya")
    assert hits("maya", "") == {"Pages": [place.name for place in places_for(person)]}


def test_a_model_is_found_by_alias_and_served_name_its_beginning_first(as_person: As) -> None:
    as_person("maya")
    squad = Endpoint.objects.get(name="harbour")
    for alias in ("abc-wren", "wren-large"):
        LanguageModel.objects.create(alias=alias, served=f"x/{alias}", endpoint=squad)
    assert hits("maya", "wren")["Models"] == ["wren", "wren-large", "abc-wren"]
    assert hits("maya", "LAB/OSP")["Models"] == ["osprey"]


def test_no_more_than_a_handful_of_a_kind(as_person: As) -> None:
    as_person("maya")
    assert len(hits("maya", "e")["Models"]) == EACH


def test_a_panel_is_found_by_its_id_and_by_its_words(as_person: As, bens_panel: str) -> None:
    as_person("maya")
    for words in (bens_panel, bens_panel[:12], "a bench for", "A BENCH FOR"):
        shown = hits("ben", words)
        assert list(shown) == ["Panels"], words
        assert len(shown["Panels"]) == 1


def test_what_one_may_not_see_is_not_found(as_person: As, bens_panel: str) -> None:
    for person in ("ben", "zoe", "maya"):
        as_person(person)
    assert hits("zoe", bens_panel) == {}
    assert "People" not in hits("ben", "maya")
    assert "Endpoints" not in hits("zoe", "harbour") or User.objects.get(username="zoe").has_perm(
        "collections_app.view_endpoint"
    )


def test_the_palette_gets_the_list_alone_and_the_page_has_everything(as_person: As) -> None:
    client = as_person("maya")
    part = client.get("/find/", {"q": "wren"}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert 'role="option"' in part
    page = client.get("/find/", {"q": "wren"}).content.decode()
    assert '<a class="hit" href="/roster/wren/">' in page
    assert "Nothing of yours is called so." in client.get("/find/", {"q": "zzzz"}).content.decode()
    assert client.get("/find/", {"q": "x" * 5000}).status_code == 200
    assert client.get("/find/", {"q": "100%_\\"}).status_code == 200


def test_a_search_costs_two_queries_a_kind(
    as_person: As, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client = as_person("maya")
    with django_assert_max_num_queries(25):
        client.get("/find/", {"q": "e"})


@pytest.mark.parametrize(
    ("path", "here"),
    [
        ("/", "At a glance"),
        ("/panels/", "Panels"),
        ("/panels/p1/", "Panels"),
        ("/keys/3/", "Keys"),
        ("/find/", None),
        ("/roster/wren/", "Models"),
    ],
)
def test_the_place_where_one_is_is_marked_once(as_person: As, path: str, here: str | None) -> None:
    as_person("maya")
    groups = groups_for(User.objects.get(username="maya"), path)
    assert [place.name for group in groups for place in group.places if place.here] == ([here] if here else [])


def test_no_letter_leads_to_two_places() -> None:
    letters = [entry.letter for _name, entries in GROUPS for entry in entries if entry.letter]
    assert len(letters) == len(set(letters))
