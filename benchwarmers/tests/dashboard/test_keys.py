"""The list of gateway keys and the page of one: who sees which, narrowed and paged, with what was used."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.keys import PAGE, bars_of, state_of
from collections_app.actions.key import do_create_key, do_revoke_key, do_rotate_key
from collections_app.budgets import Budget
from collections_app.models import GatewayKey, Team
from gateway.models import KeySpend

As = Callable[[str], Client]
NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


def make(owner: str, name: str, **more: object) -> GatewayKey:
    row, _ = do_create_key(actor=None, owner=User.objects.get(username=owner), name=name, **more)  # type: ignore[arg-type]
    return row


@pytest.fixture
def team() -> Team:
    """Ben and maya are in it."""
    team = Team.objects.create(name="red")
    team.members.set(User.objects.filter(username__in=["ben", "maya"]))
    return team


def names(client: Client, address: str = "/keys/") -> set[str]:
    return set(re.findall(r'id="key-\d+" href="[^"]+">(\S+) <code', client.get(address).content.decode()))


def test_one_sees_one_s_own_keys_and_those_of_one_s_teams_and_admins_see_all(as_person: As, team: Team) -> None:
    make("ben", "bens")
    make("maya", "mayas")
    make("boss", "of-team", team="red")
    assert names(as_person("ben")) == {"bens", "of-team"}
    assert names(as_person("maya")) == {"mayas", "of-team"}
    assert names(as_person("zoe")) == set()
    assert names(as_person("boss")) == {"bens", "mayas", "of-team"}


def test_a_key_of_somebody_else_is_not_there(as_person: As) -> None:
    row = make("maya", "mayas")
    ben = as_person("ben")
    assert ben.get(f"/keys/{row.pk}/").status_code == 404
    for way in ("", "rotate", "revoke"):
        assert ben.post(f"/keys/{row.pk}/{way}", {"opens": "all"}).status_code == 404
    row.refresh_from_db()
    assert (row.revoked_at, row.previous_digest) == (None, None)


def test_nobody_s_keys_are_shown_to_a_stranger(client: Client) -> None:
    for address in ("/keys/", "/keys/new/", f"/keys/{make('ben', 'bens').pk}/"):
        assert client.get(address)["Location"].startswith("/login/?next=")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", {"plain", "turning", "past"}),
        ("state=open", {"plain", "turning"}),
        ("state=rotating", {"turning"}),
        ("state=expired", {"past"}),
        ("state=revoked", {"gone"}),
        ("state=nonsense", {"plain", "turning", "past"}),
        ("person=maya", {"turning"}),
        ("team=red", {"past"}),
        ("q=LAI", {"plain"}),
        ("before=nonsense", {"plain", "turning", "past"}),
    ],
)
def test_the_list_is_narrowed_by_its_address(as_person: As, team: Team, query: str, found: set[str]) -> None:
    make("ben", "plain")
    make("maya", "turning")
    do_rotate_key(actor=None, name="turning")
    make("ben", "past", team="red", expires_at=timezone.now() - timedelta(days=1))
    make("ben", "gone")
    do_revoke_key(actor=None, name="gone")
    assert names(as_person("boss"), f"/keys/?{query}") == found


def test_paging_shows_every_key_once(as_person: As) -> None:
    made = {make("ben", f"key-{number}").name for number in range(2 * PAGE + 3)}
    client, seen, address = as_person("ben"), [], "/keys/"
    while address:
        page = client.get(address).content.decode()
        seen += re.findall(r'href="[^"]+">(\S+) <code', page)
        older = re.search(r'rel="next" href="([^"]+)"', page)
        address = older[1].replace("&amp;", "&") if older else ""
    assert (set(seen), len(seen)) == (made, len(made))


def test_a_long_list_costs_no_query_a_row(as_person: As, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    budget = {"unit": "requests", "period": "day", "amount": 3}
    for number in range(20):
        make("ben", f"key-{number}", collections=["core"], budgets=[budget])
    client = as_person("boss")
    with django_assert_max_num_queries(16):
        client.get("/keys/")


def test_the_script_gets_the_rows_alone_and_a_clean_address(as_person: As) -> None:
    make("ben", "bens")
    headers = {"HX-Request": "true", "HX-Trigger": "key-filter"}
    answer = as_person("ben").get("/keys/?q=&team=&state=open", headers=headers)
    assert "<html" not in answer.content.decode()
    assert answer["HX-Push-Url"] == "/keys/?state=open"
    assert "HX-Request" in answer["Vary"]
    assert "no-store" in answer["Cache-Control"]


def test_a_budget_shows_what_was_used_in_its_present_period_alone(as_person: As) -> None:
    budgets = [
        {"unit": "requests", "period": "day", "amount": 10},
        {"unit": "money", "period": "month", "amount": 20},
        {"unit": "tokens", "period": "month", "amount": 1000},
    ]
    row, today = make("ben", "bens", budgets=budgets), timezone.localdate()
    for unit, period, start, spent in (
        ("requests", "day", today, 3),
        ("requests", "day", today - timedelta(days=40), 10),
        ("requests", "month", today.replace(day=1), 10),
        ("money", "month", today.replace(day=1), 5_250_000_000),
        ("tokens", "month", today.replace(day=1), 1200),
    ):
        KeySpend.objects.create(key=row, unit=unit, period=period, start=start, spent=spent)
    for address in ("/keys/", f"/keys/{row.pk}/"):
        page = as_person("ben").get(address).content.decode()
        assert "3 of 10 requests a day" in page
        assert 'value="30" max="100" aria-label="3 of 10 requests a day"' in page
        assert "5.25 of 20.00 USD a month" in page
        assert "1,200 of 1,000 tokens a month, used up" in page
    assert f'href="/usage/?key={row.pk}"' in page


DAY, DAY_BEFORE, MONTH = date(2026, 11, 30), date(2026, 11, 29), date(2026, 11, 1)


@pytest.mark.parametrize(
    ("budget", "spent", "words", "share"),
    [
        (Budget("requests", "day", 3), [], "0 of 3 requests a day", 0),
        (Budget("requests", "day", 3), [("requests", "day", DAY, 2)], "2 of 3 requests a day", 66),
        (Budget("requests", "day", 3), [("requests", "day", DAY_BEFORE, 3)], "0 of 3 requests a day", 0),
        (Budget("requests", "day", 3), [("requests", "day", DAY, 4)], "4 of 3 requests a day", 100),
        (Budget("money", "month", 10**9), [("money", "month", MONTH, 10**7)], "0.01 of 1.00 USD a month", 1),
        (Budget("tokens", "month", 7), [("tokens", "day", DAY, 7)], "0 of 7 tokens a month", 0),
    ],
)
def test_a_bar_counts_its_own_unit_and_period(
    budget: Budget, spent: list[tuple[str, str, date, int]], words: str, share: int
) -> None:
    rows = [KeySpend(unit=unit, period=period, start=start, spent=used) for unit, period, start, used in spent]
    (bar,) = bars_of([budget], rows, DAY)
    assert (bar.words, bar.share, bar.full) == (words, share, share == 100)
    assert timezone.localtime(bar.resets) == datetime(2026, 12, 1, tzinfo=timezone.get_default_timezone())


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, "open"),
        ({"expires_at": NOW + timedelta(seconds=1)}, "open"),
        ({"expires_at": NOW}, "expired"),
        ({"previous_until": NOW + timedelta(seconds=1)}, "rotating"),
        ({"previous_until": NOW}, "open"),
        ({"expires_at": NOW, "previous_until": NOW + timedelta(days=1)}, "expired"),
        ({"expires_at": NOW, "revoked_at": NOW}, "revoked"),
        ({"owner": User(username="gone", is_active=False)}, "closed"),
    ],
)
def test_a_key_stands_in_one_state(fields: dict[str, object], state: str) -> None:
    assert state_of(GatewayKey(**{"owner": User(username="ben"), **fields}), NOW) == state


def test_before_the_first_key_the_page_says_what_one_is_for(as_person: As) -> None:
    page = as_person("ben").get("/keys/").content.decode()
    assert "Make your first key" in page
    page = as_person("zoe").get("/keys/").content.decode()
    assert "ask an admin" in page
    assert "/keys/new/" not in page
    assert as_person("zoe").get("/keys/new/").status_code == 403
