"""A collection in the browser: its members put in order by dragging and by keyboard, its next panel shown before it is
saved, and the same without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


def members(page: Page) -> Locator:
    return page.locator(".picked-row .name")


def test_members_are_put_in_order_by_hand_and_keyboard_and_the_next_panel_follows(maya: Page) -> None:
    maya.goto("/collections/new/")
    maya.get_by_label("Name", exact=True).fill("by-hand")
    next_up = maya.locator("#preview")
    for alias in ("osprey", "wren", "quill-2"):
        maya.get_by_label("Search models").fill(alias)
        maya.locator(f"#add-{alias}").check()
        expect(members(maya).last).to_have_text(alias)
    expect(next_up).to_contain_text("Member 3 of bench/by-hand")
    expect(maya.locator("#spoken")).to_have_text("quill-2 added, number 3 of 3")

    up = maya.get_by_role("button", name="Move quill-2 up")
    up.focus()
    maya.keyboard.press("Enter")
    expect(maya.locator("#spoken")).to_have_text("quill-2 is number 2 of 3")
    expect(up).to_be_focused()
    maya.keyboard.press("Enter")
    expect(members(maya)).to_have_text(["quill-2", "osprey", "wren"])

    grip, onto = maya.locator(".picked-grip").nth(2).bounding_box(), maya.locator(".picked-row").first.bounding_box()
    assert grip is not None
    assert onto is not None
    maya.mouse.move(grip["x"] + 4, grip["y"] + 8)
    maya.mouse.down()
    maya.mouse.move(grip["x"] + 4, grip["y"] - 20, steps=4)
    maya.mouse.move(grip["x"] + 4, onto["y"] + 4, steps=8)
    maya.mouse.up()
    expect(members(maya)).to_have_text(["wren", "quill-2", "osprey"])
    expect(maya.locator("#spoken")).to_have_text("wren is number 1 of 3")
    expect(next_up.locator("li .name").first).to_have_text("wren")

    maya.get_by_label("Reply").select_option("route")
    expect(next_up).to_contain_text("of a hundred")
    maya.get_by_role("button", name="Remove quill-2").click()
    maya.get_by_role("button", name="Make it").click()
    maya.wait_for_url("**/collections/by-hand/")
    expect(maya.locator(".next-up-list .name")).to_have_count(2)


def test_a_collection_is_made_without_scripts(browser: Browser, house: House) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=house.address)
    page = context.new_page()
    page.goto("/collections/new/")
    page.get_by_label("Name").fill("maya")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Name", exact=True).fill("by-form")
    page.locator("#add-wren").check()
    page.locator("#add-osprey").check()
    page.get_by_role("button", name="Add the ticked").click()
    page.get_by_role("button", name="Move wren up").click()
    expect(members(page)).to_have_text(["wren", "osprey"])
    expect(page.locator("#preview")).to_contain_text("Member 1 of bench/by-form")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("status").first).to_contain_text("bench/by-form is saved")
    page.locator("summary", has_text="Remove this collection").click()
    page.get_by_role("button", name="Remove bench/by-form").click()
    expect(page.get_by_role("status").first).to_contain_text("bench/by-form is removed")
    context.close()
