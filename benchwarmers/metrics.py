"""Counters and histograms in Prometheus' form, of all processes that share the data folder.

What is over gathers for up to a second and is counted in groups: to count each turn by itself would cost a tenth of it.
Each process writes its numbers into a file of its own below `metrics/` there (Prometheus' multi-process mode), and
whichever web process is asked adds them up. A start of `up` begins anew, as counters may.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter as Tally
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from benchwarmers.folder import METRICS, counts_of
from gateway.api.served import Served
from gateway.engine.records import CallMade

if TYPE_CHECKING:
    from gateway.engine.recorder import Recorder  # the worker counts before Django is ready

VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
NANO: Final = 1e-9
_LONG: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)
_SHORT: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
_KEPT: Final = 10_000
"""Label sets whose counters are kept at hand."""
_MOST_GATHERED: Final = 5_000


def prepare(home: Path) -> None:
    """Names the folder before Prometheus' library is imported, which reads the variable then."""
    folder = home / METRICS
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.environ[VARIABLE] = str(folder)


class Metrics:
    """The instruments of one process. A watcher of the engine, and told of every request that is over."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

        if os.environ.get(VARIABLE):
            _name_files()
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
        self._requests: list[Served] = []
        self._calls: list[CallMade] = []
        # Finding a label set costs as much as counting.
        self._of_call = lru_cache(_KEPT)(self._call_labels)
        self._of_request = lru_cache(_KEPT)(self._request_labels)

    def note(self, served: Served) -> None:
        """A request is over."""
        self._requests.append(served)
        if len(self._requests) >= _MOST_GATHERED:
            self.count()

    def called(self, call: CallMade) -> None:
        """An upstream call is over."""
        self._calls.append(call)
        if len(self._calls) >= _MOST_GATHERED:
            self.count()

    def count(self) -> None:
        """Counts what has gathered."""
        requests, self._requests = self._requests, []
        calls, self._calls = self._calls, []
        by_request: dict[tuple[str, int, bool], list[Served]] = {}
        for served in requests:
            by_request.setdefault((served.format, served.status, served.upstream_s is not None), []).append(served)
        for (form, status, asked), alike in by_request.items():
            self._count_requests(alike, *self._of_request(form, str(status), asked))
        by_call: dict[tuple[str, str, str, str], list[CallMade]] = {}
        for call in calls:
            by_call.setdefault((call.connection, call.alias, call.purpose, call.status), []).append(call)
        for (connection, alias, purpose, ended), group in by_call.items():
            self._count_calls(group, *self._of_call(connection, alias, purpose, str(ended)))

    def _count_requests(self, alike: list[Served], whole: Any, added: Any, refused: Any) -> None:
        _observe(whole, [one.seconds for one in alike])
        if added is not None:
            _observe(added, [max(0.0, one.seconds - one.upstream_s) for one in alike if one.upstream_s is not None])
        if refused is not None:
            refused.inc(len(alike))

    def _count_calls(
        self, alike: list[CallMade], upstream: Any, attempts: Any, cost: Any, unpriced: Any, tokens: list[Any]
    ) -> None:
        connection, alias = alike[0].connection, alike[0].alias
        _observe(upstream, [one.seconds for one in alike])
        attempts.inc(sum([one.attempts for one in alike]))
        firsts = [one.first_token_s for one in alike if one.first_token_s is not None]
        if firsts:
            _observe(self._first.labels(connection, alias), firsts)
        for failure, times in Tally([str(one.failure) for one in alike if one.failure]).items():
            self._failures.labels(connection, alias, failure).inc(times)
        cost.inc(sum([one.cost for one in alike if one.cost is not None]) * NANO)
        unpriced.inc(sum([one.cost is None and one.usage is not None for one in alike]))
        for one, amount in zip(tokens, _tokens_of(alike), strict=True):
            one.inc(amount)

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
        """Count what has gathered, and take down how far the ledger is behind."""
        self.count()
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


def _observe(histogram: Any, values: list[float]) -> None:
    """As `observe` for each of them, which the library has no call for; one by one it would cost as much as a turn."""
    histogram._sum.inc(sum(values))
    for at, times in Tally([bisect_left(histogram._upper_bounds, value) for value in values]).items():
        histogram._buckets[at].inc(times)


def _tokens_of(calls: list[CallMade]) -> list[int]:
    """Sums over the calls, in the order of the counters."""
    used = [call.usage for call in calls if call.usage is not None]
    return [
        sum([one.input for one in used]),
        sum([one.output for one in used]),
        sum([one.cached for one in used]),
        sum([one.cache_write for one in used]),
        sum([one.reasoning for one in used]),
    ]


@cache
def _name_files() -> None:
    from prometheus_client import values

    name = counts_of(os.getpid())
    values.ValueClass = values.MultiProcessValue(lambda: name)  # type: ignore[no-untyped-call]


class _Whole:
    """The numbers of all processes. A process that was killed as it began leaves an empty file, and one that is cleared
    away takes its files along: neither may cost the numbers of the others."""

    def collect(self) -> Iterable[Any]:
        """As the library's own collector, of the files that can be read."""
        from prometheus_client.multiprocess import MultiProcessCollector

        folder = Path(os.environ[VARIABLE])
        files = [str(one) for one in sorted(folder.glob("*.db")) if one.exists() and one.stat().st_size]
        merged: Iterable[Any] = MultiProcessCollector.merge(files)  # type: ignore[no-untyped-call]
        return merged


def exposition() -> bytes:
    """The numbers of all processes, in Prometheus' text form. Reads files: not for the event loop."""
    from prometheus_client import CollectorRegistry, generate_latest

    registry = CollectorRegistry()
    registry.register(_Whole())
    try:
        return generate_latest(registry)
    except FileNotFoundError:  # cleared away meanwhile
        return generate_latest(registry)
