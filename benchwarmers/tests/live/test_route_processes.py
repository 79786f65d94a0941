"""Two web processes over one Redis: turns of a conversation alternate between them and stay on one member, and either
goes on when the other is killed."""

from __future__ import annotations

import http.client
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest

from benchwarmers.tests.live.faulty import Faulty, running_faulty
from benchwarmers.tests.live.route_product import RouteProduct, turn_request
from benchwarmers.tests.live.route_replies import read_stream
from benchwarmers.tests.up.running import ROOT, free_port, wait_for
from gateway.tests.api.asking import WAYS

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("route-processes")]
COLLECTIONS = {
    "steady": ("well/1", "well/2", "well/3"),
    "moves": ("once-500/moves", "well/1"),
    "hangs": ("silence-after/hangs",),
    **{f"moves-{way.replace(' ', '-')}": (f"once-error-inside/{way}".replace(" ", "-"), "well/1") for way in WAYS},
}


class World:
    """The product, and a second web process of the same home on a port of its own."""

    def __init__(self, product: RouteProduct, faulty: Faulty) -> None:
        self.product = product
        self.faulty = faulty
        self.port = free_port()
        self.start()

    def start(self) -> None:
        environment = self.product.environment | {
            "BENCH_PORT": str(self.port),
            "BENCH_ROUTE_TURN_S": "60",
            "BENCH_DRAIN_S": "2",
        }
        command = [sys.executable, "-m", "benchwarmers.serve"]
        self.other = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL)
        wait_for(lambda: is_up(self.port), 30)

    def kill(self) -> None:
        self.other.kill()
        self.other.wait(10)


def is_up(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with running_faulty() as faulty:
        product = RouteProduct(tmp_path_factory.mktemp("processes"), faulty, COLLECTIONS)
        try:
            one = World(product, faulty)
            yield one
            one.other.terminate()
            one.other.wait(20)
        finally:
            product.run.end()


def turn(port: int, collection: str, *said: str, way: str = "chat") -> tuple[str, str]:
    """(conversation, model) of a whole reply."""
    path, body = turn_request(way, False, collection, said)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        connection.request("POST", path, body, {"content-type": "application/json"})
        answer = connection.getresponse()
        data = answer.read()
        assert answer.status == 200, data
        return str(answer.headers["x-bench-conversation"]), str(answer.headers["x-bench-model"])
    finally:
        connection.close()


def talk(ports: Any, collection: str, opening: str, turns: int, way: str = "chat") -> list[tuple[str, str]]:
    """A conversation whose turns go to these ports in turn."""
    said = [opening]
    found = []
    for place in range(turns):
        found.append(turn(ports[place % len(ports)], collection, *said, way=way))
        said += ["Well.", f"And {place}?"]
    return found


def test_every_conversation_keeps_its_id_and_its_member(world: World) -> None:
    ports = (world.product.port, world.port)
    for number in range(10):
        found = talk(ports[:: 1 if number % 2 else -1], "steady", f"Hello {number}", 6)
        assert len(set(found)) == 1, found


@pytest.mark.parametrize("way", WAYS)
def test_a_move_that_one_process_made_is_known_to_the_other(world: World, way: str) -> None:
    collection = f"moves-{way.replace(' ', '-')}"
    found = talk((world.product.port, world.port), collection, "Hello", 3, way)
    assert len(set(found)) == 1, found
    assert found[0][1] == "well-1"


def test_one_goes_on_when_the_other_is_killed_and_a_restart_forgets_nothing(world: World) -> None:
    here, there = world.product.port, world.port
    names = [*(("steady", f"Goodbye {number}") for number in range(4)), ("moves", "Goodbye")]
    begun = [talk((here, there), collection, opening, 3)[0] for collection, opening in names]
    assert begun[-1][1] == "well-1"
    wait_for(lambda: all(numbers_of(world, one) == [1, 2, 3] for one, _ in begun), 5)

    world.product.run.children()["web"].kill()
    for found, (collection, opening) in zip(begun, names, strict=True):
        assert turn(there, collection, opening, "Well.", "Are you there?") == found
    wait_for(lambda: all(numbers_of(world, one) == [1, 2, 3, 4] for one, _ in begun), 5)

    wait_for(world.product.run.is_healthy, 30)
    world.kill()
    for found, (collection, opening) in zip(begun, names, strict=True):
        assert turn(here, collection, opening, "Well.", "And you?") == found
    wait_for(lambda: all(numbers_of(world, one) == [1, 2, 3, 4, 5] for one, _ in begun), 5)
    for one, _ in begun:
        assert evidence_of(world, one) == [f"{one}.1"]
    world.start()


def test_a_process_that_stops_in_mid_turn_ends_it_in_the_words_of_the_format(world: World) -> None:
    """No bare cut: some clients hang on one, and all of them ask again after an error."""

    def ask(way: str) -> tuple[int, bytes]:
        path, body = turn_request(way, True, "hangs", (f"Hello by {way}",))
        with closing(http.client.HTTPConnection("127.0.0.1", world.port, timeout=30)) as connection:
            connection.request("POST", path, body, {"content-type": "application/json"})
            answer = connection.getresponse()
            return answer.status, answer.read()

    with ThreadPoolExecutor(len(WAYS)) as pool:
        asking = {way: pool.submit(ask, way) for way in WAYS}
        question = "SELECT count(*) FROM gateway_turn JOIN gateway_conversation ON conversation_id ="
        question += " gateway_conversation.id WHERE collection_name = 'hangs' AND status = 'cancelled'"
        wait_for(lambda: len(world.faulty.of("silence-after/hangs").bodies) == len(WAYS), 5)
        world.other.terminate()
        for way, reply in asking.items():
            status, data = reply.result(30)
            said = read_stream(way, status, data)
            assert (said.text, "The server is stopping." in said.error) == ("Bl", True), (way, data)
    world.other.wait(20)
    assert world.product.rows(question) == [(len(WAYS),)]
    world.start()


def numbers_of(world: World, conversation: str) -> list[int]:
    question = "SELECT number FROM gateway_turn WHERE conversation_id = ? ORDER BY number"
    return [number for (number,) in world.product.rows(question, conversation)]


def evidence_of(world: World, conversation: str) -> list[str]:
    question = "SELECT call FROM collections_app_evidence WHERE call LIKE ? || '.%'"
    return [call for (call,) in world.product.rows(question, conversation)]
