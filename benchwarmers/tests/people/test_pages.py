"""The pages about people: who sees them, what they show, what they write."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchwarmers.tests.pages.seed import PASSWORD
from collections_app.actions.key import do_create_key
from collections_app.actions.program import do_make_program
from collections_app.actions.team import do_save_team
from collections_app.models import Change, Collection, Invitation, ServiceAccount, Team

As = Callable[[str], Client]
PAGES = (
    "/people/",
    "/people/ben/",
    "/teams/",
    "/teams/red/",
    "/invitations/",
    "/service-accounts/",
    "/service-accounts/ci/",
)


@pytest.fixture(autouse=True)
def house(people: None) -> None:
    """A team of ben's and a program."""
    do_save_team(actor=None, name="red", about="the sea", members=["ben"])
    do_make_program(actor=None, name="ci", about="nightly")


@pytest.mark.parametrize("path", PAGES)
def test_only_admins_see_the_pages_about_people(as_person: As, path: str) -> None:
    assert as_person("amy").get(path).status_code == 200
    for name in ("maya", "ben", "zoe"):
        assert as_person(name).get(path).status_code in {403, 404}
    assert Client().get(path)["Location"].startswith("/login/")


def test_the_list_shows_people_with_their_keys_and_no_service_accounts(as_person: As) -> None:
    ben = User.objects.get(username="ben")
    for name in ("one", "two"):
        do_create_key(actor=None, owner=ben, name=name)
    rows = {one.username: one for one in as_person("amy").get("/people/").context["page"]}
    assert rows.keys() == {"amy", "ben", "boss", "maya", "zoe"}
    assert (rows["ben"].live_keys, rows["amy"].live_keys) == (2, 0)


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("q=EXAMPLE", ["amy"]),
        ("q=z", ["zoe"]),
        ("group=curator", ["maya"]),
        ("team=red", ["ben"]),
        ("state=inactive", ["zoe"]),
        ("group=viewer&state=active", []),
        ("state=nonsense&page=99", ["amy", "ben", "boss", "maya", "zoe"]),
    ],
)
def test_the_list_is_narrowed(as_person: As, query: str, names: list[str]) -> None:
    User.objects.filter(username="zoe").update(is_active=False)
    page = as_person("amy").get(f"/people/?{query}").context["page"]
    assert [one.username for one in page] == names


def test_a_person_is_added_and_comes_in_by_a_link_that_is_shown_once(as_person: As) -> None:
    client = as_person("amy")
    client.post("/people/", {"username": "eve", "email": "", "group": "caller"})
    shown = client.post("/people/eve/link/")
    path = "/sign-in/" + shown.content.decode().split("/sign-in/")[1].split("<")[0]
    assert "no-store" in shown["Cache-Control"]
    assert path not in client.get("/people/eve/").content.decode()
    assert Client().post(path)["Location"] == "/password/"
    assert Change.objects.get(field="sign-in link").actor_name == "amy"


def test_adding_somebody_who_is_there_changes_nobody(as_person: As) -> None:
    answer = as_person("amy").post("/people/", {"username": "Ben", "group": "admin"})
    assert answer.status_code == 422
    assert "is taken" in answer.content.decode()
    assert set(User.objects.get(username="ben").groups.values_list("name", flat=True)) == {"caller"}


def test_groups_and_teams_are_changed_together_or_not_at_all(as_person: As) -> None:
    client = as_person("amy")
    form = {"email": "ben@example.org", "groups": ["curator"], "teams": [], "active": "on"}
    assert client.post("/people/ben/", form).status_code == 302
    ben = User.objects.get(username="ben")
    assert (ben.email, ben.is_staff, ben.teams.count()) == ("ben@example.org", True, 0)
    answer = client.post("/people/ben/", form | {"groups": ["admin"], "teams": ["gold"]})
    assert "no team “gold”" in answer.content.decode()
    assert not User.objects.get(username="ben").groups.filter(name="admin").exists()


def test_somebody_is_made_inactive_and_active_again(as_person: As) -> None:
    client = as_person("amy")
    client.post("/people/ben/", {"groups": ["caller"], "teams": ["red"]})
    assert not User.objects.get(username="ben").is_active
    client.post("/people/ben/", {"groups": ["caller"], "teams": ["red"], "active": "on"})
    assert User.objects.get(username="ben").is_active


def test_the_last_admin_and_superusers_are_spared(as_person: As) -> None:
    client = as_person("amy")
    User.objects.filter(username="boss").update(is_active=False)
    answer = client.post("/people/amy/", {"groups": ["curator"], "active": "on"})
    assert "last admin" in answer.content.decode()
    assert "only by a superuser" in client.get("/people/boss/").content.decode()
    assert client.post("/people/boss/", {"groups": [], "active": "on"}).status_code == 422
    User.objects.filter(username="boss").update(is_active=True)
    assert "sign-in/" not in client.post("/people/boss/link/", follow=True).content.decode()
    client.post("/people/boss/factors/forget/")
    assert "only a superuser" in client.get("/people/").content.decode()


def test_a_team_is_made_renamed_and_deleted(as_person: As) -> None:
    client = as_person("amy")
    assert client.post("/teams/", {"name": "blue", "about": "sky"})["Location"] == "/teams/blue/"
    assert client.post("/teams/", {"name": "Blue!"}).status_code == 422
    saved = client.post("/teams/blue/", {"name": "navy", "about": "", "members": ["zoe", "ci"]})
    assert saved["Location"] == "/teams/navy/"
    assert set(Team.objects.get(name="navy").members.values_list("username", flat=True)) == {"zoe", "ci"}
    assert client.post("/teams/navy/", {"name": "red"}).status_code == 422
    Collection.objects.create(name="core", team=Team.objects.get(name="navy"))
    assert "still owns bench/core" in client.post("/teams/navy/delete/", follow=True).content.decode()
    Collection.objects.all().delete()
    client.post("/teams/navy/delete/")
    assert not Team.objects.filter(name="navy").exists()


def test_an_invitation_is_made_taken_and_seen_as_used(as_person: As) -> None:
    client = as_person("amy")
    made = client.post("/invitations/", {"group": "caller", "team": "red", "email": "eve@example.org", "days": "3"})
    path = "/invitation/" + made.content.decode().split("/invitation/")[1].split("<")[0]
    assert "no-store" in made["Cache-Control"]
    assert path not in client.get("/invitations/").content.decode()
    guest = Client()
    welcome = guest.get(path).content.decode()
    assert "amy invites you" in welcome
    assert "team red" in welcome
    wrong = guest.post(path, {"username": "ben", "password": "short"})
    assert wrong.status_code == 422
    assert "is taken" in wrong.content.decode()
    assert "at least 12 characters" in wrong.content.decode()
    assert guest.post(path, {"username": "eve", "password": PASSWORD})["Location"] == "/"
    assert guest.get("/panels/").status_code == 200
    assert Client().get(path).status_code == 410
    assert "used by" in client.get("/invitations/").content.decode()


def test_an_invitation_is_taken_back(as_person: As) -> None:
    client = as_person("amy")
    made = client.post("/invitations/", {"group": "caller", "days": "7"})
    path = "/invitation/" + made.content.decode().split("/invitation/")[1].split("<")[0]
    assert "You are in already" in client.get(path).content.decode()
    client.post(f"/invitations/{Invitation.objects.get().pk}/revoke/")
    assert Client().post(path, {"username": "eve", "password": PASSWORD}).status_code == 410
    assert not User.objects.filter(username="eve").exists()
    assert "taken back" in client.get("/invitations/").content.decode()


@pytest.mark.parametrize("days", ["", "x", "0", "91", "³", "9" * 5_000])
def test_a_number_of_days_that_cannot_be_meant_is_refused(as_person: As, days: str) -> None:
    answer = as_person("amy").post("/invitations/", {"group": "caller", "days": days})
    assert answer.status_code == 422
    assert "From 1 to 90 days" in answer.content.decode()


def test_states_of_invitations_are_told(as_person: As) -> None:
    now = timezone.now()
    zoe = User.objects.get(username="zoe")
    Invitation.objects.create(digest="a", expires_at=now - timedelta(days=1))
    Invitation.objects.create(digest="b", expires_at=now + timedelta(days=1), made_by=zoe)
    zoe.is_active = False
    zoe.save()
    ben = User.objects.get(username="ben")
    Invitation.objects.create(digest="c", expires_at=now + timedelta(days=1), made_by=ben)
    page = as_person("amy").get("/invitations/").content.decode()
    assert "expired" in page
    assert "void: zoe is inactive" in page
    assert "void: ben may no longer invite" in page


def test_a_service_account_is_made_and_changed(as_person: As) -> None:
    client = as_person("amy")
    made = client.post("/service-accounts/", {"name": "nightly", "about": "tests", "group": "caller", "team": "red"})
    assert made["Location"] == "/service-accounts/nightly/"
    assert client.post("/service-accounts/", {"name": "ben", "group": "caller"}).status_code == 422
    client.post("/service-accounts/nightly/", {"about": "tests", "group": "viewer", "team": ""})
    row = ServiceAccount.objects.get(user__username="nightly")
    assert (row.user.is_active, row.user.teams.count()) == (False, 0)
    assert client.get("/people/nightly/").status_code == 404


def test_everybody_finds_their_own_account_in_the_menu(as_person: As) -> None:
    client = as_person("zoe")
    assert 'href="/account/"' in client.get("/panels/").content.decode()
    page = client.get("/account/").content.decode()
    assert "Your account" in page
    assert 'href="/people/"' not in page
    assert 'href="/people/"' in as_person("amy").get("/account/").content.decode()
