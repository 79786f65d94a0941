"""Every fault of a provider, in every format, whole and streamed: with a second member nobody sees it before the first
piece, alone it is told in the format's own words, and the conversation goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import NamedTuple

import aiohttp
import psutil
import pytest

from benchwarmers.tests.live.faulty import LONG_LINE, Faulty, running_faulty
from benchwarmers.tests.live.route_product import FIRST_PIECE_S, TOO_OFTEN, TURN_S, RouteProduct, alias_of, turn_request
from benchwarmers.tests.live.route_replies import Said, read_stream, read_whole
from benchwarmers.tests.up.running import wait_for
from gateway.tests.api.asking import WAYS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("route-faults")]
BEFORE = {
    **dict.fromkeys(("429", "429-wait", "429-long"), 429),
    "400": 400,
    **dict.fromkeys(("refused", "reset", "silence", "silence-head", "silence-thought", "500", "529", "401"), 502),
    **dict.fromkeys(("empty", "reasoning-only", "error-inside", "no-json", "cut", "html"), 502),
}
"""Faults before the first piece, and the status of a turn that meets no other member."""
AFTER = (
    *("reset-after", "half-character", "half-character-inside", "error-after", "no-json-after", "cut-after"),
    "silence-after",
)
FINE = ("sse-as-json", "finish-no-call", "call-wrong-finish")
"""What looks odd and is an answer all the same."""
TIMED_OUT = {fault for fault in (*BEFORE, *AFTER) if fault.startswith("silence")}
EMPTY = {"empty", "reasoning-only"}
WITH_TOOLS = {way for way in WAYS if way not in ("completions", "generate")}
CASES = [(way, stream) for way in WAYS for stream in (False, True)]
AT_ONCE = 24


class Told(NamedTuple):
    """A reply: `seconds` until its end."""

    status: int
    headers: dict[str, str]
    said: Said
    seconds: float


class Case(NamedTuple):
    """`fault` alone in its collection, or before a member that is well."""

    fault: str
    way: str
    stream: bool
    paired: bool

    @property
    def collection(self) -> str:
        if not self.paired and self.fault not in TOO_OFTEN:
            return f"lone-{self.fault}"
        number = CASES.index((self.way, self.stream))
        return f"{self.fault}-{number}" if self.paired else f"lone-{self.fault}-{number}"

    @property
    def members(self) -> tuple[str, ...]:
        if self.paired:
            return f"once-{self.fault}/{self.collection}", "well"
        return (f"{self.fault}/{self.collection}" if self.fault in TOO_OFTEN else self.fault,)


PAIRED = [Case(fault, way, stream, True) for fault in (*BEFORE, *AFTER, *FINE) for way, stream in CASES]
LONE = [Case(fault, way, stream, False) for fault in (*BEFORE, *AFTER) for way, stream in CASES]
LONG = [Case("long-line", way, True, False) for way in ("chat", "anthropic", "gemini")] + [
    Case("long-line", way, False, True) for way in ("responses", "ollama", "completions")
]


class World:
    """The product, and what it answered in every case."""

    def __init__(self, product: RouteProduct, faulty: Faulty) -> None:
        self.product = product
        self.faulty = faulty
        self.told: dict[Case, Told] = {}
        self.next: dict[Case, Told] = {}
        self.grown = 0
        self.seconds = 0.0

    async def play(self) -> None:
        began = time.monotonic()
        timeout = aiohttp.ClientTimeout(total=20)
        async with aiohttp.ClientSession(timeout=timeout, connector=aiohttp.TCPConnector(limit=0)) as client:
            gate = asyncio.Semaphore(AT_ONCE)
            await asyncio.gather(*(self._case(client, case, gate) for case in (*PAIRED, *LONE)))
            web = self.product.run.children()["web"]
            before = web.memory_info().rss
            narrow = asyncio.Semaphore(1)
            await asyncio.gather(*(self._case(client, case, narrow) for case in LONG))
            self.grown = psutil.Process(web.pid).memory_info().rss - before
        self.seconds = time.monotonic() - began

    async def _case(self, client: aiohttp.ClientSession, case: Case, gate: asyncio.Semaphore) -> None:
        async with gate:
            self.told[case] = await self._turn(client, case, "Hello?")
            if case.paired:
                said = self.told[case].said.text or "Hm."
                self.next[case] = await self._turn(client, case, "Hello?", said, "And now?")

    async def _turn(self, client: aiohttp.ClientSession, case: Case, *said: str) -> Told:
        path, body = turn_request(case.way, case.stream, case.collection, said)
        began = time.monotonic()
        url = f"http://127.0.0.1:{self.product.port}{path}"
        async with client.post(url, data=body, headers={"content-type": "application/json"}) as reply:
            data = await reply.read()
            headers = {name.lower(): value for name, value in reply.headers.items()}
        read = read_stream if case.stream else read_whole
        return Told(reply.status, headers, read(case.way, reply.status, data), time.monotonic() - began)

    def ledger(self, case: Case) -> list[tuple[str, str]]:
        """(alias, status) of a collection's calls in order."""
        question = "SELECT alias, status FROM gateway_call WHERE collection_name = ? ORDER BY id"
        return [(alias, status) for alias, status in self.product.rows(question, case.collection)]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with running_faulty() as faulty:
        collections = {case.collection: case.members for case in (*PAIRED, *LONE, *LONG)}
        product = RouteProduct(tmp_path_factory.mktemp("faults"), faulty, collections)
        one = World(product, faulty)
        try:
            asyncio.run(one.play())
            wait_for(lambda: len(one.ledger(PAIRED[0])) == 3, 5)
            yield one
        finally:
            product.run.end()


@pytest.mark.parametrize("fault", BEFORE)
def test_before_the_first_piece_the_next_member_answers_and_nobody_sees_why(world: World, fault: str) -> None:
    for case in (one for one in PAIRED if one.fault == fault):
        told = world.told[case]
        assert (told.status, told.said.text, told.said.error) == (200, "Well.", ""), case
        assert told.headers["x-bench-model"] == "well", case
        failed = "timeout" if fault in TIMED_OUT else "empty" if fault in EMPTY else "error"
        assert world.ledger(case) == [(alias_of(case.members[0]), failed), ("well", "ok"), ("well", "ok")], case


@pytest.mark.parametrize("fault", AFTER)
def test_after_the_first_piece_the_format_tells_of_the_failure_and_ends(world: World, fault: str) -> None:
    for case in (one for one in (*PAIRED, *LONE) if one.fault == fault):
        told = world.told[case]
        assert "failed part way through the turn: " in told.said.error, (case, told)
        assert told.status == (200 if case.stream else 502), case
        assert told.said.text == ("Bl" if case.stream else ""), case
        if case.paired:
            failed = "timeout" if fault in TIMED_OUT else "error"
            mine = alias_of(case.members[0])
            assert world.ledger(case) == [(mine, failed), (mine, "ok")], case


@pytest.mark.parametrize("fault", [*BEFORE, *AFTER, *FINE])
def test_the_conversation_goes_on(world: World, fault: str) -> None:
    for case in (one for one in PAIRED if one.fault == fault):
        first, told = world.told[case], world.next[case]
        assert (told.status, told.said.text, told.said.error) == (200, "Well.", ""), case
        assert told.headers["x-bench-conversation"].startswith("r2"), case
        if first.status == 200:
            assert told.headers["x-bench-conversation"] == first.headers["x-bench-conversation"], case


@pytest.mark.parametrize("fault", BEFORE)
def test_alone_the_fault_is_told_with_its_status_in_the_formats_own_shape(world: World, fault: str) -> None:
    for case in (one for one in LONE if one.fault == fault):
        told = world.told[case]
        assert told.status == BEFORE[fault], (case, told)
        assert told.said.error.startswith(f"No member of bench/{case.collection} answered: "), case
        assert "content-length" in told.headers, case
        if fault == "429-long":
            assert 600 < int(told.headers["retry-after"]) <= 700, case
        elif fault == "429-wait":
            assert told.headers["retry-after"] == "1", case
        else:
            assert "retry-after" not in told.headers, case


def test_alone_refused_credentials_name_the_connection_to_mend(world: World) -> None:
    for case in (one for one in LONE if one.fault == "401"):
        assert "the credentials of faulty were refused; its operator must mend them" in world.told[case].said.error


def test_a_wait_of_more_than_a_minute_is_not_asked_within(world: World) -> None:
    asked = len(world.faulty.of("429-long").bodies)
    assert 1 <= asked <= AT_ONCE  # those that were under way when the first of them heard of it


@pytest.mark.parametrize("way", WAYS)
def test_odd_answers_are_answers(world: World, way: str) -> None:
    for case in (one for one in PAIRED if one.way == way and one.fault in FINE):
        if case.fault == "call-wrong-finish" and way not in WITH_TOOLS:
            continue
        told = world.told[case]
        assert (told.status, told.said.error) == (200, ""), (case, told)
        if case.fault == "sse-as-json":
            assert told.said.text == "Well.", case
        elif case.fault == "finish-no-call":
            assert (told.said.text, told.said.calls) == ("Bl", []), case
            assert told.said.finish in ("stop", "end_turn", "completed", "STOP"), case
        else:
            assert told.said.calls == ["look"], (case, told)
            wanted = {"chat": "tool_calls", "anthropic": "tool_use", "responses": "completed"}
            assert told.said.finish == wanted.get(way, told.said.finish), case


def test_a_line_that_never_ends_is_cut_off_and_its_memory_given_back(world: World) -> None:
    for case in LONG:
        told = world.told[case]
        if case.paired:
            assert (told.status, told.said.text) == (200, "Well."), (case, told)
        else:
            assert told.status == 502, (case, told)
            assert "larger than" in told.said.error, told
    assert world.grown < LONG_LINE // 2, world.grown


def test_nothing_hangs(world: World) -> None:
    longest = max(world.told.items(), key=lambda one: one[1].seconds)
    assert longest[1].seconds < FIRST_PIECE_S + 2 * TURN_S + 4, longest
    assert world.seconds < 60
