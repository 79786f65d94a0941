"""Who makes, changes, rotates and revokes whose keys, and who may loosen what bounds them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User

from collections_app.actions.key import do_create_key, do_revoke_key, do_rotate_key, do_scope_key
from collections_app.actions.key_budget import do_set_budgets
from collections_app.models import GatewayKey, Team
from collections_app.refusal import NotAllowed, Refused
from collections_app.tests.world import World

SOON, LATER = datetime(2027, 1, 1, tzinfo=UTC), datetime(2027, 6, 1, tzinfo=UTC)
TEN = {"unit": "requests", "period": "day", "amount": 10}
TWENTY = {**TEN, "amount": 20}
BOUND: dict[str, Any] = {"rpm": 60, "tpm": 1000, "expires_at": SOON, "budgets": [TEN]}


@pytest.fixture
def red(world: World) -> Team:
    """Alice and Charlie are in it; Charlie may not ask."""
    team = Team.objects.create(name="red")
    team.members.set([world.alice, world.charlie])
    return team


def passes(act: Callable[[], object]) -> bool:
    try:
        act()
    except NotAllowed:
        return False
    return True


@pytest.mark.parametrize(
    ("actor", "owner", "team", "may"),
    [
        ("bob", "bob", "", True),
        ("bob", "alice", "", False),
        ("bob", "bob", "red", False),
        ("alice", "alice", "red", True),
        ("alice", "bob", "red", False),
        ("charlie", "charlie", "", False),
        ("charlie", "charlie", "red", False),
        ("dora", "bob", "red", True),
    ],
)
def test_keys_are_made_for_oneself_and_one_s_teams(
    world: World, red: Team, actor: str, owner: str, team: str, may: bool
) -> None:
    people = {name: getattr(world, name) for name in ("alice", "bob", "charlie", "dora")}
    assert passes(lambda: do_create_key(actor=people[actor], owner=people[owner], name="ci", team=team)) is may
    assert GatewayKey.objects.filter(team__isnull=not team).exists() is may


@pytest.mark.parametrize(
    ("team", "managers"), [("", {"bob", "dora"}), ("red", {"alice", "dora"})], ids=["own", "team's"]
)
def test_a_key_is_managed_by_its_owner_or_by_its_team_and_by_admins(
    world: World, red: Team, team: str, managers: set[str]
) -> None:
    found: dict[str, set[str]] = {"budget": set(), "change": set(), "rotate": set(), "revoke": set()}
    for name in ("alice", "bob", "charlie", "dora"):
        actor: User = getattr(world, name)
        do_create_key(actor=None, owner=world.bob, name=f"of-{name}", team=team)
        # The budget is set before the key is scoped again, which would take it away.
        acts: dict[str, Callable[[], object]] = {
            "budget": partial(do_set_budgets, actor=actor, name=f"of-{name}", budgets=[TEN]),
            "change": partial(do_scope_key, actor=actor, name=f"of-{name}", team=team, budgets=[TEN], rpm=5),
            "rotate": partial(do_rotate_key, actor=actor, name=f"of-{name}"),
            "revoke": partial(do_revoke_key, actor=actor, name=f"of-{name}"),
        }
        for what, act in acts.items():
            found[what] |= {name} if passes(act) else set()
    assert found == dict.fromkeys(found, managers)


@pytest.mark.parametrize(
    ("change", "looser"),
    [
        ({}, []),
        ({"rpm": 59, "tpm": 999, "expires_at": datetime(2026, 12, 1, tzinfo=UTC)}, []),
        ({"rpm": 61}, ["rpm"]),
        ({"rpm": None}, ["rpm"]),
        ({"tpm": 1001}, ["tpm"]),
        ({"tpm": None}, ["tpm"]),
        ({"expires_at": LATER}, ["expires_at"]),
        ({"expires_at": None}, ["expires_at"]),
        ({"budgets": [TWENTY]}, ["budgets"]),
        ({"budgets": []}, ["budgets"]),
        ({"budgets": [{**TEN, "period": "month"}]}, ["budgets"]),
        ({"budgets": [{**TEN, "amount": 9}, {**TWENTY, "unit": "tokens"}]}, []),
        ({"rpm": None, "tpm": None, "expires_at": None, "budgets": []}, ["rpm", "tpm", "expires_at", "budgets"]),
    ],
)
def test_an_owner_makes_a_key_tighter_and_only_an_admin_looser(
    world: World, change: dict[str, Any], looser: list[str]
) -> None:
    do_create_key(actor=world.dora, owner=world.bob, name="ci", **BOUND)
    if looser:
        with pytest.raises(NotAllowed) as refused:
            do_scope_key(actor=world.bob, name="ci", **BOUND | change)
        assert [field for field, _ in refused.value.problems] == looser
        assert GatewayKey.objects.get().rpm == 60
    else:
        do_scope_key(actor=world.bob, name="ci", **BOUND | change)
    do_scope_key(actor=world.dora, name="ci", **BOUND | change)
    row = GatewayKey.objects.get()
    assert (row.rpm, row.tpm, row.expires_at) == tuple((BOUND | change)[name] for name in ("rpm", "tpm", "expires_at"))
    assert [one.amount for one in row.budgets.all()] == [one["amount"] for one in (BOUND | change)["budgets"]]


def test_budgets_alone_follow_the_same_rule(world: World) -> None:
    do_create_key(actor=world.dora, owner=world.bob, name="ci", budgets=[TEN])
    with pytest.raises(NotAllowed, match="10 requests a day"):
        do_set_budgets(actor=world.bob, name="ci", budgets=[TWENTY])
    do_set_budgets(actor=world.bob, name="ci", budgets=[{**TEN, "amount": 9}])
    do_set_budgets(actor=world.dora, name="ci", budgets=[TWENTY])
    assert GatewayKey.objects.get().budgets.get().amount == 20


def test_only_an_admin_gives_a_key_to_another_person_or_team(world: World, red: Team) -> None:
    do_create_key(actor=None, owner=world.alice, name="ci")
    for change in ({"owner": world.bob}, {"team": "red"}):
        with pytest.raises(NotAllowed):
            do_scope_key(actor=world.alice, name="ci", **change)
    row = do_scope_key(actor=world.dora, name="ci", owner=world.bob, team="red")
    assert (row.owner, row.team) == (world.bob, red)


@pytest.mark.parametrize(
    ("owner", "team", "may"),
    [
        ("alice", "", True),
        ("charlie", "", True),
        ("bob", "", False),
        ("bob", "red", True),
        ("bob", "blue", False),
        ("dora", "", True),
        ("dora", "blue", False),
    ],
)
def test_a_key_names_collections_that_its_owner_or_team_can_see(
    world: World, red: Team, owner: str, team: str, may: bool
) -> None:
    Team.objects.create(name="blue")
    core = world.collection("core")
    core.team = red
    core.save()
    given = {"owner": getattr(world, owner), "name": "ci", "collections": ["core", "pair"], "team": team}
    if may:
        assert do_create_key(actor=None, **given)[0].collections.count() == 2
    else:
        with pytest.raises(Refused, match="bench/core is another team's"):
            do_create_key(actor=None, **given)


def test_what_a_key_names_already_stays_when_a_team_takes_the_collection(world: World, red: Team) -> None:
    do_create_key(actor=None, owner=world.bob, name="ci", collections=["core"])
    core = world.collection("core")
    core.team = red
    core.save()
    assert do_scope_key(actor=world.bob, name="ci", collections=["core"], rpm=5).rpm == 5
