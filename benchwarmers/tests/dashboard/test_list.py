"""The list of panels: who sees which, in what order, narrowed and paged."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.paging import PAGE
from benchwarmers.dashboard.panel_filters import PanelFilters
from benchwarmers.dashboard.selectors import load_panels
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, judge, make_panel
from collections_app.models import Change, Verdict
from gateway.models import Reading
from suite.models import Task

As = Callable[[str], Client]


def ids(client: Client, address: str) -> list[str]:
    return re.findall(r'id="row-(p[^"]+)"', client.get(address).content.decode())


def test_a_caller_sees_only_their_own_panels(as_person: As, bens_panel: str) -> None:
    make_panel(NOON, "core", "of maya", [], owner="maya", number=1)
    make_panel(NOON, "core", "of nobody", [], owner=None, number=2)
    assert ids(as_person("ben"), "/panels/") == [bens_panel]
    assert len(ids(as_person("maya"), "/panels/")) == 3
    assert len(ids(as_person("boss"), "/panels/")) == 3


def test_a_viewer_is_told_whose_panels_one_sees_and_nothing_about_asking(as_person: As, bens_panel: str) -> None:
    page = as_person("zoe").get("/panels/").content.decode()
    assert "A panel is seen by whoever asked it" in page
    assert "Nobody has played" not in page
    assert "curl" not in page


def test_a_caller_is_shown_how_to_ask_at_this_address(as_person: As) -> None:
    page = as_person("ben").get("/panels/").content.decode()
    assert "You have not asked yet" in page
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
        ("shape=code", ["c"]),
        ("shape=nonsense", ["a", "b", "c"]),
        ("whose=mine", ["a", "b", "c"]),
        ("whose=owed", ["b"]),
        ("sort=oldest", ["c", "b", "a"]),
    ],
)
def test_the_list_is_narrowed_by_its_address(as_person: As, query: str, found: list[str]) -> None:
    made = {
        "a": make_panel(NOON, "core", "alpha", [], number=1),
        "b": make_panel(
            NOON - timedelta(minutes=1), "quick", "beta", [Played("member", "wren", "ok", 1.0, "b")], number=2
        ),
        "c": make_panel(
            NOON - timedelta(minutes=2), "core", "gamma", [Played("member", "wren", "asked")], number=3, shape="code"
        ),
    }
    make_panel(NOON + timedelta(minutes=1), "other", "delta", [], owner="boss", number=4)
    listed = ids(as_person("maya"), f"/panels/?{query}")
    assert [one for one in listed if one in made.values()] == [made[name] for name in found]
    if "whose" in query:
        assert set(listed) <= set(made.values())


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
    with django_assert_max_num_queries(12):
        client.get("/panels/")


def test_a_prompt_in_the_list_is_text(as_person: As) -> None:
    make_panel(NOON, "core", "<script>alert(1)</script> <img src=x onerror=alert(1)>", [])
    page = as_person("maya").get("/panels/").content.decode()
    assert "<script>alert" not in page
    assert "<img" not in page


def test_the_oldest_come_first_where_they_are_wanted_and_paging_leads_on(as_person: As) -> None:
    made = [make_panel(NOON + timedelta(minutes=number), "core", "x", [], number=number) for number in range(PAGE + 5)]
    client = as_person("maya")
    page = client.get("/panels/?sort=oldest").content.decode()
    assert re.findall(r'id="row-(p[^"]+)"', page) == made[:PAGE]
    further = re.search(r'rel="next" href="([^"]+)"', page)
    assert further
    page = client.get(further[1].replace("&amp;", "&")).content.decode()
    assert re.findall(r'id="row-(p[^"]+)"', page) == made[PAGE:]
    back = re.search(r'rel="prev" href="([^"]+)"', page)
    assert back
    assert ids(client, back[1].replace("&amp;", "&")) == made[:PAGE]


def test_words_are_looked_for_in_the_newest_panels_and_the_page_says_so(
    as_person: As, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("benchwarmers.dashboard.selectors.NEWEST", 2)
    for number in range(3):
        make_panel(NOON - timedelta(minutes=number), "core", f"the word {number}", [], number=number)
    client = as_person("maya")
    assert len(ids(client, "/panels/?q=word")) == 2
    assert "Looked through the newest" in client.get("/panels/?q=word").content.decode()
    assert "Looked through" not in client.get("/panels/").content.decode()


def test_days_count_back_from_now() -> None:
    made = [make_panel(NOON - timedelta(days=days), "core", "x", [], number=days) for days in range(9)]
    maya = User.objects.get(username="maya")
    page = load_panels(maya, PanelFilters(days=7), NOON + timedelta(hours=1), blind=False)
    assert [row.panel.pk for row in page.rows] == made[:7]


def test_the_list_is_a_file_with_the_same_rows(as_person: As, bens_panel: str) -> None:
    make_panel(NOON, "quick", "=HYPERLINK(1)", [], owner="ben", number=1)
    answer = as_person("ben").get("/panels/?format=csv")
    assert answer["Content-Type"].startswith("text/csv")
    head, first, second = list(csv.reader(io.StringIO(answer.content.decode())))
    assert (head[0], head[-1]) == ("panel", "asked")
    assert first[-1] == "'=HYPERLINK(1)"
    told = dict(zip(head, second, strict=True))
    assert (told["panel"], told["seats"], told["answered"], told["owed_by_you"]) == (bens_panel, "3", "1", "3")
    assert told["models"] == "granite-l osprey wren"
    assert len(as_person("ben").get("/panels/?format=csv&collection=core").content.splitlines()) == 2
    assert not Reading.objects.exists()
    as_person("maya").get("/panels/?format=csv")
    assert Reading.objects.get().thing == "export"


def test_all_answers_of_the_ticked_panels_are_judged_at_once(as_person: As, bens_panel: str) -> None:
    judge("ben", f"{bens_panel}.member1", False)
    other = make_panel(NOON, "core", "of maya", [Played("member", "wren", "ok", 1.0, "a")], number=1)
    client = as_person("ben")
    answer = client.post("/panels/-/act?collection=core", {"panel": [bens_panel, other], "verb": "useful"})
    assert answer["Location"] == "/panels/?collection=core"
    said = set(Verdict.objects.values_list("call", "useful"))
    assert said == {(f"{bens_panel}.member1", False), (f"{bens_panel}.explorer", True)}
    client.post("/panels/-/act", {"panel": [bens_panel], "verb": "useful"})
    assert "All of it was judged already." in client.get("/panels/").content.decode()
    for form in ({"verb": "useful"}, {"panel": [bens_panel], "verb": "burn"}, {"panel": [bens_panel], "verb": "mine"}):
        client.post("/panels/-/act", form)
    page = client.get("/panels/").content.decode()
    assert "Tick the panels that are meant." in page
    assert page.count("Choose what is to be done with the panels.") == 2


def test_curators_make_tasks_of_what_was_claimed(as_person: As) -> None:
    panel = make_panel(
        NOON, "core", "Review\n===== a.py\nx = 1\n", [Played("member", "wren", "ok", 1.0, "a")], owner="ben"
    )
    judge("ben", f"{panel}.member1", True, real=("x is one",))
    assert "Make tasks of" not in as_person("ben").get(f"/panels/{panel}/").content.decode()
    assert as_person("ben").post(f"/panels/{panel}/mine").status_code == 404
    client = as_person("maya")
    assert "Make tasks of these claims" in client.get(f"/panels/{panel}/").content.decode()
    assert client.post(f"/panels/{panel}/mine")["Location"] == f"/panels/{panel}/#claims"
    task = Task.objects.get(origin="mined")
    assert (task.source, task.draft) == (panel, True)
    assert "1 draft waits for review." in client.get("/panels/").content.decode()
    client.post("/panels/-/act", {"panel": [panel], "verb": "mine"})
    assert "its claims are tasks already" in client.get("/panels/").content.decode()
    assert Change.objects.filter(actor_name="maya", thing="task", name=panel).exists()
