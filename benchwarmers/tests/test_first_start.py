"""The first start and its sign-in link."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from benchwarmers.first_start import do_first_start
from benchwarmers.signin_link import BY_LINK, load_person, make_signin_path, tokens
from collections_app.actions.practice import do_practice_off
from collections_app.models import Fact, LanguageModel
from suite.models import Task

pytestmark = pytest.mark.django_db


def link_in(text: str) -> str:
    found = re.search(r"/sign-in/\S+", text)
    assert found is not None, text
    return found[0]


def test_the_first_start_makes_an_owner_who_may_do_everything() -> None:
    welcome = do_first_start(settings.BENCH)
    owner = User.objects.get()
    assert owner.username == "owner"
    assert owner.is_superuser
    assert not owner.has_usable_password()
    assert set(owner.groups.all()) == set(Group.objects.filter(name="admin"))
    assert settings.BENCH.address in welcome
    assert "bench/practice" in welcome


def test_a_second_start_makes_nobody_and_shows_a_link_again() -> None:
    do_first_start(settings.BENCH)
    assert link_in(do_first_start(settings.BENCH))
    assert User.objects.count() == 1


def test_a_later_start_states_what_the_practice_squad_can_do_by_now() -> None:
    do_first_start(settings.BENCH)
    Fact.objects.filter(field="vision").update(value=False)
    do_first_start(settings.BENCH)
    assert list(Fact.objects.filter(field="vision").values_list("value", flat=True)) == [True] * 5


def test_a_later_start_does_not_bring_back_a_squad_that_was_sent_home() -> None:
    do_first_start(settings.BENCH)
    do_practice_off(actor=None)
    do_first_start(settings.BENCH)
    assert not LanguageModel.objects.exists()


def test_every_start_brings_the_tasks_of_the_suite_and_no_start_brings_back_what_was_dropped() -> None:
    do_first_start(settings.BENCH)
    count = Task.objects.filter(origin="starter", draft=False).count()
    assert count >= 60
    Task.objects.filter(slug="starter-claim-monkey").update(dropped=True)
    Task.objects.filter(slug="starter-claim-reference").delete()
    do_first_start(settings.BENCH)
    assert Task.objects.filter(origin="starter", dropped=False).count() == count - 1


def test_an_installation_with_people_gets_no_owner() -> None:
    User.objects.create_user("alice")
    assert do_first_start(settings.BENCH) == ""
    assert User.objects.count() == 1


def test_the_link_signs_in_once_and_the_welcome_ends(client: Client) -> None:
    path = link_in(do_first_start(settings.BENCH))
    shown = client.get(path)
    assert shown.status_code == 200
    assert "no-store" in shown["Cache-Control"]
    assert "_auth_user_id" not in client.session  # a preview must not use it up
    answer = client.post(path)
    assert (answer.status_code, answer["Location"]) == (302, "/password/")
    assert client.session["_auth_user_id"] == str(User.objects.get().pk)
    assert client.session[BY_LINK]
    assert Client().post(path).status_code == 410
    assert Client().get(path).status_code == 410
    assert do_first_start(settings.BENCH) == ""


@pytest.mark.parametrize(
    "broken", ["/sign-in/MQ/abc-def/", "/sign-in/%01/abc/", "/sign-in/!!/abc/", "/sign-in/OTk5/a-b/"]
)
def test_a_made_up_link_signs_nobody_in(client: Client, broken: str) -> None:
    do_first_start(settings.BENCH)
    assert client.post(broken).status_code == 410
    assert "_auth_user_id" not in client.session


def test_a_link_lasts_seven_days(monkeypatch: pytest.MonkeyPatch) -> None:
    user = User.objects.create_user("alice")
    _, _, uid, token, _ = make_signin_path(user).split("/")
    assert load_person(uid, token) == user
    real_now = tokens._now()
    for days, valid in ((6.9, True), (7.1, False)):
        later = real_now + timedelta(days=days)
        monkeypatch.setattr(type(tokens), "_now", lambda _self, later=later: later)
        assert (load_person(uid, token) == user) is valid


def test_a_link_dies_with_another_sign_in_and_with_the_account() -> None:
    user = User.objects.create_user("alice")
    _, _, uid, token, _ = make_signin_path(user).split("/")
    user.last_login = timezone.now()
    user.save()
    assert load_person(uid, token) is None
    _, _, uid, token, _ = make_signin_path(user).split("/")
    user.is_active = False
    user.save()
    assert load_person(uid, token) is None


def test_posting_a_link_from_another_site_is_refused(client: Client) -> None:
    path = link_in(do_first_start(settings.BENCH))
    strict: Any = Client(enforce_csrf_checks=True)
    assert strict.post(path).status_code == 403
    assert User.objects.get().last_login is None
