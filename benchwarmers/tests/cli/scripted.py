"""A server on loopback that answers what a test tells it to, and keeps what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Answer:
    """`said` is a document, or bytes; `after_s` is how long it takes."""

    said: Any
    status: int = 200
    kind: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    after_s: float = 0.0

    @property
    def body(self) -> bytes:
        return self.said if isinstance(self.said, bytes) else json.dumps(self.said).encode()


@dataclass
class Asked:
    method: str
    path: str
    body: Any
    headers: dict[str, str]


class Scripted:
    """`script` is by method and path, without the query; of several answers each is given once, the last for ever."""

    def __init__(self) -> None:
        self.script: dict[str, list[Answer]] = {}
        self.asked: list[Asked] = []
        self.url = ""

    def says(self, route: str, *answers: Any) -> None:
        self.script[route] = [one if isinstance(one, Answer) else Answer(one) for one in answers]

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        waiting = self.script.get(f"{asked.method} {asked.path.partition('?')[0]}")
        if not waiting:
            return Answer(b"<h1>Not found</h1>", 404, "text/html")
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    @property
    def calls(self) -> list[tuple[str, Any]]:
        """What was asked: the method with the path, and the body."""
        return [(f"{one.method} {one.path}", one.body) for one in self.asked]


@contextmanager
def scripted() -> Iterator[Scripted]:
    server = Scripted()

    class Answering(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            told = server.answer(Asked(self.command, self.path, json.loads(sent) if sent else None, headers))
            time.sleep(told.after_s)
            self.send_response(told.status)
            for name, value in {"Content-Type": told.kind, **told.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(told.body)))
            self.end_headers()
            self.wfile.write(told.body)

        do_GET = do_POST = _answer

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Whoever leaves early is no failure of the test."""

    line = Quiet(("127.0.0.1", 0), Answering)
    server.url = f"http://127.0.0.1:{line.server_address[1]}"
    thread = threading.Thread(target=line.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        line.shutdown()
        line.server_close()
        thread.join()


def events(*told: tuple[str, Any], end: bytes = b"") -> bytes:
    """Server-sent events; an empty name is none."""
    lines = [
        (f"event: {name}\n" if name else "") + f"id: {number}\ndata: {json.dumps(data)}\n\n"
        for number, (name, data) in enumerate(told, 1)
    ]
    return "".join(lines).encode() + end
