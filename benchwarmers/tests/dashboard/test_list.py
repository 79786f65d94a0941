"""The list of panels: who sees which, in what order, narrowed and paged."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.paging import PAGE
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, judge, make_panel

As = Callable[[str], Client]


def ids(client: Client, address: str) -> list[str]:
    return re.findall(r'id="row-(p[^"]+)"', client.get(address).content.decode())


def test_a_caller_sees_only_their_own_panels(as_person: As, bens_panel: str) -> None:
    make_panel(NOON, "core", "of maya", [], owner="maya", number=1)
    make_panel(NOON, "core", "of nobody", [], owner=None, number=2)
    assert ids(as_person("ben"), "/panels/") == [bens_panel]
    assert len(ids(as_person("maya"), "/panels/")) == 3
    assert len(ids(as_person("boss"), "/panels/")) == 3


def test_a_viewer_is_shown_how_to_ask_at_this_address(as_person: As, bens_panel: str) -> None:
    page = as_person("zoe").get("/panels/").content.decode()
    assert "curl http://testserver/v1/chat/completions" in page
    assert "bench/practice" in page
    assert "base_url=&quot;http" in page or 'base_url="http://testserver/v1"' in page


def test_paging_by_key_shows_every_panel_once_and_leads_back(as_person: As) -> None:
    made = [
        make_panel(NOON - timedelta(minutes=number // 3), "core", f"n {number}", [], number=number)
        for number in range(2 * PAGE + 5)
    ]
    client, seen, address = as_person("maya"), [], "/panels/"
    while address:
        page = client.get(address).content.decode()
        seen += re.findall(r'id="row-(p[^"]+)"', page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        last, address = address, older[1].replace("&amp;", "&") if older else ""
    assert sorted(seen) == sorted(made)
    assert len(seen) == len(set(seen))
    newer = re.search(r'rel="prev" href="([^"]+)"', client.get(last).content.decode())
    assert newer
    assert ids(client, newer[1].replace("&amp;", "&")) == seen[PAGE : 2 * PAGE]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("collection=quick", ["b"]),
        ("state=running", ["c"]),
        ("q=BETA", ["b"]),
        ("q=p20261129-115", ["b", "c"]),
        ("collection=core&state=done", ["a"]),
        ("state=nonsense", ["a", "b", "c"]),
        ("before=nonsense", ["a", "b", "c"]),
    ],
)
def test_the_list_is_narrowed_by_its_address(as_person: As, query: str, found: list[str]) -> None:
    made = {
        "a": make_panel(NOON, "core", "alpha", [], number=1),
        "b": make_panel(NOON - timedelta(minutes=1), "quick", "beta", [], number=2),
        "c": make_panel(NOON - timedelta(minutes=2), "core", "gamma", [Played("member", "wren", "asked")], number=3),
    }
    assert ids(as_person("maya"), f"/panels/?{query}") == [made[name] for name in found]


def test_a_row_tells_its_seats_and_verdicts(as_person: As, bens_panel: str) -> None:
    judge("maya", f"{bens_panel}.member1", True)
    page = as_person("ben").get("/panels/").content.decode()
    assert 'aria-label="3 seats: 1 answered, 1 empty answer, 1 failed"' in page
    assert "1 of 3 judged" in page
    assert "mark-explorer is-empty" in page
    assert "member · granite-l · answered · 3.2 s" in page
    assert 'datetime="2026-11-29T12:00:00+00:00"' in page


def test_the_script_gets_the_rows_alone_and_a_clean_address(as_person: As, bens_panel: str) -> None:
    headers = {"HX-Request": "true", "HX-Trigger": "panel-filter"}
    answer = as_person("ben").get("/panels/?q=&collection=core&state=", headers=headers)
    assert "<html" not in answer.content.decode()
    assert answer["HX-Push-Url"] == "/panels/?collection=core"
    assert "HX-Request" in answer["Vary"]
    assert "no-store" in answer["Cache-Control"]


def test_a_long_list_costs_no_query_a_row(as_person: As, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(30):
        make_panel(NOON, "core", f"n {number}", [Played("member", "wren", "ok", 1.0)], number=number)
    client = as_person("maya")
    with django_assert_max_num_queries(9):
        client.get("/panels/")


def test_a_prompt_in_the_list_is_text(as_person: As) -> None:
    make_panel(NOON, "core", "<script>alert(1)</script> <img src=x onerror=alert(1)>", [])
    page = as_person("maya").get("/panels/").content.decode()
    assert "<script>alert" not in page
    assert "<img" not in page
