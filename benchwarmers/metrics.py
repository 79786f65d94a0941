"""Counters and histograms in Prometheus' form, of all processes that share the data folder.

Each process writes its numbers into a file of its own below `metrics/` there (Prometheus' multi-process mode), and
whichever web process is asked adds them up. A restart of everything begins anew, as counters may.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gateway.api.served import Served
from gateway.engine.records import CallMade

if TYPE_CHECKING:
    from gateway.engine.recorder import Recorder  # the worker counts before Django is ready

FOLDER: Final = "metrics"
VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
NANO: Final = 1e-9
_LONG: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)
_SHORT: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_KEPT: Final = 10_000
"""Label sets whose counters are kept at hand."""


def prepare(home: Path) -> None:
    """Names the folder before Prometheus' library is imported, which reads the variable then."""
    folder = home / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.environ[VARIABLE] = str(folder)


class Metrics:
    """The instruments of one process. A watcher of the engine, and told of every request that is over."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        self.registry = CollectorRegistry()
        made: dict[str, Any] = {"registry": self.registry, "namespace": "bench"}
        self._request = Histogram(
            "request_seconds", "Requests by API and status", ("format", "status"), buckets=_LONG, **made
        )
        self._added = Histogram(
            "added_seconds", "What the gateway added to its models' own time", ("format",), buckets=_SHORT, **made
        )
        self._upstream = Histogram(
            "upstream_seconds", "Upstream calls", ("connection", "alias", "purpose", "status"), buckets=_LONG, **made
        )
        self._first = Histogram(
            "first_token_seconds", "Until the first piece of an answer", ("connection", "alias"), buckets=_LONG, **made
        )
        self._waits = Histogram("pacing_wait_seconds", "Waits for room", ("connection",), buckets=_LONG, **made)
        self._attempts = Counter("upstream_attempts", "HTTP requests sent", ("connection", "alias"), **made)
        self._failures = Counter("upstream_failures", "Failed, by class", ("connection", "alias", "failure"), **made)
        self._failovers = Counter("failovers", "Members replaced unseen", ("collection", "alias"), **made)
        self._refusals = Counter("refusals", "Requests refused by the gateway itself", ("format", "status"), **made)
        self._tokens = Counter("tokens", "Tokens by kind", ("connection", "alias", "kind"), **made)
        self._cost = Counter("cost_usd", "Cost by catalogue prices", ("connection", "alias", "purpose"), **made)
        self._unpriced = Counter("unpriced_calls", "Calls whose cost is unknown", ("connection", "alias"), **made)
        self._waiting = Gauge(
            "ledger_waiting_records", "Records not yet in the database", multiprocess_mode="livesum", **made
        )
        self._lag = Gauge("ledger_lag_seconds", "Age of the oldest of them", multiprocess_mode="livemax", **made)
        self._queue = Histogram("queue_wait_seconds", "Until a worker took a task", ("task",), buckets=_LONG, **made)
        # Finding a label set costs as much as counting.
        self._of_call = lru_cache(_KEPT)(self._call_labels)
        self._of_request = lru_cache(_KEPT)(self._request_labels)

    def note(self, served: Served) -> None:
        """A request is over."""
        whole, added, refused = self._of_request(served.format, str(served.status), served.upstream_s is not None)
        whole.observe(served.seconds)
        if added is not None and served.upstream_s is not None:
            added.observe(max(0.0, served.seconds - served.upstream_s))
        if refused is not None:
            refused.inc()

    def called(self, call: CallMade) -> None:
        """An upstream call is over."""
        upstream, attempts, cost, unpriced, tokens = self._of_call(
            call.connection, call.alias, call.purpose, str(call.status)
        )
        upstream.observe(call.seconds)
        attempts.inc(call.attempts)
        if call.first_token_s is not None:
            self._first.labels(call.connection, call.alias).observe(call.first_token_s)
        if call.failure:
            self._failures.labels(call.connection, call.alias, str(call.failure)).inc()
        if call.cost is not None:
            cost.inc(call.cost * NANO)
        elif call.usage is not None:
            unpriced.inc()
        if (usage := call.usage) is not None:
            tokens[0].inc(usage.input)
            tokens[1].inc(usage.output)
            for counter, amount in zip(tokens[2:], (usage.cached, usage.cache_write, usage.reasoning), strict=True):
                if amount:
                    counter.inc(amount)

    def failed_over(self, collection: str, alias: str) -> None:
        """A member of a collection failed before its first piece, and another was asked."""
        self._failovers.labels(collection, alias).inc()

    def waited(self, connection: str, seconds: float) -> None:
        """A call had to wait for room on its connection."""
        self._waits.labels(connection).observe(seconds)

    def queued(self, task: str, seconds: float) -> None:
        """A task waited so long for a worker."""
        self._queue.labels(task).observe(seconds)

    def look(self, recorder: Recorder) -> None:
        """Take down how far the ledger is behind."""
        self._waiting.set(recorder.waiting)
        self._lag.set(recorder.lag_s)

    def _request_labels(self, form: str, status: str, asked: bool) -> tuple[Any, Any, Any]:
        refused = self._refusals.labels(form, status) if status[0] == "4" and not asked else None
        return self._request.labels(form, status), self._added.labels(form) if asked else None, refused

    def _call_labels(self, connection: str, alias: str, purpose: str, status: str) -> tuple[Any, ...]:
        kinds = ("input", "output", "cached", "cache_write", "reasoning")
        return (
            self._upstream.labels(connection, alias, purpose, status),
            self._attempts.labels(connection, alias),
            self._cost.labels(connection, alias, purpose),
            self._unpriced.labels(connection, alias),
            [self._tokens.labels(connection, alias, kind) for kind in kinds],
        )


def exposition() -> bytes:
    """The numbers of all processes, in Prometheus' text form. Reads files: not for the event loop."""
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
