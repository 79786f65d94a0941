"""OpenTelemetry traces, where `BENCHWARMERS_OTLP_ENDPOINT` asks for them: a span for each request and one for each
upstream call, by the conventions for generative AI. They hold names, counts and times, never a prompt, an answer or a
key.

This module is imported only where it is wanted: the library is large.

Spans are made when the work is over, from what is known then; nothing is done while it runs. Their ids follow from the
request's id, so that a call that ends after its request, as a shadow does, still finds its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any, Final

from opentelemetry.context import Context
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import (
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from gateway.api.served import Served
from gateway.canon.blanks import blank
from gateway.engine.origin import ORIGIN, Origin
from gateway.engine.records import CallMade

SERVICE: Final = "benchwarmers"
NANO: Final = 1_000_000_000
_OPERATIONS: Final = {"embed": "embeddings"}


class Traces:
    """Made in the web process. A watcher of the engine, and told of every request that is over."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._ids = _Ids()
        self._provider = TracerProvider(resource=Resource.create({"service.name": SERVICE}), id_generator=self._ids)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer(SERVICE)

    def note(self, served: Served) -> None:
        """A request is over."""
        origin = served.origin
        start = int(served.began_at * NANO)
        told = {
            "http.request.method": served.method,
            "url.path": blank(served.path)[:200],
            "http.response.status_code": served.status,
            "bench.caller": served.caller,
            "bench.format": served.format,
            "bench.request": origin.request,
        }
        parent = _remote(trace_of(origin), int(origin.trace[36:52], 16)) if origin.trace else None
        self._ids.next_trace = 0 if parent else trace_of(origin)
        self._ids.next_span = request_span(origin)
        self._span(
            f"{served.method} {served.format}",
            parent,
            (start, start + int(served.seconds * NANO)),
            told,
            server=True,
            problem=str(served.status) if served.status >= 500 else "",
        )

    def called(self, call: CallMade) -> None:
        """An upstream call is over."""
        origin = ORIGIN.get()
        operation = _OPERATIONS.get(call.purpose, "chat")
        told: dict[str, Any] = {
            "gen_ai.operation.name": operation,
            "gen_ai.provider.name": call.connection,
            "gen_ai.request.model": call.alias,
            "gen_ai.response.model": call.served,
            "bench.seat": call.seat,
            "bench.collection": call.collection_name,
            "bench.purpose": call.purpose,
            "bench.status": str(call.status),
            "bench.attempts": call.attempts,
        }
        if call.usage is not None:
            told["gen_ai.usage.input_tokens"] = call.usage.input
            told["gen_ai.usage.output_tokens"] = call.usage.output
        if call.upstream_status is not None:
            told["http.response.status_code"] = call.upstream_status
        if call.failure:
            told["error.type"] = str(call.failure)
        parent = _remote(trace_of(origin), request_span(origin)) if origin.request else None
        start = _nano(call.at)
        when = (start, start + int(call.seconds * NANO))
        self._span(f"{operation} {call.alias}", parent, when, told, server=False, problem=str(call.failure))

    def failed_over(self, collection: str, alias: str) -> None:
        """The failed call has a span of its own."""

    def waited(self, connection: str, seconds: float) -> None:
        """The wait is part of its call's span."""

    def close(self) -> None:
        """Send what is left; waits for the collector, so not for the event loop."""
        self._provider.shutdown()

    def _span(
        self,
        name: str,
        parent: Context | None,
        when: tuple[int, int],
        told: Mapping[str, Any],
        *,
        server: bool,
        problem: str,
    ) -> None:
        kind = SpanKind.SERVER if server else SpanKind.CLIENT
        span = self._tracer.start_span(name, parent, kind, told, start_time=when[0])
        if problem:
            span.set_status(Status(StatusCode.ERROR, problem))
        span.end(when[1])


def trace_of(origin: Origin) -> int:
    """The trace: the caller's own, else one made from the request's id."""
    return int(origin.trace[3:35], 16) if origin.trace else _number("trace", origin, 16)


def request_span(origin: Origin) -> int:
    """The span of the request itself."""
    return _number("span", origin, 8)


def _number(what: str, origin: Origin, size: int) -> int:
    text = f"{what} {origin.request} {origin.lot}"  # a caller may give several requests one id
    return int.from_bytes(sha256(text.encode()).digest()[:size], "big") or 1


def _nano(at: datetime) -> int:
    return int(at.timestamp() * NANO)


def _remote(trace: int, span: int) -> Context:
    """A context in which a span begins as the child of another."""
    parent = SpanContext(trace, span, is_remote=True, trace_flags=TraceFlags(TraceFlags.SAMPLED))
    return set_span_in_context(NonRecordingSpan(parent))


class _Ids(RandomIdGenerator):
    """Gives the ids that were asked for, once, and random ones else."""

    def __init__(self) -> None:
        self.next_trace = 0
        self.next_span = 0

    def generate_trace_id(self) -> int:
        found, self.next_trace = self.next_trace, 0
        return found or super().generate_trace_id()

    def generate_span_id(self) -> int:
        found, self.next_span = self.next_span, 0
        return found or super().generate_span_id()

    def is_trace_id_random(self) -> bool:
        return False
