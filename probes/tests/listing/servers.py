"""Small HTTP servers on loopback, scripted: a table from path (with query) to status and body."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class Served:
    """One server: `base` is its address, `asked` what was asked as (path, headers in lower case)."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.asked: list[tuple[str, dict[str, str]]] = []
        served = self

        class Answers(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                served.asked.append((self.path, headers))
                status, body = served.answer(self.path, headers)
                data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                """Silent."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.port = self._server.server_address[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    def answer(self, path: str, headers: dict[str, str]) -> tuple[int, Any]:
        """What the script has for a path: a document, or (status, document), or a function of the headers."""
        found = self.script.get(path, (404, {"error": {"message": f"no {path} here"}}))
        found = found(headers) if callable(found) else found
        return found if isinstance(found, tuple) else (200, found)

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def serving(script: dict[str, Any]) -> Iterator[Served]:
    server = Served(script)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def key_needed(document: Any, key: str, header: str = "authorization", prefix: str = "Bearer ") -> Any:
    """A path that answers with the document to who brings the key, and 401 to all others."""

    def answer(headers: dict[str, str]) -> tuple[int, Any]:
        brought = headers.get(header, "")
        if brought == f"{prefix}{key}":
            return 200, document
        return 401, {"error": {"message": f"invalid key {brought.removeprefix(prefix)}", "code": "invalid_api_key"}}

    return answer
