"""The board of the start page: what is played and asked, who owes verdicts, how models are, and who plays most."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchwarmers.operations.home.lineups import load_chosen, load_lineups
from benchwarmers.operations.home.owed import load_owed
from benchwarmers.operations.home.playing import MOST, load_games
from benchwarmers.operations.home.squad import TOP, load_days, load_squad
from benchwarmers.operations.home.today import load_today
from benchwarmers.tests.dashboard.usage_world import add_key, add_usage
from benchwarmers.tests.operations.models.given import change, model, probed
from benchwarmers.tests.pages.seed import Played, judge, make_panel
from collections_app.actions.collection import do_save_collection
from collections_app.models import Collection, Endpoint, KeyBudget, LanguageModel, Standing, Team
from gateway.models import KeySpend, Panel, Seat

Enter = Callable[[str], Client]
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def person(name: str) -> User:
    return User.objects.get(username=name)


def asked(number: int, owner: str = "ben", state: str = "done") -> str:
    panel = make_panel(
        NOON + timedelta(minutes=number),
        "core",
        f"Question {number}?",
        [Played("member", "granite-l"), Played("member", "wren")],
        owner=owner,
        number=number,
    )
    Panel.objects.filter(pk=panel).update(state=state)
    return panel


def stands(alias: str, collection: str = "", **sums: float) -> None:
    Standing.objects.create(language_model=model(alias), collection_name=collection, **sums)


def words(client: Client, address: str = "/") -> str:
    page = client.get(address).content.decode()
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page[page.index("<main") :]).split()))


def test_what_runs_stands_first_however_old_and_then_the_newest() -> None:
    panels = [asked(number, state="running" if number == 0 else "done") for number in range(MOST + 2)]
    games = load_games(person("maya"))
    assert [game.panel.pk for game in games] == [panels[0], *reversed(panels[3:])]
    assert [len(game.seats) for game in games] == [2] * MOST
    assert games[0].head == "Question 0?"


def test_only_what_one_may_see_is_played(as_person: Enter) -> None:
    asked(1, owner="maya")
    assert "Question 1?" not in words(as_person("ben"))
    assert "Question 1?" in words(as_person("maya"))


def test_today_counts_questions_and_turns_apart_and_cost_over_all() -> None:
    today = timezone.localdate()
    add_usage("ben", day=today, purpose="", requests=3, cost=10)
    add_usage("ben", day=today, purpose="route", requests=5, cost=20, collection_name="agents")
    add_usage("", day=today, purpose="probe", requests=0, cost=4, collection_name="")
    add_usage("ben", day=today - timedelta(days=13), purpose="", requests=1, cost=1)
    add_usage("ben", day=today - timedelta(days=14), purpose="", requests=9, cost=9)
    shown = load_today(person("maya"), today)
    assert (shown.now.questions, shown.now.turns, shown.now.cost) == (3, 5, 34)
    assert [day.asked for day in shown.days] == [1, *[0] * 12, 8]
    assert [bar.height for bar in shown.bars] == [5.0, *[0] * 12, 40.0]
    assert list(shown.busy) == ["agents", "core"]
    assert shown.words.startswith("9 asked in 14 days; the most on ")
    assert load_today(person("zoe"), today).now.asked == 0


def test_the_fullest_budgets_are_shown(as_person: Enter) -> None:
    for name, spent in (("bot", 90), ("idle", 0), ("busy", 100), ("calm", 10)):
        key = add_key("ben", name)
        KeyBudget.objects.create(key=key, unit="requests", period="day", amount=100)
        KeySpend.objects.create(key=key, unit="requests", period="day", start=timezone.localdate(), spent=spent)
    told = words(as_person("ben"))
    assert [name for name in ("busy", "bot", "calm", "idle") if f"{name} 100 requests a day" in told] == [
        "busy",
        "bot",
        "calm",
    ]
    assert "Used of busy: 100 %" in as_person("ben").get("/").content.decode()


def test_who_sees_all_panels_sees_who_owes_verdicts_and_others_only_their_own() -> None:
    first, _ = asked(1), asked(2, owner="maya")
    judge("ben", Seat.objects.filter(panel=first)[0].call, useful=True)
    seen = load_owed(person("maya"))
    assert seen is not None
    assert (seen.own, list(seen.others)) == (2, [("ben", 1)])
    mine = load_owed(person("ben"))
    assert mine is not None
    assert (mine.own, list(mine.others)) == (1, [])
    assert load_owed(person("zoe")) is None


def test_models_are_counted_by_how_they_are_without_practice() -> None:
    Endpoint.objects.filter(name="squad").update(kind="practice")
    LanguageModel.objects.filter(endpoint__name="squad").update(status="failing")
    change("wren", status="healthy")
    change("osprey", status="throttled")
    change("granite-l", status="healthy", retire_in=2)
    change("quill-2", status="healthy", retired_at=timezone.now())
    squad = load_squad(timezone.now())
    assert [(str(one.status), one.count) for one in squad.stands] == [
        ("healthy", 1),
        ("throttled", 1),
        ("retiring", 1),
        ("untested", 2),
    ]
    assert squad.stands[-1].x + squad.stands[-1].wide == pytest.approx(100, abs=0.1)


def test_days_tell_how_many_of_all_short_questions_were_answered() -> None:
    for days, failure in ((0, ""), (0, "timeout"), (2, ""), (20, "timeout")):
        probed("wren", days, failure=failure)
    probed("wren", 0, prompt="large", failure="timeout")
    shown = load_days(timezone.now())
    asked_on = {(timezone.localdate() - one.day).days: (one.asked, one.answered) for one in shown if one.asked}
    # A sample of this minute may belong to yesterday, just after midnight.
    assert sorted(asked_on.values()) == [(1, 1), (2, 1)]
    assert [one.bad for one in shown if one.asked] == [False, True]
    assert len(shown) == 14


def test_the_table_has_those_who_were_handed_most_work_first() -> None:
    stands("wren", offloads=5, judged=4, useful=1)
    stands("osprey", offloads=9)
    stands("osprey", "core", offloads=90)
    squad = load_squad(timezone.now(), ["core"])
    assert [row.model.alias for row in squad.top[:3]] == ["osprey", "wren", "granite-l"]
    assert squad.top[1].record.low
    assert len(squad.top) <= TOP
    assert squad.records["core", model("osprey").pk].offloads == 90


def test_line_ups_stand_by_how_busy_they_are_with_what_people_say_of_each_member_there() -> None:
    Collection.objects.all().delete()
    do_save_collection(actor=None, name="core", members=["wren", "granite-l"])
    do_save_collection(actor=None, name="calm", members=["osprey"])
    stands("wren", "core", offloads=5, judged=4, useful=3)
    chosen, total = load_chosen(person("maya"), ["core"])
    shown = load_lineups(chosen, total, load_squad(timezone.now(), [one.name for one in chosen]))
    assert [one.collection.name for one in shown.shown] == ["core", "calm"]
    wren, granite = shown.shown[0].members
    assert (wren.model.alias, wren.place, wren.record.percent) == ("wren", 1, 75)
    assert wren.words == "4 judged, between 30 and 95 % useful"
    assert (granite.words, granite.drawn) == ("not judged yet", None)


def test_line_ups_of_other_teams_are_not_told(as_person: Enter) -> None:
    do_save_collection(actor=None, name="den", members=["wren"])
    Collection.objects.filter(name="den").update(team=Team.objects.create(name="red"))
    assert "bench/den" not in words(as_person("ben"))
    assert "bench/den" in words(as_person("maya"))


@pytest.mark.parametrize(("part", "head"), [
    ("", '<div id="action-needed"'),
    ("?part=playing", '<section id="playing"'),
    ("?part=board", '<div id="board"'),
    ("?part=nonsense", '<div id="action-needed"'),
])  # fmt: skip
def test_a_script_that_hears_of_news_gets_the_part_it_names(as_person: Enter, part: str, head: str) -> None:
    answer = as_person("maya").get(f"/{part}", headers={"hx-request": "true"})
    assert answer.content.decode().lstrip().startswith(head)
    assert "HX-Request" in answer["Vary"]


def test_the_page_costs_as_many_queries_for_many_models_as_for_few(as_person: Enter) -> None:
    client = as_person("maya")
    home = Endpoint.objects.get(name="harbour")
    do_save_collection(actor=None, name="core", members=["wren", "granite-l"])
    counts = []
    for number in (0, 300):
        rows = [LanguageModel(alias=f"m{at:03d}", served=f"lab/m{at}", endpoint=home) for at in range(number)]
        LanguageModel.objects.bulk_create(rows)
        asked(number, owner="ben")
        asked(number + 1, owner="maya")
        cache.clear()
        client.get("/")
        with CaptureQueriesContext(connection) as seen:
            assert client.get("/").status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 25
