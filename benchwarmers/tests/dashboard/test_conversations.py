"""The list of conversations: who sees which, in what order, narrowed, paged, and what a line tells."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.paging import PAGE
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.talks import Took, make_talk

As = Callable[[str], Client]
ONE = [Took("wren", tools=("Read",))]


def ids(client: Client, address: str) -> list[str]:
    return re.findall(r'id="row-(r[^"]+)"', client.get(address).content.decode())


def row(client: Client, talk: str) -> str:
    """The words of one line, spaces collapsed."""
    page = client.get("/conversations/").content.decode()
    line = next(part for part in page.split("<li class=") if f'id="row-{talk}"' in part)
    line += page.split(line)[1].split('<li class="row ')[0]
    return " ".join(re.sub(r"<[^>]+>", " ", line).split())


def test_a_caller_sees_only_their_own_conversations(as_person: As) -> None:
    bens = make_talk(NOON, "core", "of ben", ONE, owner="ben")
    make_talk(NOON, "core", "of maya", ONE, owner="maya", number=1)
    make_talk(NOON, "core", "of nobody", ONE, owner=None, number=2)
    assert ids(as_person("ben"), "/conversations/") == [bens]
    assert len(ids(as_person("maya"), "/conversations/")) == 3
    assert len(ids(as_person("boss"), "/conversations/")) == 3
    assert ids(as_person("zoe"), "/conversations/") == []


def test_who_has_none_is_told_how_to_point_an_agent_at_this_address(as_person: As) -> None:
    from collections_app.models import Collection

    Collection.objects.filter(name="quick").update(reply="route")
    make_talk(NOON, "core", "of ben", ONE, owner="ben")
    page = as_person("zoe").get("/conversations/").content.decode()
    assert "ANTHROPIC_BASE_URL=http://testserver\n" in page
    assert "OPENAI_BASE_URL=http://testserver/v1\n" in page
    assert page.count("bench/quick:route") == 4
    assert "of ben" not in page


def test_a_line_tells_who_answered_and_how_it_went(as_person: As) -> None:
    turns = [
        Took("granite-l", tools=("Read", "Read")),
        Took("osprey", tools=("Edit",), tried=("granite-l",)),
        Took(status="error", tried=("osprey", "wren"), error="nobody"),
        Took(status="cancelled"),
        Took("osprey", "error", error="broke off"),
    ]
    told = row(as_person("maya"), make_talk(NOON, "core", "Fix <b>it</b>", turns, owner="ben"))
    assert "Fix &lt;b&gt;it&lt;/b&gt; bench/core Anthropic Messages ben" in told
    assert re.search(r"ben granite-l osprey 1 failover 5 turns 3 tool calls 2 failed", told)


def test_a_conversation_that_nobody_answered_says_so(as_person: As) -> None:
    talk = make_talk(NOON, "core", "", [Took(status="error", tried=("wren",), error="nobody")])
    told = row(as_person("maya"), talk)
    assert "(the first message has no words)" in told
    assert "nobody answered 1 turn 0 tool calls 1 failed" in told


def test_the_one_spoken_in_last_is_first(as_person: As) -> None:
    long = make_talk(NOON - timedelta(minutes=5), "core", "long", ONE * 20, number=1)
    short = make_talk(NOON, "core", "short", ONE, number=2)
    assert ids(as_person("maya"), "/conversations/") == [long, short]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("collection=quick", ["b"]),
        ("q=BETA", ["b"]),
        ("q=r20261129-115", ["b", "c"]),
        ("state=running", ["a", "b", "c"]),
        ("before=nonsense", ["a", "b", "c"]),
        ("collection=core&q=beta", []),
    ],
)
def test_the_list_is_narrowed_by_its_address(as_person: As, query: str, found: list[str]) -> None:
    made = {
        "a": make_talk(NOON, "core", "alpha", ONE, number=1),
        "b": make_talk(NOON - timedelta(minutes=1), "quick", "beta", ONE, number=2),
        "c": make_talk(NOON - timedelta(minutes=2), "core", "gamma", ONE, number=3),
    }
    assert ids(as_person("maya"), f"/conversations/?{query}") == [made[name] for name in found]


def test_nothing_that_fits_is_not_nothing_at_all(as_person: As) -> None:
    make_talk(NOON, "core", "alpha", ONE)
    page = as_person("maya").get("/conversations/?q=omega").content.decode()
    assert "Nothing fits" in page
    assert "ANTHROPIC_BASE_URL" not in page


def test_paging_by_key_shows_every_conversation_once(as_person: As) -> None:
    made = [
        make_talk(NOON - timedelta(minutes=number // 3), "core", f"n {number}", ONE, number=number)
        for number in range(PAGE + 5)
    ]
    client = as_person("maya")
    page = client.get("/conversations/").content.decode()
    older = re.search(r'rel="next" href="([^"]+)"', page)
    assert older
    rest = ids(client, older[1].replace("&amp;", "&"))
    first = re.findall(r'id="row-(r[^"]+)"', page)
    assert (len(first), len(rest)) == (PAGE, 5)
    assert sorted(first + rest) == sorted(made)


def test_the_script_gets_the_rows_alone_and_a_clean_address(as_person: As) -> None:
    make_talk(NOON, "core", "alpha", ONE)
    headers = {"HX-Request": "true", "HX-Trigger": "conversation-filter"}
    answer = as_person("maya").get("/conversations/?q=&collection=core", headers=headers)
    assert "<html" not in answer.content.decode()
    assert 'data-live="conversations"' in answer.content.decode()
    assert answer["HX-Push-Url"] == "/conversations/?collection=core"
    assert "no-store" in answer["Cache-Control"]


def test_a_long_list_of_long_conversations_costs_no_query_a_row(
    as_person: As, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = as_person("maya")
    make_talk(NOON, "core", "short", ONE)
    client.get("/conversations/")
    with django_assert_num_queries(8):
        client.get("/conversations/")
    for number in range(20):
        make_talk(NOON, "core", f"n {number}", ONE * 30, number=number + 1)
    with django_assert_num_queries(8):
        client.get("/conversations/")
