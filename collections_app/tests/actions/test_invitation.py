"""Invitations: one account each, for a time, and never for more than the inviter may."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User

from collections_app.actions.invitation import (
    digest_of,
    do_invite,
    do_revoke_invitation,
    do_take_invitation,
    find_invitation,
    state_of,
)
from collections_app.actions.team import do_save_team
from collections_app.models import Change, Invitation
from collections_app.refusal import NotAllowed, Refused
from collections_app.tests.world import World

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
GOOD = "plank and four legs"


def take(token: str, name: str = "eve", **more: Any) -> User:
    fields: dict[str, Any] = {"token": token, "username": name, "now": NOW, "password": GOOD}
    return do_take_invitation(**fields | more)


def test_the_token_is_stored_as_a_digest_only_and_the_log_holds_neither(world: World) -> None:
    row, token = do_invite(actor=world.dora, now=NOW, group="viewer", email="eve@example.org")
    assert row.digest == digest_of(token)
    assert row.expires_at == NOW + timedelta(days=7)
    told = str(list(Change.objects.values()))
    assert token not in told
    assert row.digest not in told


def test_whoever_takes_it_gets_the_group_the_team_and_the_address(world: World) -> None:
    do_save_team(actor=None, name="red")
    row, token = do_invite(actor=world.dora, now=NOW, group="curator", team="red", email="eve@example.org")
    eve = take(token)
    assert eve.check_password(GOOD)
    assert eve.email == "eve@example.org"
    assert eve.is_staff
    assert set(eve.groups.values_list("name", flat=True)) == {"curator"}
    assert set(eve.teams.values_list("name", flat=True)) == {"red"}
    row.refresh_from_db()
    assert (row.used_by, row.used_at) == (eve, NOW)
    made = Change.objects.get(thing="person", name="eve", field="")
    assert made.actor_name == "invitation"


def test_it_works_once(world: World) -> None:
    _, token = do_invite(actor=world.dora, now=NOW)
    take(token)
    with pytest.raises(Refused, match="worn"):
        take(token, "mallory")
    assert not User.objects.filter(username="mallory").exists()


def test_of_two_who_both_saw_it_open_one_gets_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _, token = do_invite(actor=world.dora, now=NOW)
    seen = find_invitation(token, NOW)
    take(token)
    monkeypatch.setattr("collections_app.actions.invitation.find_invitation", lambda token, now: seen)
    with pytest.raises(Refused, match="worn"):
        take(token, "mallory")
    assert not User.objects.filter(username="mallory").exists()


@pytest.mark.parametrize(
    ("name", "password", "field"),
    [("bob", GOOD, "username"), ("a b", GOOD, "username"), ("local", GOOD, "username"), ("eve", "short", "password")],
)
def test_a_refused_account_leaves_the_invitation_open(world: World, name: str, password: str, field: str) -> None:
    _, token = do_invite(actor=world.dora, now=NOW)
    with pytest.raises(Refused) as refused:
        take(token, name, password=password)
    assert {one for one, _ in refused.value.problems} == {field}
    assert take(token).username == "eve"


def test_a_provider_must_vouch_for_the_address_that_was_invited(world: World) -> None:
    _, token = do_invite(actor=world.dora, now=NOW, email="eve@example.org")
    with pytest.raises(Refused, match=r"is for eve@example\.org"):
        take(token, password=None, email="mallory@example.org")
    with pytest.raises(Refused, match="confirms no address"):
        take(token, password=None)
    eve = take(token, password=None, email="EVE@example.org")
    assert not eve.has_usable_password()


def test_an_invitation_is_taken_back_expires_and_dies_with_its_maker(world: World) -> None:
    rows = [do_invite(actor=world.dora, now=NOW, days=2) for _ in range(4)]
    do_revoke_invitation(actor=world.dora, number=rows[0][0].pk, now=NOW)
    take(rows[1][1])
    User.objects.filter(pk=world.dora.pk).update(is_active=False)
    fresh = [Invitation.objects.get(pk=row.pk) for row, _ in rows]
    late = NOW + timedelta(days=2)
    assert [state_of(row, NOW) for row in fresh] == ["revoked", "used", "void", "void"]
    assert state_of(fresh[2], late) == "expired"
    assert [find_invitation(token, NOW) for _, token in rows] == [None] * 4
    assert find_invitation("made-up", NOW) is None


def test_whoever_may_invite_nobody_any_more_has_no_invitation_left_to_come_back_by(world: World) -> None:
    row, token = do_invite(actor=world.dora, now=NOW, group="admin")
    world.dora.groups.set(Group.objects.filter(name="curator"))
    assert state_of(Invitation.objects.get(pk=row.pk), NOW) == "void"
    with pytest.raises(Refused, match="worn"):
        take(token)


def test_taking_back_what_was_used_changes_nothing(world: World) -> None:
    row, token = do_invite(actor=world.dora, now=NOW)
    take(token)
    assert do_revoke_invitation(actor=world.dora, number=row.pk, now=NOW).revoked_at is None
    with pytest.raises(Refused, match="no such"):
        do_revoke_invitation(actor=world.dora, number=0, now=NOW)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"group": "kings"}, "group"),
        ({"team": "gold"}, "team"),
        ({"email": "nonsense"}, "email"),
        ({"email": "ALICE@example.org"}, "email"),
        ({"days": 0}, "days"),
        ({"days": 91}, "days"),
    ],
)
def test_a_broken_rule_names_its_field(world: World, fields: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refused:
        do_invite(actor=world.dora, now=NOW, **fields)
    assert {name for name, _ in refused.value.problems} == {field}


def test_nobody_invites_into_a_group_that_may_more_than_they(world: World) -> None:
    with pytest.raises(NotAllowed):
        do_invite(actor=world.alice, now=NOW)
    world.alice.user_permissions.add(Permission.objects.get(codename="add_invitation"))
    hostess = User.objects.get(username="alice")
    assert do_invite(actor=hostess, now=NOW, group="curator")
    with pytest.raises(Refused, match="may more than you"):
        do_invite(actor=hostess, now=NOW, group="admin")
    assert Group.objects.filter(name="admin").exists()
