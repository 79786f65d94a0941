"""The page "What each seat adds": what it reads, who sees what on it, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard import contribution
from benchwarmers.dashboard.contribution import load_page
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, make_panel
from collections_app.models import ClaimGroup, LanguageModel, Verdict
from gateway.models import Seat

As = Callable[[str], Client]
PAGE = "/evidence/core/"
SHARED, OWN, WRONG = "The lock is released early", "Retries have no jitter", "There is no test at all"


def add_panel(number: int, owner: str = "ben", *, judged: bool = True, collection: str = "core") -> str:
    """Granite finds two things, osprey one of them and one that is not so, wren fails, and the merger repeats."""
    seats = [
        Played("member", "granite-l", "ok", 3.2, "a"),
        Played("member", "osprey", "ok", 1.0, "b"),
        Played("member", "wren", "error", 1.0, error="429"),
        Played("merger", "quill-2", "ok", 2.0, "c"),
    ]
    panel = make_panel(NOON - timedelta(minutes=number), collection, "Review", seats, owner=owner, number=number)
    if judged:
        for call, real, false in (
            ("member1", [SHARED, OWN], []),
            ("member2", ["Somebody lets go of the mutex"], [WRONG]),
            ("merger", [SHARED], []),
        ):
            Verdict.objects.create(
                call=f"{panel}.{call}", judge_name="maya", useful=True, real=real, false=false, at=NOON
            )
        group = ClaimGroup.objects.create(panel=panel, text=SHARED, by="maya", at=NOON)
        group.seats.create(call=f"{panel}.member1", text=SHARED)
        group.seats.create(call=f"{panel}.member2", text="Somebody lets go of the mutex")
    return panel


def get(client: Client, address: str = PAGE) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    text = re.sub(r"<[^>]+>", " ", answer.content.decode().partition("<main")[2])
    return " ".join(text.split())


def counts(person: str) -> dict[str, tuple[int, int, int]]:
    page = load_page(User.objects.get(username=person), "core")
    return {row.added.who: (row.added.panels, row.added.found, row.added.alone) for row in page.rows}


def test_answered_seats_of_judged_panels_count_with_the_claims_that_hold() -> None:
    add_panel(1)
    add_panel(2)
    add_panel(3, judged=False)
    add_panel(4, collection="quick")
    assert counts("maya") == {"granite-l": (2, 4, 2), "osprey": (2, 2, 0)}
    page = load_page(User.objects.get(username="maya"), "core")
    assert (page.panels, page.judged, page.telling) == (3, 2, 2)
    assert {row.added.who: row.wrong and row.wrong.chances for row in page.rows} == {
        "granite-l": (0, 2),
        "osprey": (2, 2),
    }


def test_a_panel_in_which_one_seat_answered_says_nothing_of_what_others_miss() -> None:
    Seat.objects.filter(call=f"{add_panel(1)}.member2").update(status="empty")
    assert counts("maya") == {}


def test_a_model_goes_by_the_name_it_has_now_and_one_that_is_gone_by_its_old_one() -> None:
    add_panel(1)
    LanguageModel.objects.filter(alias="granite-l").update(alias="granite-xl")
    Seat.objects.filter(alias="osprey").update(language_model=None)
    assert counts("maya").keys() == {"granite-xl", "osprey"}


def test_only_the_newest_panels_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        add_panel(number, judged=number > 2)
    monkeypatch.setattr(contribution, "NEWEST", 4)
    assert counts("maya")["granite-l"] == (1, 2, 1)


def test_the_page_shows_every_number_with_its_range(as_person: As) -> None:
    for number in range(20):
        add_panel(number)
    text = get(as_person("maya"))
    assert "From 20 judged panels of the newest 20." in text
    assert "granite-l 20 40 20 100 61 to 154 0.50 0.37 to 0.70" in text
    assert "1.0 0.61 to 1.5 20 in 20 judged worse than all" in text
    assert "All models together make 0.50 false claims per judged answer" in text
    assert re.search(r"Independent opinions \d\.\d of 2 models \d\.\d to \d\.\d", text)
    assert "50% 35% to 65%" in text
    assert "of 20 calls" not in text
    assert "Only your own" not in text


def test_the_page_says_what_is_missing_where_there_is_too_little(as_person: As) -> None:
    for number in range(3):
        add_panel(number)
    text = get(as_person("maya"))
    assert "too little data: 3 of 20 calls" in text
    assert "too little data: 6 of 20" in text
    assert "Too little data: 3 of 20 panels in which two models sat" in text


def test_people_see_it_over_the_panels_they_may_see(as_person: As) -> None:
    add_panel(1)
    add_panel(2, owner="maya")
    assert counts("maya")["osprey"][0] == 2
    assert counts("ben")["osprey"][0] == 1
    text = get(as_person("ben"))
    assert "Only your own panels are counted here." in text
    assert "From 1 judged panel of the newest 1." in text


def test_a_collection_of_which_one_sees_nothing_is_not_there(as_person: As, client: Client) -> None:
    assert client.get(PAGE)["Location"].startswith("/login/")
    add_panel(1)
    assert as_person("zoe").get(PAGE).status_code == 404
    assert as_person("maya").get("/evidence/nothing/").status_code == 404
    assert as_person("maya").post(PAGE).status_code == 405


@pytest.mark.parametrize("panels", [0, 1])
def test_without_a_verdict_the_page_says_what_to_do(as_person: As, panels: int) -> None:
    for number in range(panels):
        add_panel(number, judged=False)
    text = get(as_person("maya"))
    assert "Nothing to tell yet" in text
    assert "Judge answers" in text


def test_the_list_of_a_collection_and_the_queue_lead_there(as_person: As) -> None:
    add_panel(1)
    client = as_person("ben")
    link = f'href="{PAGE}"'
    assert link in client.get("/panels/?collection=core").content.decode()
    assert link not in client.get("/panels/").content.decode()
    assert link in client.get("/judge/").content.decode()
    Verdict.objects.update(judge=User.objects.get(username="ben"))
    Seat.objects.exclude(call__in=Verdict.objects.values("call")).delete()
    queue = client.get("/judge/").content.decode()
    assert "Nothing waits for you" in queue
    assert link in queue


def test_the_page_costs_the_same_however_many_panels(
    as_person: As, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = as_person("maya")
    add_panel(1)
    client.get(PAGE)
    with django_assert_num_queries(11):
        client.get(PAGE)
    for number in range(2, 30):
        add_panel(number, owner="ben" if number % 2 else "maya")
    with django_assert_num_queries(11):
        client.get(PAGE)
