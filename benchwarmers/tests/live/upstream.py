"""A provider on loopback for the live tests: recorded replies by their id, and seats that behave as their name says."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

OWN = Path(__file__).resolve().parents[3] / "gateway" / "tests" / "recordings" / "chat"
SHARED = Path(__file__).resolve().parents[4] / "shared" / "recordings"


def load_recordings() -> dict[str, dict[str, Any]]:
    """Every recorded chat completion by an id fit for an alias: our own handful, and the folder beside the checkout."""
    files = sorted(OWN.glob("*.json")) + sorted(SHARED.glob("[!_]*/openai-chat__*.json"))
    return {f"rec-{number:03d}": json.loads(file.read_text()) for number, file in enumerate(files)}


class Provider(ThreadingHTTPServer):
    """`asked` holds the bodies of all requests by served name."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.recordings = load_recordings()
        self.asked: dict[str, list[dict[str, Any]]] = {}

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Provider

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.endswith("/embeddings"):
            self._send(404, "application/json", b'{"error": {"message": "no such route"}}', {})
            return
        served = body["model"]
        self.server.asked.setdefault(served, []).append(body)
        if served in self.server.recordings:
            self._replay(self.server.recordings[served]["response"])
        else:
            self._say(served)

    def _replay(self, response: dict[str, Any]) -> None:
        stream = response.get("stream")
        text = stream if stream is not None else json.dumps(response["body"], ensure_ascii=False)
        kind = response["headers"].get("content-type", "application/json")
        kept = {name: value for name, value in response["headers"].items() if name.startswith(("retry", "x-ratelimit"))}
        self._send(response["status"], kind, text.encode(), kept)

    def _say(self, served: str) -> None:
        """`says-hello`, `waits-700-hello`: the words after the number, after so many milliseconds. `spends-30-hello`:
        the last request of this minute's limit, which is whole again in so many seconds."""
        headers = {}
        if spends := re.search(r"spends-(\d+)", served):
            left = {"limit": "7", "remaining": "0", "reset": f"{spends[1]}s"}
            headers = {f"x-ratelimit-{part}-requests-minute": value for part, value in left.items()}
        if wait := re.search(r"waits-(\d+)", served):
            time.sleep(int(wait[1]) / 1000)
        words = served.rsplit("-", 1)[-1]
        chunk = {"id": "c1", "model": served, "choices": [{"index": 0, "delta": {"content": words}}]}
        last = {
            "id": "c1",
            "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        }
        body = f"data: {json.dumps(chunk)}\n\ndata: {json.dumps(last)}\n\ndata: [DONE]\n\n"
        self._send(200, "text/event-stream", body.encode(), headers)

    def _send(self, status: int, kind: str, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):  # some tests kill whoever asked
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


@contextmanager
def running_provider() -> Iterator[Provider]:
    provider = Provider()
    thread = threading.Thread(target=provider.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.shutdown()
        provider.server_close()
        thread.join(5)
