"""Teams, invitations and service accounts in the admin."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.contrib.admin.sites import site
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.urls import get_resolver, reverse

from collections_app.actions.invitation import do_invite
from collections_app.actions.key import do_create_key
from collections_app.actions.program import do_make_program
from collections_app.actions.team import do_save_team, members_of_team
from collections_app.models import Change, Invitation, ServiceAccount, Team
from collections_app.tests.world import World

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)


@pytest.fixture
def page(world: World, client: Client) -> Client:
    client.force_login(world.dora)
    return client


def test_a_team_is_made_and_changed_through_the_actions(page: Client, world: World) -> None:
    page.post(reverse("admin:collections_app_team_add"), {"name": "red", "about": "sea", "members": [world.bob.pk]})
    row = Team.objects.get(name="red")
    form = {"about": "the sea", "members": [world.alice.pk]}
    page.post(reverse("admin:collections_app_team_change", args=[row.pk]), form)
    row.refresh_from_db()
    assert (row.about, members_of_team(row)) == ("the sea", ["alice"])
    assert set(Change.objects.filter(thing="team").values_list("actor_name", flat=True)) == {"dora"}


def test_a_team_that_owns_something_stays_and_says_what(page: Client, world: World) -> None:
    row = do_save_team(actor=None, name="red")
    do_create_key(actor=None, owner=world.bob, name="ci", team="red")
    where = reverse("admin:collections_app_team_delete", args=[row.pk])
    page.post(where, {"post": "yes"})
    assert Team.objects.filter(name="red").exists()


def test_invitations_are_seen_without_their_digest_and_taken_back(page: Client, world: World) -> None:
    row, _ = do_invite(actor=world.dora, now=NOW, email="eve@example.org")
    listing = reverse("admin:collections_app_invitation_changelist")
    seen = page.get(listing, {"q": "eve"}).content.decode()
    shown = page.get(reverse("admin:collections_app_invitation_change", args=[row.pk])).content.decode()
    assert "eve@example.org" in seen
    assert row.digest not in seen + shown
    page.post(listing, {"action": "take_back", "_selected_action": [row.pk], "sure": "yes"})
    assert Invitation.objects.get().revoked_at is not None
    assert page.get(reverse("admin:collections_app_invitation_add")).status_code == 403


def test_service_accounts_are_seen_and_not_written(page: Client, world: World) -> None:
    do_make_program(actor=None, name="ci", about="nightly")
    row = ServiceAccount.objects.get()
    assert "nightly" in page.get(reverse("admin:collections_app_serviceaccount_changelist")).content.decode()
    where = reverse("admin:collections_app_serviceaccount_change", args=[row.pk])
    assert page.get(where).status_code == 200
    assert page.post(where, {"about": "x"}).status_code == 403


def test_tables_of_the_sign_in_library_have_no_page(db: None) -> None:
    assert get_resolver().url_patterns  # the addresses are what takes the pages away
    assert [model for model in site._registry if model.__module__.startswith("allauth.")] == []


def test_a_group_is_given_nothing_that_its_giver_may_not_do(page: Client, world: World) -> None:
    group = Group.objects.get(name="viewer")
    before = set(group.permissions.all())
    where = reverse("admin:auth_group_change", args=[group.pk])
    foreign = Permission.objects.get(codename="add_periodictask")
    held = [one.pk for one in before]
    seen = page.post(where, {"name": "viewer", "permissions": [*held, foreign.pk]}).content.decode()
    assert "You may not give what you do not have" in seen
    assert set(group.permissions.all()) == before
    ask = Permission.objects.get(codename="ask")
    assert page.post(where, {"name": "viewer", "permissions": [*held, ask.pk]}).status_code == 302
    assert set(group.permissions.all()) == {*before, ask}
