"""What open pages cost the web process: signs in, opens pages with their sockets as browsers do, lets each hear news
and fetch what it shows, and tells how much memory the process takes then.

Run as a program: `python -m benchwarmers.tests.performance.listeners [PAGES]`. It starts an installation of its own.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil
from aiohttp import ClientSession, ClientWebSocketResponse, CookieJar, TCPConnector

from benchwarmers.tests.up.running import ROOT, Running, environment

PAGES: Final = 200
PEOPLE: Final = ("maya", "ben", "zoe", "boss")
SHOWS: Final = ("/conversations/", "/panels/")
AT_A_TIME: Final = 10
"""Browsers that load at once."""
HEARS_WITHIN_S: Final = 60.0


@dataclass(frozen=True)
class Cost:
    """Bytes of resident memory of the web process before the pages were opened and while all are open."""

    pages: int
    before: int
    after: int

    @property
    def grown(self) -> int:
        return self.after - self.before

    def __str__(self) -> str:
        mega = 1024 * 1024
        return (
            f"{self.pages} open pages: {self.grown / mega:.1f} MB more in the web process "
            f"({self.before / mega:.0f} MB before, {self.after / mega:.0f} MB after)"
        )


@asynccontextmanager
async def signed_in(address: str, name: str, password: str) -> AsyncIterator[ClientSession]:
    """A browser's cookies after its person has signed in."""
    async with ClientSession(address, cookie_jar=CookieJar(unsafe=True), connector=TCPConnector(limit=0)) as session:
        async with session.get("/login/") as answer:
            token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', await answer.text())
        assert token
        form = {"username": name, "password": password, "csrfmiddlewaretoken": token[1]}
        async with session.post("/login/", data=form, headers={"Origin": address}) as answer:
            assert "/login/" not in str(answer.url), "not let in"
        yield session


async def measure(
    sessions: Sequence[ClientSession], web: psutil.Process, tell: Callable[[], object], pages: int = PAGES
) -> Cost:
    """Open the pages, each session its share (a person may have 50 open), have news told, and let each page fetch what
    it shows. A first few are opened and closed before, so that what any page loads counts for none of them."""
    async with AsyncExitStack() as few:
        await _open(sessions, few, AT_A_TIME)
    before = web.memory_info().rss
    async with AsyncExitStack() as many:
        sockets = await _open(sessions, many, pages)
        await asyncio.to_thread(tell)
        gate = asyncio.Semaphore(AT_A_TIME)
        await asyncio.gather(*(_hear(sessions[0], socket, gate) for socket in sockets))
        return Cost(pages, before, web.memory_info().rss)


async def _open(sessions: Sequence[ClientSession], stack: AsyncExitStack, pages: int) -> list[ClientWebSocketResponse]:
    gate, address = asyncio.Semaphore(AT_A_TIME), str(sessions[0]._base_url).rstrip("/")

    async def one(number: int) -> ClientWebSocketResponse:
        session = sessions[number % len(sessions)]
        async with gate:
            await _fetch(session, SHOWS[number % len(SHOWS)], {})
            return await stack.enter_async_context(session.ws_connect("/live/", origin=address, compress=15))

    return list(await asyncio.gather(*(one(number) for number in range(pages))))


async def _hear(session: ClientSession, socket: ClientWebSocketResponse, gate: asyncio.Semaphore) -> None:
    """The news, and then what a page of it fetches."""
    news = await socket.receive_json(timeout=HEARS_WITHIN_S)
    assert news["topics"], news
    async with gate:
        await _fetch(session, SHOWS[0], {"HX-Request": "true"})


async def _fetch(session: ClientSession, path: str, headers: dict[str, str]) -> None:
    async with session.get(path, headers=headers) as answer:
        assert answer.status == 200, answer.status
        await answer.read()


def main() -> None:
    """Measure in a fresh installation with a day's work in it, and print what it comes to."""
    from benchwarmers.tests.pages.seed import PASSWORD

    pages = int(sys.argv[1]) if len(sys.argv) > 1 else PAGES
    running = Running(Path(tempfile.mkdtemp(prefix="listeners-")), measured=False)
    variables = environment(running.home, running.port, measured=False)

    def program(*words: str) -> None:
        subprocess.run([sys.executable, "-m", *words], cwd=ROOT, env=variables, check=True, stdout=subprocess.DEVNULL)

    async def run() -> Cost:
        web = running.children()["web"]
        async with AsyncExitStack() as people:
            address = f"http://127.0.0.1:{running.port}"
            sessions = [await people.enter_async_context(signed_in(address, name, PASSWORD)) for name in PEOPLE]
            return await measure(sessions, web, lambda: program("benchwarmers.tests.pages.play", "talk", "News"), pages)

    try:
        running.wait_until_whole()
        program("benchwarmers.tests.pages.seed")
        print(asyncio.run(run()))
    finally:
        running.end()


if __name__ == "__main__":
    main()
