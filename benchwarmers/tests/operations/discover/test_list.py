"""The list of offers: its order, what narrows it, and what it costs."""

from __future__ import annotations

import re

import pytest
from django.http import QueryDict
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchwarmers.operations.discover.filters import OfferFilters
from benchwarmers.operations.discover.looks import age, amount, price, window
from benchwarmers.operations.discover.selectors import load_shelf
from benchwarmers.tests.operations.discover.conftest import As, offer
from collections_app.actions.language_model import do_save_model
from collections_app.tests.world import World
from probes.catalog.reach import load_ways
from probes.catalog.store_choices import do_set_own_app
from probes.models import Offer

ROW = re.compile(r'hx-target="#offer"[^>]*>([^<]+)</a>')


def listed(query: str) -> list[str]:
    shelf = load_shelf(OfferFilters.read(QueryDict(query)), load_ways(), timezone.now())
    return [f"{line.offer.provider}/{line.offer.name}" for line in shelf.lines]


def test_free_comes_first_then_new_then_what_is_near(world: World) -> None:
    do_save_model(actor=None, alias="coding", served="Coder-7B-2026-01-31", endpoint="south")
    assert listed("") == [
        "groq/llama-9-70b",
        "openrouter/llama-9-70b",
        "cloudflare-workers-ai/llama-9-70b",
        "fresh/new-1",
        "maker/coder-7b",
        "opencode/grok-paid",
        "closed/shut-1",
    ]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("price=free", ["groq/llama-9-70b", "openrouter/llama-9-70b", "cloudflare-workers-ai/llama-9-70b"]),
        ("price=paid&reach=easy", ["fresh/new-1", "maker/coder-7b", "opencode/grok-paid"]),
        ("new=1", ["fresh/new-1"]),
        ("reach=connected", ["groq/llama-9-70b"]),
        ("reach=bench", []),
        ("reach=other", ["cloudflare-workers-ai/llama-9-70b", "closed/shut-1"]),
        ("in=image", ["groq/llama-9-70b", "cloudflare-workers-ai/llama-9-70b"]),
        ("in=image&in=pdf", []),
        ("can=tools", ["groq/llama-9-70b"]),
        ("can=json", []),
        ("provider=maker", ["maker/coder-7b"]),
        ("q=LLAMA+groq", ["groq/llama-9-70b"]),
        ("q=no%22such", []),
        ("price=cheap&reach=far&in=smell&can=fly&page=zero", None),
    ],
)
def test_each_facet_narrows_and_what_is_unknown_does_not(world: World, query: str, found: list[str] | None) -> None:
    assert listed(query) == (listed("") if found is None else found)


def test_what_is_on_the_bench_is_found_there_and_not_among_the_connected(world: World) -> None:
    do_save_model(actor=None, alias="llama", served="llama-9-70b", endpoint="groq")
    assert listed("reach=bench") == ["groq/llama-9-70b"]
    assert listed("reach=connected") == []


def test_free_models_that_answer_in_their_own_application_alone_are_left_out(world: World) -> None:
    assert "opencode/grok-free" not in listed("")
    do_set_own_app(actor=None, provider="opencode", only=False)
    assert "opencode/grok-free" in listed("price=free")


def test_pages_follow_each_other_and_the_last_stands_for_those_behind_it(world: World) -> None:
    Offer.objects.bulk_create(
        Offer(provider="many", name=f"m{at:03}", served=f"m{at:03}", seen_at=timezone.now()) for at in range(120)
    )
    ways = load_ways()
    first = load_shelf(OfferFilters.read(QueryDict("provider=many")), ways, timezone.now())
    last = load_shelf(OfferFilters.read(QueryDict("provider=many&page=99")), ways, timezone.now())
    assert (first.total, first.pages, first.before, first.after) == (120, 3, None, "?provider=many&page=2")
    assert (last.page, len(last.lines), last.before, last.after) == (3, 20, "?provider=many&page=2", None)


def test_the_page_shows_rows_and_the_state_of_the_feeds(as_person: As) -> None:
    page = as_person("alice").get("/discover/").content.decode()
    assert ROW.findall(page)[0] == "llama-9-70b"
    assert "+2 elsewhere" in page
    assert "30 requests a minute" in page
    assert page.count("never fetched") == 3
    assert "Refresh now" in page


def test_a_script_gets_the_rows_alone_and_the_address(as_person: As) -> None:
    answer = as_person("bob").get(
        "/discover/?price=free&page=1", headers={"HX-Request": "true", "HX-Trigger": "offer-filter"}
    )
    assert answer["HX-Push-Url"] == "/discover/?price=free"
    assert answer.content.decode().lstrip().startswith('<section id="offers"')


def test_before_anything_was_gathered_the_page_says_what_to_do(as_person: As) -> None:
    Offer.objects.all().delete()
    assert "Show what comes with the program" in as_person("alice").get("/discover/").content.decode()
    assert "A curator can start it" in as_person("bob").get("/discover/").content.decode()
    assert "Nothing fits" in as_person("bob").get("/discover/?q=x").content.decode()


def test_who_has_no_right_to_offers_has_no_page(as_person: As) -> None:
    client = as_person("charlie")
    for path in ("/discover/", "/discover/feeds", "/discover/sources/"):
        assert client.get(path).status_code == 403
    assert client.get(f"/discover/{offer('groq').pk}/").status_code == 404
    assert as_person("bob").get("/discover/sources/").status_code == 403


def test_the_list_costs_the_same_however_much_is_offered(
    as_person: As, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    Offer.objects.bulk_create(
        Offer(provider=f"p{at % 90}", name=f"m{at}", served=f"m{at}", seen_at=timezone.now()) for at in range(400)
    )
    client = as_person("alice")
    with django_assert_max_num_queries(24):
        client.get("/discover/")


@pytest.mark.parametrize(
    ("tokens", "words"),
    [(None, "?"), (900, "900"), (131_072, "131k"), (1_000_000, "1M"), (1_048_576, "1M"), (1_500_000, "1.5M")],
)
def test_windows_are_short(tokens: int | None, words: str) -> None:
    assert window(tokens) == words


def test_prices_and_ages_have_words() -> None:
    now = timezone.now()
    assert [amount(one) for one in (0, 3, 0.5, 0.125, 0.000004)] == ["0.00", "3.00", "0.50", "0.125", "0.000004"]
    assert price(Offer(free=True)) == "free"
    assert price(Offer()) == "unknown"
    assert price(Offer(price_in=1, price_out=None)) == "$1.00 / ?"
    assert age(now, now) == "just now"
