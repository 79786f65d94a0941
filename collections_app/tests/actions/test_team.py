"""Teams: who is in them, and what holds them."""

from __future__ import annotations

import pytest

from collections_app.actions.collection import do_save_collection
from collections_app.actions.key import do_create_key, do_revoke_key
from collections_app.actions.team import (
    do_make_team,
    do_remove_team,
    do_rename_team,
    do_save_team,
    do_set_teams,
    members_of_team,
)
from collections_app.models import Change, Team
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World


def test_a_team_is_made_and_made_to_be_exactly_what_is_said(world: World) -> None:
    row = do_save_team(actor=world.dora, name="red", about=" all  the reviews ", members=["bob", "alice", "bob"])
    assert (row.about, members_of_team(row)) == ("all the reviews", ["alice", "bob"])
    do_save_team(actor=world.dora, name="red", members=["charlie"])
    row.refresh_from_db()
    assert (row.about, members_of_team(row)) == ("", ["charlie"])
    logged = Change.objects.filter(thing="team", field="members").values_list("old", "new")
    assert list(logged) == [(["alice", "bob"], ["charlie"])]
    rows = Change.objects.count()
    do_save_team(actor=world.dora, name="red", members=["charlie"])
    assert Change.objects.count() == rows


@pytest.mark.parametrize(
    ("given", "field"),
    [({"name": "X"}, "name"), ({"about": "a" * 301}, "about"), ({"members": ["bob", "nobody"]}, "members")],
)
def test_a_broken_rule_names_its_field(world: World, given: dict[str, object], field: str) -> None:
    with pytest.raises(Refused) as refused:
        do_save_team(actor=world.dora, **{"name": "red", **given})  # type: ignore[arg-type]
    assert [name for name, _ in refused.value.problems] == [field]
    assert not Team.objects.exists()


def test_only_admins_make_change_and_remove_teams(world: World) -> None:
    do_save_team(actor=None, name="red")
    for person in (world.alice, world.bob, world.charlie):
        for name in ("red", "blue"):
            with pytest.raises(NotAllowed):
                do_save_team(actor=person, name=name)
        with pytest.raises(NotAllowed):
            do_remove_team(actor=person, name="red")
    do_remove_team(actor=world.dora, name="red")
    assert not Team.objects.exists()
    with pytest.raises(NotThere):
        do_remove_team(actor=world.dora, name="red")


def test_a_team_goes_when_it_owns_nothing_and_never_had_a_key(world: World) -> None:
    for name in ("red", "blue"):
        do_save_team(actor=None, name=name)
    do_save_collection(actor=None, name="core", members=["fast"], team="red")
    with pytest.raises(Refused, match="still owns bench/core"):
        do_remove_team(actor=None, name="red")
    do_save_collection(actor=None, name="core", members=["fast"])
    do_remove_team(actor=None, name="red")
    do_create_key(actor=None, owner=world.bob, name="ci", team="blue")
    do_revoke_key(actor=None, name="ci")
    with pytest.raises(Refused, match="still owns the key ci"):
        do_remove_team(actor=None, name="blue")


def test_making_a_team_changes_none_that_is_there(world: World) -> None:
    do_save_team(actor=None, name="red", about="the sea", members=["bob"])
    with pytest.raises(Refused, match="There is a team red"):
        do_make_team(actor=world.dora, name="red")
    assert do_make_team(actor=world.dora, name="blue", about="the sky").about == "the sky"


def test_a_team_is_renamed_with_its_members_and_the_log_knows(world: World) -> None:
    do_save_team(actor=None, name="red", members=["bob"])
    do_save_team(actor=None, name="blue")
    row = do_rename_team(actor=world.dora, name="red", to="crimson")
    assert members_of_team(row) == ["bob"]
    assert Change.objects.filter(thing="team", name="red", field="name", new="crimson").count() == 1
    for to in ("blue", "X", ""):
        with pytest.raises(Refused):
            do_rename_team(actor=world.dora, name="crimson", to=to)
    with pytest.raises(NotAllowed):
        do_rename_team(actor=world.alice, name="crimson", to="red")
    with pytest.raises(NotThere):
        do_rename_team(actor=world.dora, name="red", to="green")


def test_a_person_is_put_into_exactly_the_teams_given(world: World) -> None:
    for name in ("red", "blue", "green"):
        do_save_team(actor=None, name=name)
    do_set_teams(actor=world.dora, username="bob", teams=["red", "blue"])
    do_set_teams(actor=world.dora, username="bob", teams=["blue", "green"])
    assert set(world.bob.teams.values_list("name", flat=True)) == {"blue", "green"}
    with pytest.raises(Refused, match="no team “gold”"):
        do_set_teams(actor=world.dora, username="bob", teams=["gold"])
    with pytest.raises(NotThere):
        do_set_teams(actor=world.dora, username="nobody", teams=[])
    with pytest.raises(NotAllowed):
        do_set_teams(actor=world.alice, username="alice", teams=["red"])
