"""What a curator does with models in the browser: find one, see it fail while looking, change it, retire several."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.test_pages import AUDIT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


@pytest.fixture(scope="module")
def month(house: House) -> None:
    house.program("probed", "month")


@pytest.mark.usefixtures("month")
def test_models_are_found_and_sorted_and_news_comes_without_losing_what_is_ticked(maya: Page, house: House) -> None:
    maya.goto("/roster/")
    maya.get_by_label("Search aliases").fill("gran")
    maya.wait_for_url("**/roster/?q=gran*")
    expect(maya.locator(".roster-what a")).to_have_text(["granite-l"])
    maya.get_by_label("Choose granite-l").check()
    maya.wait_for_selector("html[data-listening]")
    house.program("probed", "fails", "granite-l")
    expect(maya.locator(".chip", has_text="throttled")).to_be_visible()
    expect(maya.get_by_label("Choose granite-l")).to_be_checked()


@pytest.mark.usefixtures("month")
def test_a_model_is_opened_and_what_is_stated_of_it_holds(maya: Page) -> None:
    maya.goto("/roster/")
    maya.get_by_role("link", name="wren", exact=True).click()
    expect(maya.get_by_role("heading", name="wren", exact=True)).to_be_visible()
    maya.get_by_text("Day by day", exact=True).click()
    expect(maya.get_by_role("group", name="Day by day")).to_contain_text("capacity")
    maya.get_by_label("Context window, as you state it").fill("64000")
    maya.get_by_role("button", name="Save what you state").click()
    expect(maya.get_by_role("status").first).to_contain_text("What you state of wren holds.")
    field = maya.get_by_label("Context window, as you state it")
    expect(field).to_have_value("64000")
    field.fill("")
    maya.get_by_role("button", name="Save what you state").click()
    expect(field).to_have_value("")
    expect(maya.get_by_role("status").first).to_contain_text("What you state of wren holds.")


@pytest.mark.usefixtures("month")
def test_retiring_asks_first_and_is_undone_by_restoring(maya: Page) -> None:
    maya.goto("/roster/?q=tern")
    maya.get_by_label("Choose tern-mini").check()
    maya.get_by_role("button", name="Retire", exact=True).click()
    maya.get_by_role("button", name="Leave it").click()
    expect(maya.get_by_label("Choose tern-mini")).to_be_visible()
    maya.get_by_role("button", name="Retire", exact=True).click()
    maya.locator("dialog").get_by_role("button", name="Retire").click()
    expect(maya.get_by_role("status").first).to_contain_text("Retired: tern-mini.")
    maya.goto("/roster/tern-mini/")
    maya.get_by_role("button", name="Restore").click()
    expect(maya.get_by_role("status").first).to_contain_text("tern-mini is back on the bench")


@pytest.mark.usefixtures("month")
@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_the_pages_have_names_contrast_and_fit_the_window(maya: Page, theme: str, width: int) -> None:
    maya.set_viewport_size({"width": width, "height": 844})
    maya.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for address in ("/roster/", "/roster/?retired=only", "/roster/?q=nothing-like-it", "/roster/wren/"):
        maya.goto(address)
        maya.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        assert maya.evaluate(AUDIT) == [], address
