"""The page of usage: who sees what on it, what it sums, sorts and is narrowed to, and what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.http import QueryDict
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchwarmers.dashboard.usage_filters import UsageFilters
from benchwarmers.dashboard.usage_page import UsagePage, load_usage
from benchwarmers.tests.dashboard.usage_world import DAY, add_key, add_usage, add_weeks, person
from collections_app.models import KeyBudget
from gateway.engine.usage_shares import fold_usage
from gateway.models import KeySpend, UsageShare

As = Callable[[str], Client]
DAYS = "period=custom&from=2026-11-01&to=2026-11-29"


def load(name: str, query: str = "") -> UsagePage:
    return load_usage(person(name), UsageFilters.read(QueryDict(query), DAY))


def names(page: UsagePage) -> list[str]:
    return [row.name for row in page.rows]


def text_of(client: Client, address: str = f"/usage/?{DAYS}") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    main = answer.content.decode().partition("<main")[2]
    return " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"<script.*?</script>", " ", main, flags=re.S)).split())


def test_the_sums_of_the_days_are_shown_by_model() -> None:
    add_usage("ben")
    add_usage("ben", day=DAY - timedelta(days=29), unpriced=1)
    add_usage("ben", day=DAY - timedelta(days=30))
    add_usage("maya", alias="wren", calls=1, failed=0)
    page = load("boss")
    assert names(page) == ["osprey", "wren"]
    sums = page.rows[0].sums
    assert (sums.requests, sums.calls, sums.failed, sums.tokens, sums.cached, sums.reasoning) == (
        4,
        6,
        2,
        2_200,
        1200,
        80,
    )
    assert (page.totals.calls, page.totals.cost, page.totals.unpriced) == (7, 3_000_000_000, 1)
    assert page.totals.failures == pytest.approx(100 * 2 / 7)


@pytest.mark.parametrize(
    ("by", "shown"),
    [
        ("person", ["ben", "maya", "nobody by name", "person 999, deleted"]),
        ("key", ["no key", "reviews (…abcd)"]),
        ("team", ["no team", "reviewers"]),
        ("collection", ["core", "no collection"]),
        ("connection", ["harbour"]),
        ("purpose", ["panel", "route"]),
        ("day", ["2026-11-28", "2026-11-29"]),
    ],
)
def test_usage_is_grouped_by_who_asked_and_who_answered(by: str, shown: list[str]) -> None:
    add_usage("ben", add_key("ben", "reviews", "reviewers"), purpose="route")
    add_usage("maya", collection_name="")
    add_usage()
    add_usage(owner_id=999, day=DAY - timedelta(days=1), caller="gone")
    assert names(load("boss", f"by={by}&sort=name")) == shown


def test_people_see_their_own_and_their_teams_usage_and_curators_all_of_it(as_person: As) -> None:
    shared = add_key("maya", "shared", "reviewers")
    add_usage("ben")
    add_usage("maya", shared, alias="granite-l")
    add_usage("maya", alias="wren")
    assert names(load("ben")) == ["osprey"]
    shared.team.members.add(person("ben"))  # type: ignore[union-attr]
    assert set(names(load("ben"))) == {"osprey", "granite-l"}
    assert set(names(load("maya"))) == {"osprey", "granite-l", "wren"}
    assert names(load("zoe")) == []
    assert "Your own usage" in text_of(as_person("ben"))
    assert "Your own usage" not in text_of(as_person("maya"))
    assert "Nothing was used" in text_of(as_person("zoe"))


def test_a_narrowed_page_says_so_and_leads_back(as_person: As) -> None:
    add_weeks()
    add_usage("maya")
    ben = person("ben").pk
    page = load("boss", f"person={ben}&model=wren&by=day")
    assert page.number == 28
    assert [(one.label, one.name) for one in page.narrowed] == [("Model", "wren"), ("Person", "ben")]
    assert page.narrowed[0].without == f"?by=day&person={ben}"
    told = text_of(as_person("boss"), f"/usage/?{DAYS}&person={ben}")
    assert "Person ben show all" in told
    assert load("boss", "person=-").number == 0
    assert load("zoe", f"person={ben}").number == 0


def test_numbers_tried_in_the_address_tell_no_name_of_others() -> None:
    key = add_key("ben", "reviews", "reviewers")
    add_usage("ben", key)
    query = f"person={key.owner_id}&key={key.pk}&team={key.team_id}"
    assert [one.name for one in load("boss", query).narrowed] == ["ben", "reviews (…abcd)", "reviewers"]
    assert [one.name for one in load("ben", query).narrowed] == ["ben", "reviews (…abcd)", "reviewers"]
    hidden = [f"person {key.owner_id}", f"key {key.pk}", f"team {key.team_id}"]
    assert [one.name for one in load("zoe", query).narrowed] == hidden
    assert [one.name for one in load("zoe", "person=998&key=999").narrowed] == ["person 998", "key 999"]


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("name", ["Granite", "osprey", "wren"]),
        ("-name", ["wren", "osprey", "Granite"]),
        ("-cost", ["wren", "osprey", "Granite"]),
        ("cost", ["Granite", "osprey", "wren"]),
        ("-calls", ["Granite", "osprey", "wren"]),
    ],
)
def test_the_server_sorts_the_table(sort: str, order: list[str]) -> None:
    add_usage("ben", alias="osprey", cost=20, calls=5)
    add_usage("ben", alias="wren", cost=30, calls=5)
    add_usage("ben", alias="Granite", cost=10, calls=9)
    assert names(load("ben", f"sort={sort}")) == order


def test_a_long_table_has_pages() -> None:
    for number in range(120):
        add_usage("ben", alias=f"m{number:03}", cost=number)
    first, last, beyond = load("ben"), load("ben", "page=3"), load("ben", "page=99")
    assert (first.pages, first.number, len(first.rows), first.rows[0].name) == (3, 120, 50, "m119")
    assert (len(last.rows), last.rows[-1].name, last.later, last.earlier) == (20, "m000", "", "?page=2")
    assert names(beyond) == names(last)
    assert sum(row.sums.cost for row in first.rows) < first.totals.cost == sum(range(120))


def test_costs_that_are_unknown_are_told_and_not_guessed(as_person: As) -> None:
    add_usage("ben", cost=0, unpriced=3)
    add_usage("ben", alias="wren", cost=12_345_678_900, unpriced=1)
    add_usage("ben", alias="quill-2", cost=350_000)
    told = text_of(as_person("ben"))
    assert "Cost $12.35 and 4 calls of unknown cost" in told
    assert "$12.35 1 unknown" in told
    assert "osprey 2 3 1 33.3 % 1 000 600 100 40 unknown" in told
    assert "$0.00035" in told


def test_a_line_leads_to_what_lies_behind_it() -> None:
    add_usage("ben")
    assert load("ben").lines[0][1] == "?by=day&model=osprey"
    assert load("ben", "by=day").lines[0][1] == "?period=custom&from=2026-11-29&to=2026-11-29"


def test_the_page_is_made_with_the_same_few_queries_however_much_there_is(
    as_person: As, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    add_weeks()
    for number in range(30):
        key = add_key("ben", f"key-{number}")
        add_usage("ben", key)
        KeyBudget.objects.create(key=key, unit="money", period="month", amount=10**9)
    with django_assert_num_queries(8):
        load("boss", f"{DAYS}&by=key&show=tokens")
    client = as_person("boss")
    with django_assert_num_queries(12):
        client.get(f"/usage/?{DAYS}&by=person")


@pytest.mark.parametrize("by", ["model", "key", "person", "day", "purpose"])
@pytest.mark.parametrize("show", ["cost", "tokens"])
def test_days_that_are_over_are_told_from_their_shares_as_from_their_sums(by: str, show: str) -> None:
    add_weeks("ben")
    add_usage("maya", add_key("maya", "laptop"), purpose="route")
    query = f"{DAYS}&by={by}&show={show}"
    before = {name: load(name, query) for name in ("boss", "ben")}
    assert fold_usage(DAY - timedelta(days=3)) == 23
    for name, page in before.items():
        after = load(name, query)
        assert (after.rows, after.totals, after.plot) == (page.rows, page.totals, page.plot)


def test_shares_are_for_whoever_sees_all_and_narrows_nothing() -> None:
    add_weeks("ben")
    whole = load("boss", DAYS).totals.calls
    fold_usage(DAY)
    UsageShare.objects.update(calls=1_000)
    assert load("boss", DAYS).totals.calls > whole + 1_000
    assert load("boss", f"{DAYS}&collection=core").totals.calls == whole
    assert load("ben", DAYS).totals.calls == whole


def test_budgets_are_shown_with_what_is_left_and_whether_they_last(as_person: As) -> None:
    today = timezone.localdate()
    key = add_key("ben", "reviews")
    add_usage("ben", key, day=today, cost=0)
    KeyBudget.objects.create(key=key, unit="money", period="month", amount=20 * 10**9)
    KeyBudget.objects.create(key=key, unit="requests", period="day", amount=200)
    KeySpend.objects.create(key=key, unit="money", period="month", start=today.replace(day=1), spent=5 * 10**9)
    KeySpend.objects.create(key=key, unit="requests", period="day", start=today, spent=200)
    KeySpend.objects.create(key=key, unit="requests", period="day", start=today - timedelta(days=1), spent=9)
    told = text_of(as_person("ben"), "/usage/")
    assert "20.00 USD a month 25 % 5.00 USD 15.00 USD" in told
    assert "lasts" in told
    assert "200 requests a day 100 % 200 requests 0 requests" in told
    assert "used up" in told
    assert "Budgets" not in text_of(as_person("zoe"), "/usage/")


def test_strange_addresses_are_passed_over(as_person: As) -> None:
    add_usage("ben")
    for query in ("period=eon&by=x&show=y&sort=z&page=-1", "page=0", "page=1e9", "person=x&key=1.5&team=%01", "from=x"):
        assert as_person("ben").get(f"/usage/?{query}").status_code == 200
    assert load("ben", f"person={'9' * 19}").narrowed == []
