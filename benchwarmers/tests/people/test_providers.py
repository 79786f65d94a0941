"""Single sign-on, from the button to the session, against a provider that runs beside the tests."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from benchwarmers.people.admission import same_address
from benchwarmers.tests.people.conftest import Rules
from benchwarmers.tests.people.provider import Running
from collections_app.actions.invitation import do_invite
from collections_app.models import Change

As = Callable[[str], Client]


def come(client: Client, provider: Running, sub: str, start: str = "/oidc/house/") -> HttpResponse:
    """Press the button, sign in there, come back; returns our answer to that."""
    sent = client.get(start, follow=False)
    while sent["Location"].startswith("/"):
        sent = client.get(sent["Location"])
    back = urlsplit(provider.sign_in(sent["Location"], sub))
    return client.get(f"{back.path}?{back.query}")  # type: ignore[return-value]


def signed_in(client: Client) -> str:
    key = client.session.get("_auth_user_id")
    return User.objects.get(pk=key).username if key else ""


def test_the_way_there_is_bound_to_this_browser_and_comes_back_to_the_address_told(
    client: Client, rules: Rules
) -> None:
    assert "Sign in with The House" in client.get("/login/").content.decode()
    asked = parse_qs(urlsplit(client.get("/oidc/house/")["Location"]).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert asked["code_challenge"][0]
    assert asked["redirect_uri"] == ["http://testserver/oidc/house/callback/"]
    assert {"openid", "email"} <= set(asked["scope"][0].split())


def test_somebody_whose_address_is_known_comes_in_and_is_linked(
    client: Client, rules: Rules, provider: Running
) -> None:
    provider.knows("amy-1", email="AMY@example.org", email_verified=True)
    answer = come(client, provider, "amy-1", "/oidc/house/?next=/account/")
    assert (answer.status_code, answer["Location"]) == (302, "/account/")
    assert signed_in(client) == "amy"
    provider.knows("amy-1", email="other@example.org", email_verified=True)
    client.post("/sign-out/")
    come(client, provider, "amy-1")
    assert signed_in(client) == "amy"
    assert Change.objects.filter(name="amy", field="single sign-on").count() == 1


@pytest.mark.parametrize(
    ("fields", "claims", "told"),
    [
        ({}, {"email": "amy@example.org"}, "has not confirmed"),
        ({}, {"email": "amy@example.org", "email_verified": False}, "Nobody here knows you yet"),
        ({}, {"email": "eve@example.org", "email_verified": True}, "Ask an admin"),
        ({"match_email": False}, {"email": "amy@example.org", "email_verified": True}, "Your address is known"),
        (
            {"sign_up": "viewer", "domains": ("example.com",)},
            {"email": "e@example.org", "email_verified": True},
            "some",
        ),
        ({"sign_up": "viewer", "domains": ("example.org",)}, {"email": "e@example.org"}, "Only some addresses"),
        ({}, {"email": "twin@example.org", "email_verified": True}, "Two accounts"),
        ({"sign_up": "viewer"}, {"email": "gone@example.org", "email_verified": True}, "closed"),
    ],
)
def test_whoever_is_not_known_stays_outside_and_learns_why(
    client: Client, rules: Rules, provider: Running, fields: dict[str, object], claims: dict[str, object], told: str
) -> None:
    for name in ("ben", "zoe"):
        User.objects.filter(username=name).update(email="twin@example.org")
    User.objects.create_user("gone", email="gone@example.org", is_active=False)
    before = User.objects.count()
    rules(**fields)
    provider.knows("stranger", **claims)
    answer = come(client, provider, "stranger")
    assert answer.status_code == 403
    assert told in answer.content.decode()
    assert signed_in(client) == ""
    assert (User.objects.count(), SocialAccount.objects.count()) == (before, 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Mike@example.org", "mike@EXAMPLE.org", True),
        ("mike@example.org", "m\u0131ke@example.org", False),
        ("mike@example.org", "mi\u212ae@example.org", False),
        ("s@example.org", "\u017f@example.org", False),
        ("müller@example.org", "müller@example.org", True),
    ],
)
def test_letters_that_only_look_alike_are_other_addresses(one: str, other: str, same: bool) -> None:
    assert (same_address(one, other), same_address(other, one)) == (same, same)


def test_where_sign_up_is_on_new_people_come_into_its_group(client: Client, rules: Rules, provider: Running) -> None:
    rules(sign_up="viewer", domains=("example.org",))
    provider.knows("eve-1", email="eve@example.org", email_verified=True, preferred_username="ben")
    assert come(client, provider, "eve-1").status_code == 302
    eve = User.objects.get(username="ben2")
    assert signed_in(client) == "ben2"
    assert (eve.email, eve.has_usable_password(), eve.is_staff) == ("eve@example.org", False, False)
    assert set(eve.groups.values_list("name", flat=True)) == {"viewer"}


def test_an_invitation_is_taken_through_a_provider_once(client: Client, rules: Rules, provider: Running) -> None:
    _, token = do_invite(actor=User.objects.get(username="amy"), now=timezone.now(), group="caller")
    assert "Join with The House" in client.get(f"/invitation/{token}/").content.decode()
    provider.knows("eve-2", email="eve@example.org", email_verified=True)
    come(client, provider, "eve-2", f"/invitation/{token}/by/house/")
    assert signed_in(client) == "eve"
    second = Client()
    assert second.get(f"/invitation/{token}/by/house/")["Location"] == f"/invitation/{token}/"
    provider.knows("mallory", email="mallory@example.org", email_verified=True)
    assert come(second, provider, "mallory").status_code == 403


def test_the_disabled_do_not_come_in_by_a_provider_that_knew_them(
    client: Client, rules: Rules, provider: Running
) -> None:
    provider.knows("amy-3", email="amy@example.org", email_verified=True)
    come(client, provider, "amy-3")
    client.post("/sign-out/")
    User.objects.filter(username="amy").update(is_active=False)
    answer = come(client, provider, "amy-3")
    assert answer.status_code == 403
    assert "closed" in answer.content.decode()
    assert signed_in(client) == ""


def test_an_account_is_linked_from_its_own_page_and_unlinked_unless_it_is_the_only_way_in(
    as_person: As, rules: Rules, provider: Running
) -> None:
    client = as_person("amy")
    provider.knows("whoever", email="else@example.org", email_verified=True)
    come(client, provider, "whoever", "/oidc/house/?process=connect")
    link = SocialAccount.objects.get(user__username="amy")
    client.post(f"/account/providers/{link.pk}/remove/")
    assert "your only way in" in client.get("/account/").content.decode()
    amy = User.objects.get(username="amy")
    amy.set_password("plank and four legs")
    amy.save()
    client.force_login(amy)
    asked = client.post(f"/account/providers/{link.pk}/remove/")
    assert asked["Location"].startswith("/account/again/password/")
    client.post(asked["Location"], {"password": "plank and four legs"})
    client.post(f"/account/providers/{link.pk}/remove/")
    assert not SocialAccount.objects.exists()


def test_somebody_elses_link_is_not_there(as_person: As, rules: Rules, provider: Running) -> None:
    row = SocialAccount.objects.create(user=User.objects.get(username="ben"), provider="house", uid="ben")
    assert as_person("amy").post(f"/account/providers/{row.pk}/remove/").status_code == 404


@pytest.mark.parametrize("path", ["/oidc/other/", "/oidc/other/callback/?code=x&state=y"])
def test_a_provider_that_is_not_set_up_is_not_there(client: Client, rules: Rules, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(("query", "status"), [("code=x&state=made-up", 401), ("", 401)])
def test_an_answer_that_nobody_asked_for_signs_nobody_in(client: Client, rules: Rules, query: str, status: int) -> None:
    answer = client.get(f"/oidc/house/callback/?{query}")
    assert answer.status_code == status
    assert "did not work" in answer.content.decode()


def test_another_site_cannot_start_a_sign_in(client: Client, rules: Rules) -> None:
    answer = client.get("/oidc/house/", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer["Location"] == "/login/"


def test_leaving_the_provider_leads_to_a_page_that_says_so(client: Client, rules: Rules) -> None:
    state = parse_qs(urlsplit(client.get("/oidc/house/")["Location"]).query)["state"][0]
    answer = client.get(f"/oidc/house/callback/?error=access_denied&state={state}", follow=True)
    assert "without signing in" in answer.content.decode()


def test_a_provider_that_is_away_is_told_and_nothing_falls_over(
    client: Client, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "allauth.socialaccount.providers.openid_connect.provider.OpenIDConnectProvider.server_url",
        "http://127.0.0.1:9/.well-known/openid-configuration",
    )
    answer = client.get("/oidc/house/")
    assert answer.status_code == 502
    assert "did not work" in answer.content.decode()
