"""How long an open page waits for what was committed, and what open pages cost."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Page, expect

from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD
from benchwarmers.tests.performance import listeners
from benchwarmers.tests.performance.listeners import Cost, signed_in
from benchwarmers.tests.up.running import ROOT, environment

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]
TURNS = 5
SOON_MS = 500
A_FIFTH = 40
"""Of the 200 pages that may cost a web process 100 MB; one person may have 50 open."""

NOTE_ARRIVALS = """
() => {
  window.arrivals = [];
  new MutationObserver(() => window.arrivals.push([document.querySelectorAll("#turns .turn").length, Date.now()]))
    .observe(document.getElementById("turns"), { childList: true });
}
"""
FIRST_ARRIVAL = "count => window.arrivals.find(([turns]) => turns === count)?.[1]"


@pytest.fixture
def ticker(house: House) -> Iterator[subprocess.Popen[str]]:
    """A program that takes a turn for every line it is sent, and prints when the turn was committed."""
    variables = environment(house.running.home, house.running.port, measured=False)
    command = [sys.executable, "-m", "benchwarmers.tests.pages.ticking"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=variables, stdin=pipe, stdout=pipe, text=True) as program:
        yield program
        assert program.stdin
        program.stdin.close()


def measure(page: Page, ticker: subprocess.Popen[str], talk: str) -> list[float]:
    """Milliseconds from the commit of each of some turns until its row stood on the page."""
    assert ticker.stdin
    assert ticker.stdout
    shown = page.locator("#turns .turn").count()
    waits = []
    for count in range(shown + 1, shown + 1 + TURNS):
        ticker.stdin.write(f"{talk} osprey\n")
        ticker.stdin.flush()
        committed_ms = float(ticker.stdout.readline()) * 1000
        arrived_ms = page.wait_for_function(FIRST_ARRIVAL, arg=count, polling=20).json_value()
        waits.append(arrived_ms - committed_ms)
    return waits


def test_a_turn_stands_on_the_page_within_half_a_second_of_its_commit(
    maya: Page, house: House, ticker: subprocess.Popen[str]
) -> None:
    talk = house.play("talk", "Who keeps the time?")
    maya.goto(f"/conversations/{talk}/")
    maya.wait_for_selector("html[data-listening]")
    maya.evaluate(NOTE_ARRIVALS)
    waits = measure(maya, ticker, talk)
    if statistics.median(waits) >= SOON_MS:  # a busy machine may be slow once
        waits = measure(maya, ticker, talk)
    sys.stdout.write(f"milliseconds from commit to page, median of {TURNS}: {statistics.median(waits):.0f}\n")
    assert statistics.median(waits) < SOON_MS, waits


def test_news_that_come_while_a_button_is_down_do_not_swallow_its_click(maya: Page, house: House) -> None:
    maya.goto(f"/panels/{house.showpiece}/")
    maya.wait_for_selector("html[data-listening]")
    card = maya.locator("#seat-1")
    card.locator("[name=seen]").evaluate("field => { field.value = 'nothing~yet' }")  # news exchange this card
    button = card.get_by_role("button", name="Useful", exact=True)
    button.hover()
    maya.mouse.down()
    held = button.element_handle()
    house.play("news", "verdicts")
    house.play("news", "verdicts")  # by now the first has reached the page
    assert held.evaluate("button => button.isConnected")
    with maya.expect_response("**/verdict"), maya.expect_response("**/live/?*"):
        maya.mouse.up()
    expect(card.locator(".yes")).to_have_attribute("aria-pressed", "true")


def test_forty_open_pages_cost_the_web_process_little(house: House) -> None:
    async def run() -> Cost:
        web = house.running.children()["web"]
        async with signed_in(house.address, "maya", PASSWORD) as session:
            return await listeners.measure([session], web, lambda: house.play("talk", "Who counts the pages?"), A_FIFTH)

    with ThreadPoolExecutor(1) as pool:  # the browser of other tests has a loop in this thread
        cost = pool.submit(lambda: asyncio.run(run())).result()
    sys.stdout.write(f"{cost}\n")
    # Most of it is what the first of them warm up; 200 cost 35 MB, measured by the program in `listeners`.
    assert cost.grown < 45 * 1024 * 1024
