"""Usage and quotas in the browser: the plot is drawn by the server and again by the script, and follows the theme."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD
from benchwarmers.tests.pages.test_pages import AUDIT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]

COLOURS = """() => {
  const canvas = document.querySelector('#usage-plot canvas');
  const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  const found = {};
  for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) {
    const name = '#' + [0, 1, 2].map((part) => data[at + part].toString(16).padStart(2, '0')).join('');
    found[name] = (found[name] || 0) + 1;
  }
  return found;
}"""
BARS = ("#2b8a9b", "#c07710", "#7f74d2")
GRID = {"light": "#d6dedd", "dark": "#26363a"}


@pytest.fixture
def spent(maya: Page, house: House) -> Page:
    """The window of maya, who sees what everybody used in a year."""
    house.program("spent")
    return maya


def test_the_plot_is_drawn_with_its_bars_and_follows_the_theme(spent: Page) -> None:
    spent.emulate_media(color_scheme="light")
    spent.goto("/usage/?period=year")
    plot = spent.locator("#usage-plot")
    expect(plot).to_have_attribute("data-drawn", "#f2f5f4")
    light = spent.evaluate(COLOURS)
    for bar in BARS:
        assert light.get(bar, 0) > 50, bar
    assert light.get(GRID["light"], 0) > 50
    assert GRID["dark"] not in light
    spent.locator("#me summary").click()
    spent.get_by_role("button", name="Dark").click()
    expect(plot).to_have_attribute("data-drawn", "#0e1618")
    dark = spent.evaluate(COLOURS)
    assert dark.get(BARS[0], 0) > 50
    assert dark.get(GRID["dark"], 0) > 50
    assert GRID["light"] not in dark


def test_the_legend_tells_the_day_under_the_pointer(spent: Page) -> None:
    spent.goto("/usage/?period=7d&show=calls")
    over = spent.locator("#usage-plot .u-over")
    over.hover()
    expect(spent.locator("#usage-plot .u-legend")).to_contain_text("202")
    legend = spent.locator("#usage-plot .u-series", has_text="osprey").locator(".u-value")
    expect(legend).not_to_have_text("–")


def test_a_line_leads_to_its_days_and_the_header_sorts(spent: Page) -> None:
    spent.goto("/usage/?period=30d")
    spent.get_by_role("link", name="Calls", exact=True).last.click()
    spent.wait_for_url("**/usage/?sort=-calls")
    spent.locator(".use-table tbody a", has_text="granite-l").first.click()
    spent.wait_for_url("**by=day**model=granite-l**")
    expect(spent.locator(".use-narrowed")).to_contain_text("granite-l")
    expect(spent.locator(".use-table").first.locator("tbody tr")).to_have_count(30)


def test_without_scripts_the_plot_is_a_drawing_and_everything_is_a_link(browser: Browser, house: House) -> None:
    house.program("spent")
    context = browser.new_context(java_script_enabled=False, base_url=house.address)
    page = context.new_page()
    page.goto("/usage/?period=30d&by=key")
    page.get_by_label("Name").fill("ben")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#usage-plot svg path")).to_have_count(2)
    expect(page.locator(".use-legend")).to_contain_text("nightly")
    expect(page.locator("#use-budgets + .use-table")).to_contain_text("laptop")
    page.get_by_label("From").fill("2026-01-01")
    page.get_by_role("button", name="Show").click()
    assert "period=custom" in page.url
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").first.click()
    assert download.value.suggested_filename.endswith(".csv")
    context.close()


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_usage_and_quotas_have_names_contrast_and_fit_the_window(spent: Page, theme: str, width: int) -> None:
    spent.set_viewport_size({"width": width, "height": 844})
    spent.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for address in ("/usage/", "/usage/?period=year&by=person", "/usage/?model=none", "/quotas/"):
        spent.goto(address)
        if spent.locator("#usage-plot").count():
            spent.wait_for_selector("#usage-plot[data-drawn]")
        assert spent.evaluate(AUDIT) == [], address
