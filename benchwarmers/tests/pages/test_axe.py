"""Every page there is, looked over by axe: no violation of WCAG 2.2 A and AA, and none of its best practices."""

from __future__ import annotations

import json

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from benchwarmers.tests.pages.artifacts import keep
from benchwarmers.tests.pages.conftest import House
from benchwarmers.tests.pages.seed import PASSWORD

pytestmark = [pytest.mark.timeout(300), pytest.mark.slow, pytest.mark.xdist_group("pages")]

OPTIONS = {"resultTypes": ["violations"]}


@pytest.fixture(scope="module")
def pages(house: House) -> dict[str, str]:
    """The addresses of all pages by route, once something of every kind exists."""
    for words in (("suited",), ("probed", "month"), ("spent",)):
        house.program(*words)
    house.invitation = house.invitation or house.program("guest", "house")
    talk = house.play("talk", "Who sweeps the yard?")
    house.play("shadow", talk, "1", "wren")
    found, lacking = json.loads(house.program("addresses"))
    assert lacking == []
    assert len(found) > 40
    return dict(found)


@pytest.fixture
def boss(page: Page) -> Page:
    """The window of somebody who may see every page."""
    page.goto("/login/")
    page.get_by_label("Name").fill("boss")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/login/" not in url)
    return page


@pytest.mark.parametrize(("theme", "width"), [("light", 1440), ("dark", 390), ("contrast", 1440)])
def test_axe_finds_nothing_on_any_page(boss: Page, pages: dict[str, str], theme: str, width: int) -> None:
    boss.context.add_cookies([{"name": "bw_theme", "value": theme, "url": boss.url}])
    boss.set_viewport_size({"width": width, "height": 900})
    boss.emulate_media(reduced_motion="reduce")
    axe, found = Axe(), []
    for route, path in pages.items():
        answer = boss.goto(path)
        if answer is None or answer.status != 200:
            found.append(f"{route} {path}: {answer.status if answer else 'no answer'}")
            continue
        for violation in axe.run(boss, options=OPTIONS).response["violations"]:
            node = violation["nodes"][0]
            found.append(
                f"{route} {path}: {violation['id']} ×{len(violation['nodes'])} {node['html'][:160]} {node['any'][:1]}"
            )
        keep(boss, f"{route.replace(':', '-')}-{width}-{theme}")
        if boss.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{route} {path}: wider than the window")
    assert not found, "\n".join(found)
