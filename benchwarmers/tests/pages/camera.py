"""Takes the pictures of the documents: `python -m benchwarmers.tests.pages.camera [NAME...]`, or `make pictures`.

Starts a fresh installation, fills it with `seed`, `spent` and `showcase`, and writes docs/images/NAME.png.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from benchwarmers.tests.pages.seed import PASSWORD
from benchwarmers.tests.up.running import ROOT, Running, environment

IMAGES = ROOT / "docs" / "images"
CHROMIUM = "/usr/bin/chromium"
WIDE, PHONE = (1440, 900), (390, 844)


class Shot(NamedTuple):
    """A picture: whose window, its path, its theme and size, and what is done before it is taken."""

    path: str
    who: str = "maya"
    theme: str = "light"
    size: tuple[int, int] = WIDE
    do: Callable[[Page], None] | None = None


def ask_practice(page: Page) -> None:
    """Ask the practice squad and wait for its answers."""
    page.locator("main select[name=collection]").select_option(label="bench/practice")
    page.locator("main textarea[name=prompt]").fill(
        "Is it safe to retry this request? It writes a row, then calls a webhook."
    )
    page.locator("main").get_by_role("button", name="Ask").first.click()
    page.wait_for_timeout(6000)


def down_to_comparison(page: Page) -> None:
    """Where the two answers stand."""
    page.locator(".diff").first.scroll_into_view_if_needed()


def open_palette(page: Page) -> None:
    """The palette with hits of several kinds."""
    page.keyboard.press("Control+k")
    page.locator("#find-words").press_sequentially("re")
    page.wait_for_timeout(800)


SHOTS = {
    "glance": Shot("/"),
    "ask": Shot("/ask/", do=ask_practice),
    "panel-light": Shot("/panels/{showpiece}/"),
    "compare": Shot("/panels/{showpiece}/?diff=1,2", do=down_to_comparison),
    "evidence": Shot("/evidence/reviewers/"),
    "queue-dark": Shot("/judge/?whose=all", theme="dark"),
    "collection": Shot("/collections/reviewers/"),
    "models": Shot("/roster/"),
    "model": Shot("/roster/granite-l/"),
    "benchmarks-dark": Shot("/benchmarks/", theme="dark"),
    "usage": Shot("/usage/"),
    "quotas": Shot("/quotas/"),
    "conversations": Shot("/conversations/"),
    "palette": Shot("/panels/", do=open_palette),
    "phone": Shot("/", size=PHONE, theme="dark"),
}


def program(running: Running, name: str) -> str:
    """Run a program of this folder in the installation; returns the last line it printed."""
    command = [sys.executable, "-m", f"benchwarmers.tests.pages.{name}"]
    variables = environment(running.home, running.port, measured=False)
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True)
    return (done.stdout.strip().splitlines() or [""])[-1]


def take(names: list[str]) -> None:
    """Take these pictures, or all."""
    running = Running(Path(tempfile.mkdtemp(prefix="pictures-")), measured=False)
    try:
        running.wait_until_whole()
        showpiece = program(running, "seed")
        for name in ("spent", "showcase"):
            program(running, name)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            for name in names or SHOTS:
                shot = SHOTS[name]
                context = browser.new_context(
                    viewport={"width": shot.size[0], "height": shot.size[1]},
                    base_url=f"http://127.0.0.1:{running.port}",
                    reduced_motion="reduce",
                )
                page = context.new_page()
                page.goto("/login/")
                page.get_by_label("Name").fill(shot.who)
                page.get_by_label("Password").fill(PASSWORD)
                page.get_by_role("button", name="Sign in").click()
                page.wait_for_url(lambda url: "/login/" not in url)
                context.add_cookies([{"name": "bw_theme", "value": shot.theme, "url": page.url}])
                page.goto(shot.path.format(showpiece=showpiece))
                if shot.do is not None:
                    shot.do(page)
                page.wait_for_timeout(500)
                page.screenshot(path=str(IMAGES / f"{name}.png"))
                context.close()
            browser.close()
    finally:
        running.end()


if __name__ == "__main__":
    take(sys.argv[1:])
