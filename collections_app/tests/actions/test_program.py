"""Service accounts: they hold keys and rights, and are nobody who signs in."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User

from collections_app.actions.key import do_create_key
from collections_app.actions.person import do_save_person
from collections_app.actions.program import do_change_program, do_make_program
from collections_app.actions.team import do_save_team
from collections_app.models import Change
from collections_app.refusal import NotAllowed, NotThere, Refused
from collections_app.tests.world import World


def test_one_is_made_with_its_group_and_team_and_without_a_password(world: World) -> None:
    do_save_team(actor=None, name="red")
    row = do_make_program(actor=world.dora, name="ci", about="runs the tests", team="red")
    assert not row.user.has_usable_password()
    assert row.user.has_perm("gateway.ask")
    assert list(row.user.teams.values_list("name", flat=True)) == ["red"]
    key, _ = do_create_key(actor=world.dora, owner=row.user, name="ci-key")
    assert key.owner == row.user


def test_a_change_is_logged_field_by_field(world: World) -> None:
    do_make_program(actor=world.dora, name="ci")
    Change.objects.all().delete()
    do_change_program(actor=world.dora, name="ci", about="nightly", group="viewer", active=False)
    assert {row.field: row.new for row in Change.objects.all()} == {
        "about": "nightly",
        "groups": ["viewer"],
        "is_active": False,
    }
    assert not User.objects.get(username="ci").is_active


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"name": "bob"}, "username"),
        ({"name": "a b"}, "username"),
        ({"name": "ci", "group": "kings"}, "group"),
        ({"name": "ci", "team": "gold"}, "team"),
        ({"name": "ci", "about": "x" * 301}, "about"),
    ],
)
def test_a_broken_rule_names_its_field(world: World, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        do_make_program(actor=world.dora, **fields)
    assert {name for name, _ in refused.value.problems} == {field}


def test_only_admins_make_them_and_nobody_makes_one_that_may_more(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_make_program(actor=world.alice, name="ci")
    world.alice.user_permissions.add(Permission.objects.get(codename="add_serviceaccount"))
    with pytest.raises(Refused, match="may more than you"):
        do_make_program(actor=User.objects.get(username="alice"), name="ci", group="admin")


def test_people_and_service_accounts_are_not_changed_in_each_others_place(world: World) -> None:
    do_make_program(actor=world.dora, name="ci")
    with pytest.raises(Refused, match="is a service account"):
        do_save_person(actor=world.dora, username="ci", groups=["admin"])
    with pytest.raises(NotThere):
        do_change_program(actor=world.dora, name="bob")
