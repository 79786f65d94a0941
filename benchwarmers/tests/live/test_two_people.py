"""Two people at one installation: an admin invites, the other comes, makes a key, uses up its budget and is given more;
both see what was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from typing import Any

import openai
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchwarmers.tests.live.keyed import Keyed
from benchwarmers.tests.pages.conftest import CHROMIUM
from benchwarmers.tests.up.running import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("keys"), pytest.mark.timeout(240)]
SOON_MS = 20_000
QUESTION = [{"role": "user", "content": "Hello?"}]


@pytest.fixture
def browser() -> Iterator[Browser]:
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed; on Debian: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield browser
        browser.close()


def enter(browser: Browser, keyed: Keyed, name: str) -> Page:
    """A window of their own in which this person is signed in."""
    page = browser.new_context(base_url=keyed.address).new_page()
    page.goto(keyed.link_for(name))
    page.get_by_role("button", name=f"Sign in as {name}").click()
    page.get_by_role("link", name="Not now").click()
    return page


def invite(admin: Page) -> str:
    """The link that an admin makes for somebody who may ask."""
    admin.goto("/invitations/")
    admin.get_by_label("Group").select_option("caller")
    admin.get_by_role("button", name="Make a link").click()
    return admin.locator(".once code").inner_text()


def accept(browser: Browser, keyed: Keyed, link: str, name: str) -> Page:
    """A window of their own in which somebody has taken the invitation."""
    page = browser.new_context(base_url=keyed.address).new_page()
    page.goto(link)
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill("playing-time-is-earned")
    page.get_by_role("button", name="Make my account").click()
    page.locator("#me").wait_for()
    return page


def make_key(page: Page, name: str) -> str:
    """The key itself; it opens bench/fast alone and may ask three times a day."""
    page.goto("/keys/")
    page.get_by_role("link", name="Make your first key").click()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Only these:").check()
    page.get_by_label("bench/fast", exact=True).check()
    page.get_by_label("Requests a day").fill("3")
    page.get_by_role("button", name="Make the key").click()
    return page.locator("#plain-key").inner_text()


def shows(page: Page, words: str) -> bool:
    """Whether the page shows these words when it is loaded again: what is used is written just after the answer."""
    page.reload()
    return words in page.locator("main").inner_text()


def shows_row(page: Page, key: str, requests: int) -> bool:
    """Whether the table of usage, loaded again, has so many requests of this key."""
    page.reload()
    cells = page.get_by_role("region", name="By key").get_by_role("row", name=key).get_by_role("cell")
    return cells.first.inner_text().strip() == str(requests)


def ask(client: Any, times: int, collection: str = "fast") -> None:
    for _ in range(times):
        reply = client.chat.completions.create(model=f"bench/{collection}", messages=QUESTION)
        assert reply.choices[0].message.content


def test_a_budget_is_used_up_told_raised_and_shown_to_both(keyed: Keyed, browser: Browser) -> None:
    ada = enter(browser, keyed, "ada")
    cleo = accept(browser, keyed, invite(ada), "cleo")
    plain = make_key(cleo, "cleos-laptop")

    with closing(openai.OpenAI(base_url=f"{keyed.address}/v1", api_key=plain, max_retries=0)) as client:
        ask(client, 3)
        with pytest.raises(openai.RateLimitError) as refused:
            ask(client, 1)
        error = refused.value
        assert error.type == "bench_gateway"
        assert "3 requests a day: 3 requests of 3 requests are used" in error.message
        (resets,) = re.findall(r"It starts anew at ([\dT:+-]+)\.", error.message)
        left_s = (datetime.fromisoformat(resets) - datetime.now().astimezone()).total_seconds()
        assert abs(int(error.response.headers["retry-after"]) - left_s) < 60
        with pytest.raises(openai.PermissionDeniedError):
            ask(client, 1, "other")

        cleo.get_by_role("link", name="Look at the key").click()
        wait_for(lambda: shows(cleo, "3 of 3 requests a day, used up"), 20)
        cleo.get_by_role("spinbutton", name="Requests a day").fill("5")
        cleo.get_by_role("button", name="Save").click()
        expect(cleo.get_by_role("alert")).to_contain_text("Only an admin may raise or remove", timeout=SOON_MS)

        ada.goto("/keys/?person=cleo")
        expect(ada.locator(".keyrow")).to_contain_text("3 of 3 requests a day, used up", timeout=SOON_MS)
        ada.get_by_role("link", name="cleos-laptop").click()
        ada.get_by_role("spinbutton", name="Requests a day").fill("5")
        ada.get_by_role("button", name="Save").click()
        expect(ada.get_by_role("status").first).to_contain_text("from the next request on", timeout=SOON_MS)
        ask(client, 2)
        with pytest.raises(openai.RateLimitError, match="5 requests a day"):
            ask(client, 1)

    for person in (cleo, ada):
        person.goto("/usage/?by=key&show=requests&period=today")
        table = person.get_by_role("region", name="By key")
        expect(table.get_by_role("columnheader").nth(1)).to_contain_text("Requests", timeout=SOON_MS)
        wait_for(lambda page=person: shows_row(page, "cleos-laptop", 5), 20)  # type: ignore[misc]
        expect(person.locator("#usage-plot")).to_contain_text("cleos-laptop", timeout=SOON_MS)
