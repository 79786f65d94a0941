"""The queue of verdicts: what it asks for, of whom, and what it hides."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.judge import Narrowed, count_owed, load_queue
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import Played, judge, make_panel
from collections_app.models import Verdict

As = Callable[[str], Client]
HTMX = {"HX-Request": "true"}


def person(name: str) -> User:
    return User.objects.get(username=name)


def waiting(name: str, everybody: bool = False) -> list[str]:
    return [one.call.partition(".")[2] for one in load_queue(person(name), NOON, everybody).waiting]


def test_every_finished_seat_of_ones_own_panels_is_owed_and_a_failed_one_comes_last(bens_panel: str) -> None:
    assert waiting("ben") == ["member1", "explorer", "member2"]
    assert load_queue(person("ben"), NOON).owed == 3
    assert load_queue(person("maya"), NOON).owed == 0
    judge("ben", f"{bens_panel}.member1", True)
    judge("maya", f"{bens_panel}.explorer", True)
    assert waiting("ben") == ["explorer", "member2"]
    assert (count_owed(person("ben")), count_owed(person("maya"))) == (2, 0)


def test_the_list_of_panels_tells_what_one_owes(as_person: As, bens_panel: str) -> None:
    assert '<a href="/judge/">You owe 3 verdicts</a>' in as_person("ben").get("/panels/").content.decode()
    assert "You owe" not in as_person("maya").get("/panels/").content.decode()


def test_the_verdict_of_another_is_not_ones_own(bens_panel: str) -> None:
    judge("maya", f"{bens_panel}.member1", True)
    assert load_queue(person("ben"), NOON).owed == 3
    everybody = load_queue(person("maya"), NOON, everybody=True)
    assert (len(everybody.waiting), everybody.owed, list(everybody.others)) == (2, 0, [("ben", 3)])


def test_a_seat_that_still_plays_is_not_owed_and_neither_is_what_nobody_asked() -> None:
    make_panel(
        NOON,
        "core",
        "x",
        [Played("member", "wren", "asked"), Played("explorer", "osprey", "ok", 1.0, "a")],
        owner="ben",
    )
    make_panel(NOON, "core", "x", [Played("member", "wren", "ok", 1.0, "a")], owner=None, number=1)
    assert waiting("ben") == ["explorer"]
    assert list(load_queue(person("maya"), NOON, everybody=True).others) == [("ben", 1)]


def test_a_model_that_was_never_judged_there_is_asked_for_first() -> None:
    old = make_panel(
        NOON - timedelta(days=1), "core", "x", [Played("member", "wren", "ok", 1.0, "a")], owner="ben", shape=""
    )
    for number in (1, 2):
        judged = make_panel(
            NOON, "core", "x", [Played("member", "osprey", "ok", 1.0, "a")], owner="boss", number=number, shape=""
        )
        judge("boss", f"{judged}.member1", True)
    new = make_panel(NOON, "core", "x", [Played("member", "osprey", "ok", 1.0, "a")], owner="ben", number=3, shape="")
    queue = load_queue(person("ben"), NOON)
    assert [(one.panel, one.judged) for one in queue.waiting] == [(old, 0), (new, 2)]


def test_only_the_last_thirty_panels_are_asked_about_at_a_fixed_cost(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(33):
        make_panel(
            NOON - timedelta(hours=number),
            "core",
            "x",
            [Played("member", "wren", "ok", 1.0, "a")],
            owner="ben",
            number=number,
        )
    ben = person("ben")
    with django_assert_num_queries(4):
        assert load_queue(ben, NOON).owed == 30
    with django_assert_num_queries(1):
        assert count_owed(ben) == 30


def test_a_verdict_leads_to_the_next_one(as_person: As, bens_panel: str) -> None:
    client = as_person("ben")
    assert f"/judge/{bens_panel}.member1/verdict" in client.get("/judge/").content.decode()
    answer = client.post(f"/judge/{bens_panel}.member1/verdict", {"useful": "yes"})
    assert answer["Location"] == "/judge/"
    page = client.get(answer["Location"]).content.decode()
    assert "granite-l: useful" in page
    assert "2 verdicts" in page
    by_script = client.post(f"/judge/{bens_panel}.member2/verdict?shape=review", {"useful": "no"}, headers=HTMX)
    assert by_script["HX-Push-Url"] == f"/judge/?at={bens_panel}.explorer&shape=review"
    assert 'id="judge"' in by_script.content.decode()
    client.post(f"/judge/{bens_panel}.explorer/verdict", {"useful": "no"})
    assert "Nothing waits for you" in client.get("/judge/").content.decode()


def test_a_verdict_taken_back_stays_where_it_is(as_person: As, bens_panel: str) -> None:
    client = as_person("ben")
    client.post(f"/judge/{bens_panel}.member1/verdict", {"useful": "yes"})
    answer = client.post(f"/judge/{bens_panel}.member1/verdict", {"useful": "withdraw"})
    assert answer["Location"] == f"/judge/?at={bens_panel}.member1"
    assert not Verdict.objects.exists()


def test_the_queue_is_narrowed_by_its_address_and_reaches_further_back(as_person: As) -> None:
    for number in range(30):
        make_panel(NOON, "core", "x", [Played("member", "wren", "ok", 1.0, "a")], owner="ben", number=number)
    old = make_panel(
        NOON - timedelta(days=9), "quick", "x", [Played("member", "osprey", "ok", 1.0, "a")], owner="ben", shape="code"
    )
    ben = person("ben")
    for narrowed in (Narrowed(collection="quick"), Narrowed(shape="code")):
        assert [one.panel for one in load_queue(ben, NOON, narrowed=narrowed).waiting] == [old]
    assert not load_queue(ben, NOON, narrowed=Narrowed(collection="quick", days=7)).waiting
    page = as_person("ben").get("/judge/?collection=quick&shape=code").content.decode()
    assert f"{old}.member1" in page
    assert "30 verdicts" in page
    assert '<option value="code" selected>' in page
    assert "No panel" not in as_person("ben").get("/judge/?shape=nonsense&days=5000").content.decode()


def test_what_was_judged_today_is_told(as_person: As, bens_panel: str) -> None:
    client = as_person("ben")
    assert "<strong>0</strong> judged today" in client.get("/judge/").content.decode()
    client.post(f"/judge/{bens_panel}.member1/verdict", {"useful": "yes"})
    page = client.get("/judge/").content.decode()
    assert "<strong>1</strong> judged today" in page
    assert '<rect class="bar-played" width="33" height="8"/>' in page


def test_the_last_verdicts_are_undone_one_after_the_other(as_person: As, bens_panel: str) -> None:
    client, call = as_person("ben"), f"{bens_panel}.member1"
    assert 'data-key="u"' not in client.get("/judge/").content.decode()
    client.post(f"/judge/{call}/verdict", {"useful": "yes", "note": "first"})
    client.post(f"/judge/{call}/verdict", {"useful": "no", "note": "second"})
    client.post(f"/judge/{call}/verdict", {"useful": "no", "note": "second"})  # says nothing new: no step
    assert 'data-key="u"' in client.get("/judge/").content.decode()
    assert client.post("/judge/undo?shape=review")["Location"] == f"/judge/?at={call}&shape=review"
    assert (Verdict.objects.get().useful, Verdict.objects.get().note) == (True, "first")
    answer = client.post("/judge/undo", headers=HTMX)
    assert answer["HX-Push-Url"] == f"/judge/?at={call}"
    assert "Undone." in answer.content.decode()
    assert not Verdict.objects.exists()
    assert "There is no verdict to undo." in client.post("/judge/undo", headers=HTMX).content.decode()


def test_a_verdict_taken_back_can_be_had_again(as_person: As, bens_panel: str) -> None:
    client, call = as_person("ben"), f"{bens_panel}.member1"
    client.post(f"/judge/{call}/verdict", {"useful": "yes", "real": "It holds"})
    client.post(f"/judge/{call}/verdict", {"useful": "withdraw"})
    client.post("/judge/undo")
    assert Verdict.objects.get().real == ["It holds"]


def test_what_was_changed_elsewhere_is_not_undone(as_person: As, bens_panel: str) -> None:
    client, call = as_person("ben"), f"{bens_panel}.member1"
    client.post(f"/judge/{call}/verdict", {"useful": "yes"})
    judge("ben", call, False, note="on second thoughts")
    assert "was changed since" in client.post("/judge/undo", headers=HTMX).content.decode()
    assert Verdict.objects.get().note == "on second thoughts"


def test_what_stood_in_the_way_is_told_and_the_words_are_kept(as_person: As, bens_panel: str) -> None:
    for headers in (HTMX, {}):
        answer = as_person("ben").post(f"/judge/{bens_panel}.member1/verdict", {"note": "kept words"}, headers=headers)
        page = answer.content.decode()
        assert (answer.status_code, "kept words" in page, "Choose useful or not useful." in page) == (422, True, True)


@pytest.mark.parametrize(("name", "status"), [("ben", 200), ("maya", 200), ("zoe", 404)])
def test_only_what_may_be_seen_is_asked_about(as_person: As, bens_panel: str, name: str, status: int) -> None:
    assert as_person(name).get(f"/judge/?at={bens_panel}.member1").status_code == status
    assert as_person(name).get("/judge/?at=nothing").status_code == 404


def test_a_viewer_has_no_queue_in_the_sections_and_judges_nothing(as_person: As) -> None:
    panel = make_panel(NOON, "core", "mine", [Played("member", "wren", "ok", 1.0, "yes")], owner="zoe")
    client = as_person("zoe")
    assert 'href="/judge/"' not in client.get("/panels/").content.decode()
    assert 'name="useful"' not in client.get("/judge/").content.decode()
    assert client.post(f"/judge/{panel}.member1/verdict", {"useful": "yes"}).status_code == 404


def test_only_who_sees_everything_can_ask_for_everybodys(as_person: As, bens_panel: str) -> None:
    make_panel(NOON, "core", "of maya", [Played("member", "wren", "ok", 1.0, "yes")], number=1)
    assert "of maya" not in as_person("ben").get("/judge/?whose=all").content.decode()
    page = as_person("maya").get("/judge/?whose=all").content.decode()
    assert "of maya" in page
    assert "ben 3" in page


def test_the_rail_is_fetched_by_itself(as_person: As, bens_panel: str) -> None:
    page = as_person("ben").get(f"/judge/?at={bens_panel}.explorer&part=rail", headers=HTMX).content.decode()
    assert page.lstrip().startswith("<aside")
    assert re.search(r'hx-get="/judge/\?at=[^"]+&amp;part=rail"', page)
