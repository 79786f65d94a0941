"""Two web processes at one port: connections are shared, numbers are one, either may die, and all are relieved by new
ones without a caller noticing."""

from __future__ import annotations

import http.client
import re
import signal
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing

import psutil
import pytest

from benchwarmers.tests.live.callers import Callers
from benchwarmers.tests.live.elsewhere import Elsewhere, ask
from benchwarmers.tests.live.faulty import Faulty, running_faulty
from benchwarmers.tests.live.route_product import RouteProduct, turn_request
from benchwarmers.tests.up.running import command_line, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("several"), pytest.mark.timeout(400)]
PATIENT = {"BENCH_ROUTE_FIRST_PIECE_S": "50"}
COLLECTIONS = {
    "well": ("well/1",),
    "three": ("well/1", "well/2", "well/3"),
    "long": ("long/1",),
    "hangs": ("silence-after/1",),
}


@pytest.fixture(scope="module")
def faulty() -> Iterator[Faulty]:
    with running_faulty() as one:
        yield one


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory, faulty: Faulty) -> Iterator[RouteProduct]:
    more = {"BENCH_WEB_PROCESSES": "2", "BENCH_WORKER_PROCESSES": "2", "BENCH_ROUTE_TURN_S": "60"} | PATIENT
    one = RouteProduct(tmp_path_factory.mktemp("several"), faulty, COLLECTIONS, **more)
    yield one
    one.run.end()
    assert one.run.survivors() == []


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory, product: RouteProduct) -> Iterator[Elsewhere]:
    one = Elsewhere(product, tmp_path_factory.mktemp("there"))
    yield one
    assert one.end() == 0


def processes(product: RouteProduct, mark: str = "benchwarmers.serve") -> dict[int, psutil.Process]:
    """Those that run now and have this in their command line."""
    below = psutil.Process(product.run.process.pid).children(recursive=True)
    product.run.seen.update({one.pid: one for one in below})
    return {one.pid: one for one in below if mark in command_line(one)}


def lines_of(process: psutil.Process, port: int) -> int:
    """How many callers are connected to it."""
    held = process.net_connections(kind="tcp")
    return sum(one.status == "ESTABLISHED" and one.laddr.port == port for one in held)


def counted(product: RouteProduct) -> int:
    """How many turns all processes together say they have answered, whoever is asked."""
    with urllib.request.urlopen(f"http://127.0.0.1:{product.port}/metrics", timeout=20) as answer:
        text = answer.read().decode()
    found = re.findall(r'^bench_request_seconds_count\{.*status="200".*\} (\S+)$', text, re.MULTILINE)
    return int(sum(map(float, found)))


def one_turn(product: RouteProduct, line: http.client.HTTPConnection) -> int:
    path, body = turn_request("chat", False, "well", ("Hello?",))
    line.request("POST", path, body, {"content-type": "application/json"})
    with line.getresponse() as answer:
        answer.read()
        return answer.status


MANY = 60
"""Connections after which each of two processes has some, however little time a busy machine gives to one of them."""


def test_connections_that_are_kept_are_shared(product: RouteProduct) -> None:
    both = processes(product)
    assert len(both) == 2
    assert len(processes(product, "background worker")) == 2
    wait_for(lambda: all(lines_of(one, product.port) == 0 for one in both.values()), 10, product.run)
    with ExitStack() as kept:
        shares: list[int] = [0, 0]
        while min(shares) < 4 and sum(shares) < MANY:
            line = kept.enter_context(closing(http.client.HTTPConnection("127.0.0.1", product.port, timeout=20)))
            assert one_turn(product, line) == 200
            shares = [lines_of(one, product.port) for one in both.values()]
        assert min(shares) >= 4, shares


def test_one_that_dies_leaves_the_other_and_comes_back(product: RouteProduct) -> None:
    before = processes(product)
    first, other = before
    before[first].kill()
    with closing(http.client.HTTPConnection("127.0.0.1", product.port, timeout=20)) as line:
        assert one_turn(product, line) == 200
    wait_for(lambda: len(processes(product)) == 2 and first not in processes(product), 20, product.run)
    assert other in processes(product)
    assert re.search(r"web[12] ended \(killed by SIGKILL\); starting it again in 0.5 s", product.run.output)


def test_all_are_relieved_while_callers_ask_and_nobody_notices(product: RouteProduct) -> None:
    wait_for(lambda: len(processes(product)) == 2, 20, product.run)
    before, workers = set(processes(product)), set(processes(product, "background worker"))
    asked = counted(product)
    with Callers(product.port, whole=3, streams=3) as callers:
        product.run.process.send_signal(signal.SIGUSR2)
        wait_for(lambda: len(processes(product)) == 2 and not before & set(processes(product)), 90, product.run)
        told = callers.end()
    assert [one.wrong for one in told] == [[]] * 6
    assert all(one.answers > 1 for one in told)
    assert sum(one.connections for one in told) >= 12, "each was told to close at least once"
    wait_for(lambda: counted(product) == asked + sum(one.answers for one in told), 10, product.run)
    wait_for(
        lambda: len(now := processes(product, "background worker")) == 2 and not workers & set(now), 60, product.run
    )


def test_who_asks_for_ever_is_cut_by_a_second_word_in_its_own_format(product: RouteProduct, faulty: Faulty) -> None:
    """SIGINT gives a process that is ending no more time than it gives one that was not."""
    path, body = turn_request("chat", True, "hangs", ("Hello?",))
    with closing(http.client.HTTPConnection("127.0.0.1", product.port, timeout=60)) as line:
        line.request("POST", path, body, {"content-type": "application/json"})
        answer = line.getresponse()
        wait_for(lambda: bool(faulty.of("silence-after/1").bodies), 10, product.run)
        (busy,) = [one for one in processes(product).values() if lines_of(one, product.port)]
        busy.send_signal(signal.SIGTERM)
        wait_for(lambda: "ending: 1 connections, 120 s at most" in product.run.output, 10, product.run)
        busy.send_signal(signal.SIGINT)
        busy.send_signal(signal.SIGINT)
        data = answer.read()
    assert b"The server is stopping." in data
    assert data.rstrip().endswith(b"[DONE]") or b'"error"' in data
    wait_for(lambda: busy.pid not in processes(product) and len(processes(product)) == 2, 20, product.run)


def test_a_conversation_goes_on_at_another_machine(product: RouteProduct, there: Elsewhere) -> None:
    said, found = ["Hello?"], set()
    for place in range(6):
        path, body = turn_request("chat", False, "three", said)
        status, headers, data = ask((product.port, there.port)[place % 2], "POST", path, body)
        assert status == 200, data
        found.add((headers["x-bench-conversation"], headers["x-bench-model"]))
        said += ["Well.", f"And {place}?"]
    assert len(found) == 1


def test_what_the_catalogue_learns_is_known_at_the_other_machine(product: RouteProduct, there: Elsewhere) -> None:
    path, body = turn_request("chat", False, "late")
    assert ask(there.port, "POST", path, body)[0] == 404
    file = product.run.home / "more.toml"
    file.write_text('[[collection]]\nname = "late"\nmembers = ["well-1"]\nreply = "route"\n')
    product.manage("apply", str(file))
    wait_for(lambda: ask(there.port, "POST", path, body)[0] == 200, 10, product.run)


def test_little_is_left_in_the_folder_of_another_machine(there: Elsewhere) -> None:
    assert {path.name for path in there.home.iterdir()} <= {"metrics", "trail"}
