"""What a browser makes of the pages: first contentful paint and what it had to fetch, in Chromium on loopback.

Each page is opened in a fresh window that has nothing yet, and again as a person does who comes from the page before.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, BrowserContext, CDPSession, sync_playwright

from benchwarmers.tests.up.running import ROOT, Running, environment

CHROMIUM: Final = "/usr/bin/chromium"
PERSON: Final = "maya"
ROUNDS: Final = 5
PATHS: Final = (
    *("/", "/ask/", "/panels/", "/judge/", "/conversations/", "/benchmarks/", "/usage/", "/usage/?period=year"),
    *("/quotas/", "/roster/", "/endpoints/", "/discover/", "/collections/", "/onboard/", "/jobs/", "/logs/", "/keys/"),
)
_PAINTED: Final = """() => new Promise(done => {
  const told = () => performance.getEntriesByName('first-contentful-paint')[0];
  if (told()) return done(told().startTime);
  new PerformanceObserver((_, watch) => { if (told()) { watch.disconnect(); done(told().startTime); } })
    .observe({type: 'paint', buffered: true});
})"""


class Fetched:
    """Requests of a window, and what came over the line for them."""

    def __init__(self, line: CDPSession) -> None:
        self.requests = self.bytes = 0
        line.send("Network.enable")
        line.on("Network.responseReceived", self._asked)
        line.on("Network.loadingFinished", self._came)

    def _asked(self, told: dict[str, Any]) -> None:
        self.requests += not told["response"].get("fromDiskCache", False)

    def _came(self, told: dict[str, Any]) -> None:
        self.bytes += int(told["encodedDataLength"])


def paint(home: Path, paths: tuple[str, ...] = PATHS) -> None:
    """Starts the product over the database in this folder and prints a table of medians."""
    print("| page | first paint, ms | requests | KB | again, ms | requests | KB |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    with _running(home) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        state = _sign_in(browser, home, address)
        for path in paths:
            rounds = [_look(browser, state, address, path) for _ in range(ROUNDS)]
            figures = [statistics.median(column) for column in zip(*rounds, strict=True)]
            ms, asked, size, again, asked_again, size_again = figures
            first = f"{ms:.0f} | {asked:.0f} | {size / 1024:.0f}"
            print(f"| {path} | {first} | {again:.0f} | {asked_again:.0f} | {size_again / 1024:.0f} |", flush=True)
        browser.close()


def _look(browser: Browser, state: Any, address: str, path: str) -> tuple[float, ...]:
    context = browser.new_context(storage_state=state, viewport={"width": 1440, "height": 900}, base_url=address)
    try:
        return (*_open(context, path), *_open(context, path))
    finally:
        context.close()


def _open(context: BrowserContext, path: str) -> tuple[float, float, float]:
    page = context.new_page()
    fetched = Fetched(context.new_cdp_session(page))
    answer = page.goto(path, wait_until="load")
    if answer is None or answer.status != 200:
        raise RuntimeError(f"{path} is answered {answer.status if answer else 'nothing'}")
    painted = float(page.evaluate(_PAINTED))
    page.wait_for_timeout(200)  # whatever it fetches once it is there
    page.close()
    return painted, fetched.requests, fetched.bytes


def _sign_in(browser: Browser, home: Path, address: str) -> Any:
    command = [sys.executable, "-m", "benchwarmers.tests.pages.play", "link", PERSON]
    variables = environment(home, int(address.rpartition(":")[2]), measured=False)
    link = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True).stdout.strip()
    context = browser.new_context(base_url=address)
    page = context.new_page()
    page.goto(link)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in/" not in url)
    state = context.storage_state()
    context.close()
    return state


@contextmanager
def _running(home: Path) -> Iterator[str]:
    running = Running(home, measured=False)
    try:
        running.wait_until_whole()
        yield f"http://127.0.0.1:{running.port}"
    finally:
        running.end()
