"""Sessions: seen, ended by their owner and by admins, and by a new password."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from benchwarmers.people.device import words_for
from benchwarmers.people.sessions import SEEN, SEEN_EVERY_S
from benchwarmers.tests.pages.seed import PASSWORD
from collections_app.models import Change

As = Callable[[str], Client]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 Version/19.1 Mobile Safari/604.1"


def enter(name: str, agent: str = FIREFOX, address: str = "192.0.2.7") -> Client:
    client = Client(headers={"User-Agent": agent}, REMOTE_ADDR=address)
    assert client.post("/login/", {"username": name, "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get("/panels/").status_code == 200


def test_a_person_sees_their_own_sessions_with_this_one_marked() -> None:
    one = enter("ben")
    enter("ben", PHONE, "192.0.2.8")
    enter("maya")
    page = one.get("/account/").content.decode()
    assert page.count("Firefox on Linux") == 1
    assert "Safari on iPhone" in page
    assert "192.0.2.8" in page
    assert page.count("this one") == 1


def test_one_session_is_ended_from_another_and_is_nobodys_at_its_next_request() -> None:
    one, other = enter("ben"), enter("ben", PHONE)
    row = UserSession.objects.exclude(session_key=one.session.session_key).get()
    one.post(f"/account/sessions/{row.pk}/end/")
    assert (is_in(one), is_in(other)) == (True, False)
    assert Change.objects.get(field="sessions").actor_name == "ben"


def test_all_others_are_ended_at_once() -> None:
    clients = [enter("ben") for _ in range(3)]
    clients[1].post("/account/sessions/end/")
    assert [is_in(client) for client in clients] == [False, True, False]


def test_nobody_ends_the_sessions_of_others_but_admins() -> None:
    ben, maya, amy = enter("ben"), enter("maya"), Client()
    amy.force_login(User.objects.get(username="amy"))
    row = UserSession.objects.get(user__username="ben")
    maya.post(f"/account/sessions/{row.pk}/end/")
    assert maya.post("/people/ben/sessions/end/").status_code in {403, 404}
    assert is_in(ben)
    amy.post("/people/ben/sessions/end/", {"number": row.pk})
    assert (is_in(ben), is_in(maya)) == (False, True)
    assert Change.objects.get(field="sessions").actor_name == "amy"


def test_a_session_that_was_given_another_key_can_still_be_ended() -> None:
    amy, boss, ben = Client(), enter("boss"), User.objects.get(username="ben")
    amy.force_login(User.objects.get(username="amy"))
    before = amy.session.session_key
    fresh = {"password1": "plank and four legs", "password2": "plank and four legs", "usable_password": "true"}
    amy.post(f"/admin/auth/user/{ben.pk}/password/", fresh)  # gives the session of whoever does this a new key
    assert amy.session.session_key != before
    assert UserSession.objects.filter(session_key=amy.session.session_key).exists()
    boss.post("/people/amy/sessions/end/")
    assert not is_in(amy)


def test_an_admin_ends_no_sessions_of_a_superuser() -> None:
    boss, amy = enter("boss"), Client()
    amy.force_login(User.objects.get(username="amy"))
    amy.post("/people/boss/sessions/end/")
    assert is_in(boss)


def test_a_new_password_ends_the_others_and_keeps_this_one() -> None:
    here, there = enter("ben"), enter("ben")
    fresh = {"old_password": PASSWORD, "new_password1": "plank and four legs", "new_password2": "plank and four legs"}
    here.post("/password/", fresh)
    assert (is_in(here), is_in(there)) == (True, False)
    assert UserSession.objects.get(user__username="ben").session_key == here.session.session_key
    assert Change.objects.filter(name="ben", field="password", actor_name="ben").count() == 1


def test_signing_out_takes_the_row_away() -> None:
    enter("ben").post("/sign-out/")
    assert not UserSession.objects.exists()


def test_somebody_disabled_is_out_at_the_next_request() -> None:
    ben = enter("ben")
    User.objects.filter(username="ben").update(is_active=False)
    assert not is_in(ben)


def test_the_session_of_somebody_disabled_is_noted_no_more_and_still_led_to_the_door() -> None:
    ben = enter("ben")
    User.objects.filter(username="ben").update(is_active=False)
    session = ben.session
    session[SEEN] -= SEEN_EVERY_S + 1
    session.save()
    assert [ben.get(path).status_code for path in ("/panels/", "/login/")] == [302, 200]


def test_a_session_in_use_is_noted_now_and_then_and_costs_nothing_between(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    client = enter("ben")
    long_ago = timezone.now() - timedelta(days=1)
    UserSession.objects.update(last_seen_at=long_ago)
    with django_assert_num_queries(4):  # the session, the person and what they may
        client.get("/password/")
    assert UserSession.objects.get().last_seen_at == long_ago
    session = client.session
    session[SEEN] -= SEEN_EVERY_S + 1
    session.save()
    client.get("/password/", headers={"User-Agent": PHONE})
    row = UserSession.objects.get()
    assert row.last_seen_at > long_ago
    assert words_for(row.user_agent) == "Safari on iPhone"


def test_a_session_older_than_its_row_gets_one() -> None:
    client = enter("ben")
    UserSession.objects.all().delete()
    session = client.session
    del session[SEEN]
    session.save()
    client.get("/panels/")
    assert UserSession.objects.get().session_key == client.session.session_key


def test_of_two_first_pages_at_once_neither_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    client = enter("ben")
    session = client.session
    session.pop(SEEN)  # the row is there, and this request has looked before it was
    session.save()
    monkeypatch.setattr(QuerySet, "update", lambda *_, **__: 0)
    assert is_in(client)
    assert UserSession.objects.filter(user__username="ben").count() == 1


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (FIREFOX, "Firefox on Linux"),
        (PHONE, "Safari on iPhone"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36 Edg/150.0",
            "Edge on Windows",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/150.0.0.0 Safari/537.36", "Chrome on macOS"),
        ("Mozilla/5.0 (Linux; Android 16) Chrome/150.0 Mobile Safari/537.36", "Chrome on Android"),
        ("curl/8.14.1", "curl"),
        ("", "Unknown device"),
    ],
)
def test_a_browser_is_told_in_few_words(agent: str, words: str) -> None:
    assert words_for(agent) == words
