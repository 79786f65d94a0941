"""What a person does with conversations in the browser: watch an agent's turns arrive, look why one failed, judge."""

from __future__ import annotations

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.test_pages import AUDIT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


def showpiece(page: Page) -> str:
    """The address of the conversation that shows everything."""
    page.goto("/conversations/?q=export+test")
    return str(page.locator(".row-link").first.get_attribute("href"))


def box(card: Locator) -> FloatRect:
    """Where a card stands, in pixels."""
    found = card.bounding_box()
    assert found
    return found


def test_turns_and_members_appear_while_one_looks(maya: Page, house: House) -> None:
    maya.get_by_role("link", name="Conversations").click()
    maya.wait_for_selector("html[data-listening]")
    talk = house.play("talk", "Who mends the fence?")
    row = maya.locator(f"#row-{talk}")
    expect(row).to_have_text("Who mends the fence?")
    row.click()
    maya.wait_for_selector("html[data-listening]")
    expect(maya.locator("#turns .turn")).to_have_count(1)
    maya.evaluate("window.untouched = true")
    house.play("turn", talk, "osprey", "Edit")
    expect(maya.locator("#turns .turn")).to_have_count(2)
    expect(maya.locator("#turns .turn").first).to_contain_text("osprey")
    expect(maya.locator("#member-2 h3")).to_have_text("osprey")
    expect(maya.locator("#conversation-head")).to_contain_text("2 turns")
    maya.locator("#turns .turn-more summary").first.click()
    house.play("turn", talk, "osprey", "Bash")
    expect(maya.locator("#turns .turn")).to_have_count(3)
    expect(maya.locator("#turns .turn-number").first).to_have_text("3")
    expect(maya.locator("#turns .tried").nth(1)).to_be_visible()  # what was open stays open
    assert maya.evaluate("window.untouched") is True


def test_a_verdict_on_a_member_is_one_click(maya: Page, house: House) -> None:
    maya.goto(showpiece(maya))
    card = maya.locator("#member-2")
    card.get_by_role("button", name="Useful", exact=True).click()
    expect(card.locator(".yes")).to_have_attribute("aria-pressed", "true")
    maya.reload()
    expect(card.locator(".yes")).to_have_attribute("aria-pressed", "true")
    expect(maya.locator("#member-1 .yes")).to_have_attribute("aria-pressed", "false")


def test_a_late_shadow_appears_below_its_turn_and_is_judged_there(maya: Page, house: House) -> None:
    talk = house.play("talk", "Who paints the shed?")
    maya.goto(f"/conversations/{talk}/")
    maya.wait_for_selector("html[data-listening]")
    maya.evaluate("window.untouched = true")
    house.play("shadow", talk, "1", "wren")
    line = maya.locator(".turn-shadow")
    expect(line).to_have_count(1)
    line.locator("summary").first.click()
    member, shadow = line.locator("article").nth(0), line.locator("article").nth(1)
    expect(shadow).to_contain_text("test_export.py expects all rows then")
    left, right = box(member), box(shadow)
    assert (left["y"], left["width"]) == pytest.approx((right["y"], right["width"]), abs=1)
    assert left["x"] + left["width"] < right["x"]
    shadow.get_by_role("button", name="Not useful").click()
    expect(shadow.locator(".no")).to_have_attribute("aria-pressed", "true")
    expect(line.locator("summary .tally").first).to_have_text("not useful")
    house.play("turn", talk, "osprey", "Bash")
    expect(maya.locator("#turns .turn")).to_have_count(2)
    expect(shadow).to_be_visible()
    expect(line).to_have_count(1)
    maya.set_viewport_size({"width": 390, "height": 844})
    above, below = box(member), box(shadow)
    assert above["y"] + above["height"] < below["y"]
    assert maya.evaluate("window.untouched") is True


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_pages_have_names_contrast_and_fit_the_window(maya: Page, theme: str, width: int) -> None:
    maya.set_viewport_size({"width": width, "height": 844})
    maya.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    shown = showpiece(maya)
    for address in ("/conversations/", "/conversations/?q=nothing-like-it", shown, f"{shown}shadows/3/"):
        maya.goto(address)
        maya.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        expect(maya.locator(".comparison:not(:has(.beside))")).to_have_count(0)
        assert maya.evaluate(AUDIT) == [], address
