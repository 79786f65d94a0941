"""Endpoints signed in to a provider by hand: over its page, and by a code."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Browser, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.test_pages import AUDIT
from benchwarmers.tests.pages.test_signing_in import sign_in, window
from benchwarmers.tests.up.running import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]


def test_an_endpoint_is_signed_in_over_the_providers_page(browser: Browser, house: House) -> None:
    with window(browser, house.address.replace("127.0.0.1", "localhost")) as page:
        sign_in(page, "maya")
        page.goto("/sign-ins/")
        page.get_by_role("button", name="Sign in to Open", exact=True).click()
        expect(page.get_by_role("heading", name="Sign in to Open")).to_be_visible()
        with page.expect_popup() as opened:
            page.get_by_role("link", name="Open Open").click()
        there = opened.value
        there.get_by_role("link", name="Agree").click()
        expect(there.get_by_role("heading", name="Signed in to Open")).to_be_visible()
        assert there.url.startswith(f"{house.address}/connect/callback?")
        expect(page.locator("#sign-in-state")).to_contain_text("lists 2 models")
        name = page.locator("#sign-in-state .name").inner_text()
        link = there.get_by_role("link", name=name)
        # Where the browser is signed in to us, which is another name of this machine.
        assert str(link.get_attribute("href")).startswith(house.address.replace("127.0.0.1", "localhost"))
        page.goto("/sign-ins/")
        row = page.locator(".signed-row", has=page.get_by_role("link", name=name, exact=True))
        expect(row).to_contain_text("signed in")


def test_an_endpoint_is_signed_in_by_a_code(browser: Browser, house: House) -> None:
    with window(browser, house.address) as page:
        sign_in(page, "maya")
        page.goto("/sign-ins/")
        page.get_by_role("button", name="Sign in to Coded").click()
        code = page.locator(".sign-in-code").inner_text()
        assert code in house.authority.devices
        with page.expect_popup() as opened:
            page.get_by_role("link", name="Open Coded").click()
        opened.value.get_by_role("link", name="Allow").click()
        expect(opened.value.get_by_role("heading", name="Done")).to_be_visible()
        expect(page.locator("#sign-in-state")).to_contain_text("lists 2 models", timeout=30_000)


def test_a_token_that_ends_is_renewed_and_calls_go_on_with_the_new_one(house: House) -> None:
    us = house.authority
    us.refreshing["lent-refresh"] = "shipped"
    house.program("lent", f"{us.root}/v1", "lent-refresh")
    wait_for(lambda: "lent-refresh" not in us.refreshing, 30, house.running)
    body = {"model": "bench/lent", "messages": [{"role": "user", "content": "Kept?"}]}

    def asked() -> str:
        return httpx.post(f"{house.address}/v1/chat/completions", json=body, timeout=30).text

    wait_for(lambda: "Well kept." in asked(), 5, house.running)
    assert us.asked("/v1/chat/completions")[-1]["token"] in us.tokens
    assert not [made for made in us.made if "code" not in made and made in house.running.output]


@pytest.mark.parametrize(("theme", "width"), [("dark", 1440), ("light", 390)])
def test_the_pages_of_sign_ins_have_names_contrast_and_fit_the_window(
    browser: Browser, house: House, theme: str, width: int
) -> None:
    with window(browser, house.address) as page:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
        sign_in(page, "maya")
        page.goto("/sign-ins/")
        assert page.evaluate(AUDIT) == []
        for button in ("Sign in to Coded", "Sign in to Keyed"):
            page.goto("/sign-ins/")
            page.get_by_role("button", name=button).click()
            expect(page.locator("#sign-in-state")).to_be_visible()
            assert page.evaluate(AUDIT) == []
        page.goto("/connect/callback?state=nothing")
        assert page.evaluate(AUDIT) == []
