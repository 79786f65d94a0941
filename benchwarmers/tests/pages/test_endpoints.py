"""An endpoint in the browser: tested before anything is stored, put right by one click, saved; with and without
scripts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD
from benchwarmers.tests.pages.test_pages import AUDIT
from probes.tests.listing.servers import Served, key_needed, serving

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]
KEY = "sk-a-key-of-twenty-letters"


@pytest.fixture(scope="module")
def provider() -> Iterator[Served]:
    """Lists twelve models to whoever brings the key."""
    models = {"data": [{"id": f"maker/model-{number}"} for number in range(12)]}
    with serving({"/v1/models": key_needed(models, KEY)}) as server:
        yield server


def type_in(page: Page, name: str, base: str, key: str = KEY) -> None:
    page.goto("/endpoints/new/")
    page.get_by_role("textbox", name="Name").fill(name)
    page.get_by_role("textbox", name="Address").fill(base)
    page.get_by_label("Key", exact=True).fill(key)


def test_an_address_that_is_nearly_right_is_put_right_by_one_click_with_the_key_as_typed(
    maya: Page, provider: Served
) -> None:
    type_in(maya, "nearly", f"{provider.base}/v1/chat/completions")
    maya.get_by_role("button", name="Test").click()
    trial = maya.locator(".endpoint-trial")
    expect(trial).to_contain_text("This would answer instead")
    trial.get_by_role("button", name="Use this").first.click()
    expect(trial).to_contain_text("It lists 12 models.")
    expect(trial).to_contain_text("The key was needed, and taken.")
    expect(maya.get_by_role("textbox", name="Address")).to_have_value(f"{provider.base}/v1")
    assert KEY not in maya.content()
    maya.get_by_role("button", name="Save").click()
    maya.wait_for_url("**/endpoints/nearly/?listed=12")
    expect(maya.locator(".key-facts")).to_contain_text(f"key stored, …{KEY[-4:]}")
    assert KEY not in maya.content()


def test_a_list_that_is_open_shows_an_endpoint_as_soon_as_it_is_saved(maya: Page, provider: Served) -> None:
    maya.goto("/endpoints/")
    maya.wait_for_selector("html[data-listening]")
    other = maya.context.new_page()
    type_in(other, "at-once", f"{provider.base}/v1")
    other.get_by_role("button", name="Save").click()
    row = maya.locator(".endpoint-row", has_text="at-once")
    expect(row).to_contain_text("0 on the bench")
    expect(row).to_contain_text("key stored")


def test_everything_about_endpoints_works_without_scripts(browser: Browser, house: House, provider: Served) -> None:
    context = browser.new_context(java_script_enabled=False, base_url=house.address)
    page = context.new_page()
    page.goto("/endpoints/")
    page.get_by_label("Name").fill("maya")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.locator("summary", has_text="Model servers on this machine").click()
    page.get_by_role("link", name="Look at the usual ports").click()
    expect(page.locator("main")).to_contain_text("No model server answers")
    type_in(page, "plain-html", f"{provider.base}/v1/models")
    page.get_by_role("button", name="Test").click()
    page.get_by_role("button", name="Use this").first.click()
    expect(page.get_by_role("textbox", name="Address")).to_have_value(f"{provider.base}/v1")
    page.get_by_label("Key", exact=True).fill(KEY)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").first).to_contain_text("The endpoint plain-html is saved.")
    page.goto("/endpoints/harbour/")
    page.get_by_role("button", name="Make it the default").click()
    expect(page.locator(".key-facts")).to_contain_text("default")
    page.goto("/endpoints/plain-html/")
    page.locator("summary", has_text="Remove this endpoint").click()
    page.get_by_role("button", name="Remove plain-html").click()
    expect(page.get_by_role("status").first).to_contain_text("The endpoint plain-html is removed.")
    context.close()


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_the_pages_of_endpoints_have_names_contrast_and_fit_the_window(
    maya: Page, provider: Served, theme: str, width: int
) -> None:
    maya.set_viewport_size({"width": width, "height": 844})
    maya.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    for address in ("/endpoints/", "/endpoints/found/", "/endpoints/new/?preset=groq", "/endpoints/harbour/"):
        maya.goto(address)
        maya.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        assert maya.evaluate(AUDIT) == [], address
    for base in (f"{provider.base}/v1", f"{provider.base}/v1/models"):
        type_in(maya, "looked-at", base)
        maya.get_by_role("button", name="Test").click()
        maya.locator(".endpoint-trial").wait_for()
        assert maya.evaluate(AUDIT) == [], base
