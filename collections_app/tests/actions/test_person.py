"""People and their groups."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User

from collections_app.actions.person import do_disable_person, do_save_person, do_sign_up
from collections_app.actions.program import do_make_program
from collections_app.models import Change
from collections_app.refusal import NotAllowed, Refused
from collections_app.tests.world import World


def test_a_new_person_has_no_password_and_the_groups_given(world: World) -> None:
    row = do_save_person(actor=world.dora, username="eve", email="eve@example.org", groups=["caller", "viewer"])
    assert not row.has_usable_password()
    assert set(row.groups.values_list("name", flat=True)) == {"caller", "viewer"}


def test_saving_again_moves_the_groups_and_logs_it(world: World) -> None:
    Change.objects.all().delete()
    do_save_person(actor=world.dora, username="bob", groups=["curator"])
    do_save_person(actor=world.dora, username="bob", groups=["curator"])
    assert User.objects.get(username="bob").is_staff
    assert {row.field: (row.old, row.new) for row in Change.objects.all()} == {
        "groups": (["caller"], ["curator"]),
        "is_staff": (False, True),
    }


@pytest.mark.parametrize(
    ("username", "email", "groups", "field"),
    [
        ("", "", [], "username"),
        ("local", "", [], "username"),
        ("a b", "", [], "username"),
        ("eve", "nonsense", [], "email"),
        ("eve", "", ["kings"], "groups"),
    ],
)
def test_a_broken_rule_names_its_field(world: World, username: str, email: str, groups: list[str], field: str) -> None:
    with pytest.raises(Refused) as refused:
        do_save_person(actor=world.dora, username=username, email=email, groups=groups)
    assert {name for name, _ in refused.value.problems} == {field}


def test_only_admins_manage_people_and_nobody_disables_themselves(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_save_person(actor=world.alice, username="eve")
    with pytest.raises(NotAllowed):
        do_disable_person(actor=world.alice, username="bob")
    with pytest.raises(Refused, match="yourself"):
        do_disable_person(actor=world.dora, username="dora")
    assert not do_disable_person(actor=world.dora, username="bob").is_active


def test_a_superuser_is_changed_only_by_a_superuser(world: World) -> None:
    User.objects.create_superuser("root")
    with pytest.raises(NotAllowed, match="superuser"):
        do_disable_person(actor=world.dora, username="root")
    with pytest.raises(NotAllowed, match="superuser"):
        do_save_person(actor=world.dora, username="root")


@pytest.mark.parametrize(
    "fall", [{"groups": ["curator"]}, {"groups": []}, {"groups": ["admin"], "active": False}, None], ids=str
)
@pytest.mark.parametrize("by", ["dora", None])
def test_the_last_admin_stays_one(world: World, fall: dict[str, object] | None, by: str | None) -> None:
    actor = world.dora if by else None
    do_make_program(actor=None, name="ci", group="admin")  # may everything, but cannot sign in and set things right

    def act() -> object:
        if fall is None:
            return do_disable_person(actor=None, username="dora")
        return do_save_person(actor=actor, username="dora", **fall)  # type: ignore[arg-type]

    with pytest.raises(Refused, match="last admin"):
        act()
    assert User.objects.get(username="dora").has_perm("auth.change_user")
    do_save_person(actor=None, username="eve", groups=["admin"])
    act()


def test_nobody_gives_rights_that_they_do_not_have(world: World) -> None:
    for right in ("change_user", "add_user"):
        world.alice.user_permissions.add(Permission.objects.get(codename=right))
    alice = User.objects.get(username="alice")
    with pytest.raises(Refused, match="may more than you"):
        do_save_person(actor=alice, username="bob", groups=["admin"])
    do_save_person(actor=alice, username="bob", groups=["curator"])
    do_save_person(actor=alice, username="dora", email="dora@example.org", groups=["admin"])  # had it before


def test_who_signs_up_is_in_the_log_by_that_name(db: None) -> None:
    eve = do_sign_up(username="eve", email="eve@example.org", group="viewer")
    assert not eve.has_usable_password()
    assert set(eve.groups.values_list("name", flat=True)) == {"viewer"}
    assert Change.objects.get(name="eve").actor_name == "sign-up"
    with pytest.raises(Refused, match="taken"):
        do_sign_up(username="EVE", email="", group="viewer")
