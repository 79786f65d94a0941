"""What a person does on the asking page: ask, watch the seats answer, judge, stop, copy, and keep going when the line
breaks."""

from __future__ import annotations

import base64
import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import FilePayload, Page, Route, expect

from benchwarmers.tests.pages.conftest import House

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PASTE = """(data) => {
  const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], "pasted.png", { type: "image/png" }));
  document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: carried, cancelable: true }));
}"""


def assert_axe_finds_nothing(page: Page) -> None:
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:160]) for one in found] == []


def ask(page: Page, prompt: str, only: str) -> None:
    """Put the question to these models alone."""
    page.locator("#ask-collection").select_option("practice")
    page.locator("#ask-more").evaluate("one => { one.open = true }")
    page.get_by_label("Only these").fill(only)
    page.get_by_label("Your question").fill(prompt)
    page.keyboard.press("Control+Enter")


def test_a_question_is_asked_watched_judged_stopped_and_copied(maya: Page) -> None:
    maya.goto("/ask/")
    images = maya.locator("#ask-images li")
    picked: FilePayload = {"name": "picked.png", "mimeType": "image/png", "buffer": base64.b64decode(DOT)}
    maya.get_by_label("Images", exact=True).set_input_files([picked])
    maya.evaluate(PASTE, DOT)
    expect(images.locator("img")).to_have_count(2)
    expect(images.nth(1).locator("img")).to_have_attribute("src", re.compile("^data:image/png;base64,"))
    maya.get_by_role("button", name="Remove picked.png").click()
    maya.get_by_role("button", name="Remove pasted.png").click()
    expect(images).to_have_count(0)

    ask(maya, "What is 17 + 25?", "practice-terse, practice-wrong")
    expect(maya.locator("#seat-1 .seat-answer")).to_have_text("42")
    expect(maya.locator("#seat-2 .seat-answer")).to_contain_text("There is no doubt about it.")
    expect(maya.locator("#match-told")).to_contain_text("2 of 2 finished")
    expect(maya.locator("#ask-recent li").first).to_contain_text("What is 17 + 25?")
    maya.locator("#seat-2").get_by_role("button", name="Not useful").click()
    expect(maya.locator("#seat-2 .judge-ask")).to_contain_text("Your verdict")
    maya.get_by_role("button", name="Stack").click()
    maya.get_by_role("button", name="Copy as code").click()
    expect(maya.locator("#ask-code pre").first).to_contain_text('"model": "bench/practice:all"')
    assert_axe_finds_nothing(maya)
    maya.reload()  # the address names the panel by now
    expect(maya.locator("#match")).to_have_attribute("data-view", "stack")
    expect(maya.locator("#seat-2 .judge-ask")).to_contain_text("Your verdict")
    expect(maya.get_by_label("Your question")).to_have_value("What is 17 + 25?")

    maya.set_viewport_size({"width": 390, "height": 844})
    expect(maya.locator("#seat-2")).to_be_hidden()
    maya.get_by_role("tab", name="practice-wrong").click()
    expect(maya.locator("#seat-2")).to_be_visible()
    expect(maya.locator("#seat-1")).to_be_hidden()
    maya.set_viewport_size({"width": 1440, "height": 900})

    ask(maya, "Take your time", "practice-slow")
    expect(maya.locator("#seat-1 .seat-words")).to_contain_text("You wrote")
    maya.get_by_role("button", name="Stop").click()
    expect(maya.locator("#seat-1")).to_contain_text("whoever asked has stopped the panel")
    expect(maya.locator("#ask-send")).to_be_visible()


def test_when_the_line_breaks_the_page_says_so_and_shows_the_panel_as_it_goes_on(maya: Page, house: House) -> None:
    maya.goto("/ask/")
    panel = house.play("open", "Who closes the gate?")
    board = maya.evaluate(
        "address => fetch(address, { headers: { 'HX-Request': 'true' } }).then((answer) => answer.text())",
        f"/ask/panels/{panel}/",
    )

    def broken(route: Route) -> None:
        lines = [{"is": "open", "panel": panel, "html": board}, {"is": "text", "seat": 1, "text": "The kee"}]
        body = "".join(json.dumps(line) + "\n" for line in lines)
        route.fulfill(status=200, content_type="application/x-ndjson", body=body)

    maya.route("**/ask/stream/", broken)
    maya.get_by_label("Your question").fill("Who closes the gate?")
    maya.keyboard.press("Control+Enter")
    expect(maya.locator("#ask-state")).to_contain_text("The line broke off.")
    expect(maya.locator("#ask-send")).to_be_visible()
    house.play("close", panel)
    expect(maya.locator("#match-told")).to_contain_text("interrupted 0 of 2 finished")
    expect(maya.locator("#ask-state")).to_be_hidden()
