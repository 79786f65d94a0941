"""A provider on loopback that plays `script` in the five formats members may speak, through the gateway's own halves.

Everything below `/busy` answers 429. What stands before a format's own path is otherwise of no account, so that agents
can also be pointed straight here, to see which failures are their own.
"""

from __future__ import annotations

import itertools
import json
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from benchwarmers.tests.agents.script import respond
from gateway.canon.ask import Ask, ToolCall, ToolResult
from gateway.canon.event import ArgsDelta, Closed, Event, Finish, Opened, TextDelta, ToolOpened, Usage
from gateway.canon.fault import BadRequest, Fault, NotFound
from gateway.canon.reply import fold
from gateway.wire.base import ServerWire, Stamp
from gateway.wire.gemini import read_path
from gateway.wire.registry import SERVERS

SERVED = "scripted-agent"
BASES = {
    "chat": "/chat/v1",
    "anthropic": "/anthropic/v1",
    "responses": "/responses/v1",
    "gemini": "/gemini/v1beta",
    "ollama": "/ollama",
}
BUSY = "/busy/v1"
WAIT_S = 1
_ENDINGS = {
    "/chat/completions": "openai_chat",
    "/messages": "anthropic",
    "/responses": "openai_responses",
    "/api/chat": "ollama",
}
_numbers = itertools.count(1)


def wire_for(path: str) -> ServerWire:
    """The format that is spoken at this path. Raises NotFound."""
    if read_path(path) is not None:
        return SERVERS["gemini"]
    for ending, name in _ENDINGS.items():
        if path.endswith(ending):
            return SERVERS[name]
    raise NotFound(f"There is no {path} here.")


def check_results(ask: Ask) -> None:
    """Raises BadRequest, as providers do, for a tool result that no call before it opened."""
    opened: set[str] = set()
    for part in (part for turn in ask.turns for part in turn.parts):
        if isinstance(part, ToolCall):
            opened.add(part.id)
        elif isinstance(part, ToolResult) and part.call_id not in opened:
            raise BadRequest(f"The tool result {part.call_id!r} answers no call.")


def events_of(ask: Ask) -> Iterator[Event]:
    """The member's turn as events."""
    turn = respond(ask)
    yield Opened(SERVED, f"turn-{next(_numbers)}")
    for word in turn.text.splitlines(keepends=True):
        yield TextDelta(word)
    if turn.tool is not None:
        yield ToolOpened(1, f"call_{next(_numbers):012}", turn.tool.name, turn.tool.kind == "custom")
        for start in range(0, len(turn.arguments), 16):
            yield ArgsDelta(1, turn.arguments[start : start + 16])
    yield Usage(input=100, output=20)
    yield Closed(Finish.STOP if turn.tool is None else Finish.TOOL_USE)


class _Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.partition("?")[0].endswith("/models"):
            self._send(200, json.dumps({"object": "list", "data": [{"id": SERVED, "object": "model"}]}).encode())
        else:
            self._send(404, b'{"error": {"message": "There is no such path here."}}')

    def do_HEAD(self) -> None:
        self._send(200, b"")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        path, _, query = self.path.partition("?")
        if path.endswith("/api/show"):
            return self._send(200, b'{"model_info": {}, "capabilities": ["completion", "tools"]}')
        wire = SERVERS["openai_chat"]
        try:
            wire = wire_for(path)
            if path.startswith(BUSY):
                raise Fault("Too many requests; come back later.", status=429, wait=WAIT_S, code="rate_limit_exceeded")
            ask = wire.read_ask(body, path, query)
            check_results(ask)
        except Fault as fault:
            waits = {} if fault.wait is None else {"retry-after": str(fault.wait)}
            return self._send(fault.status, wire.error_body(fault), **waits)
        writer = wire.writer(ask, Stamp(f"{wire.id_prefix}{next(_numbers)}", int(time.time()), ask.model))
        if ask.stream:
            data = b"".join(map(writer.feed, events_of(ask)))
            return self._send(200, data, **{"content-type": writer.content_type})
        return self._send(200, writer.whole(fold(events_of(ask))))

    def _send(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, text in ({"content-type": "application/json", "content-length": str(len(body))} | headers).items():
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Callers may leave as they like; anything else is told."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def running() -> Iterator[str]:
    """Its address, without a path."""
    server = _Server(("127.0.0.1", 0), _Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
