"""What an operator sees from outside: request ids, health, metrics of all processes, and a log of objects."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.tests.live.collector import Collector, running_collector
from benchwarmers.tests.live.product import Product
from benchwarmers.tests.live.upstream import running_provider
from benchwarmers.tests.up.running import BUSY

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live")]
TOKEN = "metrics-token-for-tests"


@pytest.fixture(scope="module")
def collector() -> Iterator[Collector]:
    with running_collector() as running:
        yield running


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory, collector: Collector) -> Iterator[Product]:
    """One that logs objects, keeps its metrics behind a token and sends traces."""
    with running_provider() as provider:
        home: Path = tmp_path_factory.mktemp("observed")
        settings = {
            "BENCHWARMERS_LOG_FORMAT": "json",
            "BENCHWARMERS_METRICS_TOKEN": TOKEN,
            "BENCHWARMERS_OTLP_ENDPOINT": collector.address,
        }
        running = Product(home, provider, measured=False, **settings)
        yield running
        running.run.end()


def within(seconds: float, found: Callable[[], Any]) -> Any:
    """The first true thing that it finds. A busy machine has three times as long."""
    until = time.monotonic() + BUSY * seconds
    while not (thing := found()):
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.05)
    return thing


def ask(product: Product, model: str, **headers: str) -> tuple[int, dict[str, str], Any]:
    body = json.dumps({"model": model, "messages": [{"role": "user", "content": "Hello?"}]}).encode()
    status, told, data = product.request("POST", "/v1/chat/completions", body, headers)
    return status, told, json.loads(data)


def metrics(product: Product) -> dict[str, float]:
    """Samples by their line up to the value."""
    status, _, body = product.request("GET", "/metrics", None, {"authorization": f"Bearer {TOKEN}"})
    assert status == 200
    lines = (line.rpartition(" ") for line in body.decode().splitlines() if line and line[0] != "#")
    return {name: float(number) for name, _, number in lines}


def lines(product: Product, child: str = "web") -> list[dict[str, Any]]:
    """What a process logged."""
    said = [line.partition("|") for line in product.run.lines]
    return [json.loads(text) for name, _, text in said if name.strip() == child and text.strip().startswith("{")]


def test_every_answer_has_a_number_and_keeps_that_of_the_caller(product: Product) -> None:
    _, told, _ = ask(product, "bench/core:route")
    assert re.fullmatch(r"[0-9a-f]{24}", told["x-request-id"])
    _, told, _ = ask(product, "bench/core:route", **{"x-request-id": "my-own.1"})
    assert told["x-request-id"] == "my-own.1"
    _, told, _ = ask(product, "bench/nothing", **{"x-request-id": "with spaces and <tags>"})
    assert re.fullmatch(r"[0-9a-f]{24}", told["x-request-id"])
    status, told, _ = product.request("GET", "/v1/models")
    assert (status, len(told["x-request-id"])) == (200, 24)
    status, told, _ = product.request("GET", "/login/")
    assert (status, len(told["x-request-id"])) == (200, 24)


def test_the_number_is_in_the_log(product: Product) -> None:
    ask(product, "bench/core:route", **{"x-request-id": "to-be-logged"})
    found = within(5, lambda: [line for line in lines(product) if line.get("request") == "to-be-logged"])
    (line,) = (line for line in found if line["logger"] == "gateway.access")
    assert (line["status"], line["caller"], line["path"], line["format"]) == (
        200,
        "local",
        "/v1/chat/completions",
        "openai_chat",
    )
    assert 0 < line["upstream_s"] <= line["seconds"]


def test_metrics_need_their_token(product: Product) -> None:
    assert product.request("GET", "/metrics")[0] == 401
    assert product.request("GET", "/metrics", None, {"authorization": "Bearer wrong"})[0] == 401
    assert product.request("POST", "/metrics", b"{}", {"authorization": f"Bearer {TOKEN}"})[0] == 405


def test_metrics_count_requests_calls_tokens_and_refusals(product: Product) -> None:
    before = metrics(product)
    for model in ("bench/core:route", "bench/core", "bench/nothing"):
        ask(product, model)
    after = metrics(product)

    def grew(name: str) -> float:
        return sum(now - before.get(line, 0.0) for line, now in after.items() if line.startswith(name))

    assert grew("bench_request_seconds_count") == 3
    assert grew("bench_added_seconds_count") == 2
    assert grew('bench_refusals_total{format="openai_chat",status="404"}') == 1
    calls = grew("bench_upstream_seconds_count")
    assert calls >= 4  # a turn of one member, and a panel of three with whoever explores
    assert grew("bench_upstream_attempts_total") == calls
    assert grew("bench_tokens_total") > 0
    assert grew("bench_unpriced_calls_total") == calls


def test_the_worker_counts_how_long_tasks_wait_for_it(product: Product) -> None:
    product.manage("shell", "-c", "from probes.tasks import sweep_panels; sweep_panels.delay()")
    name = 'bench_queue_wait_seconds_count{task="probes.sweep_panels"}'
    within(10, lambda: metrics(product).get(name, 0) >= 1)


def test_traces_reach_the_collector_without_what_was_said(product: Product, collector: Collector) -> None:
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    ask(product, "bench/core:route", traceparent=f"00-{trace}-{parent}-01")
    found = within(20, lambda: [span for span in collector.spans() if span.trace_id.hex() == trace])
    request = next(span for span in found if span.name == "POST openai_chat")
    assert request.parent_span_id.hex() == parent
    call = within(
        20, lambda: next((span for span in collector.spans() if span.parent_span_id == request.span_id), None)
    )
    assert call.name.startswith("chat ")
    assert call.trace_id == request.trace_id
    assert all(b"Hello?" not in body for body in collector.bodies)


def test_it_is_ready_and_says_so_when_redis_is_away(product: Product) -> None:
    assert product.get("/health") == product.get("/health/live") == (200, {"ok": True})
    status, told = product.get("/health/ready")
    assert (status, told["ok"], told["database"], told["redis"]) == (200, True, "ok", "ok")
    assert told["ledger_lag_s"] < 5
    product.run.children()["valkey"].kill()

    def away() -> Any:
        status, told = product.get("/health/ready")
        return status == 200 and told["redis"] != "ok" and told

    assert within(5, away)["redis"] == "away: this process counts for itself"
    within(30, lambda: product.get("/health/ready")[1]["redis"] == "ok")
