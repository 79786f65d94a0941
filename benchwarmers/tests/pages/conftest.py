"""One installation with a day's work in it, and a browser that notes everything it complains about."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from benchwarmers.tests.pages.seed import PASSWORD
from benchwarmers.tests.people.provider import Running as Provider
from benchwarmers.tests.people.provider import running_provider
from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import ROOT, Running, environment
from probes.tests.sign_ins.authority import Authority, running_authority
from probes.tests.sign_ins.world import table

CHROMIUM = Path("/usr/bin/chromium")
NO_THEME = """async () => {
  const form = document.querySelector("[data-theme-form]");
  const body = new FormData(form);
  body.set("theme", "system");
  await fetch(form.action, { method: "POST", body, headers: { "X-Script": "1" } });
}"""
"""Choosing none: a theme is a person's, so another test's choice would go on here."""


class House:
    """The running installation: its address, the panel that shows everything, a hand that moves it on, the provider
    that people can sign in with, and the one that endpoints can."""

    def __init__(self, running: Running, provider: Provider, authority: Authority) -> None:
        self.running = running
        self.provider = provider
        self.authority = authority
        self.address = f"http://127.0.0.1:{running.port}"
        self.showpiece = self.program("seed")
        self.invitation = ""

    def play(self, *words: str) -> str:
        """Run `play` with these words in this installation; returns what it printed."""
        return self.program("play", *words)

    def program(self, name: str, *words: str) -> str:
        """Run a program of this folder in this installation; returns the last line that it printed."""
        command = [sys.executable, "-m", f"benchwarmers.tests.pages.{name}", *words]
        variables = environment(self.running.home, self.running.port, measured=False)
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Started once for all page tests."""
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed; on Debian: apt install chromium")
    with running_provider() as provider, running_authority() as authority:
        others = tmp_path_factory.mktemp("providers") / "providers.json"
        others.write_bytes(msgspec.json.encode(list(table(authority).values())))
        variables = {
            "BENCHWARMERS_SIGN_IN_PROVIDERS": str(others),
            "BENCHWARMERS_OIDC_HOUSE_ISSUER": provider.issuer,
            "BENCHWARMERS_OIDC_HOUSE_CLIENT_ID": "benchwarmers",
            "BENCHWARMERS_OIDC_HOUSE_CLIENT_SECRET": "hush",
            "BENCHWARMERS_OIDC_HOUSE_LABEL": "The House",
            "BENCHWARMERS_SIGN_UP": "viewer",
            "BENCHWARMERS_SIGN_UP_DOMAINS": "example.org",
        }
        home = tmp_path_factory.mktemp("house")
        prepare(home)
        running = Running(home, measured=False, extra=variables)
        try:
            running.wait_until_whole()
            yield House(running, provider, authority)
        finally:
            running.end()


@pytest.fixture(scope="package")
def browser(house: House) -> Iterator[Browser]:
    """Debian's own Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, house: House) -> Iterator[Page]:
    """A fresh window. Fails the test when the page logged an error, broke the policy or asked another host."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=house.address)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: complaints.append(asked.url) if not asked.url.startswith(house.address) else None)
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def maya(page: Page) -> Page:
    """The window after maya signed in with her password, on the list of panels."""
    page.goto("/login/")
    page.get_by_label("Name").fill("maya")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/login/" not in url)
    page.evaluate(NO_THEME)
    page.goto("/panels/")
    return page
