"""A provider whose members speak word by word, and otherwise when they merge than as seats.

They behave as their served name says: `says-WORD`, `401`, `empty`, `inside` (an error in a 200), `breaks-WORD` (as the
merger, after two words). `waits-WORD` as a seat and `holds-WORD` as the merger say no more than two words until `go` is
set, and break off where it is not within a few seconds.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PATIENCE_S = 5.0
USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
TOGETHER = ["Together ", "they ", "say ", "so."]


class Members(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.go = threading.Event()
        self.go.set()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Exchange(BaseHTTPRequestHandler):
    server: Members

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        behaviour, _, word = body["model"].partition("-")
        merging = body["messages"][0]["role"] == "system"
        with suppress(ConnectionError):
            self._answer(behaviour, word, merging)

    def _answer(self, behaviour: str, word: str, merging: bool) -> None:
        if behaviour == "401":
            self._head(401)
            self.wfile.write(b'{"error": {"message": "no such key"}}')
            return
        self._head(200)
        if behaviour == "inside":
            self.wfile.write(b'data: {"id":"c2","choices":[],"error":{"code":502,"message":"at capacity"}}\n\n')
            return
        words = [] if behaviour == "empty" else TOGETHER if merging else [f"{word} ", "it ", "is."]
        for place, piece in enumerate(words):
            stops = behaviour == "breaks" and merging
            waits = behaviour == ("holds" if merging else "waits")
            if place == 2 and (stops or (waits and not self.server.go.wait(PATIENCE_S))):
                return
            self._chunk({"content": piece})
        self._chunk({}, "length" if word == "long" and not merging else "stop", usage=USAGE)
        self.wfile.write(b"data: [DONE]\n\n")

    def _head(self, status: int) -> None:
        self.send_response(status)
        self.send_header("content-type", "text/event-stream" if status == 200 else "application/json")
        self.end_headers()

    def _chunk(self, delta: dict[str, Any], finish: str | None = None, **more: Any) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        self.wfile.write(b"data: " + json.dumps({"id": "c1", "choices": [choice], **more}).encode() + b"\n\n")

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


@contextmanager
def running_members() -> Iterator[Members]:
    members = Members()
    thread = threading.Thread(target=members.serve_forever, daemon=True)
    thread.start()
    try:
        yield members
    finally:
        members.shutdown()
        members.server_close()
        thread.join(5)


def set_up(members: Members, collections: dict[str, tuple[str, ...]], reply: str) -> str:
    """A set-up file: these collections of served names, which are aliases as well, without explorers."""
    lines = [f'[[endpoint]]\nname = "members"\nbase = "{members.base}"\nkind = "local"\n']
    for alias in sorted({alias for named in collections.values() for alias in named}):
        lines.append(f'[[model]]\nalias = "{alias}"\nserved = "{alias}"\nendpoint = "members"\nad_hoc = true\n')
    for name, named in collections.items():
        listed = json.dumps(list(named))
        lines.append(
            f'[[collection]]\nname = "{name}"\nmembers = {listed}\nreply = "{reply}"\nshape = "general"\n'
            "max_explorers = 0\n"
        )
    return "\n".join(lines)
