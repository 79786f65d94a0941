"""Every way in, in a browser: single sign-on, a one-time code, a passkey, an invitation."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from playwright.sync_api import Browser, Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD
from benchwarmers.tests.pages.test_pages import AUDIT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]
START = re.compile(r"//[^/]+/$")
"""Where whoever has signed in comes out."""


@contextmanager
def window(browser: Browser, address: str) -> Iterator[Page]:
    """A fresh one, that may also go elsewhere. Whatever breaks our policy is an error."""
    context = browser.new_context(base_url=address)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    context.close()
    assert complaints == []


def sign_in(page: Page, name: str) -> None:
    page.goto("/login/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def sign_out(page: Page) -> None:
    page.locator("#me summary").click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/login/")


def show_again(page: Page) -> None:
    expect(page.get_by_role("heading", name="Is it you?")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()


def authorize(page: Page, sub: str) -> None:
    """At the provider's own page."""
    page.locator("input[name=sub]").fill(sub)
    page.get_by_role("button", name="Authorize").click()


def test_somebody_comes_in_through_the_provider(browser: Browser, house: House) -> None:
    house.provider.knows("eve-9", email="eve@example.org", email_verified=True, preferred_username="eve")
    with window(browser, house.address) as page:
        page.goto("/login/?next=/account/")
        page.get_by_role("link", name="Sign in with The House").click()
        authorize(page, "eve-9")
        page.wait_for_url("**/account/")
        expect(page.get_by_role("heading", name="Your account")).to_be_visible()
        expect(page.locator("#me .who")).to_have_text("eve")
        expect(page.locator(".ways")).to_contain_text(["The House"])


def test_a_stranger_is_told_whom_to_ask(browser: Browser, house: House) -> None:
    house.provider.knows("mallory", email="mallory@elsewhere.example", email_verified=True)
    with window(browser, house.address) as page:
        page.goto("/login/")
        page.get_by_role("link", name="Sign in with The House").click()
        authorize(page, "mallory")
        expect(page.get_by_role("heading", name="Not let in")).to_be_visible()
        expect(page.locator("main")).to_contain_text("Ask an admin")
        page.get_by_role("link", name="Back to the sign-in page").click()
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_second_step_by_code_is_turned_on_and_asked_for(browser: Browser, house: House) -> None:
    house.program("guest", "person", "tom", "caller")
    with window(browser, house.address) as page:
        sign_in(page, "tom")
        page.goto("/account/")
        page.get_by_role("link", name="Turn on").click()
        show_again(page)
        secret = page.locator("code.secret").inner_text()
        expect(page.get_by_alt_text("The secret as a QR code")).to_be_visible()
        page.get_by_label("Code").fill(code_of(secret))
        page.get_by_role("button", name="Turn on").click()
        expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
        spare = page.locator(".codes code").first.inner_text()
        for entered in (code_of(secret), spare):
            sign_out(page)
            sign_in(page, "tom")
            expect(page.get_by_role("heading", name="One more step")).to_be_visible()
            page.get_by_label("Code").fill(entered)
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_url(START)


def code_of(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, int(time.time()) // 30)))


def test_a_passkey_signs_in_without_a_password_and_serves_as_a_second_step(browser: Browser, house: House) -> None:
    house.program("guest", "person", "pia", "caller")
    # An address of numbers cannot have passkeys; `localhost` can, even without https.
    with window(browser, house.address.replace("127.0.0.1", "localhost")) as page:
        line = page.context.new_cdp_session(page)
        line.send("WebAuthn.enable")
        device = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        line.send("WebAuthn.addVirtualAuthenticator", {"options": device})
        sign_in(page, "pia")
        page.goto("/account/")
        page.get_by_role("link", name="Add").click()
        show_again(page)
        page.get_by_label("What to call it").fill("my phone")
        page.get_by_role("button", name="Add passkey").click()
        expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
        page.goto("/account/")
        expect(page.locator(".ways").first).to_contain_text("my phone")
        sign_out(page)
        page.get_by_role("button", name="Use a passkey").click()
        page.wait_for_url(START)
        sign_out(page)
        sign_in(page, "pia")
        page.get_by_role("button", name="Use a passkey").click()
        page.wait_for_url(START)
        page.goto("/account/")
        page.get_by_role("link", name="Remove my phone").click()
        show_again(page)
        page.get_by_role("button", name="Remove").click()
        expect(page.get_by_role("status").first).to_contain_text("The passkey is removed.")


def test_an_invitation_goes_from_an_admin_to_a_new_person(page: Page, browser: Browser, house: House) -> None:
    sign_in(page, "boss")
    page.goto("/invitations/")
    page.get_by_label("Group").select_option("caller")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator(".once code").inner_text()
    with window(browser, house.address) as guest:
        guest.goto(link)
        guest.get_by_label("Name").fill("iris")
        guest.get_by_label("Password").fill(PASSWORD)
        guest.get_by_role("button", name="Make my account").click()
        guest.wait_for_url(START)
        guest.goto(link)
        expect(guest.get_by_role("heading", name="This invitation is worn")).to_be_visible()
    page.goto("/invitations/")
    expect(page.locator("table")).to_contain_text("used by iris")


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_pages_about_people_have_names_contrast_and_fit_the_window(
    page: Page, house: House, theme: str, width: int
) -> None:
    house.invitation = house.invitation or house.program("guest", "house")
    page.set_viewport_size({"width": width, "height": 844})
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for address in ("/login/", house.invitation, "/login/cancelled/"):
        page.goto(address)
        assert page.evaluate(AUDIT) == [], address
    sign_in(page, "boss")
    for address in (
        "/account/",
        "/people/",
        "/people/?q=nobody-like-it",
        "/people/maya/",
        "/teams/",
        "/teams/harbour-masters/",
        "/invitations/",
        "/service-accounts/",
        "/service-accounts/merge-watch/",
        "/account/codes/",
    ):
        page.goto(address)
        assert page.evaluate(AUDIT) == [], address
