"""A person's keys in the browser: made, copied, seen by others at once, rotated, revoked; with and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD
from benchwarmers.tests.pages.test_pages import AUDIT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


def make(page: Page, name: str) -> str:
    """A key that opens core alone and may ask three times a day; returns it, and leaves its page open."""
    page.goto("/keys/new/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Only these:").check()
    page.get_by_label("bench/core").check()
    page.get_by_role("spinbutton", name="Requests a day").fill("3")
    page.get_by_role("button", name="Make the key").click()
    expect(page.get_by_role("heading", name=f"{name} is made")).to_be_visible()
    plain = page.locator("#plain-key").inner_text()
    page.get_by_role("link", name="Look at the key").click()
    return plain


def test_a_new_key_is_copied_from_the_only_page_that_shows_it(maya: Page, house: House) -> None:
    maya.context.grant_permissions(["clipboard-read", "clipboard-write"])
    maya.goto("/keys/new/")
    maya.get_by_label("Name").fill("copied")
    maya.get_by_role("button", name="Make the key").click()
    plain = maya.locator("#plain-key").inner_text()
    assert re.fullmatch(r"bwk_[\w-]{43}", plain)
    maya.get_by_role("button", name="Copy the key").click()
    expect(maya.get_by_role("button", name="Copy the key")).to_have_attribute("data-copied", "")
    assert maya.evaluate("navigator.clipboard.readText()") == plain
    expect(maya.locator("pre").first).to_contain_text(f"curl {house.address}/v1/chat/completions")
    expect(maya.locator("pre").nth(1)).to_contain_text(f'base_url="{house.address}/v1"')
    maya.get_by_role("link", name="Look at the key").click()
    expect(maya.locator("main")).to_contain_text(f"…{plain[-4:]}")
    assert plain not in maya.content()


def test_a_list_that_is_open_shows_a_key_as_soon_as_it_is_made(maya: Page) -> None:
    maya.goto("/keys/")
    maya.wait_for_selector("html[data-listening]")
    make(maya.context.new_page(), "at-once")
    row = maya.locator(".keyrow", has_text="at-once")
    expect(row).to_contain_text("bench/core")
    expect(row).to_contain_text("0 of 3 requests a day")
    expect(row.get_by_role("progressbar", name="0 of 3 requests a day")).to_be_visible()


def test_a_key_is_rotated_and_revoked_after_being_asked_once(maya: Page) -> None:
    make(maya, "stays")  # with no key left there is nothing to search
    maya.get_by_role("link", name="Keys").first.click()
    plain = make(maya, "short-lived")
    maya.get_by_label("The old one closes").select_option(label="in an hour")
    maya.get_by_role("button", name="Rotate").click()
    expect(maya.get_by_role("heading", name="short-lived is rotated")).to_be_visible()
    expect(maya.locator("main")).to_contain_text(f"The old one (…{plain[-4:]}) opens until")
    maya.get_by_role("link", name="Look at the key").click()
    expect(maya.locator(".key-facts")).to_contain_text("old secret until")
    sure = maya.get_by_role("button", name="Revoke short-lived for good")
    expect(sure).to_be_hidden()
    maya.locator("summary", has_text="Revoke this key").click()
    sure.click()
    expect(maya.get_by_role("status").first).to_contain_text("opens nothing any more")
    maya.get_by_label("Search names").fill("short-lived")
    expect(maya.get_by_role("heading", name="Nothing fits")).to_be_visible()
    maya.get_by_label("State").select_option("revoked")
    expect(maya.locator(".keyrow", has_text="short-lived")).to_contain_text("revoked")
    maya.reload()
    expect(maya.locator(".keyrow")).to_have_count(1)


def test_everything_about_keys_works_without_scripts(browser: Browser, house: House) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=house.address)
    page = context.new_page()
    page.goto("/keys/")
    page.get_by_label("Name").fill("ben")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    make(page, "plain-html")
    page.get_by_role("spinbutton", name="Requests a day").fill("2")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_contain_text("as you said")
    expect(page.locator(".key-facts")).to_contain_text("0 of 2 requests a day")
    page.get_by_role("spinbutton", name="Requests a day").fill("9")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("Only an admin may raise or remove")
    page.get_by_role("link", name="Keys").last.click()
    page.get_by_label("State").select_option("rotating")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("heading", name="Nothing fits")).to_be_visible()
    page.get_by_role("link", name="Show all keys").click()
    page.get_by_role("link", name="plain-html").click()
    page.locator("summary", has_text="Revoke this key").click()
    page.get_by_role("button", name="Revoke plain-html for good").click()
    expect(page.get_by_role("status").first).to_contain_text("is revoked")
    context.close()


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_the_pages_of_keys_have_names_contrast_and_fit_the_window(maya: Page, theme: str, width: int) -> None:
    maya.set_viewport_size({"width": width, "height": 844})
    maya.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    make(maya, f"looked-at-{width}-{theme}")
    own = maya.url
    for address in ("/keys/", "/keys/?q=nothing-like-it", "/keys/new/", own):
        maya.goto(address)
        maya.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        assert maya.evaluate(AUDIT) == [], address
    maya.get_by_role("button", name="Rotate").click()
    maya.locator("#plain-key").wait_for()
    assert maya.evaluate(AUDIT) == []
