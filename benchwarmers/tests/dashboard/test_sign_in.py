"""Signing in, out, by link, and what happens to those who guess."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from benchwarmers.dashboard.throttle import ADDRESS_LIMIT, PAIR_LIMIT, forgive, may_guess
from benchwarmers.signin_link import make_signin_path
from benchwarmers.tests.pages.seed import PASSWORD

UNREACHABLE = {"default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}}
As = Callable[[str], Client]


def test_the_right_password_leads_to_the_page_that_was_wanted(client: Client) -> None:
    answer = client.post("/login/", {"username": "ben", "password": PASSWORD, "next": "/panels/?state=done"})
    assert answer.status_code == 302
    assert answer["Location"] == "/panels/?state=done"


@pytest.mark.parametrize(
    "wanted", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)", "panels", ""]
)
def test_nobody_is_led_to_another_site(client: Client, wanted: str) -> None:
    answer = client.post("/login/", {"username": "ben", "password": PASSWORD, "next": wanted})
    assert answer["Location"] == "/"


def test_a_wrong_password_says_so_and_keeps_the_name(client: Client) -> None:
    answer = client.post("/login/", {"username": "ben", "password": "no"})
    assert answer.status_code == 200
    assert "do not go together" in answer.content.decode()
    assert 'value="ben"' in answer.content.decode()


def test_after_too_many_guesses_even_the_right_password_must_wait(client: Client) -> None:
    for _ in range(PAIR_LIMIT):
        client.post("/login/", {"username": "ben", "password": "no"})
    answer = client.post("/login/", {"username": "ben", "password": PASSWORD})
    assert answer.status_code == 429
    assert "Wait 15 minutes" in answer.content.decode()


@pytest.mark.parametrize("name", ["BEN ", "ｂｅｎ", "ｂen"])
def test_no_other_spelling_of_a_name_wins_more_guesses(client: Client, name: str) -> None:
    for _ in range(PAIR_LIMIT):
        client.post("/login/", {"username": "ben", "password": "no"})
    assert client.post("/login/", {"username": name, "password": PASSWORD}).status_code == 429


def test_guesses_that_are_made_at_once_are_counted_before_they_are_looked_at() -> None:
    assert [may_guess("192.0.2.1", "ben") for _ in range(PAIR_LIMIT + 3)] == [True] * PAIR_LIMIT + [False] * 3
    forgive("192.0.2.1", "ben")
    assert may_guess("192.0.2.1", "ben")


def test_the_right_password_is_no_guess_against_its_address(client: Client) -> None:
    for _ in range(ADDRESS_LIMIT + 1):
        assert client.post("/login/", {"username": "ben", "password": PASSWORD}).status_code == 302
        client.post("/sign-out/")


def test_guesses_at_one_name_do_not_stop_another_from_the_same_address(client: Client) -> None:
    for _ in range(PAIR_LIMIT):
        client.post("/login/", {"username": "ben", "password": "no"})
    assert client.post("/login/", {"username": "maya", "password": PASSWORD}).status_code == 302


def test_the_right_password_forgives_earlier_guesses(client: Client) -> None:
    for _ in range(PAIR_LIMIT - 1):
        client.post("/login/", {"username": "ben", "password": "no"})
    client.post("/login/", {"username": "ben", "password": PASSWORD})
    client.post("/sign-out/")
    client.post("/login/", {"username": "ben", "password": "no"})
    assert client.post("/login/", {"username": "ben", "password": PASSWORD}).status_code == 302


@override_settings(CACHES=UNREACHABLE)
def test_people_can_sign_in_while_the_cache_is_away(client: Client) -> None:
    assert client.post("/login/", {"username": "ben", "password": "no"}).status_code == 200
    assert client.post("/login/", {"username": "ben", "password": PASSWORD}).status_code == 302


def test_looking_at_a_link_does_not_use_it_up(client: Client) -> None:
    path = make_signin_path(User.objects.get(username="zoe"))
    for _ in range(2):
        assert client.get(path).status_code == 200
    assert "_auth_user_id" not in client.session
    assert client.post(path)["Location"] == "/password/"
    assert client.post(path).status_code == 410


def test_after_a_link_a_password_is_chosen_without_the_old_one(client: Client) -> None:
    client.post(make_signin_path(User.objects.get(username="zoe")))
    assert "old_password" not in client.get("/password/").content.decode()
    chosen = {"new_password1": "plank and four legs", "new_password2": "plank and four legs"}
    assert client.post("/password/", chosen).status_code == 302
    assert User.objects.get(username="zoe").check_password("plank and four legs")
    assert "old_password" in client.get("/password/").content.decode()


def test_a_weak_password_is_refused_beside_its_field(as_person: As) -> None:
    client = as_person("ben")
    answer = client.post("/password/", {"old_password": PASSWORD, "new_password1": "short", "new_password2": "short"})
    assert answer.status_code == 200
    assert "at least 12 characters" in answer.content.decode()


def test_the_old_password_is_guessed_no_oftener_from_inside(as_person: As) -> None:
    client = as_person("ben")
    fresh = {"new_password1": "plank and four legs", "new_password2": "plank and four legs"}
    for _ in range(PAIR_LIMIT):
        client.post("/password/", {"old_password": "no", **fresh})
    assert "Wait 15 minutes" in client.post("/password/", {"old_password": PASSWORD, **fresh}).content.decode()
    assert User.objects.get(username="ben").check_password(PASSWORD)


def test_signing_out_needs_a_post(as_person: As) -> None:
    client = as_person("ben")
    assert client.get("/sign-out/").status_code == 405
    client.post("/sign-out/")
    assert client.get("/panels/").status_code == 302


def test_a_fragment_for_nobody_sends_the_browser_to_the_sign_in_page(client: Client) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://testserver/panels/?state=done"}
    answer = client.get("/panels/", headers=headers)
    assert answer.status_code == 204
    assert answer["HX-Redirect"] == "/login/?next=%2Fpanels%2F%3Fstate%3Ddone"


def test_the_theme_is_in_the_page_from_the_first_byte(as_person: As) -> None:
    client = as_person("ben")
    assert client.post("/theme/", {"theme": "dark", "next": "/panels/"})["Location"] == "/panels/"
    assert '<html lang="en-gb" data-theme="dark">' in client.get("/panels/").content.decode()
    assert client.post("/theme/", {"theme": '"><script>'}).status_code == 400


def test_the_theme_follows_the_person_to_another_browser_and_leaves_with_them(as_person: As) -> None:
    as_person("maya").post("/theme/", {"theme": "contrast"})
    other = Client()
    other.cookies["bw_theme"] = "light"
    other.login(username="maya", password=PASSWORD)
    assert 'data-theme="contrast"' in other.get("/panels/").content.decode()
    other.login(username="ben", password=PASSWORD)
    assert 'data-theme="light"' in other.get("/panels/").content.decode()
