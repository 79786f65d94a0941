"""What is counted of requests and calls."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from benchwarmers.folder import forget_counts
from benchwarmers.metrics import Metrics
from benchwarmers.tests.served import served
from gateway.canon.event import Usage
from gateway.engine.records import CallMade

ROOT = Path(__file__).resolve().parents[2]
AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
CALL = {"connection": "north", "alias": "fast", "purpose": "route", "status": "ok"}
MODEL = {"connection": "north", "alias": "fast"}


def call(**more: Any) -> CallMade:
    told: dict[str, Any] = {
        "at": AT,
        "seat": "r1.1",
        "language_model_id": 1,
        "alias": "fast",
        "endpoint_name": "north",
        "connection": "north",
        "served": "vendor/fast-1",
        "owner_id": None,
        "key_id": None,
        "caller": "ci",
        "collection_name": "core",
        "purpose": "route",
        "status": "ok",
        "upstream_status": None,
        "failure": "",
        "attempts": 1,
        "usage": Usage(100, 20, cached=40),
        "seconds": 0.2,
        "first_token_s": 0.05,
        **more,
    }
    return CallMade(**told)


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    metrics.count()
    return metrics.registry.get_sample_value(f"bench_{name}", labels)


def test_a_request_is_counted_by_api_and_status_with_what_the_gateway_added(metrics: Metrics) -> None:
    metrics.note(served("POST", "/v1/messages", 200, "ci"))
    assert value(metrics, "request_seconds_count", format="anthropic", status="200") == 1
    assert value(metrics, "added_seconds_sum", format="anthropic") == pytest.approx(0.05)
    assert value(metrics, "refusals_total", format="anthropic", status="200") is None


def test_a_request_that_asked_no_model_is_a_refusal_and_adds_nothing(metrics: Metrics) -> None:
    metrics.note(served("POST", "/v1/messages", 429, "ci", upstream_s=None))
    assert value(metrics, "refusals_total", format="anthropic", status="429") == 1
    assert value(metrics, "added_seconds_count", format="anthropic") is None


def test_a_refusal_by_a_model_is_none_of_ours(metrics: Metrics) -> None:
    metrics.note(served("POST", "/v1/messages", 429, "ci"))
    assert value(metrics, "refusals_total", format="anthropic", status="429") is None


def test_a_call_is_counted_with_its_tokens_and_cost(metrics: Metrics) -> None:
    metrics.called(call(cost=1_500_000, attempts=2))
    assert value(metrics, "upstream_seconds_count", **CALL) == 1
    assert value(metrics, "upstream_attempts_total", **MODEL) == 2
    assert value(metrics, "first_token_seconds_sum", **MODEL) == pytest.approx(0.05)
    tokens = {kind: value(metrics, "tokens_total", **MODEL, kind=kind) for kind in ("input", "output", "cached")}
    assert tokens == {"input": 100, "output": 20, "cached": 40}
    assert value(metrics, "cost_usd_total", **MODEL, purpose="route") == pytest.approx(0.0015)
    assert value(metrics, "unpriced_calls_total", **MODEL) == 0


def test_a_call_without_a_price_is_counted_as_such(metrics: Metrics) -> None:
    metrics.called(call())
    assert value(metrics, "unpriced_calls_total", **MODEL) == 1


def test_a_failure_is_counted_by_its_class(metrics: Metrics) -> None:
    metrics.called(call(status="error", failure="capacity", usage=None, first_token_s=None))
    assert value(metrics, "upstream_failures_total", **MODEL, failure="capacity") == 1
    assert value(metrics, "upstream_seconds_count", **{**CALL, "status": "error"}) == 1


def test_failovers_waits_and_queues_are_counted(metrics: Metrics) -> None:
    metrics.failed_over("core", "fast")
    metrics.waited("north", 3.0)
    metrics.queued("probes.sweep_panels", 0.2)
    assert value(metrics, "failovers_total", collection="core", alias="fast") == 1
    assert value(metrics, "pacing_wait_seconds_sum", connection="north") == 3
    assert value(metrics, "queue_wait_seconds_count", task="probes.sweep_panels") == 1


COUNT = """
import os, socket, sys
from pathlib import Path
socket.gethostname, os.getpid = (lambda: sys.argv[2]), (lambda: 7)
from benchwarmers import metrics
metrics.prepare(Path(sys.argv[1]))
metrics.Metrics().waited("north", 1.0)
print(metrics.exposition().decode())
"""


def test_two_containers_whose_processes_have_one_number_count_apart_and_are_added_up(tmp_path: Path) -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", COUNT, str(tmp_path), host], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        for host in ("web_1", "worker_1")
    ]
    sums = [re.findall(r'pacing_wait_seconds_count{connection="north"} (\S+)', text) for text in told]
    assert sums == [["1.0"], ["2.0"]]
    files = {path.name for path in (tmp_path / "metrics").iterdir() if path.name.startswith("histogram")}
    assert files == {"histogram_web-1-7.db", "histogram_worker-1-7.db"}
    forget_counts(tmp_path)
    assert list((tmp_path / "metrics").iterdir()) == []


def test_a_folder_where_nobody_counted_yet_has_nothing_to_forget(tmp_path: Path) -> None:
    forget_counts(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_what_a_process_left_that_was_killed_as_it_began_costs_nobody_the_numbers_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "metrics").mkdir()
    (tmp_path / "metrics" / "counter_web-1-9.db").touch()
    told = subprocess.run(
        [sys.executable, "-c", COUNT, str(tmp_path), "web_1"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert 'pacing_wait_seconds_count{connection="north"} 1.0' in told
