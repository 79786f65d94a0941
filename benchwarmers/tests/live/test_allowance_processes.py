"""A key's budgets over two web processes of the product: exact when many ask at once, and true after one was killed."""

from __future__ import annotations

import http.client
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from typing import Any

import pytest
import redis

from benchwarmers.env import own_socket
from benchwarmers.tests.live.faulty import Faulty, running_faulty
from benchwarmers.tests.live.keyed import zone_at_noon
from benchwarmers.tests.live.route_product import RouteProduct, turn_request
from benchwarmers.tests.live.test_route_processes import is_up
from benchwarmers.tests.up.running import ROOT, free_port, wait_for
from gateway.engine.allowance_script import PREFIX

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("allowance-processes")]
BUDGETS = {"ten": 10, "many": 60}
KEYS = {name: f"bwk_{name:a>40}" for name in BUDGETS}


class World:
    """The product with keys, and a second web process of the same home on a port of its own."""

    def __init__(self, product: RouteProduct, faulty: Faulty) -> None:
        self.product = product
        self.faulty = faulty
        self.port = free_port()
        secrets = {f"{name.upper()}_KEY": plain for name, plain in KEYS.items()}
        file = product.run.home / "keys.toml"
        file.write_text("\n".join(['[[person]]\nusername = "ada"\ngroups = ["admin"]\n', *map(key_of, BUDGETS)]))
        product.environment |= secrets
        product.manage("apply", str(file))
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "benchwarmers.serve"]
        environment = self.product.environment | {"BENCH_PORT": str(self.port)}
        self.other = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL)
        wait_for(lambda: is_up(self.port), 30)

    def spent(self, name: str) -> dict[str, tuple[int, int]]:
        """By unit: (what the key has spent today, what the ledger's rows sum up to)."""
        kept = dict(
            self.product.rows(
                "SELECT unit, spent FROM gateway_keyspend s JOIN collections_app_gatewaykey k ON k.id = s.key_id"
                " WHERE k.name = ? AND period = 'day'",
                name,
            )
        )
        ((requests, tokens),) = self.product.rows(
            "SELECT coalesce(sum(requests), 0), coalesce(sum(tokens_in + tokens_out), 0) FROM gateway_call"
            " WHERE caller = ?",
            name,
        )
        return {"requests": (kept.get("requests", 0), requests), "tokens": (kept.get("tokens", 0), tokens)}


def key_of(name: str) -> str:
    budgets = f'[{{ unit = "requests", period = "day", amount = {BUDGETS[name]} }}]'
    return f'[[key]]\nname = "{name}"\nowner = "ada"\nsecret_env = "{name.upper()}_KEY"\nbudgets = {budgets}\n'


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with running_faulty() as faulty:
        extra = {"BENCHWARMERS_REQUIRE_KEYS": "1", "BENCHWARMERS_TIME_ZONE": zone_at_noon()}
        product = RouteProduct(tmp_path_factory.mktemp("allowance"), faulty, {"steady": ("well",)}, **extra)
        try:
            one = World(product, faulty)
            yield one
            one.other.terminate()
            one.other.wait(20)
        finally:
            product.run.end()


def ask(port: int, name: str, said: str) -> tuple[int, bytes, Any]:
    """(status, body, headers); the status is 0 where the process is gone."""
    path, body = turn_request("chat", False, "steady", (said,))
    headers = {"content-type": "application/json", "authorization": f"Bearer {KEYS[name]}"}
    try:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read(), answer.headers
    except (OSError, http.client.HTTPException):
        return 0, b"", {}


def test_of_64_at_once_exactly_10_are_answered_where_10_have_room(world: World) -> None:
    together, ports = Barrier(64), (world.product.port, world.port)

    def one(number: int) -> tuple[int, bytes, Any]:
        together.wait(30)
        return ask(ports[number % 2], "ten", f"Hello {number}")

    with ThreadPoolExecutor(64) as pool:
        found = list(pool.map(one, range(64)))
    assert Counter(status for status, _, _ in found) == {200: 10, 429: 54}
    for status, body, headers in found:
        if status == 429:
            assert b"Key ten has used up its budget of 10 requests a day" in body, body
            assert 0 < int(headers["retry-after"]) <= 86_400
    wait_for(lambda: world.spent("ten") == {"requests": (10, 10), "tokens": (100, 100)}, 5)


def test_what_is_enforced_is_the_ledgers_sum_after_a_process_was_killed(world: World) -> None:
    limit = BUDGETS["many"]
    with ThreadPoolExecutor(8) as pool:
        first = [pool.submit(ask, (world.product.port, world.port)[n % 2], "many", f"Hello {n}") for n in range(40)]
        wait_for(lambda: world.spent("many")["requests"][0] >= 10, 20)
        world.other.kill()
        answered = [one.result()[0] for one in first]
    world.other.wait(10)
    assert set(answered) <= {200, 0}
    world.start()
    more = 0
    while ask((world.product.port, world.port)[more % 2], "many", f"Again {more}")[0] == 200:
        more += 1
    assert more > 0
    wait_for(lambda: world.spent("many")["requests"][0] >= answered.count(200) + more, 5)
    spent = world.spent("many")
    assert spent["requests"][0] == spent["requests"][1] <= limit
    assert spent["tokens"][0] == spent["tokens"][1]
    wait_for(lambda: told(world, "many")[0] == [spent["requests"][0], spent["tokens"][0], 0], 5)
    # What the killed process held is nobody's until it lapses; with it the budget is full.
    assert spent["requests"][0] + told(world, "many")[1] == limit


def told(world: World, name: str) -> tuple[list[int], int]:
    """(what Redis goes by today, requests that it holds for calls under way)."""
    ((key,),) = world.product.rows("SELECT id FROM collections_app_gatewaykey WHERE name = ?", name)
    with redis.Redis.from_url(f"unix://{own_socket(world.product.run.home)}", decode_responses=True) as client:
        (day,) = client.keys(f"{PREFIX}{key}:????-??-??")
        held = client.hget(f"{PREFIX}{key}:held", "=1")
        return [int(one) for one in client.hmget(day, "1", "2", "3")], int(held or 0)
