"""Which models could be taken on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from collections_app.actions.decision import do_save_decision_model
from collections_app.actions.endpoint import do_save_endpoint
from collections_app.actions.retirement import do_retire_model
from collections_app.models import Endpoint
from collections_app.tests.conftest import bumps, world
from collections_app.tests.world import World
from gateway.canon.fault import Rejected, Unreachable
from probes.listing_forms import Listed
from probes.models import Served
from probes.onboarding.candidates import Candidate, NothingListed, load_candidates
from probes.onboarding.listings import forget_listings, load_listings, real_endpoints
from probes.onboarding.store import do_bring_back, do_dismiss
from probes.tests.jobs.given import NOW

__all__ = ["bumps", "world"]
LISTED: dict[str, list[Listed]] = {
    "north": [Listed("vendor/fast-1"), Listed("vendor/new-9", inputs=("text", "image"), context_window=8_000)],
    "south": [Listed("maker/coder-7b"), Listed("maker/x:free"), Listed("maker/paid", price_in=1.0, price_out=2.0)],
    "cellar": [Listed("home-3"), Listed("home-4", price_in=0.0, price_out=0.0)],
}


@pytest.fixture(autouse=True)
def nothing_kept() -> None:
    cache.clear()


class Asked:
    """Lists by name; those that are `away` cannot be reached."""

    def __init__(self, *away: str) -> None:
        self.away = away
        self.calls: list[str] = []

    def __call__(self, endpoint: Endpoint) -> list[Listed]:
        self.calls.append(endpoint.name)
        if endpoint.name in self.away:
            raise Unreachable(f"{endpoint.name} cannot be reached")
        return LISTED.get(endpoint.name, [])


def names(candidates: tuple[Candidate, ...]) -> set[tuple[str, str]]:
    return {(one.endpoint, one.served) for one in candidates}


def test_what_is_listed_and_neither_here_nor_retired_nor_a_decision_model_is_a_candidate(world: World) -> None:
    do_retire_model(actor=None, alias="coder", why="slow")
    do_save_endpoint(actor=None, name="oracle", base="https://o.example/v1", decisions_url="https://o.example/d")
    do_save_decision_model(actor=None, alias="judge", served="judge-1", via="oracle")
    LISTED["oracle"] = [Listed("judge-1"), Listed("judge-2")]
    found = load_candidates(NOW, lister=Asked())
    del LISTED["oracle"]
    assert names(found.candidates) == {
        ("north", "vendor/new-9"),
        ("south", "maker/x:free"),
        ("south", "maker/paid"),
        ("cellar", "home-4"),
        ("oracle", "judge-2"),
    }
    assert [(one.alias, one.served, one.why) for one in found.retired] == [("coder", "maker/coder-7b", "slow")]
    assert not found.errors


def test_the_same_name_on_another_endpoint_is_another_model(world: World) -> None:
    LISTED["cellar"].append(Listed("vendor/fast-1"))
    found = load_candidates(NOW, lister=Asked())
    LISTED["cellar"].pop()
    assert ("cellar", "vendor/fast-1") in names(found.candidates)


def test_a_row_tells_group_price_and_what_goes_in(world: World) -> None:
    found = {one.served: one for one in load_candidates(NOW, lister=Asked()).candidates}
    assert found["vendor/new-9"].group == "north (direct)"
    assert found["vendor/new-9"].inputs == ("text", "image")
    assert {served: one.free for served, one in found.items()} == {
        "vendor/new-9": None,
        "maker/x:free": True,
        "maker/paid": False,
        "home-4": True,
    }


def test_behind_a_hub_the_connection_is_the_group(world: World) -> None:
    do_save_endpoint(actor=None, name="hub", base="http://127.0.0.1:3000/api", kind="hub")
    LISTED["hub"] = [Listed("groq.a", connection="groq/meta"), Listed("b")]
    found = load_candidates(NOW, lister=Asked())
    del LISTED["hub"]
    groups = {one.served: one.group for one in found.candidates if one.endpoint == "hub"}
    assert groups == {"groq.a": "groq", "b": "unknown connection"}


def test_new_is_what_the_last_check_of_the_endpoint_that_is_recorded_whole_had_not_seen(world: World) -> None:
    LISTED["cellar"].append(Listed("home-5"))
    for endpoint, served in (("cellar", "home-4"), ("south", "maker/coder-7b")):
        Served.objects.create(
            endpoint=world.endpoint(endpoint), served=served, first_seen=NOW, last_seen=NOW - timedelta(days=1)
        )
    assert not any(one.new for one in load_candidates(NOW, lister=Asked()).candidates)
    cache.clear()
    Endpoint.objects.update(default=False)
    Endpoint.objects.filter(name="cellar").update(default=True)
    new = {one.served for one in load_candidates(NOW, lister=Asked()).candidates if one.new}
    LISTED["cellar"].pop()
    assert new == {"home-5"}


def test_one_endpoint_that_is_away_only_adds_a_line(world: World) -> None:
    found = load_candidates(NOW, lister=Asked("south"))
    assert found.errors == {"south": "south cannot be reached"}
    assert names(found.candidates) == {("north", "vendor/new-9"), ("cellar", "home-4")}


def test_when_all_are_away_it_fails_with_each_reason(world: World) -> None:
    with pytest.raises(NothingListed, match="None of the endpoints") as failed:
        load_candidates(NOW, lister=Asked("north", "south", "cellar"))
    assert set(failed.value.errors) == {"north", "south", "cellar"}


@pytest.mark.django_db
def test_without_an_endpoint_it_says_to_add_one() -> None:
    with pytest.raises(NothingListed, match="There is no endpoint yet"):
        load_candidates(NOW, lister=Asked())


def test_what_is_put_aside_stands_apart_and_comes_back_by_name_alone(world: World) -> None:
    aside = [("north", "vendor/new-9"), ("cellar", "home-4")]
    assert do_dismiss(actor=world.alice, names=aside, now=timezone.now()) == 2
    assert do_dismiss(actor=world.alice, names=aside, now=timezone.now()) == 0
    assert names(load_candidates(NOW, lister=Asked()).dismissed) == set(aside)
    assert do_bring_back(actor=world.alice, names=aside[:1]) == 1
    found = load_candidates(NOW, lister=Asked())
    assert names(found.dismissed) == {("cellar", "home-4")}
    assert ("north", "vendor/new-9") in names(found.candidates)


def test_listings_are_asked_once_until_they_are_wanted_fresh(world: World) -> None:
    lister = Asked("south")
    load_candidates(NOW, lister=lister)
    load_candidates(NOW, lister=lister)
    assert sorted(lister.calls) == ["cellar", "north", "south"]
    load_candidates(NOW, fresh=True, lister=lister)
    assert len(lister.calls) == 6
    forget_listings([world.endpoint("north")])
    load_candidates(NOW, lister=lister)
    assert lister.calls[6:] == ["north"]


def test_a_listing_with_a_number_beyond_all_bounds_hides_no_other(world: World) -> None:
    def lister(endpoint: Endpoint) -> list[Listed]:
        return [Listed(f"{endpoint.name}-new", raw={"created": 10**30})]

    found = load_candidates(NOW, lister=lister)
    assert {served for _, served in names(found.candidates)} == {"north-new", "south-new", "cellar-new"}


def test_a_changed_endpoint_is_asked_anew(world: World) -> None:
    lister = Asked()
    load_listings(real_endpoints(), NOW, lister=lister)
    do_save_endpoint(actor=None, name="north", base="https://elsewhere.example/v1")
    load_listings(real_endpoints(), NOW, lister=lister)
    assert lister.calls[3:] == ["north"]


def test_a_refusal_is_told_in_the_provider_s_words(world: World) -> None:
    def refuse(endpoint: Endpoint) -> list[Listed]:
        raise Rejected("401: no such key", upstream_status=401)

    with pytest.raises(NothingListed) as failed:
        load_candidates(NOW, lister=refuse)
    assert failed.value.errors["north"] == "401: no such key"
