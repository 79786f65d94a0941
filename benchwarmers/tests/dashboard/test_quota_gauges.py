"""Gauges of limits: how full, what is under way, until when; and cards of connections with what may be set there."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from benchwarmers.dashboard import quota_cards
from benchwarmers.dashboard.quota_gauges import Gauge, Ledger, make_gauges, stated_gauge
from benchwarmers.tests.dashboard.test_quotas import PAGE, add_call, add_quota
from benchwarmers.tests.dashboard.test_usage import text_of
from collections_app.models import Change, ConnectionLimit, Fact, LanguageModel
from gateway.engine.pace_counted import Counted, Pressure, Window
from gateway.models import Quota

As = Callable[[str], Client]
SET = "/quotas/limit"
FREE_AT = 1_796_000_000_000
COUNTED = Counted(Window(9, 500, 2, 100, FREE_AT), Window(90, 5_000, 0, 0, FREE_AT), Window(900, 0, 0, 0, FREE_AT))


def test_each_limit_has_a_gauge_from_its_window() -> None:
    limits = {"rpm": 10, "tpm": 1_000, "rpd": 90, "tpd": None, "rpmo": 1_000, "parallel": 4}
    gauges = make_gauges(limits, COUNTED, Ledger(), 3)
    free = datetime.fromtimestamp(FREE_AT / 1000, UTC)
    assert gauges == [
        Gauge("Requests a minute", 9, 2, 10, free),
        Gauge("Tokens a minute", 500, 100, 1_000, free),
        Gauge("Requests a day", 90, 0, 90, free),
        Gauge("Requests a month", 900, 0, 1_000, free),
        Gauge("Calls at once", 3, 3, 4),
    ]
    assert [(one.settled_share, one.held_share, one.state) for one in gauges[:3]] == [
        (70, 20, "nearly"),
        (40, 10, ""),
        (100, 0, "full"),
    ]


def test_windows_that_were_never_counted_are_told_by_the_ledger() -> None:
    ledger = Ledger(minute=(1, 20), day=(30, 400), month=(500, 6_000))
    limits = {"rpm": 10, "tpm": 100, "rpd": 100, "tpd": 1_000, "rpmo": 1_000}
    for counted in (None, Counted(None, None, None)):
        gauges = make_gauges(limits, counted, ledger, 0)
        assert [(one.used, one.free_at) for one in gauges] == [
            (1, None), (20, None), (30, None), (400, None), (500, None)
        ]  # fmt: skip


@pytest.mark.parametrize(("limit", "remaining", "used"), [(10, 4, 6), (10, 12, 0), (None, 4, None), (10, None, None)])
def test_what_a_provider_says_is_left_is_a_gauge_where_it_says_of_how_much(
    limit: int | None, remaining: int | None, used: int | None
) -> None:
    gauge = stated_gauge(Quota(metric="requests", window="day", limit=limit, remaining=remaining))
    assert (gauge.used if gauge else None) == used
    assert gauge is None or (gauge.label, gauge.stated) == ("Requests a day", True)


def test_a_card_tells_what_is_full_and_until_when(as_person: As, monkeypatch: pytest.MonkeyPatch) -> None:
    ConnectionLimit.objects.create(connection="harbour", rpm=10, parallel=4)
    pressure = Pressure({"c:harbour": COUNTED}, {"harbour": 4})
    monkeypatch.setattr(quota_cards, "load_counted", lambda *_: pressure)
    add_quota(connection="quay", remaining=1_000)
    told = text_of(as_person("maya"), PAGE)
    free = timezone.localtime(datetime.fromtimestamp(FREE_AT / 1000, UTC))
    assert "1 connection has a limit with nothing left: harbour" in told
    assert f"Requests a minute 9 of 10 2 under way · empty again {free:%-d %b, %H:%M:%S}" in told
    assert "Calls at once full 4 of 4 4 under way" in told
    assert "Requests a day by the provider 0 of 1 000 starts anew" in told


def test_models_with_limits_of_their_own_have_gauges_by_the_strongest_word(as_person: As) -> None:
    model = LanguageModel.objects.get(alias="osprey")
    for source, rpd in (("probe", 1), ("learned", 2), ("operator", 40)):
        Fact.objects.create(language_model=model, field="limits", source=source, value={"rpd": rpd})
    add_call(attempts=3)
    assert "1 model with limits of its own osprey Requests a day 3 of 40" in text_of(as_person("maya"), PAGE)


def test_limits_of_a_connection_are_set_changed_and_taken_away(as_person: As) -> None:
    client = as_person("maya")
    client.post(SET, {"connection": "harbour", "rpm": "60", "parallel": "8"})
    row = ConnectionLimit.objects.get(connection="harbour")
    assert (row.rpm, row.tpm, row.parallel) == (60, None, 8)
    reply = client.post(SET, {"connection": "harbour", "rpm": "60", "tpd": "5000"}, follow=True)
    assert "The limits of harbour are set." in reply.content.decode()
    row.refresh_from_db()
    assert (row.rpm, row.tpd, row.parallel) == (60, 5_000, None)
    client.post(SET, {"connection": "harbour", "rpm": ""})
    assert not ConnectionLimit.objects.exists()
    assert Change.objects.filter(thing="limit", name="harbour", actor__username="maya").count() >= 3


@pytest.mark.parametrize("typed", ["none", "0", "-4", "99999999999999999999"])
def test_what_is_no_number_is_refused_in_words(as_person: As, typed: str) -> None:
    reply = as_person("maya").post(SET, {"connection": "harbour", "rpm": typed}, follow=True)
    assert "rpm is a whole number from 1" in reply.content.decode()
    assert not ConnectionLimit.objects.exists()


@pytest.mark.parametrize("name", ["ben", "zoe"])
def test_who_may_not_set_limits_sets_none(as_person: As, name: str) -> None:
    assert as_person(name).post(SET, {"connection": "harbour", "rpm": "1"}).status_code == 403


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("left", ["harbour", "", "requests", "day", "40", "1000"]),
        ("sent", ["harbour", "2", "110", "0", "0"]),
        ("known", ["harbour", "", "60", "", "", "", "", "", "set", ""]),
    ],
)
def test_each_table_is_a_file(as_person: As, part: str, line: list[str]) -> None:
    add_quota()
    add_call()
    ConnectionLimit.objects.create(connection="harbour", rpm=60)
    reply = as_person("maya").get(f"{PAGE}?format=csv&of={part}")
    assert list(csv.reader(reply.content.decode().splitlines()))[1][: len(line)] == line


def test_long_tables_are_paged_and_stay_small(as_person: As) -> None:
    later = timezone.now() + timedelta(hours=1)
    told = {"metric": "requests", "window": "day", "source": "x", "observed_at": later}
    rows = [Quota(connection=f"c{at}", limit=10, remaining=5, reset_at=later, **told) for at in range(500)]
    Quota.objects.bulk_create(rows)
    client = as_person("maya")
    page = client.get(f"{PAGE}?left=3&cards=2")
    assert (page.context["left"].first, page.context["left"].last) == (101, 150)
    assert page.context["left"].after == "?cards=2&left=4#quota-left"
    assert len(page.content) < 120_000
