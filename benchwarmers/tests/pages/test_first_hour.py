"""The first hour, in a browser, from an empty installation to an answer: an endpoint, models taken on from it, a
collection of them, a question. The provider is the practice squad behind its own address, as if it were a real one.
"""

from __future__ import annotations

import json
import re
import sqlite3
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from benchwarmers.tests.pages.conftest import CHROMIUM
from benchwarmers.tests.pages.test_pages import AUDIT
from benchwarmers.tests.up.running import Running

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("pages")]
WAIT_MS = 60_000


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """An installation as it is after its first start."""
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed; on Debian: apt install chromium")
    run = Running(tmp_path_factory.mktemp("first"), measured=False)
    try:
        run.wait_until_whole()
        keep_two_tasks(run)
        yield run
    finally:
        run.end()


def keep_two_tasks(run: Running) -> None:
    """Of the suite, as an operator may: taking a model on asks it all of them."""
    with sqlite3.connect(run.home / "benchwarmers.sqlite3", timeout=10) as database:
        (tasks,) = database.execute("SELECT count(*) FROM suite_task WHERE NOT draft").fetchone()
        kept = "SELECT slug FROM suite_task ORDER BY slug LIMIT 2"
        dropped = database.execute(f"UPDATE suite_task SET dropped = 1 WHERE slug NOT IN ({kept})").rowcount  # noqa: S608
    assert tasks - dropped == 2


@pytest.fixture
def page(running: Running, browser: Browser) -> Iterator[Page]:
    """The owner's window, signed in by the link of the welcome. Complaints of the browser fail the test."""
    link = re.search(r"http\S+/sign-in/\S+", running.output)
    assert link is not None
    address = f"http://127.0.0.1:{running.port}"
    context = browser.new_context(viewport={"width": 1440, "height": 900}, base_url=address)
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(re.sub(r"//[^/]+", f"//127.0.0.1:{running.port}", link[0], count=1))
    page.get_by_role("button", name=re.compile("Sign in as")).click()
    page.wait_for_url(re.compile(r"/(?!sign-in/)"))
    yield page
    context.close()
    assert complaints == []


def ask(port: int, collection: str) -> Any:
    """The reply of a panel."""
    asked = {"model": f"bench/{collection}", "messages": [{"role": "user", "content": "What is a bench for?"}]}
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/chat/completions",
        json.dumps(asked).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def next_step(page: Page) -> str:
    """What the start page says to do now; empty when there are no first steps any more."""
    page.goto("/")
    now = page.locator(".first-run .is-now h3")
    return now.inner_text() if now.count() else ""


def test_from_an_empty_installation_to_an_answer(running: Running, page: Page) -> None:
    page.goto("/onboard/")
    expect(page.get_by_role("heading", name="First, an endpoint")).to_be_visible()
    assert next_step(page) == "Add an endpoint"
    page.get_by_role("link", name="Add one").click()
    add_endpoint(page, running.port)

    assert next_step(page) == "Take models on"
    page.get_by_role("link", name="Choose models").click()
    take_on(page, "terse", "thinker")

    assert next_step(page) == "Make a collection"
    page.get_by_role("link", name="Make one").click()
    make_collection(page, "mine", "terse", "thinker")

    assert next_step(page) == "Ask it"
    page.locator(".first-run .is-now").get_by_role("link").click()
    ask_here(page, "mine", "What is a bench for?")
    assert next_step(page) == "Judge the answers"
    page.locator(".first-run .is-now").get_by_role("link").click()
    page.locator("#judge").get_by_role("button", name="Useful").first.click()
    expect(page.locator(".judging-told")).to_contain_text("useful")
    assert next_step(page) == ""

    seats = ask(running.port, "mine")["bench"]["seats"]
    assert {seat["alias"]: seat["status"] for seat in seats}.items() >= {("terse", "ok"), ("thinker", "ok")}
    page.goto("/panels/")
    expect(page.get_by_role("link", name="What is a bench for?").first).to_be_visible()
    put_aside_without_scripts(page)
    look_at(page, "/onboard/", "/onboard/?q=nothing-like-it")


def add_endpoint(page: Page, port: int) -> None:
    page.get_by_role("link", name="Add your first endpoint").click()
    page.locator("#endpoint-name").fill("corner")
    page.locator("#endpoint-base").fill(f"http://127.0.0.1:{port}/practice/v1")
    page.locator("#endpoint-kind").select_option("local")
    page.get_by_role("button", name="Test", exact=True).click()
    expect(page.locator("#trial")).to_contain_text("It lists 7 models")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("status").first).to_contain_text("The endpoint corner is saved")
    page.get_by_role("link", name="take some on").first.click()
    expect(page.locator("#candidates")).to_contain_text("corner (direct)")


def take_on(page: Page, *served: str) -> None:
    """Each is seen with its step, then with its grade and its alias; the log has every step."""
    for name in served:
        page.locator(f"input[value='corner {name}']").check()
        page.get_by_placeholder("Search name or connection").fill("handy")
        expect(page.locator("#picks")).to_contain_text("Ticked, and not among those shown")
        page.get_by_placeholder("Search name or connection").fill("")
        expect(page.locator("#picks")).not_to_contain_text("Ticked, and not among those shown")
    page.get_by_role("radio", name=re.compile("Full")).check()
    page.get_by_role("button", name=f"Take on {len(served)}").click()
    queue = page.locator("#onboard-queue")
    expect(queue.locator(".onboard-step")).to_have_text(re.compile("[1-5]/5"), timeout=WAIT_MS)
    expect(queue).to_contain_text(f"{len(served)} of {len(served)} at their end", timeout=WAIT_MS)
    expect(queue.locator(".chip-ok", has_text="done")).to_have_count(len(served))
    for name in served:
        row = queue.locator(".onboard-row", has_text=f"{name} as")
        expect(row.get_by_role("link", name=name, exact=True)).to_be_visible()
        expect(row).to_contain_text("answered 4/4")
    queue.get_by_role("link", name="Log").first.click()
    for number in range(1, 6):
        expect(page.locator("main")).to_contain_text(f"[{number}/5]")


def make_collection(page: Page, name: str, *aliases: str) -> None:
    page.get_by_label("Name", exact=True).fill(name)
    for alias in aliases:
        page.get_by_label("Search models").fill(alias)
        page.locator(f"#add-{alias}").check()
        expect(page.locator(".picked-row .name").last).to_have_text(alias)
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url(f"**/collections/{name}/")


def ask_here(page: Page, name: str, question: str) -> None:
    page.wait_for_url("**/ask/**")  # with its scripts, which know the keys
    page.locator("#ask-collection").select_option(name)
    page.get_by_label("Your question").fill(question)
    page.keyboard.press("Control+Enter")
    expect(page.locator("#match-told")).to_contain_text("finished", timeout=WAIT_MS)


def put_aside_without_scripts(page: Page) -> None:
    browser = page.context.browser
    assert browser is not None
    context = browser.new_context(
        storage_state=page.context.storage_state(), java_script_enabled=False, base_url=page.url.partition("/panels")[0]
    )
    plain = context.new_page()
    plain.goto("/onboard/")
    plain.get_by_placeholder("Search name or connection").fill("keep")
    plain.get_by_role("button", name="Show").click()
    expect(plain.locator(".pick")).to_have_count(1)
    plain.locator("input[value='corner keeper']").check()
    plain.get_by_role("button", name="Put aside").click()
    expect(plain.get_by_role("status").first).to_contain_text("1 put aside")
    plain.get_by_text("Put aside: 1").click()
    plain.locator("#onboard-dismissed input[value='corner keeper']").check()
    plain.get_by_role("button", name="Bring back").click()
    expect(plain.get_by_role("status").first).to_contain_text("1 brought back")
    context.close()


def look_at(page: Page, *addresses: str) -> None:
    """Names, contrast and width, in both themes, on a screen and on a telephone."""
    for theme in ("light", "dark"):
        for width in (1440, 390):
            page.set_viewport_size({"width": width, "height": 844})
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
            for address in addresses:
                page.goto(address)
                page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
                assert page.evaluate(AUDIT) == [], (theme, width, address)
