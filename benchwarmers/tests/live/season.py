"""Two hundred panels with a verdict on every seat, through the interface alone, and the pages of whoever signs in."""

from __future__ import annotations

import http.cookiejar
import re
import threading
import urllib.parse
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.six import RIGHT, SHAPES, Six, set_up
from benchwarmers.tests.up.prepared import prepare
from benchwarmers.tests.up.running import Running, environment, free_port

PANELS: Final = 100
"""How many each collection has."""
HANDS: Final = 4
"""How many people ask at the same time."""
_CELL: Final = re.compile(r'<t[dh] class="field-(\w+)[^>]*>(.*?)</t[dh]>', re.DOTALL)
_SHARE: Final = re.compile(r"(\d+)% \((\d+)% to (\d+)%\)")


class SixProduct(Product):
    """An installation of the six alone: nobody else may explore."""

    def __init__(self, home: Path, six: Six) -> None:
        self.port = free_port()
        file = home / "setup.toml"
        file.write_text(set_up(six))
        prepare(home)
        self.environment = environment(home, self.port, measured=False)
        self.manage("apply", str(file))
        self.run = Running(home, self.port, measured=False)
        self.run.wait_until_whole()


class Season:
    """What was asked and said. `useful` and `judged` count verdicts by (collection, alias), `explored` seats of those
    that are no members; `panels` holds the ids by collection."""

    def __init__(self, product: Product) -> None:
        self._product = product
        self._writing = threading.Lock()
        self.useful: Counter[tuple[str, str]] = Counter()
        self.judged: Counter[tuple[str, str]] = Counter()
        self.explored: Counter[tuple[str, str]] = Counter()
        self.panels: dict[str, list[str]] = {collection: [] for collection in SHAPES}

    def play(self) -> None:
        """All panels, one collection after the other: who sat in the one is not stale for the other."""
        for collection in SHAPES:
            with ThreadPoolExecutor(HANDS) as hands:
                list(hands.map(self._ask, [collection] * PANELS))

    def _ask(self, collection: str) -> None:
        bench = self._product.ask(collection, "Is it right?")["bench"]
        for seat in bench["seats"]:
            assert seat["status"] == "ok", seat
            self.judge(collection, seat)
        with self._writing:
            self.panels[collection].append(bench["panel"])
            self.explored.update((collection, seat["alias"]) for seat in bench["seats"] if "explorer" in seat["seat"])

    def judge(self, collection: str, seat: Any) -> None:
        """The verdict that the answer deserves."""
        useful = seat["answer"] == RIGHT
        status, told = self._product.post("/bench/verdict", {"call": seat["call"], "useful": useful})
        assert (status, told["ok"]) == (200, True), told
        with self._writing:
            self.judged[collection, seat["alias"]] += 1
            self.useful[collection, seat["alias"]] += useful


class Standing(NamedTuple):
    """A row of the page of standings; shares are from 0 to 1."""

    judged: int
    useful: float
    share: float
    low: float
    high: float


class Visitor:
    """Somebody with a cookie who came by the link that the first start shows."""

    def __init__(self, product: Product) -> None:
        jar = http.cookiejar.CookieJar()
        self._address = f"http://127.0.0.1:{product.port}"
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        link = re.search(r"/sign-in/\S+", product.run.output)
        assert link is not None, product.run.output
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self.read(link[0]))
        assert token is not None
        form = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1]}).encode()
        with self._opener.open(urllib.request.Request(self._address + link[0], form, {"origin": self._address})):
            pass

    def read(self, path: str) -> str:
        """The page; raises where it is not a 200."""
        with self._opener.open(self._address + path, timeout=30) as answer:
            return str(answer.read().decode())

    def standings(self) -> dict[tuple[str, str, str], Standing]:
        """The judged standings by (alias, collection, shape), as the admin shows them; `-` stands for all."""
        return dict(self._standings(self.read("/admin/collections_app/standing/")))

    def _standings(self, page: str) -> Iterator[tuple[tuple[str, str, str], Standing]]:
        for row in page.split("<tr")[1:]:
            cells = {name: unescape(re.sub(r"<[^>]+>", "", text)).strip() for name, text in _CELL.findall(row)}
            if "share_useful" in cells and (found := _SHARE.fullmatch(cells["share_useful"])):
                share, low, high = (int(number) / 100 for number in found.groups())
                key = (cells["language_model"], cells["collection_name"], cells["shape"])
                yield key, Standing(int(cells["judged"]), float(cells["useful"]), share, low, high)
