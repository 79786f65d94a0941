"""The schedule in the browser: switched with a second thought, given other times, seen on a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from benchwarmers.tests.pages.test_pages import AUDIT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


def test_to_run_is_asked_twice_and_may_be_left(maya: Page) -> None:
    maya.goto("/schedule/")
    maya.get_by_role("button", name="Run", exact=True).click()
    expect(maya.get_by_role("heading", name="Run every job that is on at its time?")).to_be_visible()
    assert maya.evaluate(AUDIT) == []
    maya.get_by_role("link", name="Leave it").click()
    expect(maya.get_by_role("heading", name="The schedule is off")).to_be_visible()
    maya.get_by_role("button", name="Log only").click()
    expect(maya.get_by_role("heading", name="The schedule only logs")).to_be_visible()
    maya.get_by_role("button", name="Off", exact=True).click()
    expect(maya.get_by_role("heading", name="The schedule is off")).to_be_visible()


def test_an_open_page_shows_a_row_that_another_switches(maya: Page) -> None:
    maya.goto("/schedule/")
    maya.wait_for_selector("html[data-listening]")
    other = maya.context.new_page()
    other.goto("/schedule/")
    other.get_by_role("button", name="On Speed").click()
    expect(maya.get_by_role("button", name="Off Speed")).to_be_visible()
    other.get_by_role("link", name="Change the times of Capabilities").click()
    other.get_by_label("Hours").fill("9")
    other.get_by_role("button", name="Save").click()
    expect(maya.locator(".schedrow", has_text="Capabilities")).to_contain_text("Sunday at 09:00")
    other.get_by_role("button", name="Off Speed").click()
    expect(maya.get_by_role("button", name="On Speed")).to_be_visible()


@pytest.mark.parametrize("path", ["/schedule/", "/schedule/speed/", "/jobs/"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_they_fit_a_phone_and_read_well(maya: Page, path: str, scheme: str) -> None:
    maya.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    maya.set_viewport_size({"width": 390, "height": 844})
    maya.goto(path)
    assert maya.evaluate("document.documentElement.scrollWidth") == 390
    assert maya.evaluate(AUDIT) == []
