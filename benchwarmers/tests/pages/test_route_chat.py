"""What a person does in the route chat: say something, watch a tool being called and its result go back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from benchwarmers.tests.pages.conftest import House

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


@pytest.fixture
def drill(house: House) -> Iterator[None]:
    """One scripted member is in, as bench/drill, and goes home afterwards."""
    house.program("drilled", "on")
    yield
    house.program("drilled", "off")


@pytest.mark.usefixtures("drill")
def test_a_member_calls_a_tool_gets_its_result_and_answers(maya: Page) -> None:
    maya.goto("/ask/route/?collection=drill")
    maya.get_by_label("What you say").fill("Use read_file on src/rota.py.")
    maya.keyboard.press("Control+Enter")
    answers = maya.locator("#route-talk .said-answer:not(.is-growing)")
    expect(answers).to_have_count(2)
    expect(answers.first.locator(".toolcard")).to_contain_text("read_file")
    expect(answers.first.locator(".toolcard details pre")).to_contain_text("Pairs the teams")
    expect(answers.nth(1)).to_contain_text("Answers this conversation already")
    expect(answers.nth(1).locator(".said-who strong")).to_have_text("drill-terse")
    expect(maya.get_by_label("What you say")).to_have_value("")
    expect(maya.get_by_label("What you say")).to_be_focused()
    answers.nth(1).get_by_role("link", name="This conversation's page").click()
    expect(maya.locator("#turns .turn")).to_have_count(2)
    expect(maya.locator("#turns .turn-who").first).to_have_text("drill-terse")
