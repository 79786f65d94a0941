"""The provider behind real hubs: it answers as the scripted one of the onboarding's tests does, and streams where that
is asked for, since hubs do not take a whole reply for a stream.
"""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from probes.tests.onboarding.scripted import answer, question_of


class Upstream(ThreadingHTTPServer):
    """`models` is what it lists; `asked` counts (served name, question) of chats, `keys` are those they brought."""

    daemon_threads = True

    def __init__(self, *models: str) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.models = models
        self.asked: Counter[tuple[str, str]] = Counter()
        self.keys: set[str] = set()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


@contextmanager
def upstream(*models: str) -> Iterator[Upstream]:
    """Serves until the block ends."""
    provider = Upstream(*models)
    thread = threading.Thread(target=provider.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.shutdown()
        provider.server_close()
        thread.join(5)


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Upstream

    def do_GET(self) -> None:
        listed = [{"id": name, "object": "model", "owned_by": "openai"} for name in self.server.models]
        self._send(200, "application/json", json.dumps({"object": "list", "data": listed}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.keys.add(self.headers.get("authorization", "").removeprefix("Bearer "))
        question = question_of(body)
        self.server.asked[body["model"], question] += 1
        status, told = answer(body["model"], question)
        if status == 200 and body.get("stream"):
            self._send(200, "text/event-stream", "".join(events(told)))
        else:
            self._send(status, "application/json", json.dumps(told))

    def _send(self, status: int, kind: str, text: str) -> None:
        data = text.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


def events(told: dict[str, Any]) -> Iterator[str]:
    """A whole reply as the events of a stream."""
    choice = told["choices"][0]
    delta = dict(choice["message"])
    if calls := delta.get("tool_calls"):
        delta["tool_calls"] = [{"index": place, **call} for place, call in enumerate(calls)]
    chunk = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": told["model"]}
    yield _event(chunk | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event(chunk | {"choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    yield _event(chunk | {"choices": [], "usage": told["usage"]})
    yield "data: [DONE]\n\n"


def _event(document: dict[str, Any]) -> str:
    return f"data: {json.dumps(document)}\n\n"
