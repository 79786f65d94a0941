"""Traces: a span for a request and one for each of its calls, joined, without a word that was said."""

from __future__ import annotations

import pytest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from benchwarmers.tests.served import served
from benchwarmers.tests.test_metrics import call
from benchwarmers.traces import Traces
from gateway.engine.origin import ORIGIN, Origin

CALLERS = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def exported() -> InMemorySpanExporter:
    return InMemorySpanExporter()


def traced(exported: InMemorySpanExporter, origin: Origin) -> dict[str, ReadableSpan]:
    """A turn of one call, and its spans by name."""
    traces = Traces(exported)
    token = ORIGIN.set(origin)
    traces.called(call())
    ORIGIN.reset(token)
    traces.note(served("POST", "/v1/messages", 200, "ci", origin=origin))
    traces.close()
    return {span.name: span for span in exported.get_finished_spans()}


def test_a_call_is_a_child_of_its_request(exported: InMemorySpanExporter) -> None:
    spans = traced(exported, Origin("abc", "", 7))
    request, upstream = spans["POST anthropic"], spans["chat fast"]
    assert request.parent is None
    assert upstream.parent is not None
    assert upstream.parent.span_id == request.context.span_id
    assert upstream.context.trace_id == request.context.trace_id


def test_the_trace_of_the_caller_goes_on(exported: InMemorySpanExporter) -> None:
    spans = traced(exported, Origin("abc", CALLERS, 7))
    request = spans["POST anthropic"]
    assert f"{request.context.trace_id:032x}" == CALLERS[3:35]
    assert request.parent is not None
    assert f"{request.parent.span_id:016x}" == CALLERS[36:52]
    assert spans["chat fast"].parent == request.context or (
        spans["chat fast"].parent is not None and spans["chat fast"].parent.span_id == request.context.span_id
    )


@pytest.mark.parametrize("path", ["/invitation/{}/", "/sign-in/MQ/{}/", "/v1/bwk_{}"])
def test_no_token_of_an_address_is_sent_along(exported: InMemorySpanExporter, path: str) -> None:
    token = "d1abc-0123456789abcdef"
    traces = Traces(exported)
    traces.note(served("GET", path.format(token), 404, "-"))
    traces.close()
    (span,) = exported.get_finished_spans()
    assert span.attributes is not None
    assert token not in str(span.attributes["url.path"])
    assert "***" in str(span.attributes["url.path"])


def test_two_requests_of_one_id_have_spans_of_their_own() -> None:
    lots = [traced(InMemorySpanExporter(), Origin("abc", "", lot)) for lot in (7, 8)]
    ids = [span.context.span_id for spans in lots for span in spans.values()]
    assert len(ids) == len(set(ids)) == 4


def test_a_call_tells_its_model_and_tokens_by_the_conventions(exported: InMemorySpanExporter) -> None:
    upstream = traced(exported, Origin("abc", "", 7))["chat fast"]
    assert upstream.attributes is not None
    assert {name: upstream.attributes[name] for name in upstream.attributes if name.startswith("gen_ai.")} == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "north",
        "gen_ai.request.model": "fast",
        "gen_ai.response.model": "vendor/fast-1",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
    }
    assert upstream.end_time is not None
    assert upstream.start_time is not None
    assert upstream.end_time - upstream.start_time == 200_000_000


def test_a_failed_call_and_a_failed_request_are_errors(exported: InMemorySpanExporter) -> None:
    traces = Traces(exported)
    traces.called(call(status="error", failure="capacity", upstream_status=503))
    traces.note(served("POST", "/v1/messages", 502, "ci"))
    traces.note(served("POST", "/v1/messages", 404, "ci"))
    traces.close()
    failed, broken, unknown = exported.get_finished_spans()
    assert failed.attributes is not None
    assert failed.attributes["error.type"] == "capacity"
    assert [span.status.status_code for span in (failed, broken, unknown)] == [
        StatusCode.ERROR,
        StatusCode.ERROR,
        StatusCode.UNSET,
    ]


def test_work_that_no_request_asked_for_has_a_trace_of_its_own(exported: InMemorySpanExporter) -> None:
    traces = Traces(exported)
    traces.called(call(purpose="embed"))
    traces.close()
    (span,) = exported.get_finished_spans()
    assert (span.name, span.parent) == ("embeddings fast", None)
