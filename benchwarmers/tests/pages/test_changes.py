"""The change log and the log of readings in the browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.test_judging import boss  # noqa: F401  # a fixture
from benchwarmers.tests.pages.test_pages import AUDIT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


def test_a_change_is_found_by_typing_and_a_look_at_a_panel_is_on_record(boss: Page, house: House) -> None:  # noqa: F811
    boss.goto(f"/panels/{house.showpiece}/")
    boss.get_by_role("navigation", name="Sections").get_by_role("link", name="Changes").click()
    expect(boss.get_by_role("heading", name="Changes", exact=True)).to_be_visible()
    boss.get_by_placeholder("Name contains").fill("practi")
    expect(boss.locator("#log tbody tr").first).to_contain_text("practice")
    boss.wait_for_url("**/changes/?q=practi")
    boss.get_by_role("link", name="Answers read").click()
    expect(boss.locator("#log tbody tr", has_text=house.showpiece)).to_contain_text("boss")


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_the_logs_have_names_contrast_and_fit_the_window(boss: Page, theme: str, width: int) -> None:  # noqa: F811
    boss.set_viewport_size({"width": width, "height": 844})
    boss.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for address in ("/changes/", "/changes/?q=nothing-like-it", "/changes/readings/"):
        boss.goto(address)
        assert boss.evaluate(AUDIT) == [], address
