"""What each role comes for, done in a browser by somebody who has that role and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from benchwarmers.tests.pages.artifacts import keep
from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


def enter(page: Page, name: str, *, on_phone: bool = False) -> Page:
    """The window after this person signed in by keyboard; on a phone it is 390 px wide and dark."""
    if on_phone:
        page.set_viewport_size({"width": 390, "height": 844})
        page.emulate_media(color_scheme="dark")
    page.goto("/login/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/login/" not in url)
    return page


def go(page: Page, place: str) -> None:
    """To a place by the navigation, through its menu where the window is narrow."""
    if (menu := page.get_by_role("button", name="Menu")).is_visible():
        menu.click()
    page.get_by_role("link", name=place, exact=True).first.click()


def assert_it_fits(page: Page) -> None:
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


@contextmanager
def window(browser: Browser, house: House) -> Iterator[Page]:
    """One that belongs to nobody yet."""
    context = browser.new_context(base_url=house.address)
    yield context.new_page()
    context.close()


def test_a_viewer_reads_a_shared_panel_and_the_models_and_is_offered_no_deed(page: Page, house: House) -> None:
    panel = house.play("shared", "ben", "Which of the two locks is taken first?")
    enter(page, "zoe", on_phone=True)
    deeds = page.locator("main form[method=post]")
    for place in ("Ask", "Queue", "Onboard", "Schedule", "People"):
        expect(page.locator(".side").get_by_role("link", name=place, exact=True)).to_have_count(0)
    go(page, "Panels")
    expect(page.get_by_role("heading", name="No panel for you to see")).to_be_visible()
    page.goto(f"/panels/{panel}/")
    expect(page.locator("main")).to_contain_text("Which of the two locks is taken first?")
    expect(page.locator("main")).to_contain_text("The outer one.")
    expect(page.get_by_role("button", name="Useful", exact=True)).to_have_count(0)
    expect(page.get_by_role("link", name="Ask again")).to_have_count(0)
    expect(deeds).to_have_count(0)
    assert_it_fits(page)
    keep(page, "viewer-panel-phone")
    go(page, "Models")
    page.get_by_role("link", name="granite-l", exact=True).click()
    expect(page.get_by_role("heading", name="What is known of it")).to_be_visible()
    expect(deeds).to_have_count(0)
    expect(page.locator("main").get_by_role("textbox")).to_have_count(0)
    assert_it_fits(page)
    keep(page, "viewer-model-phone")


def test_a_caller_asks_judges_an_answer_and_makes_a_key(page: Page) -> None:
    enter(page, "ben")
    go(page, "Ask")
    page.locator("#ask-collection").select_option("practice")
    page.locator("#ask-more").evaluate("one => { one.open = true }")
    page.get_by_label("Only these").fill("practice-terse, practice-wrong")
    page.get_by_label("Your question").fill("What is 20 + 22?")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#seat-1 .seat-answer")).to_have_text("42")
    expect(page.locator("#match-told")).to_contain_text("2 of 2 finished")
    page.locator("#seat-1").get_by_role("button", name="Useful", exact=True).click()
    expect(page.locator("#seat-1 .judge-ask")).to_contain_text("Your verdict")
    keep(page, "caller-judged")
    go(page, "Keys")
    page.get_by_role("link", name="Make a key", exact=True).click()
    page.get_by_label("Name").fill("by-ben")
    page.get_by_role("button", name="Make the key").click()
    expect(page.get_by_role("heading", name="by-ben is made")).to_be_visible()
    expect(page.locator("#plain-key")).to_have_text(re.compile(r"^bwk_"))
    page.get_by_role("link", name="Look at the key").click()
    keep(page, "caller-key")  # not the page before: a picture is no place for a secret


def test_a_curator_puts_a_member_first_and_sees_the_next_panel_follow(page: Page, house: House) -> None:
    house.play("collection", "relay", "osprey", "wren")
    enter(page, "maya", on_phone=True)
    go(page, "Collections")
    page.get_by_role("link", name="bench/relay").click()
    seats = page.locator("#preview .next-up-list .name")
    expect(seats.first).to_have_text("osprey")
    page.get_by_role("link", name="Change", exact=True).click()
    page.get_by_label("Search models").fill("quill")
    page.locator("#add-quill-2").check()
    expect(page.locator(".picked-row")).to_have_count(3)
    page.get_by_role("button", name="Remove osprey").click()
    expect(page.locator(".picked-row .name")).to_have_text(["wren", "quill-2"])
    expect(seats.first).to_have_text("wren")
    assert_it_fits(page)
    keep(page, "curator-edits-phone")
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/collections/relay/")
    expect(seats.first).to_have_text("wren")
    expect(seats.nth(1)).to_have_text("quill-2")
    assert_it_fits(page)
    keep(page, "curator-collection-phone")


def test_an_admin_invites_a_person_and_changes_a_setting(page: Page, browser: Browser, house: House) -> None:
    enter(page, "boss")
    go(page, "People")
    page.get_by_role("link", name="Invitations").click()
    page.get_by_label("Group").select_option("caller")
    page.get_by_role("button", name="Make a link").click()
    link = page.locator(".once code").inner_text()
    with window(browser, house) as other:
        other.goto(re.sub(r"^https?://[^/]+", house.address, link))
        expect(other.get_by_role("heading", level=1)).to_be_visible()
        keep(other, "admin-invitation")
    go(page, "Settings")
    days = page.get_by_label("Days logs and ended jobs are kept")
    days.fill("400")
    page.get_by_role("button", name="Save Keeping").click()
    expect(page.get_by_role("status").first).to_be_visible()
    page.reload()
    expect(days).to_have_value("400")
    keep(page, "admin-settings")
