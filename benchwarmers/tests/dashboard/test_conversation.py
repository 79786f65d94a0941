"""A conversation's page, its live fragments, and verdicts on its members with and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.conversations import TURNS
from benchwarmers.tests.dashboard.conftest import NOON
from benchwarmers.tests.pages.seed import judge
from benchwarmers.tests.pages.talks import Took, add_turn, make_talk
from collections_app.models import Evidence, Verdict
from gateway.models import Turn

As = Callable[[str], Client]
HTMX = {"HX-Request": "true"}
LATER = NOON + timedelta(minutes=30)


@pytest.fixture
def bens_talk() -> str:
    """granite-l began, osprey took over, one turn failed."""
    turns = [
        Took("granite-l", tools=("Read", "Read", "Grep")),
        Took("osprey", tools=("Edit",), tried=("granite-l",)),
        Took(status="error", tried=("osprey",), error="No member took this turn."),
    ]
    return make_talk(NOON, "core", "Fix the build", turns, owner="ben")


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def numbers(page: str) -> list[int]:
    return [int(one) for one in re.findall(r'class="turn-number">(\d+)<', page)]


@pytest.mark.parametrize("rest", ["", "live/"])
def test_the_conversation_of_another_does_not_exist(as_person: As, bens_talk: str, rest: str) -> None:
    address = f"/conversations/{bens_talk}/{rest}"
    assert as_person("zoe").get(address, headers=HTMX).status_code == 404
    assert as_person("maya").get(address, headers=HTMX).status_code == 200
    assert as_person("ben").get(address, headers=HTMX).status_code == 200
    assert as_person("ben").get("/conversations/r-unknown/").status_code == 404


def test_nobody_may_judge_what_they_may_not_see(as_person: As, bens_talk: str) -> None:
    User.objects.create_user("cleo").groups.add(*User.objects.get(username="ben").groups.all())
    answer = as_person("cleo").post(f"/conversations/{bens_talk}/calls/{bens_talk}.1/verdict", {"useful": "yes"})
    assert answer.status_code == 404
    assert not Verdict.objects.exists()


def test_the_page_tells_the_facts_and_every_turn(as_person: As, bens_talk: str) -> None:
    page = as_person("ben").get(f"/conversations/{bens_talk}/").content.decode()
    told = words(page)
    assert "Asked by ben Format Anthropic Messages Collection bench/core Started 29 Nov 2026, 12:00:00" in told
    assert "3 turns 1 failed" in told
    assert "Tool calls 4 Failovers 1 Left by the caller 0 Tokens" in told
    assert numbers(page) == [3, 2, 1]
    assert "29 Nov, 12:00:00 granite-l answered 4.2 s 0.7 s Read ×2, Grep 3 200 60 24 thought tool use" in told
    assert (
        "nobody failed 4.2 s – – – – – No member took this turn. Tried before: osprey osprey 429 from harbour" in told
    )
    assert re.findall(r'<h3 id="who-\d">([^<]+)<', page) == ["granite-l", "osprey"]
    assert f"{bens_talk}.1" in told
    assert f"{bens_talk}.2" in told


def test_names_of_tools_and_errors_are_text(as_person: As) -> None:
    evil = "<script>alert(1)</script>"
    turns = [Took("wren", tools=(evil,)), Took(status="error", tried=(evil,), error=evil)]
    page = as_person("maya").get(f"/conversations/{make_talk(NOON, 'core', evil, turns)}/").content.decode()
    assert evil not in page
    assert page.count("&lt;script&gt;alert(1)") >= 5


def test_turns_are_paged_and_every_page_costs_the_same(
    as_person: As, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client = as_person("maya")
    short = make_talk(NOON, "core", "short", [Took("wren")], number=1)
    long = make_talk(NOON, "core", "long", [Took("wren", tools=("Read",))] * (2 * TURNS + 1), number=2)
    client.get(f"/conversations/{short}/")
    with django_assert_num_queries(11):
        client.get(f"/conversations/{short}/")
    seen, address = [], f"/conversations/{long}/"
    while address:
        with django_assert_num_queries(11):
            page = client.get(address).content.decode()
        seen.append(numbers(page))
        assert f"{2 * TURNS + 1} turns" in words(page)
        earlier = re.search(r'rel="next" href="([^"#]+)', page)
        address = f"/conversations/{long}/{earlier[1].rpartition('/')[2]}" if earlier else ""
    assert [len(one) for one in seen] == [TURNS, TURNS, 1]
    assert [number for one in seen for number in one] == list(range(2 * TURNS + 1, 0, -1))
    assert "Latest turns" in page
    assert 'name="after"' not in page


@pytest.mark.parametrize("before", ["nonsense", "-1", "9" * 30, "²"])
def test_a_place_that_cannot_be_read_is_the_newest_page(as_person: As, bens_talk: str, before: str) -> None:
    answer = as_person("ben").get(f"/conversations/{bens_talk}/", {"before": before})
    assert numbers(answer.content.decode()) == [3, 2, 1]


def test_the_live_fragment_brings_new_turns_and_only_the_cards_that_changed(as_person: As, bens_talk: str) -> None:
    client = as_person("ben")
    page = client.get(f"/conversations/{bens_talk}/").content.decode()
    shown = {name: re.findall(rf'name="{name}" value="([^"]+)"', page) for name in ("seen", "after")}
    assert (len(shown["seen"]), len(shown["after"])) == (2, 1)
    address = f"/conversations/{bens_talk}/live/"
    quiet = client.get(address, shown, headers=HTMX).content.decode()
    assert 'id="conversation-head"' in quiet
    assert "<article" not in quiet
    assert "<tr" not in quiet
    add_turn(bens_talk, Took("osprey", tools=("Bash",)), LATER)
    add_turn(bens_talk, Took("wren", tried=("osprey",)), LATER)
    loud = client.get(address, shown, headers=HTMX).content.decode()
    assert re.findall(r'<article[^>]*id="(member-\d)"', loud) == ["member-2", "member-3"]
    assert 'hx-swap-oob="beforeend:#members"' in loud
    assert 'hx-swap-oob="afterbegin:#turns"' in loud
    assert numbers(loud) == [5, 4]
    assert f'name="after" value="{Turn.objects.order_by("-pk")[0].pk}"' in loud
    assert "Last turn 29 Nov 2026, 12:30:04" in words(loud)


def test_who_was_away_for_more_than_a_page_gets_the_newest_page(as_person: As, bens_talk: str) -> None:
    for _ in range(TURNS):
        add_turn(bens_talk, Took("osprey"), LATER)
    loud = as_person("ben").get(f"/conversations/{bens_talk}/live/", {"after": "1"}, headers=HTMX).content.decode()
    assert 'hx-swap-oob="innerHTML:#turns"' in loud
    assert numbers(loud) == list(range(TURNS + 3, 3, -1))


def test_a_page_of_earlier_turns_gets_no_new_ones(as_person: As, bens_talk: str) -> None:
    loud = as_person("ben").get(f"/conversations/{bens_talk}/live/", headers=HTMX).content.decode()
    assert "<tr" not in loud
    assert 'id="conversation-head"' in loud


def test_a_verdict_by_form_is_recorded_and_leads_back_to_the_member(as_person: As, bens_talk: str) -> None:
    address = f"/conversations/{bens_talk}/calls/{bens_talk}.2/verdict"
    answer = as_person("ben").post(address, {"useful": "yes", "note": "Fixed it.", "real": "one\r\n\r\ntwo "})
    assert answer["Location"] == f"/conversations/{bens_talk}/#member-2"
    verdict = Verdict.objects.get()
    assert (verdict.call, verdict.judge_name, verdict.useful) == (f"{bens_talk}.2", "ben", True)
    assert (verdict.note, verdict.real) == ("Fixed it.", ["one", "two"])
    assert Evidence.objects.get(call=verdict.call, current=True).useful == 1.0


def test_a_verdict_by_script_returns_the_new_card(as_person: As, bens_talk: str) -> None:
    address = f"/conversations/{bens_talk}/calls/{bens_talk}.1/verdict"
    page = as_person("ben").post(address, {"useful": "no"}, headers=HTMX).content.decode()
    assert page.lstrip().startswith("<article")
    assert re.search(r'id="no-1"[^>]* aria-pressed="true"', page)


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_a_verdict_without_a_choice_is_refused_and_keeps_the_words(
    as_person: As, bens_talk: str, headers: dict[str, str]
) -> None:
    address = f"/conversations/{bens_talk}/calls/{bens_talk}.1/verdict"
    answer = as_person("ben").post(address, {"note": "kept words"}, headers=headers)
    assert answer.status_code == 422
    assert "Choose useful or not useful." in answer.content.decode()
    assert "kept words" in answer.content.decode()


def test_a_call_that_is_not_of_this_conversation_is_not_judged_here(as_person: As, bens_talk: str) -> None:
    other = make_talk(NOON, "core", "other", [Took("wren")], owner="ben", number=9)
    answer = as_person("ben").post(f"/conversations/{bens_talk}/calls/{other}.1/verdict", {"useful": "yes"})
    assert answer.status_code == 404


def test_a_viewer_sees_verdicts_but_no_form_and_may_not_send_one(as_person: As) -> None:
    talk = make_talk(NOON, "core", "mine", [Took("wren")], owner="zoe")
    judge("maya", f"{talk}.1", True, note="good one")
    judge("boss", f"{talk}.1", False)
    client = as_person("zoe")
    page = client.get(f"/conversations/{talk}/").content.decode()
    assert "good one" in page
    assert "People disagree" in page
    assert 'name="useful"' not in page
    assert client.post(f"/conversations/{talk}/calls/{talk}.1/verdict", {"useful": "yes"}).status_code == 404
    assert Verdict.objects.count() == 2
