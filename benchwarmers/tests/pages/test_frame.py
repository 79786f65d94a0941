"""The frame around every page, with hands on the keyboard: the palette, the shortcuts, the themes, a narrow window."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


def test_the_palette_finds_and_goes_without_the_mouse(maya: Page) -> None:
    maya.keyboard.press("Control+k")
    field = maya.get_by_role("combobox", name="Find pages")
    expect(field).to_be_focused()
    field.press_sequentially("heron")
    chosen = maya.locator('#find-found [aria-selected="true"]')
    expect(chosen).to_contain_text("heron-70b")
    expect(field).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "")
    field.press("Enter")
    maya.wait_for_url("**/roster/heron-70b/")
    maya.keyboard.press("Control+k")
    expect(field).to_be_focused()
    expect(maya.locator("#find-found .hit").first).to_be_visible()
    field.press("Escape")
    expect(field).to_be_hidden()


def test_letters_lead_to_places_and_can_be_switched_off(maya: Page) -> None:
    maya.keyboard.press("g")
    maya.keyboard.press("m")
    maya.wait_for_url("**/roster/")
    maya.keyboard.press("?")
    sheet = maya.get_by_role("dialog", name="Keyboard shortcuts")
    expect(sheet).to_contain_text("Find anything")
    expect(sheet.locator(".shortcuts-go")).to_contain_text("Conversations")
    sheet.get_by_label("Without single letters").check()
    maya.keyboard.press("Escape")
    maya.keyboard.press("?")
    expect(sheet).to_be_hidden()
    maya.evaluate("localStorage.clear()")
    maya.keyboard.press("/")
    expect(maya.locator("main input[type=search]").first).to_be_focused()
    maya.keyboard.press("g")
    maya.keyboard.press("p")
    expect(maya.locator("main input[type=search]").first).to_have_value("gp")


def test_on_a_phone_the_places_lie_behind_a_button(maya: Page) -> None:
    maya.set_viewport_size({"width": 390, "height": 844})
    places = maya.get_by_role("navigation", name="Sections")
    expect(places).to_be_hidden()
    maya.get_by_role("button", name="Menu").click()
    expect(places).to_be_visible()
    maya.keyboard.press("Escape")
    expect(places).to_be_hidden()
    maya.get_by_role("button", name="Menu").click()
    places.get_by_role("link", name="Usage").click()
    maya.wait_for_url("**/usage/")


def test_the_theme_of_high_contrast_is_light_or_dark_as_the_system_is(maya: Page) -> None:
    maya.locator("#me summary").click()
    maya.get_by_role("button", name="Contrast").click()
    expect(maya.locator("html")).to_have_attribute("data-theme", "contrast")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    maya.emulate_media(color_scheme="light")
    assert maya.evaluate(ground) == "rgb(255, 255, 255)"
    maya.emulate_media(color_scheme="dark")
    assert maya.evaluate(ground) == "rgb(0, 0, 0)"
