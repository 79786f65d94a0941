"""The editor: what is typed is shown as it would sit, saved by the action, and told at its field when it is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from benchwarmers.operations.collections.form import seated, split_tags
from collections_app.actions.collection import do_save_collection
from collections_app.models import Change, Collection, Fact
from collections_app.tests.world import World

SCRIPT = {"HX-Request": "true"}


def given(**more: Any) -> dict[str, Any]:
    return {"name": "fresh", "members": ["fast", "slow"], "do": "save"} | more


def members_in(page: str) -> list[str]:
    return re.findall(r'name="members" value="([^"]+)"', page)


def pool_in(page: str) -> list[str]:
    return re.findall(r'name="add" value="([^"]+)"', page)


@pytest.mark.parametrize(
    ("members", "added", "do", "order"),
    [
        (["a", "b", "c"], [], "save", ["a", "b", "c"]),
        (["a", "b"], ["c", "a"], "look", ["a", "b", "c"]),
        (["a", "b", "c"], [], "up:c", ["a", "c", "b"]),
        (["a", "b", "c"], [], "up:a", ["a", "b", "c"]),
        (["a", "b", "c"], [], "down:a", ["b", "a", "c"]),
        (["a", "b", "c"], [], "down:c", ["a", "b", "c"]),
        (["a", "b", "c"], [], "drop:b", ["a", "c"]),
        (["a", "b"], ["c"], "up:c", ["a", "c", "b"]),
        (["a", "b"], [], "drop:z", ["a", "b"]),
        (["a", "b"], [], "sort:b", ["a", "b"]),
        ([" a ", "", "a"], [], "", ["a"]),
    ],
)
def test_the_buttons_say_who_is_where(members: list[str], added: list[str], do: str, order: list[str]) -> None:
    assert seated(members, added, do) == order


def test_tags_come_from_boxes_and_from_a_list_with_commas() -> None:
    assert split_tags(["review", "fast", " Own, fast,, second one "]) == ["review", "fast", "own", "second one"]


def test_saving_makes_what_was_typed_in_its_order_and_leads_to_its_page(alice: Client) -> None:
    answer = alice.post(
        "/collections/new/",
        given(
            name="bench/fresh",
            description="  Two  of the north ",
            members=["slow"],
            add=["fast"],
            tags=["review", "mine, own"],
            shape="review",
            reply="merged",
            merger="home",
            ranking="bayes",
            cooldown="ask",
            on_disconnect="cancel",
            max_explorers="1",
            shadow_share="12.5",
            shadow_who="explorers",
            shadow_daily="40",
        ),
    )
    assert answer["Location"] == "/collections/fresh/"
    row = Collection.objects.get(name="fresh")
    assert list(row.seatings.values_list("language_model__alias", flat=True)) == ["slow", "fast"]
    assert (row.description, row.tags, row.shape, row.reply) == (
        "Two of the north",
        ["review", "mine", "own"],
        "review",
        "merged",
    )
    assert row.merger is not None
    assert (row.merger.alias, row.ranking, row.cooldown, row.on_disconnect) == ("home", "bayes", "ask", "cancel")
    assert (row.max_explorers, row.shadow) == (1, {"share": 0.125, "who": "explorers", "daily": 40})
    assert Change.objects.get(thing="collection", name="fresh").actor_name == "alice"


def test_what_few_need_stays_as_it_is_usual_where_nothing_is_typed(alice: Client) -> None:
    alice.post("/collections/new/", given())
    row = Collection.objects.get(name="fresh")
    assert (row.ranking, row.cooldown, row.on_disconnect, row.max_explorers, row.shadow, row.reply) == (
        "record",
        "substitute",
        "finish",
        None,
        {},
        "all",
    )


@pytest.mark.parametrize(
    ("more", "field", "told"),
    [
        ({"name": "x"}, "name", "2 to 32"),
        ({"name": ""}, "name", "required"),
        ({"name": "new"}, "name", "would be another"),
        ({"name": "bench/core"}, "name", "There is a collection bench/core already"),
        ({"name": "gpt-5"}, "", ""),
        ({"description": "x" * 301}, "description", "at most 300"),
        ({"tags": [f"tag-{number}" for number in range(9)]}, "tags", "at most 8 tags"),
        ({"tags": ["two words"]}, "tags", "1 to 24"),
        ({"members": []}, "members", "at least one member"),
        ({"members": ["fast", "slow", "coder", "tiny", "home", "sixth"]}, "members", "at most 5 members"),
        ({"members": ["fast", "who"]}, "members", "There is no model “who”"),
        ({"merger": "who"}, "merger", "There is no model “who”"),
        ({"shadow_share": "101"}, "shadow_share", "less than or equal to 100"),
        ({"shadow_daily": "x"}, "shadow_daily", "whole number"),
        ({"team": "nobody"}, "team", "nobody"),
    ],
)
def test_a_refusal_is_told_at_its_field_and_nothing_is_written(
    alice: Client, more: dict[str, Any], field: str, told: str
) -> None:
    answer = alice.post("/collections/new/", given(**more))
    page = answer.content.decode()
    if not field:
        assert answer.status_code == 302
        return
    assert answer.status_code == 422
    assert told in page.split(f'id="wrong-{field}"')[1].split("</ul>")[0]
    assert Collection.objects.count() == 2


def test_all_that_is_wrong_is_told_at_once_and_what_was_typed_stays(alice: Client) -> None:
    page = alice.post("/collections/new/", given(description="x" * 301, members=["who", "fast"])).content.decode()
    assert {"wrong-description", "wrong-members"} <= set(re.findall(r'id="(wrong-\w+)"', page))
    assert members_in(page) == ["who", "fast"]
    assert 'value="fresh"' in page


def test_a_look_saves_nothing_and_shows_who_would_sit(alice: Client) -> None:
    page = alice.post("/collections/new/", given(name="", do="look", members=["slow"])).content.decode()
    assert "The next panel" in page
    assert "Member 1 of bench/new" in page
    assert "wrong-" not in page
    assert Collection.objects.count() == 2


def test_a_script_gets_what_follows_from_the_form_alone(alice: Client) -> None:
    typed = {"members": ["slow"], "add": ["fast"], "find": "maker", "tags": ["prose"]}
    page = alice.post("/collections/new/", typed, headers=SCRIPT).content.decode()
    assert page.strip().startswith('<div id="picked"')
    assert members_in(page) == ["slow", "fast"]
    assert pool_in(page) == ["coder", "tiny"]
    assert "its role is code, prose is for general" in page
    assert page.count('hx-swap-oob="true"') == 2
    assert "<form" not in page


def test_the_buttons_work_without_scripts(alice: Client) -> None:
    page = alice.post("/collections/new/", given(do="down:fast")).content.decode()
    assert members_in(page) == ["slow", "fast"]
    page = alice.post("/collections/new/", given(do="drop:fast")).content.decode()
    assert members_in(page) == ["slow"]
    assert "fast" in pool_in(page)
    assert Collection.objects.count() == 2


def test_the_editor_of_one_shows_it_as_it_is_and_saves_what_changes(alice: Client) -> None:
    do_save_collection(
        actor=None, name="pair", members=["home", "fast"], reply="route", shadow={"share": 0.25}, tags=["own"]
    )
    page = alice.get("/collections/pair/edit/").content.decode()
    assert members_in(page) == ["home", "fast"]
    assert re.search(r'name="shadow_share"[^>]* value="25"', page)
    assert re.search(r'value="own" checked', page)
    assert '<details class="fold editor-more" open>' in page
    answer = alice.post("/collections/pair/edit/", {"members": ["fast"], "reply": "all", "do": "save", "name": "other"})
    assert answer["Location"] == "/collections/pair/"
    row = Collection.objects.get(name="pair")
    assert (row.reply, row.shadow, row.tags) == ("all", {}, [])
    assert not Collection.objects.filter(name="other").exists()


def test_saving_it_as_it_stands_in_the_form_changes_nothing(alice: Client, world: World) -> None:
    do_save_collection(
        actor=None,
        name="core",
        members=["fast", "slow"],
        merger="home",
        reply="merged",
        tags=["daily", "own"],
        shadow={"share": 0.125, "who": "explorers", "daily": 7},
        max_explorers=0,
        ranking="bayes",
    )
    before = Change.objects.count()
    page = alice.get("/collections/core/edit/").content.decode()
    form: dict[str, Any] = {"do": "save", "members": members_in(page)}
    form["tags"] = re.findall(r'name="tags" value="([^"]+)" checked', page)
    for name in re.findall(r'<select id="[^"]+" name="(\w+)"', page):
        chosen = re.search(rf'<select id="[^"]+" name="{name}".*?<option value="([^"]*)" selected', page, re.S)
        form[name] = chosen[1] if chosen else ""
    for name in ("shadow_share", "shadow_daily"):
        found = re.search(rf'name="{name}"[^>]* value="([^"]*)"', page)
        assert found is not None
        form[name] = found[1]
    assert alice.post("/collections/core/edit/", form).status_code == 302
    assert Change.objects.count() == before


def test_one_like_another_begins_with_its_members_and_without_its_name(alice: Client) -> None:
    page = alice.get("/collections/new/?like=pair").content.decode()
    assert members_in(page) == ["fast", "home"]
    assert re.search(r'name="name" value=""', page)
    assert alice.get("/collections/new/?like=nobody").status_code == 404


def test_a_member_that_does_not_fit_is_marked_and_one_that_costs_is_not_offered(alice: Client, world: World) -> None:
    for alias in ("fast", "slow"):
        Fact.objects.create(language_model=world.model(alias), field="prices", source="feed", value={"input": 1})
    page = alice.post("/collections/new/", given(do="look", tags=["free"], members=["fast"])).content.decode()
    row = page.split('data-alias="fast"')[1].split("</li>")[0]
    assert "costs money" in row
    assert "slow" not in pool_in(page)
    assert "1 that costs money is left out" in page


@pytest.mark.parametrize(("who", "status"), [("bob", 404), ("charlie", 404), ("dora", 200)])
def test_only_curators_edit(as_person: Callable[[str], Client], who: str, status: int) -> None:
    client = as_person(who)
    assert client.get("/collections/core/edit/").status_code == status
    client.post("/collections/core/edit/", {"members": ["home"], "do": "save"})
    seats = Collection.objects.get(name="core").seatings.count()
    assert seats == (1 if status == 200 else 3)
