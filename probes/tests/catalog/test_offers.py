"""What providers offer, since when, and how near it is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.language_model import do_save_model
from collections_app.models import Change
from collections_app.refusal import NotAllowed, Refused
from collections_app.tests.world import World, make_world
from probes.catalog.offers import build
from probes.catalog.reach import DIRECT, HUB, Reach, Route, load_ways
from probes.catalog.sources import FreeLlmApi, ModelsDev
from probes.catalog.store_choices import do_set_connection, do_set_own_app, own_app_only
from probes.catalog.store_offers import gather_offers
from probes.models import ConnectionFact, HubConnection, Offer, OwnAppProvider
from probes.tests.catalog import feeds
from probes.tests.jobs.given import NOW

BUILT = build(ModelsDev(feeds.MODELS_DEV), FreeLlmApi(feeds.FREELLMAPI))
LIVE = frozenset({"models.dev", "freellmapi"})


def test_both_feeds_make_one_row_a_provider_and_name() -> None:
    assert sorted(BUILT) == [
        ("closed", "shut-1"),
        ("cloudflare-workers-ai", "llama-9-70b"),
        ("groq", "llama-9-70b"),
        ("maker", "coder-7b"),
        ("opencode", "grok-free"),
        ("opencode", "grok-paid"),
        ("openrouter", "llama-9-70b"),
    ]


def test_what_writes_no_text_or_is_on_its_way_out_is_no_offer() -> None:
    assert ("groq", "whisper-9") not in BUILT
    assert ("openrouter", "gone-1") not in BUILT
    assert ("pix", "draw-1") not in BUILT


def test_of_several_ids_of_one_name_the_free_one_stands_for_it() -> None:
    one = BUILT["openrouter", "llama-9-70b"]
    assert (one.served, one.free, one.context_window) == ("meta/llama-9-70b:free", True, 90_000)


def test_a_free_list_forces_free_adds_limits_and_fills_what_is_unknown() -> None:
    same, other = BUILT["groq", "llama-9-70b"], BUILT["cloudflare-workers-ai", "llama-9-70b"]
    assert (same.free, same.limits, same.context_window) == (True, {"rpm": 30, "rpd": 1_000}, 131_072)
    assert same.sources == ["models.dev", "freellmapi"]
    assert (other.served, other.context_window, other.tools) == ("@cf/meta/llama-9-70b", 24_000, False)
    assert (other.inputs, other.sources, other.limits) == (["text", "image"], ["freellmapi"], {"rpm": 5})
    feed: dict[str, Any] = {"groq": {"models": {"llama-9-70b": {"cost": {"input": 3, "output": 3}}}}}
    forced = build(ModelsDev(feed), FreeLlmApi(feeds.FREELLMAPI))["groq", "llama-9-70b"]
    assert (forced.free, forced.price_in, forced.context_window, forced.tools) == (True, 3, 8_000, True)


def test_an_address_comes_from_the_feed_or_the_table_of_providers() -> None:
    assert BUILT["maker", "coder-7b"].base == "https://api.maker.example/v1"
    assert BUILT["groq", "llama-9-70b"].base == "https://api.groq.com/openai/v1"
    assert BUILT["closed", "shut-1"].base == ""


def test_a_status_that_is_no_word_is_as_if_it_had_not_been_said() -> None:
    feed: dict[str, Any] = {"good": {"models": {"m": {"status": ["deprecated"]}, "n": {"status": "deprecated"}}}}
    assert list(build(ModelsDev(feed), FreeLlmApi({}))) == [("good", "m")]


def test_what_no_database_keeps_is_no_offer_and_no_address() -> None:
    feed: dict[str, Any] = {
        "a\0b": {"models": {"m": {}}},
        "good": {"api": "https://x.example/\0", "models": {"m": {}, "n\0": {}}},
    }
    built = build(ModelsDev(feed), FreeLlmApi({}))
    assert [(key, one.base) for key, one in built.items()] == [(("good", "m"), "")]


def gathered(models_dev: Any = feeds.MODELS_DEV, free: Any = feeds.FREELLMAPI, days: float = 0, **more: Any) -> str:
    live = more.get("live", LIVE)
    return gather_offers(ModelsDev(models_dev), FreeLlmApi(free), live, NOW + timedelta(days=days))


def seen() -> dict[str, Any]:
    return dict(Offer.objects.values_list("served", "first_seen"))


MORE = {**feeds.MODELS_DEV, "fresh": {"models": {"new-1": {}}}}


@pytest.mark.django_db
def test_the_first_build_is_where_it_starts_from_and_later_ones_are_new() -> None:
    assert gathered() == "7 offers, 4 free: 7 more, 0 changed, 0 gone"
    assert set(seen().values()) == {None}
    assert gathered(MORE, days=1) == "8 offers, 4 free: 1 more, 0 changed, 0 gone"
    assert {served for served, at in seen().items() if at} == {"new-1"}
    assert gathered(days=2) == "7 offers, 4 free: 0 more, 0 changed, 1 gone"


@pytest.mark.django_db
def test_the_first_fetched_copy_after_the_shipped_one_makes_nothing_new() -> None:
    gathered(free=[], live=frozenset())
    assert set(Offer.objects.values_list("sources", flat=True).first() or []) == {"models.dev (shipped)"}
    gathered(MORE, free=[], live=frozenset({"models.dev"}), days=1)
    gathered(MORE, days=2)
    assert set(seen().values()) == {None}
    gathered({**MORE, "later": {"models": {"new-2": {}}}}, days=3)
    assert {served for served, at in seen().items() if at} == {"new-2"}


@pytest.mark.django_db
def test_an_offer_that_is_as_it_was_is_not_written() -> None:
    gathered()
    gathered(days=1)
    assert set(Offer.objects.values_list("seen_at", flat=True)) == {NOW}
    dearer = {
        **feeds.MODELS_DEV,
        "maker": {**feeds.MODELS_DEV["maker"], "models": {"Coder-7B": {"cost": {"input": 9}}}},
    }
    assert gathered(dearer, days=1) == "7 offers, 4 free: 0 more, 1 changed, 0 gone"
    assert Offer.objects.get(provider="maker").price_in == 9


@pytest.fixture
def world() -> World:
    world = make_world()
    gathered()
    do_save_endpoint(actor=None, name="groq", base="https://elsewhere.example/v1")
    do_save_endpoint(actor=None, name="other", base="https://api.maker.example/v1/")
    do_save_endpoint(actor=None, name="club", base="https://hub.example/v1", kind="hub", hub="litellm")
    return world


def offer(provider: str) -> Offer:
    return Offer.objects.filter(provider=provider).order_by("served")[0]


@pytest.mark.django_db
def test_an_endpoint_reaches_a_provider_by_its_name_or_its_address(world: World) -> None:
    ways = load_ways()
    assert ways.routes("groq", "llama-9-70b") == [Route(DIRECT, "groq", "groq")]
    assert ways.routes("maker", "Coder-7B-2026-01-31") == [Route(DIRECT, "other", "other")]
    assert ways.routes("openrouter", "x") == []
    assert [ways.reach(offer(name)) for name in ("groq", "openrouter", "closed")] == [
        Reach.CONNECTED,
        Reach.EASY,
        Reach.OTHER,
    ]


@pytest.mark.django_db
def test_a_hub_reaches_what_its_connections_and_its_models_lead_to(world: World) -> None:
    club = world.endpoint("club")
    HubConnection.objects.create(endpoint=club, connection="openrouter", seen_at=NOW)
    HubConnection.objects.create(endpoint=club, connection="odd-name", base="https://api.maker.example/v1", seen_at=NOW)
    do_save_model(actor=None, alias="behind", served="or.x", endpoint="club", tag="groq/meta")
    ways = load_ways()
    assert ways.routes("openrouter", "x") == [Route(HUB, "club", "openrouter")]
    assert Route(HUB, "club", "odd-name") in ways.routes("maker", "x")
    assert ways.routes("groq", "or.x") == [Route(DIRECT, "groq", "groq"), Route(HUB, "club", "groq", "behind")]
    assert ways.reach(offer("openrouter")) == Reach.CONNECTED


@pytest.mark.django_db
def test_on_the_bench_is_the_exact_id_and_not_one_of_the_same_name(world: World) -> None:
    do_save_model(actor=None, alias="dated", served="coder-7b", endpoint="other")
    assert load_ways().reach(offer("maker")) == Reach.CONNECTED
    do_save_model(actor=None, alias="coding", served="Coder-7B-2026-01-31", endpoint="other")
    assert load_ways().reach(offer("maker")) == Reach.ON_BENCH
    assert load_ways().routes("maker", "Coder-7B-2026-01-31")[0].on_bench_as == "coding"


@pytest.mark.django_db
def test_where_free_models_answer_is_kept_where_it_differs_from_the_table(world: World) -> None:
    assert own_app_only() == {"opencode", "opencode-go"}
    do_set_own_app(actor=world.alice, provider="opencode", only=False)
    do_set_own_app(actor=world.alice, provider="groq", only=True)
    assert own_app_only() == {"opencode-go", "groq"}
    assert OwnAppProvider.objects.count() == 2
    do_set_own_app(actor=world.alice, provider="opencode", only=True)
    do_set_own_app(actor=world.alice, provider="groq", only=False)
    assert own_app_only() == {"opencode", "opencode-go"}
    assert not OwnAppProvider.objects.exists()
    assert Change.objects.filter(thing="provider", actor=world.alice).count() == 4


@pytest.mark.django_db
@pytest.mark.parametrize(("provider", "only"), [("nobody", True), ("groq", "yes"), ("groq", None), ("groq", 1)])
def test_an_unknown_provider_and_what_is_no_yes_or_no_are_refused(world: World, provider: str, only: object) -> None:
    with pytest.raises(Refused):
        do_set_own_app(actor=world.alice, provider=provider, only=only)
    with pytest.raises(NotAllowed):
        do_set_own_app(actor=world.bob, provider="groq", only=True)
    assert not OwnAppProvider.objects.exists()


@pytest.mark.django_db
def test_what_is_said_of_a_connection_is_checked_kept_and_taken_back(world: World) -> None:
    for connection, models_dev in (("", ""), ("x" * 101, ""), ("groq", "nobody"), ("a\nb", "")):
        with pytest.raises(Refused):
            do_set_connection(actor=world.alice, connection=connection, paid=True, models_dev=models_dev)
    do_set_connection(actor=world.alice, connection="mine", paid=False, models_dev="groq")
    assert list(ConnectionFact.objects.values_list("connection", "paid", "models_dev")) == [("mine", False, "groq")]
    do_set_connection(actor=world.alice, connection="mine", paid=False, models_dev="")
    assert not ConnectionFact.objects.exists()
