"""What providers offer, in the browser: gathered from what comes with the program, looked through, on a phone too."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from benchwarmers.tests.pages.test_judging import boss  # noqa: F401  # a fixture
from benchwarmers.tests.pages.test_pages import AUDIT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


@pytest.fixture
def shelf(boss: Page) -> Page:  # noqa: F811
    """The window of boss, at the list, which is gathered at a press where nobody pressed yet."""
    boss.goto("/discover/")
    press = boss.get_by_role("button", name="Show what comes with the program")
    if press.count():
        press.click()
    expect(boss.locator(".disc-table tbody tr")).to_have_count(50, timeout=60_000)
    return boss


def test_offers_are_narrowed_as_one_types_and_one_opens_beside_the_list(shelf: Page) -> None:
    shelf.get_by_placeholder("Model or provider").fill("gpt-oss-120b")
    shelf.wait_for_url("**/discover/?q=gpt-oss-120b")
    expect(shelf.locator(".disc-count")).not_to_contain_text("page 1 of")
    shelf.get_by_label("Reach").select_option("easy")
    shelf.wait_for_url("**/discover/?q=gpt-oss-120b&reach=easy")
    first = shelf.locator(".disc-table tbody tr a").first
    name = first.inner_text()
    first.click()
    expect(shelf.locator("#offer").get_by_role("heading", name=name)).to_be_visible()
    expect(shelf.locator("#offer")).to_contain_text("Its API is at")
    shelf.locator("#offer").get_by_role("link", name="Add an endpoint").click()
    expect(shelf.locator("[name=base]")).to_have_value(told_base(shelf))


def told_base(page: Page) -> str:
    """The base that the address brings."""
    return str(page.evaluate("new URL(location).searchParams.get('base')"))


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_the_pages_of_offers_have_names_contrast_and_fit_the_window(shelf: Page, theme: str, width: int) -> None:
    shelf.set_viewport_size({"width": width, "height": 844})
    shelf.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    shelf.goto("/discover/")
    shelf.locator(".disc-table tbody tr a").first.click()
    expect(shelf.locator("#offer article")).to_be_visible()
    assert shelf.evaluate(AUDIT) == []
    offer = shelf.get_by_role("link", name="own page").get_attribute("href") or ""
    for address in (offer, "/discover/?q=nothing-like-it", "/discover/sources/"):
        shelf.goto(address)
        assert shelf.evaluate(AUDIT) == [], address
