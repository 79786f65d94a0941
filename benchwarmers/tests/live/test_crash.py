"""Processes are killed without warning; nothing that had happened is lost, and the gateway is back by itself."""

import http.client
import json
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.upstream import running_provider
from benchwarmers.tests.up.running import wait_for

TABLES = ("gateway_panel", "gateway_seat", "gateway_call", "collections_app_evidence")
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("crash")]


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Product]:
    with running_provider() as provider:
        running = Product(tmp_path_factory.mktemp("crash"), provider)
        yield running
        running.run.end()


def rows(product: Product, question: str, *values: str) -> list[tuple[Any, ...]]:
    with sqlite3.connect(product.run.home / "benchwarmers.sqlite3") as database:
        return database.execute(question, values).fetchall()


def count(product: Product, table: str) -> int:
    ((found,),) = rows(product, f"SELECT count(*) FROM {table}")  # noqa: S608 one of our own tables
    return int(found)


def newest_panel(product: Product) -> tuple[str, dict[str, str]]:
    """(state, seats by alias with their status) of the panel that began last."""
    found = rows(product, "SELECT id, state FROM gateway_panel ORDER BY started_at DESC LIMIT 1")
    if not found:
        return "none", {}
    return found[0][1], dict(rows(product, "SELECT alias, status FROM gateway_seat WHERE panel_id = ?", found[0][0]))


def is_half_done(product: Product) -> bool:
    state, seats = newest_panel(product)
    return state == "running" and seats.get("steady") == "ok" and seats.get("late") == "asked"


def ask_and_expect_a_broken_connection(product: Product) -> None:
    with pytest.raises((OSError, http.client.HTTPException)):
        product.ask("core")


def test_seats_that_had_finished_survive_the_death_of_the_web_process(product: Product) -> None:
    product.ask("fast")  # everything is warm
    with ThreadPoolExecutor(1) as pool:
        asking = pool.submit(ask_and_expect_a_broken_connection, product)
        wait_for(lambda: is_half_done(product), 10)
        product.run.children()["web"].kill()
        asking.result(10)
    wait_for(product.run.is_healthy, 20)

    state, seats = newest_panel(product)
    assert state == "interrupted"
    assert (seats["quick"], seats["steady"], seats["late"]) == ("ok", "ok", "error")
    assert rows(product, "SELECT answer FROM gateway_seat WHERE alias = 'steady' AND status = 'ok'")[-1] == ("steady",)
    assert product.ask("fast")["bench"]["seats"][0]["answer"] == "quick"


def test_the_gateway_answers_while_valkey_is_dead_and_uses_it_again(product: Product) -> None:
    product.run.children()["valkey"].kill()
    killed = time.monotonic()
    assert product.ask("fast")["bench"]["seats"][0]["status"] == "ok"
    assert time.monotonic() - killed < 3

    wait_for(lambda: "valkey" in product.run.children(), 10)
    back = time.monotonic()
    while True:
        asked = time.monotonic()  # the panel itself takes as long as its slowest seat
        panel = product.ask("fast")["bench"]["panel"]
        if len(panel) == len("p20270105-091500-7c1e"):  # the short ids need Valkey's count
            break
        assert asked - back < 2.5
        time.sleep(0.1)


def test_many_callers_lose_nothing_and_share_no_id(product: Product) -> None:
    before = {table: count(product, table) for table in TABLES}
    with ThreadPoolExecutor(16) as pool:
        replies = list(pool.map(lambda _: product.ask("fast"), range(64)))

    assert len({reply["bench"]["panel"] for reply in replies}) == 64
    seats = sum(len(reply["bench"]["seats"]) for reply in replies)
    added = {table: count(product, table) - before[table] for table in TABLES}
    assert added == {
        "gateway_panel": 64,
        "gateway_seat": seats,
        "gateway_call": seats,
        "collections_app_evidence": seats,
    }


def test_a_caller_who_leaves_does_not_stop_the_panel(product: Product) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", product.port, timeout=5)
    ask = {"model": "bench/core", "stream": True, "messages": [{"role": "user", "content": "I am off"}]}
    connection.request("POST", "/v1/chat/completions", json.dumps(ask), {"content-type": "application/json"})
    with connection.getresponse() as answer:
        panel = answer.headers["X-Bench-Panel"]
        assert b"assistant" in answer.readline()
        connection.close()

    # Its rows may be a moment behind what the caller has heard.
    wait_for(lambda: rows(product, "SELECT state FROM gateway_panel WHERE id = ?", panel) == [("done",)], 10)
    late = "SELECT status FROM gateway_seat WHERE panel_id = ? AND alias = 'late'"
    assert rows(product, late, panel) == [("ok",)]
