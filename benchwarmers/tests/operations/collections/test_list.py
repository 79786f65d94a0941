"""The list of collections: what it shows, to whom, in which order, and as a file."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from collections_app.actions.collection import do_remove_collection, do_save_collection
from collections_app.models import Collection, Fact, Team
from collections_app.tests.world import World
from gateway.models import Conversation, Panel, Seat

NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def text(client: Client, address: str = "/collections/") -> str:
    return client.get(address).content.decode()


def ask(name: str, owner: User, at: datetime, seats: int = 1) -> Panel:
    panel = Panel.objects.create(
        id=f"p-{name}-{at:%H%M%S%f}",
        owner=owner,
        caller=owner.username,
        collection_name=name,
        protocol="openai_chat",
        shape="general",
        shape_by="said",
        state="done",
        started_at=at,
        finished_at=at,
    )
    for place in range(1, seats + 1):
        Seat.objects.create(
            call=f"{panel.pk}.member{place}", panel=panel, place=place, label="member", alias="fast", status="ok"
        )
    return panel


def order(page: str, *names: str) -> list[str]:
    return sorted(names, key=lambda name: page.index(f'href="/collections/{name}/"'))


def test_a_row_tells_who_sits_and_what_they_can_do_together(alice: Client, world: World) -> None:
    for alias, window in (("fast", 8_000), ("slow", 128_000)):
        Fact.objects.create(language_model=world.model(alias), field="context_window", source="feed", value=window)
        Fact.objects.create(language_model=world.model(alias), field="tools", source="feed", value=True)
    do_save_collection(actor=None, name="twins", members=["fast", "slow"], description="Both of the north")
    page = text(alice)
    assert 'aria-label="2 members, 2 explorers"' in page
    assert "8k context" in page
    assert "Both of the north" in page
    assert 'href="/collections/twins/"' in page
    assert 'aria-label="3 members, 2 explorers"' in page
    assert "not known of coder" in page


def test_the_newest_of_what_one_sees_says_who_asked_last(as_person: Callable[[str], Client], world: World) -> None:
    ask("core", world.dora, timezone.now() - timedelta(hours=3))
    ask("core", world.bob, timezone.now() - timedelta(days=2))
    Conversation.objects.create(
        id="r1",
        owner=world.dora,
        caller="dora",
        collection_name="pair",
        protocol="openai_chat",
        started_at=NOON,
        last_at=timezone.now() - timedelta(minutes=5),
    )
    page = text(as_person("alice"))
    assert "dora" in page
    assert "3\xa0hours ago" in page
    assert "5\xa0minutes ago" in page
    page = text(as_person("bob"))
    assert "dora" not in page
    assert "2\xa0days ago" in page


def test_verdicts_that_one_owes_are_counted_by_collection(bob: Client, world: World) -> None:
    ask("core", world.bob, NOON, seats=3)
    ask("pair", world.dora, NOON, seats=2)
    page = text(bob)
    assert '<a class="shelf-owed" href="/judge/">3' in page
    assert page.count("shelf-owed") == 1


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("q=home", {"pair"}),
        ("q=daily", {"core"}),
        ("q=bench/pa", {"pair"}),
        ("reply=route", {"pair"}),
        ("shape=review", {"pair"}),
        ("shape=-", {"core"}),
        ("tag=daily", {"core"}),
        ("reply=nonsense", {"core", "pair"}),
        ("q=nobody", set()),
    ],
)
def test_the_list_is_narrowed_by_what_the_address_says(alice: Client, query: str, shown: set[str]) -> None:
    page = text(alice, f"/collections/?{query}")
    assert {name for name in ("core", "pair") if f'href="/collections/{name}/"' in page} == shown
    assert ("Nothing fits" in page) == (not shown)


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("name", ["core", "pair"]),
        ("-name", ["pair", "core"]),
        ("members", ["pair", "core"]),
        ("-members", ["core", "pair"]),
        ("shape", ["pair", "core"]),
        ("reply", ["core", "pair"]),
        ("-asked", ["pair", "core"]),
        ("-context", ["pair", "core"]),
    ],
)
def test_it_is_sorted_as_the_address_says(alice: Client, world: World, sort: str, expected: list[str]) -> None:
    ask("pair", world.bob, NOON)
    Fact.objects.create(language_model=world.model("home"), field="context_window", source="feed", value=9_000)
    assert order(text(alice, f"/collections/?sort={sort}"), "core", "pair") == expected


def test_a_script_gets_the_rows_alone(alice: Client) -> None:
    answer = alice.get("/collections/?q=pair", headers={"HX-Request": "true", "HX-Trigger": "collection-filter"})
    assert answer.content.decode().startswith("<section")
    assert answer.headers["HX-Push-Url"] == "/collections/?q=pair"


def test_the_file_has_every_row_and_no_formula(alice: Client) -> None:
    do_save_collection(actor=None, name="odd", members=["fast"], description="=1+1")
    answer = alice.get("/collections/?format=csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert [row["name"] for row in rows] == ["bench/core", "bench/odd", "bench/pair"]
    assert rows[0]["members"] == "fast slow coder"
    assert rows[1]["description"] == "'=1+1"


def test_where_there_is_none_the_page_says_what_to_do(as_person: Callable[[str], Client], world: World) -> None:
    for name in ("core", "pair"):
        do_remove_collection(actor=None, name=name)
    assert 'href="/collections/new/"' in text(as_person("alice"))
    page = text(as_person("bob"))
    assert "No collections yet" in page
    assert 'href="/collections/new/"' not in page


def test_a_team_s_collection_is_for_its_members_and_for_curators(
    as_person: Callable[[str], Client], world: World
) -> None:
    red = Team.objects.create(name="red")
    Collection.objects.filter(name="pair").update(team=red)
    assert 'bench/</span><span class="name">pair' not in text(as_person("bob"))
    assert as_person("bob").get("/collections/pair/").status_code == 404
    red.members.add(world.bob)
    assert as_person("bob").get("/collections/pair/").status_code == 200
    assert "team red" in text(as_person("alice"))


def test_a_page_costs_as_many_queries_for_sixty_collections_as_for_two(alice: Client) -> None:
    text(alice)
    with CaptureQueriesContext(connection) as few:
        text(alice)
    for number in range(58):
        do_save_collection(actor=None, name=f"more-{number}", members=["fast", "slow"])
    with CaptureQueriesContext(connection) as many:
        page = text(alice)
    assert len(many) == len(few) <= 25
    assert "page 1 of 2" in page
