"""The page on which a program is let in, in a browser: how it looks, and that its button leads back to the program."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

from benchwarmers.tests.live.keyed import Keyed
from benchwarmers.tests.pages.artifacts import keep
from benchwarmers.tests.pages.conftest import CHROMIUM

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("keys"), pytest.mark.timeout(400)]
LOOKS = [("light", 1440), ("dark", 1440), ("light", 390), ("dark", 390), ("contrast", 390)]
CHALLENGE = base64.urlsafe_b64encode(sha256(b"v" * 64).digest()).rstrip(b"=").decode()


class Listening(ThreadingHTTPServer):
    """A program on this machine that waits to be called back."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Back)
        self.called: list[str] = []
        Thread(target=self.serve_forever, daemon=True).start()


class Back(BaseHTTPRequestHandler):
    """Notes the code."""

    server: Listening

    def do_GET(self) -> None:
        self.server.called.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Back in the program.")

    def log_message(self, *words: object) -> None:
        """Says nothing."""


@pytest.fixture
def listening() -> Iterator[Listening]:
    server = Listening()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def ben(keyed: Keyed) -> Iterator[Page]:
    """His window, signed in. Fails the test when a page logged an error or broke the policy."""
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed; on Debian: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        page = browser.new_context(base_url=keyed.address, reduced_motion="reduce").new_page()
        complaints: list[str] = []
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.goto(keyed.link_for("ben"))
        page.get_by_role("button", name="Sign in as ben").click()
        yield page
        browser.close()
    assert [one for one in complaints if not one.startswith("Failed to load resource")] == []


def link_for(keyed: Keyed, back: str) -> str:
    """Where a program that has just registered sends its person."""
    told = {"client_name": "Scribe", "redirect_uris": [back], "token_endpoint_auth_method": "none"}
    client = httpx.post(f"{keyed.address}/oauth/register", json=told).json()["client_id"]
    asked = {
        "response_type": "code",
        "client_id": client,
        "redirect_uri": back,
        "state": "s-1",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    return f"/oauth/authorize?{urlencode(asked)}"


def look_over(page: Page, path: str, name: str) -> list[str]:
    """What axe finds, in each look; keeps a picture of each."""
    found = []
    for theme, width in LOOKS:
        page.context.add_cookies([{"name": "bw_theme", "value": theme, "url": page.url}])
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(path)
        keep(page, f"{name}-{width}-{theme}")
        for violation in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]:
            found.append(f"{name} {theme} {width}: {violation['id']} {violation['nodes'][0]['html'][:160]}")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{name} {width}: wider than the window")
    return found


def test_a_person_lets_a_program_in_and_finds_it_among_their_programs(
    keyed: Keyed, ben: Page, listening: Listening
) -> None:
    link = link_for(keyed, "http://localhost:1/callback").replace(
        "localhost%3A1", f"localhost%3A{listening.server_port}"
    )
    found = look_over(ben, link, "oauth-consent")
    assert ben.get_by_text("a program on the computer you sit at").is_visible()
    ben.get_by_role("button", name="Let it in").click()
    ben.get_by_text("Back in the program.").wait_for()
    (called,) = (path for path in listening.called if path.startswith("/callback"))
    assert "code=" in called
    assert "state=s-1" in called
    client, back = parse_qs(urlsplit(link).query)["client_id"][0], f"http://localhost:{listening.server_port}/callback"
    fields = {"grant_type": "authorization_code", "client_id": client, "redirect_uri": back, "code_verifier": "v" * 64}
    code = parse_qs(urlsplit(called).query)["code"][0]
    assert httpx.post(f"{keyed.address}/oauth/token", data={**fields, "code": code}).status_code == 200
    found += look_over(ben, "/account/tokens/", "people-tokens")
    found += look_over(ben, f"{link}&client_id=nobody", "oauth-unknown")
    ben.goto("/account/tokens/")
    assert ben.get_by_role("row", name="Scribe scribe-ben").is_visible()
    assert not found, "\n".join(found)
