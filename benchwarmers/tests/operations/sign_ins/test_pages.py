"""From the list of providers through a sign-in to its end, and the callback by itself."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from benchwarmers.tests.operations.sign_ins.conftest import HERE
from collections_app.actions.person import do_save_person
from collections_app.models import Change, Endpoint, OwnApp, SignIn, SignInSession
from collections_app.vault import secret_for
from probes.tests.sign_ins.authority import Authority

pytestmark = pytest.mark.django_db


def begin(browser: Client, provider: str, **more: str) -> str:
    """The path of the session's page."""
    answer = browser.post("/sign-ins/start/", {"provider": provider, **more})
    assert re.fullmatch(r"/sign-ins/\d+/", answer["Location"]), answer["Location"]
    return str(answer["Location"])


def agree(browser: Client, page: str, answer: str = "yes") -> str:
    """Follow the page's link to the provider and answer there; the path and query of the callback."""
    link = re.search(r'sign-in-go" href="([^"]+)"', browser.get(page).content.decode())
    assert link is not None
    came = httpx.get(f"{unescape(link[1])}&answer={answer}", follow_redirects=False)
    back = urlsplit(came.headers["location"])
    return f"{back.path}?{back.query}"


def test_the_list_says_what_can_be_signed_in_to_and_why_not(us: Authority, browser: Client) -> None:
    text = browser.get("/sign-ins/").content.decode()
    assert "Nobody is signed in anywhere" in text
    assert 'aria-label="Sign in to Keyed"' in text
    assert "application that you register" in text
    assert "Over there." in text
    away = Client(headers={"host": "testserver"})
    away.force_login(User.objects.get(username="cora"))
    text = away.get("/sign-ins/").content.decode()
    assert 'aria-label="Sign in to Keyed"' not in text
    assert 'aria-label="Sign in to Open"' in text
    assert "not on the machine that the server runs on" in text


def test_a_sign_in_goes_from_a_button_over_the_provider_to_an_endpoint(us: Authority, browser: Client) -> None:
    page = begin(browser, "open")
    waiting = browser.post(f"{page}state/", {"seen": "pending"}, headers={"hx-request": "true"})
    assert waiting.status_code == 204
    stranger = Client(headers={"host": HERE})  # the provider's page leads back without our cookie
    back = agree(browser, page)
    came = stranger.get(back)
    assert came.status_code == 200
    assert (came["Cache-Control"], came["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert "Signed in to Open" in came.content.decode()
    assert f'href="http://{HERE}/' in came.content.decode()
    assert stranger.get(back).status_code == 200
    done = browser.post(f"{page}state/", {"seen": "pending"}, headers={"hx-request": "true"})
    assert "lists 2 models" in done.content.decode()
    assert "hx-trigger" not in done.content.decode()
    assert secret_for("open") in us.tokens
    assert len(us.asked("/token")) == 1
    told = Change.objects.get(thing="sign-in")
    assert told.actor_name == "cora"
    text = browser.get("/sign-ins/").content.decode()
    assert "signed in" in text
    for address in ("/sign-ins/", page, back):
        shown = browser.get(address).content.decode()
        assert not [made for made in us.made if made in shown and "code" not in made]


def test_a_refusal_is_told_on_both_pages(us: Authority, browser: Client) -> None:
    page = begin(browser, "keyed")
    came = Client(headers={"host": HERE}).get(agree(browser, page, "no"))
    assert came.status_code == 400
    assert "The owner refused." in came.content.decode()
    text = browser.get(page).content.decode()
    assert "The owner refused." in text
    assert "Begin again" in text


@pytest.mark.parametrize("path", ["", "?state=x&code=y", "/x?code=y"])
def test_a_callback_that_nobody_waits_for_is_not_there(us: Authority, db: None, path: str) -> None:
    came = Client(headers={"host": HERE}).get(f"/connect/callback{path}")
    assert came.status_code == 404
    assert (came["Cache-Control"], came["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert us.asked("/token") == []


def test_a_callback_is_no_post(us: Authority, db: None) -> None:
    assert Client(headers={"host": HERE}).post("/connect/callback?state=x").status_code == 405


def test_a_code_is_shown_and_looked_after(us: Authority, browser: Client) -> None:
    page = begin(browser, "coded")
    session = SignInSession.objects.get()
    text = browser.get(page).content.decode()
    assert session.user_code in text
    assert f'href="{us.root}/type?code={session.user_code}"' in text
    us.answer_device(session.user_code, "granted")
    SignInSession.objects.update(polled_at=timezone.now() - timedelta(seconds=5))
    looked = browser.post(f"{page}state/", {"seen": "pending"})
    assert looked["Location"] == page
    assert "lists 2 models" in browser.get(page).content.decode()


def test_a_browser_elsewhere_is_given_a_code(us: Authority, cora: User) -> None:
    away = Client(headers={"host": "testserver"})
    away.force_login(cora)
    begin(away, "open")
    assert SignInSession.objects.get().flow == "device"
    answer = away.post("/sign-ins/start/", {"provider": "keyed"}, follow=True)
    assert "on the machine that the server runs on" in answer.content.decode()


def test_a_page_left_open_too_long_says_that_it_is_over(us: Authority, browser: Client) -> None:
    page = begin(browser, "open")
    SignInSession.objects.update(expires_at=timezone.now())
    text = browser.post(f"{page}state/", {"seen": "pending"}, headers={"hx-request": "true"}).content.decode()
    assert "Nobody agreed within the time" in text


def test_a_sign_in_is_seen_by_whoever_began_it(us: Authority, browser: Client) -> None:
    page = begin(browser, "open")
    other = Client(headers={"host": HERE})
    other.force_login(do_save_person(actor=None, username="carl", groups=["curator"]))
    assert other.get(page).status_code == 404
    assert other.post(f"{page}state/").status_code == 404


def test_an_own_application_is_chosen_and_given_back(us: Authority, browser: Client) -> None:
    def choose(client_id: str) -> Any:
        return browser.post("/sign-ins/app/", {"provider": "own", "client_id": client_id}, follow=True)

    for wrong in ("no", "with space", "x" * 201, "ümlaut"):
        assert "3 to 200 letters" in choose(wrong).content.decode()
    assert "uses your own application" in choose("mine_1.2~3:4-5").content.decode()
    assert OwnApp.objects.get().client_id == "mine_1.2~3:4-5"
    assert begin(browser, "own")
    assert "no application of your own" in choose("").content.decode()
    assert not OwnApp.objects.exists()
    assert [one.new for one in Change.objects.filter(thing="sign-in application")] == [None, "mine_1.2~3:4-5"]
    answer = browser.post("/sign-ins/app/", {"provider": "nobody", "client_id": "abc"}, follow=True)
    assert "no such provider" in answer.content.decode()


def test_signing_in_again_and_disconnecting_are_on_the_page(us: Authority, browser: Client) -> None:
    Client(headers={"host": HERE}).get(agree(browser, begin(browser, "open")))
    SignIn.objects.update(trouble="It ended.", expires_at=timezone.now())
    text = browser.get("/sign-ins/").content.decode()
    assert "sign in again" in text
    assert "It ended." in text
    text = browser.get("/endpoints/open/").content.decode()
    assert 'aria-label="Sign open in again"' in text
    page = begin(browser, "open", again="open")
    assert "sign in to Open again" in browser.get(page).content.decode()
    Client(headers={"host": HERE}).get(agree(browser, page))
    assert SignIn.objects.get().trouble == ""
    answer = browser.post("/sign-ins/of/open/end/", follow=True)
    assert "open is no longer signed in." in answer.content.decode()
    assert Endpoint.objects.filter(name="open").exists()
    assert secret_for("open") == ""


def test_a_local_provider_is_there_at_once(us: Authority, browser: Client) -> None:
    us.tokens.add("local")
    answer = browser.post("/sign-ins/start/", {"provider": "local"}, follow=True)
    assert "The endpoint local is there." in answer.content.decode()


def test_a_provider_that_does_not_exist_is_told(us: Authority, browser: Client) -> None:
    answer = browser.post("/sign-ins/start/", {"provider": "<b>"}, follow=True)
    assert "There is no provider “&lt;b&gt;”" in answer.content.decode()


def test_a_sign_in_that_the_vault_no_longer_opens_says_that_it_is_lost(us: Authority, browser: Client) -> None:
    page = begin(browser, "open")
    SignInSession.objects.update(sealed="of-another-vault")
    assert "Begin again" in browser.get(page).content.decode()
    assert SignInSession.objects.get().state == "failed"
