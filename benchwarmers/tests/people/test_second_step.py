"""The second step of signing in, and showing again that it is oneself."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.contrib.auth.models import User
from django.core import mail
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import get_resolver

from benchwarmers.dashboard.throttle import CODE_LIMIT, PAIR_LIMIT
from benchwarmers.signin_link import make_signin_path
from benchwarmers.tests.dashboard.test_sign_in import UNREACHABLE
from benchwarmers.tests.pages.seed import PASSWORD
from collections_app.actions.program import do_make_program
from collections_app.models import Change

As = Callable[[str], Client]
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
NOW_S = 1_795_953_600


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """The time that codes are made by."""
    counters = "benchwarmers.people.second_factor.yield_hotp_counters_from_time"

    def stand(period: int) -> None:
        monkeypatch.setattr(counters, lambda: iter((period - 1, period, period + 1)))

    stand(NOW_S // 30)
    return stand


@pytest.fixture
def bens_codes(clock: Callable[[int], None]) -> User:
    """ben has a code generator and recovery codes."""
    from benchwarmers.people.second_factor import SecondFactorAdapter

    ben = User.objects.get(username="ben")
    Authenticator.objects.create(user=ben, type="totp", data={"secret": SecondFactorAdapter().encrypt(SECRET)})
    RecoveryCodes.activate(ben)
    return ben


def code(period: int = NOW_S // 30) -> str:
    return str(format_hotp_value(hotp_value(SECRET, period)))


def first_step(client: Client, wanted: str = "/panels/") -> HttpResponse:
    return client.post("/login/", {"username": "ben", "password": PASSWORD, "next": wanted})  # type: ignore[return-value]


def second_step(client: Client, code: str) -> HttpResponse:
    return client.post("/login/code/", {"code": code})  # type: ignore[return-value]


def test_a_password_alone_opens_nothing_and_the_code_leads_on(client: Client, bens_codes: User) -> None:
    assert first_step(client)["Location"] == "/login/code/"
    assert client.get("/panels/")["Location"].startswith("/login/")
    first_step(client)
    assert "One more step" in client.get("/login/code/").content.decode()
    assert second_step(client, code())["Location"] == "/panels/"
    assert client.get("/panels/").status_code == 200


def test_a_code_opens_once_even_within_its_time(client: Client, bens_codes: User, clock: Callable[[int], None]) -> None:
    first_step(client)
    second_step(client, code())
    other = Client()
    first_step(other)
    answer = second_step(other, code())
    assert "used already" in answer.content.decode()
    clock(NOW_S // 30 + 1)
    assert second_step(other, code(NOW_S // 30)).status_code == 200  # an older one neither
    assert second_step(other, code(NOW_S // 30 + 1)).status_code == 302


def test_each_recovery_code_opens_once(client: Client, bens_codes: User) -> None:
    spare = Authenticator.objects.get(user=bens_codes, type="recovery_codes").wrap().get_unused_codes()[0]
    first_step(client)
    assert second_step(client, f"{spare[:4]} {spare[4:]}").status_code == 302
    other = Client()
    first_step(other)
    assert second_step(other, spare).status_code == 200


def test_wrong_codes_are_counted_and_the_right_one_must_then_wait(client: Client, bens_codes: User) -> None:
    first_step(client)
    for _ in range(PAIR_LIMIT):
        assert "is wrong" in second_step(client, "000000").content.decode()
    assert "Wait 15 minutes" in second_step(client, code()).content.decode()


def test_a_new_first_step_and_a_new_address_win_no_more_guesses_than_the_person_has(
    client: Client, bens_codes: User
) -> None:
    for number in range(CODE_LIMIT):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        first_step(client)
        second_step(client, "000000")
    fresh = Client(REMOTE_ADDR="192.0.2.200")
    first_step(fresh)
    assert "Wait 15 minutes" in second_step(fresh, code()).content.decode()


def test_the_second_step_works_while_the_cache_is_away(client: Client, bens_codes: User) -> None:
    with override_settings(CACHES=UNREACHABLE):
        first_step(client)
        assert "is wrong" in second_step(client, "000000").content.decode()
        assert second_step(client, code()).status_code == 302
        other = Client()
        first_step(other)
        assert second_step(other, code()).status_code == 200


def test_a_sign_in_link_stands_for_the_password_alone(client: Client, bens_codes: User) -> None:
    path = make_signin_path(bens_codes)
    assert client.post(path)["Location"] == "/login/code/"
    assert "_auth_user_id" not in client.session
    assert second_step(client, code())["Location"] == "/password/"
    assert "old_password" not in client.get("/password/").content.decode()


def test_secrets_of_codes_lie_sealed(as_person: As) -> None:
    client = as_person("ben")
    client.post("/account/again/password/?next=/account/codes/", {"password": PASSWORD})
    secret = client.get("/account/codes/").context["form"].secret
    stored = TOTP.activate(User.objects.get(username="ben"), secret).instance.data["secret"]
    assert secret not in stored
    assert Authenticator.objects.get().wrap().instance.data["secret"] == stored


def test_nobody_gets_a_second_step_without_showing_the_password_again(as_person: As) -> None:
    client = as_person("ben")
    for path in ("/account/codes/", "/account/passkeys/add/", "/account/recovery/new/"):
        assert client.get(path)["Location"].startswith("/account/again/password/")
    for _ in range(PAIR_LIMIT):
        answer = client.post("/account/again/password/?next=/account/codes/", {"password": "no"})
        assert "not your password" in answer.content.decode()
    answer = client.post("/account/again/password/?next=/account/codes/", {"password": PASSWORD})
    assert "Wait 15 minutes" in answer.content.decode()


def test_an_admin_takes_a_lost_second_step_away(as_person: As, bens_codes: User, client: Client) -> None:
    as_person("amy").post("/people/ben/factors/forget/")
    assert not Authenticator.objects.exists()
    row = Change.objects.get(field="second factors")
    assert (row.actor_name, row.name, row.old) == ("amy", "ben", ["one-time codes", "recovery codes"])
    client.post("/sign-out/")
    assert first_step(client)["Location"] == "/panels/"


def test_service_accounts_and_the_disabled_come_in_by_no_way(client: Client) -> None:
    robot = do_make_program(actor=None, name="ci").user
    robot.set_password(PASSWORD)
    robot.save()
    User.objects.filter(username="zoe").update(is_active=False)
    for name in ("ci", "zoe"):
        person = User.objects.get(username=name)
        assert client.post("/login/", {"username": name, "password": PASSWORD}).status_code == 200
        assert client.post(make_signin_path(person)).status_code == 410
        client.force_login(person)
        assert client.get("/panels/")["Location"].startswith("/login/")
        client.logout()


def test_whoever_is_disabled_between_the_steps_stays_outside(client: Client, bens_codes: User) -> None:
    first_step(client)
    User.objects.filter(username="ben").update(is_active=False)
    second_step(client, code())
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(
    "path",
    ["/signup/", "/accounts/signup/", "/account/email/", "/password/reset/", "/account/inactive/", "/2fa/", "/oidc/"],
)
def test_pages_of_the_library_that_nobody_needs_are_not_there(as_person: As, path: str) -> None:
    assert as_person("boss").get(path).status_code == 404


def test_no_mail_is_sent_and_no_name_of_an_unserved_page_leads_anywhere(client: Client, bens_codes: User) -> None:
    first_step(client)
    second_step(client, code())
    assert mail.outbox == []
    names = set(get_resolver().reverse_dict)
    assert not {"account_signup", "account_email", "account_reset_password", "socialaccount_signup"} & names


def test_the_admin_has_no_sign_in_of_its_own(client: Client) -> None:
    answer = client.post("/admin/login/", {"username": "boss", "password": PASSWORD})
    assert answer.status_code != 200
    assert "_auth_user_id" not in client.session


def test_the_admin_has_no_password_form_of_its_own(as_person: As) -> None:
    client = as_person("boss")
    fresh = {"old_password": PASSWORD, "new_password1": "plank and four legs", "new_password2": "plank and four legs"}
    assert client.get("/admin/password_change/")["Location"] == "/password/"
    assert client.post("/admin/password_change/", fresh)["Location"] == "/password/"
    assert User.objects.get(username="boss").check_password(PASSWORD)
