"""What the page of a model tells of its work: standings with intervals, newest calls, cost, and history."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchwarmers.dashboard.templatetags.bench import ago
from benchwarmers.operations.models.deeds import NEWEST, load_deeds
from benchwarmers.operations.models.trend import HEIGHT, Probe, draw_trend
from benchwarmers.tests.dashboard.usage_world import add_usage
from benchwarmers.tests.operations.models.given import change, model, text
from collections_app.actions.language_model import do_rename_model, do_set_role
from collections_app.models import Collection, Standing, Team
from gateway.models import Call, Seat

As = Callable[[str], Client]
NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


def deeds(person: str = "maya", alias: str = "wren") -> Any:
    return load_deeds(User.objects.get(username=person), model(alias), timezone.localdate())


def called(minutes: int = 0, alias: str = "wren", **said: Any) -> Call:
    given = {"alias": alias, "endpoint_name": "harbour", "connection": "harbour", "status": "ok", "caller": "ben"}
    return Call.objects.create(
        at=timezone.now() - timedelta(minutes=minutes), language_model=model(alias), **given | said
    )


def test_standings_begin_with_all_its_work_and_each_has_its_interval(as_person: As) -> None:
    for collection, shape, offloads, judged, useful in (
        ("core", "review", 3, 0, 0.0),
        ("core", "", 9, 8, 6.0),
        ("", "", 12, 10, 7.5),
        ("quiet", "", 0, 0, 0.0),
    ):
        Collection.objects.get_or_create(name=collection or "core")
        row = {"collection_name": collection, "shape": shape, "offloads": offloads, "judged": judged, "useful": useful}
        Standing.objects.create(language_model=model("wren"), **row)
    found = deeds().standings
    assert [(line.collection, line.shape) for line in found] == [("", ""), ("core", ""), ("core", "review")]
    assert found[0].drawn is not None
    assert found[2].drawn is None
    told = text(as_person("maya").get("/roster/wren/"))
    assert "all its work 12 7.5 / of 10 44–92%" in told


def test_standings_in_collections_of_other_teams_are_left_out() -> None:
    Collection.objects.create(name="den", team=Team.objects.create(name="red"))
    Standing.objects.create(language_model=model("wren"), collection_name="den", offloads=3)
    assert deeds("ben").standings == []
    assert [line.collection for line in deeds("maya").standings] == ["den"]


def test_calls_are_the_newest_and_lead_to_panels_that_may_be_seen(bens_panel: str) -> None:
    seat = Seat.objects.filter(panel=bens_panel, alias="osprey").get()
    for minutes in range(NEWEST + 2):
        called(minutes, "osprey", owner=User.objects.get(username="ben"), seat=seat.call if minutes == 1 else "")
    lines = deeds("maya", "osprey").calls
    assert len(lines) == NEWEST
    assert [line.panel for line in lines][:3] == ["", bens_panel, ""]
    assert deeds("zoe", "osprey").calls == []
    assert deeds("ben", "osprey").calls[1].panel == bens_panel


def test_cost_is_that_of_thirty_days_and_of_what_one_may_see() -> None:
    today = timezone.localdate()
    add_usage("ben", alias="wren", day=today, calls=3, cost=5)
    add_usage("maya", alias="wren", day=today - timedelta(days=29), calls=1, cost=7)
    add_usage("ben", alias="wren", day=today - timedelta(days=30), calls=9, cost=9)
    add_usage("ben", alias="osprey", day=today, calls=9, cost=9)
    assert (deeds("maya").spent.calls, deeds("maya").spent.cost) == (4, 12)
    assert deeds("ben").spent.cost == 5
    assert deeds("zoe").spent.calls == 0


def test_history_goes_back_beyond_a_rename_and_is_for_those_who_may_see_changes(as_person: As) -> None:
    maya = User.objects.get(username="maya")
    do_set_role(actor=maya, alias="wren", role="code")
    do_rename_model(actor=maya, alias="wren", new_alias="robin")
    do_set_role(actor=maya, alias="robin", role="light")
    history = deeds("maya", "robin").history
    assert history is not None
    assert history[0].change.field == "role"
    assert {one.change.name for one in history} >= {"wren", "robin"}
    seen = deeds("zoe", "robin").history
    assert (seen is None) == (not User.objects.get(username="zoe").has_perm("collections_app.view_change"))


@pytest.mark.parametrize(("status", "told"), [
    ("throttled", "Busy, or out of quota."),
    ("slow", "No answer in time."),
    ("empty reply", "set max_tokens"),
    ("not found", "Retire it, or try again"),
    ("no longer free", "The free form is gone."),
    ("no access", "The account may not call it."),
    ("sign in again", "sign in again on its page"),
    ("failing", "Read the provider's words below"),
    ("healthy", ""),
    ("untested", ""),
])  # fmt: skip
def test_what_to_do_next_follows_from_how_it_is(as_person: As, status: str, told: str) -> None:
    change("wren", status=status, status_why="as it said")
    page = as_person("maya").get("/roster/wren/")
    assert told in text(page)
    assert (b'class="model-next"' in page.content) == bool(told)


def test_the_page_stays_below_its_queries_however_much_it_did(as_person: As) -> None:
    client, home = as_person("maya"), Collection.objects.create(name="trio")
    counts = []
    for number in (1, 60):
        for place in range(number):
            called(place)
            Standing.objects.get_or_create(language_model=model("wren"), collection_name=home.name, shape=f"s{place}")
        client.get("/roster/wren/")
        with CaptureQueriesContext(connection) as seen:
            assert client.get("/roster/wren/").status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 25


def test_the_trend_has_a_band_for_days_that_follow_each_other_and_dots_for_single_ones() -> None:
    def probe(days: int, seconds: float, prompt: str = "tiny", failure: str = "") -> Probe:
        return Probe(NOON - timedelta(days=days), prompt, not failure, seconds, failure)

    asked = [probe(9, 1.0), probe(5, 1.0), probe(5, 4.0), probe(4, 2.0), probe(1, 0, failure="timeout")]
    trend = draw_trend([*asked, probe(6, 9.0, "large"), probe(2, 9.0, "large")], NOON, UTC)
    assert trend is not None
    assert trend.words == "6 of 7 questions were answered"
    assert [dot[0] for dot in trend.dots] == [410.0]
    assert trend.band.count("M") == 2
    assert trend.line.startswith("M490.0 ")
    assert trend.large == f"M470.0 {trend.large.split()[1].split('L')[0]}L550.0 {trend.large.split()[-1]}"
    five = next(day for day in trend.days if day.day == (NOON - timedelta(days=5)).date())
    assert (five.short.asked, five.short.p50_s, five.short.p95_s) == (2, 1.0, 4.0)
    assert trend.told[0].failures == "timeout"
    assert all(0 <= y <= HEIGHT for y, _label in trend.ticks)


def test_what_is_the_accounts_says_nothing_of_a_models_times() -> None:
    trend = draw_trend([Probe(NOON, "tiny", False, 0, "capacity", account_wide=True)], NOON, UTC)
    assert trend is not None
    assert (trend.days[-1].short.asked, trend.days[-1].failures) == (0, "capacity")
    assert draw_trend([], NOON, UTC) is None


@pytest.mark.parametrize(("minutes", "told"), [
    (0.5, "just now"),
    (1.5, "1 min ago"),
    (59.5, "59 min ago"),
    (60.5, "1 h ago"),
    (47 * 60 + 30, "47 h ago"),
    (48 * 60 + 1, "2 days ago"),
    (400 * 24 * 60, "400 days ago"),
])  # fmt: skip
def test_how_long_ago_something_was_has_room_in_a_column(minutes: float, told: str) -> None:
    assert ago(timezone.now() - timedelta(minutes=minutes)) == told
