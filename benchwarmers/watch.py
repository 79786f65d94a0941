"""Who hears of requests and calls in a web process: the access log and metrics always, traces where they are asked for;
and the route on which metrics are read.

Metrics are open on this machine where nobody needs a key; else to whoever sends the metrics token as Bearer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from secrets import compare_digest
from typing import Any, Final

from benchwarmers import metrics
from benchwarmers.access import AccessLines
from benchwarmers.env import Environment
from gateway.api.served import Note, Served
from gateway.engine.bench import Bench

METRICS: Final = "/metrics"
LOOK_S: Final = 1.0
Send = Callable[[Any], Awaitable[None]]


class Watch:
    """Made inside the running event loop."""

    def __init__(self, bench: Bench, env: Environment) -> None:
        metrics.prepare(env.home)
        self._metrics = metrics.Metrics()
        self._access = AccessLines(as_json=env.log_format == "json")
        self._traces = None
        self._told: list[Note] = [self._access.note, self._metrics.note]
        bench.watchers.append(self._metrics)
        if env.otlp_endpoint is not None:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

            from benchwarmers.traces import Traces

            self._traces = Traces(OTLPSpanExporter(endpoint=env.otlp_endpoint))
            bench.watchers.append(self._traces)
            self._told.append(self._traces.note)
        self._looking = asyncio.create_task(self._look_on(bench), name="metrics")

    def note(self, served: Served) -> None:
        """A request is over."""
        for told in self._told:
            told(served)

    def count(self) -> None:
        """Brings the metrics up to this moment."""
        self._metrics.count()

    async def close(self) -> None:
        """Writes and sends what is left."""
        self.count()
        self._looking.cancel()
        await asyncio.gather(self._looking, return_exceptions=True)
        self._access.flush()
        if self._traces is not None:
            await asyncio.to_thread(self._traces.close)

    async def _look_on(self, bench: Bench) -> None:
        while True:
            self._metrics.look(bench.recorder)
            await asyncio.sleep(LOOK_S)


async def answer_metrics(scope: Any, send: Send, env: Environment, watch: Watch) -> None:
    """The numbers of all processes as text; 401 without the token, 404 where there is none to know."""
    status, kind, body = 200, metrics.CONTENT_TYPE, b""
    if env.metrics_token is None and env.require_keys:
        status, kind, body = 404, "text/plain", b"Set BENCHWARMERS_METRICS_TOKEN to read metrics here.\n"
    elif env.metrics_token is not None and not _has_token(scope, env.metrics_token):
        status, kind, body = 401, "text/plain", b"Send the metrics token: Authorization: Bearer ...\n"
    elif scope["method"] not in ("GET", "HEAD"):
        status, kind, body = 405, "text/plain", b"Metrics are read by GET.\n"
    else:
        watch.count()
        body = await asyncio.to_thread(metrics.exposition)
    headers = [
        (b"content-type", kind.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    if status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="benchwarmers metrics"'))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


def _has_token(scope: Any, token: str) -> bool:
    sent = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    scheme, _, given = sent.partition(b" ")
    return scheme.lower() == b"bearer" and compare_digest(given.strip(), token.encode())
