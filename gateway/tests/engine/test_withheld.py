"""What a team owns is there for its members and its keys alone."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import Group, User
from pytest_django import DjangoAssertNumQueries

from collections_app.models import Collection, GatewayKey, Team
from gateway.canon.fault import Forbidden, NotFound
from gateway.engine.admission import refuse_out_of_scope
from gateway.engine.loading import load_snapshot
from gateway.engine.loading_keys import load_keys
from gateway.engine.plan import find_collection
from gateway.engine.snapshot import Caller, KeyView

pytestmark = pytest.mark.django_db


@dataclass(frozen=True)
class Town:
    """ann is in red, bob in blue, cyd in both, dan in none. red owns `den`, blue owns `bay`, nobody owns `core`."""

    people: dict[str, User]
    teams: dict[str, Team]

    def key(self, owner: str, team: str = "", *scope: str) -> KeyView:
        """The view of a new key of this person, made the team's where one is named, scoped where names are given."""
        name = f"{owner}{GatewayKey.objects.count()}"
        row = GatewayKey.objects.create(
            owner=self.people[owner],
            name=name,
            digest=name.rjust(64, "0"),
            hint="1234",
            scoped=bool(scope),
            team=self.teams.get(team),
        )
        row.collections.set(Collection.objects.filter(name__in=scope))
        return load_keys()[row.digest]


def caller(key: KeyView) -> Caller:
    return Caller(key.name, key.id, key.owner_id, key.scope, withheld=key.withheld)


@pytest.fixture
def town() -> Town:
    people = {name: User.objects.create_user(name) for name in ("ann", "bob", "cyd", "dan")}
    teams = {name: Team.objects.create(name=name) for name in ("red", "blue")}
    teams["red"].members.add(people["ann"], people["cyd"])
    teams["blue"].members.add(people["bob"], people["cyd"])
    Collection.objects.create(name="core")
    Collection.objects.create(name="den", team=teams["red"])
    Collection.objects.create(name="bay", team=teams["blue"])
    return Town(people, teams)


@pytest.mark.parametrize(
    ("owner", "team", "withheld"),
    [
        ("ann", "", {"bay"}),
        ("bob", "", {"den"}),
        ("cyd", "", set()),
        ("dan", "", {"den", "bay"}),
        ("dan", "red", {"bay"}),
        ("ann", "blue", {"den"}),
        ("ann", "red", {"bay"}),
        ("cyd", "red", {"bay"}),
    ],
)
def test_a_key_of_a_team_reaches_what_the_team_owns_and_any_other_what_the_teams_of_its_owner_own(
    town: Town, owner: str, team: str, withheld: set[str]
) -> None:
    key = town.key(owner, team)
    assert (set(key.withheld), key.scope) == (withheld, None)
    assert {name for name in ("core", "den", "bay") if caller(key).may_call(name)} == {"core", "den", "bay"} - withheld


def test_a_scope_does_not_open_what_is_withheld(town: Town) -> None:
    key = town.key("dan", "", "core", "den")
    assert key.scope is not None
    assert (set(key.scope), set(key.withheld)) == ({"core"}, {"den", "bay"})


def test_what_is_withheld_is_not_found_in_the_words_for_what_nobody_has(town: Town) -> None:
    key, snapshot = town.key("dan"), load_snapshot()
    told = []
    for name in ("bench/den", "bench/xyz"):
        with pytest.raises(NotFound) as caught:
            find_collection(name, snapshot, caller(key))
        told.append((caught.value.code, caught.value.message.replace(name, "bench/?")))
    assert told[0] == told[1]
    assert "bench/core" in told[0][1]
    assert "den" not in told[0][1]
    assert "bay" not in told[0][1]


def test_out_of_scope_stays_forbidden_and_names_nothing_that_is_withheld(town: Town) -> None:
    key, snapshot = town.key("ann", "", "den", "bay"), load_snapshot()
    asked = find_collection("core", snapshot, caller(key))
    with pytest.raises(Forbidden) as caught:
        refuse_out_of_scope(caller(key), asked)
    assert "bench/den" in caught.value.message
    assert "bay" not in caught.value.message


def test_who_asks_without_a_key_sees_everything(town: Town) -> None:
    assert all(Caller("local").may_call(name) for name in ("core", "den", "bay"))


def test_leaving_a_team_closes_its_collections(town: Town) -> None:
    key = town.key("ann")
    town.teams["red"].members.remove(town.people["ann"])
    assert load_keys()[key.digest].withheld == {"den", "bay"}


def test_the_keys_cost_the_same_queries_however_many_they_are(
    town: Town, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        town.key("ann", "red" if number % 2 else "", "core")
    with django_assert_num_queries(6):
        assert len(load_keys()) == 5
    Collection.objects.update(team=None)
    with django_assert_num_queries(5):
        assert all(not key.withheld for key in load_keys().values())


def test_a_key_asks_as_long_as_its_owner_may(town: Town) -> None:
    assert not town.key("ann").may_ask
    town.people["ann"].groups.add(Group.objects.get(name="caller"))
    assert town.key("ann").may_ask
    town.people["ann"].groups.set([Group.objects.get(name="viewer")])
    assert not town.key("ann").may_ask
    town.people["ann"].is_superuser = True
    town.people["ann"].save()
    assert town.key("ann").may_ask
