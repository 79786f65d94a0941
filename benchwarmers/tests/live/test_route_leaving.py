"""A caller who leaves a turn, in any format and at any moment: the provider sees its connection closed within a second,
and what was used is in the ledger."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from benchwarmers.tests.live.faulty import Faulty, running_faulty
from benchwarmers.tests.live.route_product import RouteProduct, turn_request
from benchwarmers.tests.up.running import wait_for
from gateway.tests.api.asking import WAYS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("route-leaving")]
GRACE_S = 0.8
WITHIN_S = 1.0


class Moment(NamedTuple):
    """What the provider does, how long the caller waits after its request has arrived there, and what the caller must
    have by then."""

    stream: bool
    fault: str
    after_s: float
    has: bytes = b""


MOMENTS = {
    "before the head": Moment(True, "silence", 0.2),
    "before the first piece": Moment(True, "silence-head", 0.2),
    "after a thought": Moment(True, "silence-thought", 0.2),
    "after the head": Moment(True, "silence", GRACE_S + 0.4, b"200 OK"),
    "in the middle": Moment(True, "silence-after", 0.3, b"Bl"),
    "a whole reply, before any of it": Moment(False, "silence", 0.2),
    "a whole reply, in its middle": Moment(False, "silence-after", 0.3),
}


class Case(NamedTuple):
    way: str
    moment: str

    @property
    def collection(self) -> str:
        return f"c{list(WAYS).index(self.way)}-{list(MOMENTS).index(self.moment)}"

    @property
    def served(self) -> str:
        return f"{MOMENTS[self.moment].fault}/{self.collection}"


CASES = [Case(way, moment) for way in WAYS for moment in MOMENTS]


class World(NamedTuple):
    product: RouteProduct
    faulty: Faulty
    left: dict[Case, float]
    had: dict[Case, bytes]


async def leave(world: World, case: Case) -> None:
    """Asks, waits for the moment, and is gone: half of all by a clean close, half by a reset."""
    moment = MOMENTS[case.moment]
    began = time.monotonic()
    path, body = turn_request(case.way, moment.stream, case.collection)
    reader, writer = await asyncio.open_connection("127.0.0.1", world.product.port)
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1:{world.product.port}\r\ncontent-type: application/json\r\n"
    writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
    while not (seen := world.faulty.of(case.served)).came:
        assert time.monotonic() - began < 5, (case, seen, await reader.read(2_000))
        await asyncio.sleep(0.01)
    await asyncio.sleep(moment.after_s)
    had = b""
    while moment.has and moment.has not in had:
        had += await asyncio.wait_for(reader.read(4_096), 3)
    world.had[case] = had
    world.left[case] = time.monotonic()
    if CASES.index(case) % 2:
        writer.transport.abort()
    else:
        writer.close()


async def leave_all(world: World) -> None:
    gate = asyncio.Semaphore(16)

    async def one(case: Case) -> None:
        async with gate:
            await leave(world, case)

    await asyncio.gather(*map(one, CASES))
    await asyncio.sleep(WITHIN_S)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with running_faulty() as faulty:
        collections = {case.collection: (case.served, "well") for case in CASES}
        patient = {"BENCH_ROUTE_FIRST_PIECE_S": "30", "BENCH_ROUTE_TURN_S": "30", "BENCH_ROUTE_GRACE_S": str(GRACE_S)}
        product = RouteProduct(tmp_path_factory.mktemp("leaving"), faulty, collections, **patient)
        one = World(product, faulty, {}, {})
        try:
            asyncio.run(leave_all(one))
            wait_for(lambda: product.rows("SELECT count(*) FROM gateway_turn") == [(len(CASES),)], 5)
            yield one
        finally:
            product.run.end()


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("way", WAYS)
def test_the_provider_is_let_go_within_a_second_and_the_rows_tell_so(world: World, way: str, moment: str) -> None:
    case = Case(way, moment)
    seen = world.faulty.of(case.served)
    assert len(seen.bodies) == 1
    assert len(seen.closed) == 1, "the provider still generates"
    assert 0 < seen.closed[0] - world.left[case] < WITHIN_S

    question = "SELECT alias, status, purpose, tokens_in, tokens_out FROM gateway_call WHERE collection_name = ?"
    ((alias, status, purpose, tokens_in, tokens_out),) = world.product.rows(question, case.collection)
    assert (alias, status, purpose) == (case.served.replace("/", "-"), "cancelled", "route")
    assert tokens_in > 0
    came = MOMENTS[moment].fault in ("silence-after", "silence-thought")
    assert (tokens_out > 0) is came

    question = (
        "SELECT gateway_turn.status, number FROM gateway_turn JOIN gateway_conversation"
        " ON gateway_conversation.id = conversation_id WHERE collection_name = ?"
    )
    assert world.product.rows(question, case.collection) == [("cancelled", 1)]


def test_the_server_is_well_after_all_of_them(world: World) -> None:
    status, _, answer = world.product.request("GET", "/health")
    assert (status, answer) == (200, b'{"ok": true}')
    assert not [line for line in world.product.run.lines if "Traceback" in line or "never retrieved" in line]
