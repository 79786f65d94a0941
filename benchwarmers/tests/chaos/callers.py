"""The mixed load: callers who each do one thing after another, as the dice say, and write down what they were told."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, Final

import aiohttp

from benchwarmers.tests.chaos.journal import EXPECTED, Asked, End, Journal
from benchwarmers.tests.chaos.place import WEBS, Place
from benchwarmers.tests.live.route_product import turn_request
from benchwarmers.tests.live.route_replies import Said, read_stream, read_whole
from gateway.tests.api.asking import WAYS

PATIENCE_S: Final = 30.0
PAGES: Final = ("/", "/panels/", "/conversations/", "/usage/", "/judge/", "/evidence/", "/changes/", "/jobs/")
TURNS: Final = ("steady", "steady", "talk", "late", "rough", EXPECTED)
SHARES: Final = {
    "turn": 60,
    "panel": 8,
    "merged": 4,
    "embeddings": 6,
    "verdict": 12,
    "page": 6,
    "fact": 2,
    "job": 1,
}
LONGEST_TALK: Final = 6
Reply = tuple[int, dict[str, str], bytes]


class Callers:
    """`run` keeps so many of them busy until `stop` is set. `slack` stretches their patience."""

    def __init__(self, place: Place, journal: Journal, seed: int, slack: float) -> None:
        self.place = place
        self.journal = journal
        self.rng = Random(seed)
        self.patience_s = PATIENCE_S * slack
        self.stop = asyncio.Event()
        self.run_id = f"{seed}"
        self._numbers = 0
        self._jobs = 0
        self._client: aiohttp.ClientSession | None = None
        self._work: dict[str, Callable[[str], Awaitable[None]]] = {
            "turn": self._talk,
            "panel": self._panel,
            "merged": self._merged,
            "embeddings": self._embed,
            "verdict": self._judge,
            "page": self._look,
            "fact": self._state,
            "job": self._onboard,
        }

    async def run(self, many: int) -> None:
        timeout = aiohttp.ClientTimeout(total=self.patience_s)
        async with aiohttp.ClientSession(timeout=timeout, connector=aiohttp.TCPConnector(limit=0)) as self._client:
            await asyncio.gather(*(self._busy() for _ in range(many)))

    async def _busy(self) -> None:
        kinds, weights = list(SHARES), list(SHARES.values())
        while not self.stop.is_set():
            (kind,) = self.rng.choices(kinds, weights)
            await self._work[kind](kind)
            await asyncio.sleep(self.rng.uniform(0.0, 0.1))

    # --- what they do -------------------------------------------------------------------------------------------------

    async def _talk(self, what: str) -> None:
        """A conversation of some turns in one format, each turn by any of the web processes."""
        way, collection = self.rng.choice(list(WAYS)), self.rng.choice(TURNS)
        said, session = [f"Hello, this is {self._mark(what)}."], self._mark("talk")
        for _ in range(self.rng.randint(1, LONGEST_TALK)):
            stream = self.rng.random() < 0.6
            mark = self._mark(what)
            said[-1] = f"{said[-1]} And {mark}."
            told = await self._turn(way, stream, collection, said, mark, session)
            if told is None or way in ("completions", "generate") or self.stop.is_set():
                return
            said += [told or "Hm.", "And then?"]

    async def _turn(
        self, way: str, stream: bool, collection: str, said: list[str], mark: str, session: str
    ) -> str | None:
        path, body = turn_request(
            way, stream, collection, said if way not in ("completions", "generate") else said[-1:]
        )
        asked = self._begin(mark, "streamed turn" if stream else "whole turn", meant=collection == EXPECTED)
        reply = await self._send(asked, "POST", path, body, {"x-session-id": session})
        if reply is None or (read := self._read(asked, way, stream, reply)) is None:
            return None
        self.journal.answered.add(mark)
        if not stream and (call := json.loads(reply[2]).get("bench", {}).get("call")):
            self.journal.calls.setdefault(call)
        # A head that had to go before the turn was placed names no conversation.
        if conversation := reply[1].get("x-bench-conversation"):
            self.journal.conversations[conversation] += 1
        return read.text

    async def _panel(self, what: str, collection: str = "board") -> None:
        way, stream, mark = self.rng.choice(list(WAYS)), self.rng.random() < 0.5, self._mark(what)
        path, body = turn_request(way, stream, collection, (f"What do you think of {mark}?",))
        document = json.loads(body)
        document.pop("tools", None)
        asked = self._begin(mark, what)
        reply = await self._send(asked, "POST", path, json.dumps(document).encode())
        if reply is None or self._read(asked, way, stream, reply) is None:
            return
        self.journal.answered.add(mark)
        if panel := reply[1].get("x-bench-panel"):
            self.journal.panels.add(panel)
        if way == "chat" and not stream:
            seats = json.loads(reply[2])["bench"]["seats"]
            self.journal.calls.update({seat["call"]: None for seat in seats if seat["status"] == "ok"})

    async def _merged(self, what: str) -> None:
        await self._panel(what, "board:merged")

    async def _embed(self, what: str) -> None:
        mark = self._mark(what)
        body = json.dumps({"model": "bench/vectors", "input": [f"Of {mark}", "and more"]}).encode()
        asked = self._begin(mark, what)
        reply = await self._send(asked, "POST", "/v1/embeddings", body)
        if reply is not None and self._document(asked, reply, lambda told: len(told["data"]) == 2):
            self.journal.answered.add(mark)

    async def _judge(self, what: str) -> None:
        """A call that nobody has judged: each is judged once, so that its verdict is known."""
        call = next((call for call in self.journal.calls if call not in self.journal.verdicts), None)
        if call is None:
            return
        mark = self._mark(what)
        self.journal.verdicts[call] = ""  # under way, or lost: nobody knows
        body = {"call": call, "useful": self.rng.random() < 0.7, "note": mark}
        asked = self._begin(mark, what)
        reply = await self._send(asked, "POST", "/bench/verdict", json.dumps(body).encode())
        if reply is not None and self._document(asked, reply, lambda told: told["recorded"]["note"] == mark):
            self.journal.verdicts[call] = mark

    async def _state(self, what: str) -> None:
        """A fact about a model, through a personal token. The change log keeps each."""
        mark, number = self._mark(what), self._numbers
        body = {"alias": f"slow-{self.rng.choice('ab')}", "facts": {"context_window": 100_000 + number}}
        asked = self._begin(mark, what)
        reply = await self._send(asked, "POST", "/api/model-facts", json.dumps(body).encode(), self._bearer)
        if reply is not None and self._document(asked, reply, lambda told: told["ok"] is True):
            self.journal.facts.add(str(100_000 + number))

    async def _onboard(self, what: str) -> None:
        """Has a model taken on, which its job then asks some questions."""
        self._jobs += 1
        served = f"chats-{self._jobs}"
        body = {"served": served, "endpoint": f"up-{self.rng.choice('ab')}", "mode": "quick-adhoc"}
        asked = self._begin(self._mark(what), what)
        reply = await self._send(asked, "POST", "/api/onboard", json.dumps(body).encode(), self._bearer)
        if reply is not None and self._document(asked, reply, lambda told: told["job"] > 0):
            self.journal.jobs[json.loads(reply[2])["job"]] = served

    async def _look(self, what: str) -> None:
        asked = self._begin(self._mark(what), what)
        headers = {"cookie": f"bw_session={self.place.session}"}
        reply = await self._send(asked, "GET", self.rng.choice(PAGES), None, headers)
        if reply is None:
            return
        status, told, data = reply
        if status != 200:
            asked.end, asked.why = End.TOLD, f"{status}"
        if not (told["content-type"].startswith("text/html") and data.rstrip().endswith(b"</html>")):
            asked.end, asked.why = End.BARE, f"{status} {data[:200]!r}"

    # --- how ----------------------------------------------------------------------------------------------------------

    @property
    def _bearer(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.place.token}"}

    def _mark(self, what: str) -> str:
        self._numbers += 1
        return f"ask-{self.run_id}-{self._numbers:012x}"

    def _begin(self, mark: str, what: str, *, meant: bool = False) -> Asked:
        return self.journal.begin(mark, what, self.rng.choice(WEBS), meant=meant)

    async def _send(
        self, asked: Asked, method: str, path: str, body: bytes | None, headers: dict[str, str] | None = None
    ) -> Reply | None:
        """The whole reply; None where there was none, which is written down."""
        assert self._client is not None
        sent = {"content-type": "application/json", "x-request-id": asked.mark, **(headers or {})}
        try:
            async with self._client.request(
                method, self.place.url(asked.web) + path, data=body, headers=sent, allow_redirects=False
            ) as reply:
                data = await reply.read()
                return reply.status, {name.lower(): value for name, value in reply.headers.items()}, data
        except TimeoutError:
            asked.end, asked.why = End.LATE, f"{self.patience_s:g} s"
        except (aiohttp.ClientError, OSError) as error:
            asked.end, asked.why = End.BROKEN, type(error).__name__
        finally:
            asked.ended = time.time()
        return None

    def _read(self, asked: Asked, way: str, stream: bool, reply: Reply) -> Said | None:
        """The answer; None where it is an error, or nothing that the format knows."""
        status, _, data = reply
        try:
            said = (read_stream if stream else read_whole)(way, status, data)
        except (AssertionError, ValueError, KeyError, IndexError, TypeError) as error:
            asked.end, asked.why = End.BARE, f"{status} {way} {type(error).__name__} {data[-300:]!r}"
            return None
        if said.error or status != 200:
            asked.end, asked.why = End.TOLD, f"{status} {said.error[:200]}"
            return None
        return said

    def _document(self, asked: Asked, reply: Reply, right: Callable[[Any], bool]) -> bool:
        """Whether it is a 2xx with the right document; what else it is is written down."""
        status, _, data = reply
        try:
            told = json.loads(data)
            if 200 <= status < 300:
                if not right(told):
                    raise ValueError("another answer")
                return True
            words = told["errors"] if "errors" in told else told["error"]["message"]
            asked.end, asked.why = End.TOLD, f"{status} {words}"
        except (ValueError, KeyError, TypeError) as error:
            asked.end, asked.why = End.BARE, f"{status} {type(error).__name__} {data[:300]!r}"
        return False
