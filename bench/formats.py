"""A turn in route mode in each caller's format, whole and streamed, over an upstream of chat completions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from bench.client import Request
from bench.ground import Ground, Pace
from bench.report import Column, count, times, two
from bench.rounds import Case, visit
from bench.route import MANY
from bench.setup import AT_ONCE, CHUNKS
from bench.targets import Target

SAID: Final = [{"role": "user", "content": "Say hello."}]
RELAY: Final = "relay"
COLUMNS: Final = (
    Column("format", "caller's format"),
    Column("turn_cpu_ms", "CPU ms a turn", two),
    Column("turn_ratio", "of the relay's", times),
    Column("per_s", "turns/s at 16", count),
    Column("stream_cpu_ms", "CPU ms a stream", two),
    Column("stream_ratio", "of the relay's", times),
    Column("events_per_s", "events/s at 16", count),
)


@dataclass(frozen=True, slots=True)
class Way:
    """A format: where it is asked whole and streamed, and what beside the model is said. `mark` is in each event."""

    path: str
    said: dict[str, Any]
    streams: str = ""
    mark: bytes = b"data: "

    def request(self, target: Target, model: str, *, stream: bool) -> Request:
        """For this model; Gemini has it in its path."""
        named = target.naming(model)
        body = {"model": named, **self.said, "stream": stream} if not self.streams else self.said
        path = (self.streams if stream and self.streams else self.path).format(named)
        headers = (("anthropic-version", "2023-06-01"),) if "max_tokens" in self.said else ()
        return Request(target.base + path, json.dumps(body).encode(), self.mark if stream else b"", headers)


WAYS: Final = {
    "chat completions": Way("/v1/chat/completions", {"messages": SAID}),
    "Responses": Way("/v1/responses", {"input": "Say hello."}),
    "completions": Way("/v1/completions", {"prompt": "Say hello."}),
    "Anthropic Messages": Way("/v1/messages", {"messages": SAID, "max_tokens": 500}),
    "Ollama": Way("/api/chat", {"messages": SAID}, mark=b'"done":'),
    "Gemini": Way(
        "/v1beta/models/{}:generateContent",
        {"contents": [{"role": "user", "parts": [{"text": "Say hello."}]}]},
        "/v1beta/models/{}:streamGenerateContent?alt=sse",
    ),
}


def measure(on: Ground, pace: Pace) -> list[dict[str, Any]]:
    """A row a format; the relay is asked for chat completions in the same rounds."""
    cases = []
    for kind, model, stream in (("turn", AT_ONCE, False), ("stream", CHUNKS, True)):
        cases.append(Case(f"{kind} {RELAY}", on.relay, on.relay.chat(model, stream=stream), MANY, pace.seconds))
        for name, way in WAYS.items():
            request = way.request(on.gateway, model, stream=stream)
            cases.append(Case(f"{kind} {name}", on.gateway, request, MANY, pace.seconds))
    found = visit(cases, pace.fewer)
    rows = []
    for name in WAYS:
        row: dict[str, Any] = {"format": name}
        for kind in ("turn", "stream"):
            case, base = f"{kind} {name}", f"{kind} {RELAY}"
            row[f"{kind}_cpu_ms"] = found.median(case, on.gateway.name, "cpu_ms")
            row[f"{kind}_ratio"] = found.ratio(case, on.gateway.name, on.relay.name, "cpu_ms", base)
        row["per_s"] = found.median(f"turn {name}", on.gateway.name, "per_s")
        row["events_per_s"] = found.median(f"stream {name}", on.gateway.name, "events_per_s")
        rows.append(row)
    return rows
