"""What a person does in the browser: come in by link, find a panel, watch it play, judge it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]

AUDIT = """() => {
  const found = [];
  const seen = (element) => element.checkVisibility({visibilityProperty: true}) && element.getClientRects().length;
  const name = (element) => (element.getAttribute('aria-label') || element.labels?.[0]?.textContent
    || element.textContent || '').trim();
  for (const element of document.querySelectorAll('a, button, input:not([type=hidden]), select, textarea, summary'))
    if (seen(element) && !name(element)) found.push('no name: ' + element.outerHTML.slice(0, 120));
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) found.push('twice: #' + id);
  if (document.querySelectorAll('h1').length !== 1) found.push('not one h1');
  let level = 0;
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const now = Number(heading.tagName[1]);
    if (level && now > level + 1) found.push('level left out before: ' + heading.textContent);
    level = now;
  }
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => (part /= 255) <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !seen(element) || element.closest('svg, .spoken, option')) continue;
    let paper = element;
    while (paper && rgba(getComputedStyle(paper).backgroundColor)[3] < 255) paper = paper.parentElement;
    const below = light(rgba(getComputedStyle(paper || document.documentElement).backgroundColor));
    const ink = light(rgba(getComputedStyle(element).color));
    const ratio = (Math.max(ink, below) + 0.05) / (Math.min(ink, below) + 0.05);
    if (ratio < 4.5) found.push(ratio.toFixed(2) + ' ' + walker.currentNode.textContent.trim().slice(0, 40));
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push('wider than the window');
  return found;
}"""


def test_a_link_shows_a_button_and_then_offers_a_password(page: Page, house: House) -> None:
    link = house.play("link", "zoe")
    page.goto(link)
    page.goto(link)
    page.get_by_role("button", name="Sign in as zoe").click()
    expect(page.get_by_role("heading", name="Choose a password")).to_be_visible()
    page.get_by_role("link", name="Not now").click()
    page.get_by_role("link", name="Panels", exact=True).click()
    expect(page.get_by_role("heading", name="No panel for you to see")).to_be_visible()


def test_the_list_is_searched_without_a_reload_and_the_address_follows(maya: Page) -> None:
    maya.get_by_label("Search prompts and ids").fill("refund")
    maya.wait_for_url("**/panels/?q=refund")
    rows = maya.locator(".row-link")
    expect(rows.first).to_contain_text("refund")
    for text in rows.all_inner_texts():
        assert "refund" in text
    maya.reload()
    expect(maya.get_by_label("Search prompts and ids")).to_have_value("refund")


def test_a_new_panel_and_its_seats_appear_while_one_looks(maya: Page, house: House) -> None:
    maya.wait_for_selector("html[data-listening]")
    panel = house.play("open", "Who plays next?")
    row = maya.locator(f"#row-{panel}")
    expect(row).to_have_text("Who plays next?")
    row.click()
    maya.wait_for_selector("html[data-listening]")
    expect(maya.locator("#seat-1")).to_contain_text("Answering")
    maya.evaluate("window.untouched = true")
    house.play("seat", f"{panel}.member1", "The **bench** does.")
    expect(maya.locator("#seat-1 strong", has_text="bench")).to_be_visible()
    expect(maya.locator("#seat-2")).to_contain_text("Answering")
    expect(maya.locator("#panel-head .play").first).to_contain_text("2.5 s")
    expect(maya.locator("#spoken")).to_have_text("1 of 2 seats finished")
    assert maya.evaluate("window.untouched") is True


def test_a_draft_is_not_wiped_out_by_news(maya: Page, house: House) -> None:
    maya.goto(f"/panels/{house.showpiece}/")
    maya.wait_for_selector("html[data-listening]")
    card = maya.locator("#seat-4")
    card.locator(".verdict summary").click()
    card.get_by_label("Note", exact=False).first.fill("half a thought")
    with maya.expect_response("**/live/?*"):
        maya.evaluate("htmx.trigger('#panel-live', 'live')")
    expect(card.locator("[name=note]")).to_have_value("half a thought")


def test_a_verdict_is_one_click_and_shows_at_once(maya: Page, house: House) -> None:
    maya.goto(f"/panels/{house.showpiece}/")
    card = maya.locator("#seat-4")
    card.get_by_role("button", name="Useful", exact=True).click()
    expect(card.locator(".yes")).to_have_attribute("aria-pressed", "true")
    expect(maya.locator("#panel-head .play").nth(3)).to_contain_text("useful ×2")
    card.get_by_role("button", name="Not useful").click()
    expect(card.locator(".no")).to_have_attribute("aria-pressed", "true")
    expect(card).to_contain_text("People disagree on this one.")


def test_the_theme_changes_in_place_and_is_kept(maya: Page) -> None:
    maya.locator("#me summary").click()
    maya.get_by_role("button", name="Dark").click()
    expect(maya.locator("html")).to_have_attribute("data-theme", "dark")
    maya.reload()
    expect(maya.locator("html")).to_have_attribute("data-theme", "dark")


def test_everything_works_without_scripts(browser: Browser, house: House) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=house.address)
    page = context.new_page()
    page.goto(f"/panels/{house.showpiece}/")
    page.get_by_label("Name").fill("ben")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()  # it is maya's
    page.goto("/panels/")
    page.locator(".row-link").first.click()
    card = page.locator("article", has=page.locator("form[data-draft]")).first
    card.locator("label", has_text="Raw").click()
    expect(card.locator(".raw")).to_be_visible()
    expect(card.locator(".laid")).to_be_hidden()
    card.get_by_role("button", name="Not useful").click()
    expect(page.get_by_role("status").first).to_contain_text("recorded")
    context.close()


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_pages_have_names_contrast_and_fit_the_window(maya: Page, house: House, theme: str, width: int) -> None:
    maya.set_viewport_size({"width": width, "height": 844})
    maya.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for address in (
        "/panels/",
        "/panels/?q=nothing-like-it",
        f"/panels/{house.showpiece}/",
        "/evidence/core/",
        "/password/",
    ):
        maya.goto(address)
        maya.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        assert maya.evaluate(AUDIT) == [], address


def test_the_keyboard_reaches_the_content_first(maya: Page) -> None:
    maya.keyboard.press("Tab")
    expect(maya.get_by_role("link", name="Skip to the content")).to_be_focused()
    maya.keyboard.press("Enter")
    expect(maya.locator("#main")).to_be_focused()
