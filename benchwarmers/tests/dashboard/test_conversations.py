"""The list of conversations: who sees which, in what order, narrowed, paged, and what a line tells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard import talk_export, talk_filters
from benchwarmers.dashboard.paging import PAGE
from benchwarmers.dashboard.talk_strip import BENT, CROSS, MOST, Mark, draw_strip, load_marks, say_strip
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
    return " ".join(re.sub(r"<title>.*?</title>|<[^>]+>", " ", line).split())


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
    make_talk(NOON, "core", "of maya", ONE, owner="maya")
    page = as_person("ben").get("/conversations/").content.decode()
    assert "No agent of yours has played yet" in page
    assert "ANTHROPIC_BASE_URL=http://testserver\n" in page
    assert "OPENAI_BASE_URL=http://testserver/v1\n" in page
    assert page.count("bench/quick:route") == 4
    assert "of maya" not in page
    page = as_person("zoe").get("/conversations/").content.decode()
    assert "A conversation is seen by whoever began it" in page
    assert "ANTHROPIC" not in page


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
    with django_assert_num_queries(11):
        client.get("/conversations/")
    for number in range(20):
        make_talk(NOON, "core", f"n {number}", ONE * 30, number=number + 1)
    with django_assert_num_queries(11):
        client.get("/conversations/")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("who=ben", ["b"]),
        ("who=~local", ["c"]),
        ("who=nobody-here", []),
        ("member=osprey", ["b"]),
        ("member=ospr", []),
        ("failover=1", ["b"]),
        ("failover=0", ["a", "b", "c"]),
        ("days=1", ["a", "b", "c"]),
        ("days=2", ["a", "b", "c"]),
        ("sort=oldest", ["c", "b", "a"]),
        ("member=wren&who=maya", ["a"]),
    ],
)
def test_the_list_is_narrowed_to_who_asked_and_who_answered(as_person: As, query: str, found: list[str]) -> None:
    now = timezone.now().replace(microsecond=0)
    made = {
        "a": make_talk(now - timedelta(minutes=1), "core", "alpha", ONE, owner="maya", number=1),
        "b": make_talk(now - timedelta(minutes=9), "quick", "beta", [Took("osprey", tried=("wren",))], owner="ben"),
        "c": make_talk(now - timedelta(minutes=19), "core", "gamma", ONE, owner=None, number=3),
    }
    assert ids(as_person("maya"), f"/conversations/?{query}") == [made[name] for name in found]


def test_older_than_the_days_asked_for_is_left_out(as_person: As) -> None:
    now = timezone.now().replace(microsecond=0)
    new = make_talk(now - timedelta(days=6), "core", "new", ONE, number=1)
    make_talk(now - timedelta(days=8), "core", "old", ONE, number=2)
    assert ids(as_person("maya"), "/conversations/?days=7") == [new]


def test_what_no_index_knows_is_looked_for_among_the_newest_alone(
    as_person: As, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk_filters, "LOOKED_AT", 3)
    made = [make_talk(NOON - timedelta(minutes=one), "core", "same", ONE, number=one) for one in range(6)]
    client = as_person("maya")
    assert ids(client, "/conversations/?q=same") == made[:3]
    assert ids(client, "/conversations/?collection=core") == made


def test_people_are_offered_to_those_who_see_everybodys(as_person: As) -> None:
    make_talk(NOON, "core", "alpha", ONE, owner="ben")
    assert 'name="who"' in as_person("maya").get("/conversations/").content.decode()
    assert 'name="who"' not in as_person("ben").get("/conversations/").content.decode()


def test_the_file_has_every_conversation_that_fits_and_no_formula(
    as_person: As, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(talk_export, "PIECE", 2)
    for number in range(5):
        make_talk(NOON - timedelta(minutes=number), "core", "=1+1", ONE, owner="ben", number=number)
    make_talk(NOON, "quick", "other", ONE, number=9)
    answer = as_person("maya").get("/conversations/?collection=core&format=csv")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode())))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert [row["id"] for row in rows] == [f"r{NOON - timedelta(minutes=n):%Y%m%d-%H%M%S}-{n:04x}" for n in range(5)]
    assert {(row["first_message"], row["members"], row["turns"], row["asked_by"]) for row in rows} == {
        ("'=1+1", "wren", "1", "ben")
    }


def test_the_strip_tells_by_shape_and_in_words_who_took_which_turn() -> None:
    turns = [Took("wren"), Took("wren"), Took("osprey", tried=("wren",)), Took(status="error", error="no")]
    key = make_talk(NOON, "core", "alpha", turns)
    marks = load_marks([key])[key]
    drawn = draw_strip(marks, ["wren", "osprey"])
    assert say_strip(marks) == "turns 1–2 wren, turn 3 osprey, turn 4 nobody, 1 failed"
    assert 'aria-label="turns 1–2 wren, turn 3 osprey, turn 4 nobody, 1 failed"' in drawn
    assert re.findall(r'class="(strip-m\d)', drawn) == ["strip-m1", "strip-m1", "strip-m2", "strip-m0"]
    assert (drawn.count(BENT), drawn.count(CROSS)) == (1, 1)
    assert draw_strip([], []) == ""


def test_a_strip_shows_the_newest_turns_alone_and_escapes_names() -> None:
    key = make_talk(NOON, "core", "alpha", ONE * (MOST + 3))
    marks = load_marks([key])[key]
    assert [marks[0].number, marks[-1].number, len(marks)] == [4, MOST + 3, MOST]
    assert "<b>" not in draw_strip([Mark(1, "<b>", "ok", after=False)], ["<b>"])
