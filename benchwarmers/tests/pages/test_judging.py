"""Two people judge one panel from two browsers at once, and one of them works off the queue by keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD
from benchwarmers.tests.pages.test_pages import AUDIT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


@pytest.fixture
def boss(browser: Browser, house: House) -> Iterator[Page]:
    """Another browser, in which boss is signed in."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=house.address)
    page = context.new_page()
    page.goto("/login/")
    page.get_by_label("Name").fill("boss")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/login/" not in url)
    yield page
    context.close()


def press(page: Page, key: str) -> None:
    """Press it once nothing is under way and whatever came answers to keys."""
    expect(page.locator(".htmx-request, .htmx-added, .htmx-settling, .htmx-swapping")).to_have_count(0)
    page.keyboard.press(key)


def test_two_people_judge_the_same_panel_and_see_each_other(maya: Page, boss: Page, house: House) -> None:
    panel = house.play("open", "Find the race")
    house.play("seat", f"{panel}.member1", "- The lock is released before the write.\n- There is no retry at all")
    house.play("seat", f"{panel}.explorer", "1. The lock gets released before the write happens")
    for page in (maya, boss):
        page.goto(f"/panels/{panel}/")
        page.wait_for_selector("html[data-listening]")
        page.evaluate("window.untouched = true")

    maya.locator("#seat-1").get_by_role("button", name="Useful", exact=True).click()
    expect(boss.locator("#seat-1 .said")).to_contain_text("maya useful")
    boss.locator("#seat-1").get_by_role("button", name="Not useful").click()
    for page in (maya, boss):
        expect(page.locator("#seat-1 .split")).to_have_text("1 useful, 1 not. People disagree on this one.")
        expect(page.locator("#panel-head .play").first).to_contain_text("1 useful, 1 not")

    maya.locator("#claim-lines summary").first.click()
    claim = maya.locator("#claim-lines .claim", has_text="The lock is released before the write.")
    expect(claim.locator(".claim-seats a")).to_have_text([re.compile("granite-l"), re.compile("wren")])
    claim.get_by_role("button", name="Holds").click()
    for page in (maya, boss):
        settled = page.locator("#claims > .claim-rows > .claim")
        expect(settled).to_have_count(1)
        expect(settled.locator(".claim-said")).to_contain_text("holds maya")
    expect(maya.locator("#claim-lines")).to_have_attribute("open", "")
    expect(boss.locator("#seat-1 .claim-real")).to_have_text("The lock is released before the write.")
    expect(boss.locator("#seat-2 .said")).to_contain_text("maya useful")
    expect(boss.locator("#seat-2 .claim-real")).to_have_text("The lock gets released before the write happens")

    boss.locator("#claims > .claim-rows .claim").get_by_role("button", name="False").click()
    expect(maya.locator("#claims > .claim-rows .split")).to_have_text("People disagree on this one.")
    maya.locator("#seat-2").get_by_role("button", name="Withdraw").click()
    expect(maya.locator("#seat-2 .judge-ask")).to_have_text("Was it useful?")
    expect(boss.locator("#seat-2 .said")).to_have_count(0)
    assert [page.evaluate("window.untouched") for page in (maya, boss)] == [True, True]


def judge_one(page: Page, key: str) -> None:
    form = page.locator("#judging form:has([name=useful])").first
    sent = form.get_attribute("action") or ""
    press(page, key)
    expect(form).not_to_have_attribute("action", sent)  # news of it may be on the rail before the next answer is
    expect(page.locator(".judging-told")).to_have_text(re.compile("^(Seat [0-9]+|Merged answer): (not )?useful$"))
    expect(page.locator("#judging")).to_be_focused()


def test_ten_seats_are_judged_by_keyboard_alone_and_blind(maya: Page) -> None:
    maya.goto("/judge/")
    owed = maya.locator("#judge-rail .facts dd").first
    who, stands = maya.locator("#judging-who"), maya.locator(".card-time strong")
    before = int(owed.inner_text().split()[0])
    maya.keyboard.press("b")
    expect(who).to_have_text(re.compile("^(Seat [0-9]+|Merged answer)$"))
    maya.wait_for_selector("html[data-listening]")
    maya.keyboard.press("j")
    expect(maya.locator("#judging")).to_be_focused()
    expect(stands).to_have_text(re.compile("^2 of "))
    maya.keyboard.press("k")
    expect(stands).to_have_text(re.compile("^1 of "))
    expect(maya.locator("#judging")).to_be_focused()  # only then does a script send what is pressed
    for left in range(before - 1, before - 11, -1):
        judge_one(maya, "y" if left % 2 else "n")
        expect(owed).to_contain_text(f"{left} verdict")
    press(maya, "u")
    expect(owed).to_contain_text(f"{before - 9} verdict")
    expect(maya.locator("#judging")).to_be_focused()
    press(maya, "e")
    expect(maya.get_by_label("Note", exact=True)).to_be_focused()
    maya.keyboard.type("unbjkz?")
    expect(maya.get_by_label("Note", exact=True)).to_have_value("unbjkz?")
    maya.keyboard.press("Escape")
    expect(maya.locator("#judging")).to_be_focused()
    maya.keyboard.press("c")
    expect(maya.get_by_label("Claims that hold")).to_be_focused()
    maya.keyboard.press("Escape")
    maya.keyboard.press("?")
    expect(maya.locator("#shortcuts-here")).to_contain_text("Undo the last verdict")
    maya.keyboard.press("Escape")
    maya.keyboard.press("o")
    maya.wait_for_url("**/panels/**")
    expect(maya.locator("#panel-head")).to_contain_text("You judge blind")
    maya.keyboard.press("b")
    expect(maya.locator("#panel-head")).not_to_contain_text("You judge blind")


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_the_queue_has_names_contrast_and_fits_the_window(boss: Page, theme: str, width: int) -> None:
    boss.set_viewport_size({"width": width, "height": 844})
    boss.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for address in ("/judge/", "/judge/?whose=all&days=7", "/judge/import/"):
        boss.goto(address)
        boss.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        assert boss.evaluate(AUDIT) == [], address
