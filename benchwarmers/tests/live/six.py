"""Six models of known quality behind a provider of their own, and one that is always told to wait.

Each answer is `right` with the chance of its model and `wrong` else. The chance is drawn from a seed and the model's
name, so the first hundred answers of a model are the same in every run, whoever asks first.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any, Final

SEED: Final = 1
QUALITY: Final = {"wren": 0.9, "stork": 0.75, "heron": 0.6, "quail": 0.5, "crane": 0.35, "finch": 0.15}
"""The best first, which is neither the order of their names nor that of their registration."""
MEMBERS: Final = ("crane", "stork", "quail")
"""The best of them is not the first."""
BEST: Final = "stork"
OTHERS: Final = ("wren", "heron", "finch")
"""Who explores: the best of all, a middling one, and the worst."""
WEARY: Final = "weary"
RELAY: Final = (WEARY, "wren", "stork", "heron", "quail")
REST_S: Final = 7_200
SHAPES: Final = {"record": "review", "bayes": "design"}
"""The collections by their ranking, and the shape of their work."""
RIGHT, WRONG = "right", "wrong"
USAGE = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}


class Six(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self._lots = {served: Random(f"{SEED} {served}") for served in QUALITY}
        self._turn = threading.Lock()

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def answer(self, served: str) -> str:
        with self._turn:
            return RIGHT if self._lots[served].random() < QUALITY[served] else WRONG


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Six

    def do_POST(self) -> None:
        served = json.loads(self.rfile.read(int(self.headers["content-length"])))["model"]
        if served == WEARY:
            body = b'{"error": {"message": "too many requests"}}'
            self._send(429, "application/json", body, {"retry-after": str(REST_S)})
            return
        said = {"index": 0, "delta": {"content": self.server.answer(served)}}
        end = {"index": 0, "delta": {}, "finish_reason": "stop"}
        chunks: list[dict[str, Any]] = [{"choices": [said]}, {"choices": [end], "usage": USAGE}]
        frames = [f"data: {json.dumps({'id': 'c1', 'model': served, **chunk})}\n\n" for chunk in chunks]
        self._send(200, "text/event-stream", "".join([*frames, "data: [DONE]\n\n"]).encode(), {})

    def _send(self, status: int, kind: str, body: bytes, headers: dict[str, str]) -> None:
        with suppress(ConnectionError):
            self.send_response(status)
            for name, value in {"content-type": kind, "content-length": str(len(body)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


@contextmanager
def running_six() -> Iterator[Six]:
    six = Six()
    thread = threading.Thread(target=six.serve_forever, daemon=True)
    thread.start()
    try:
        yield six
    finally:
        six.shutdown()
        six.server_close()
        thread.join(5)


def set_up(six: Six) -> str:
    """A set-up file: `record` and `bayes` of the same three members with two explorers; `prose` for work of another
    shape; and with the weary one in front `relay` of five, and `patient`, which asks whoever rests."""
    lines = [f'[[endpoint]]\nname = "six"\nbase = "{six.base}"\nkind = "local"\n']
    for alias in sorted((*QUALITY, WEARY)):
        ad_hoc = "true" if alias == WEARY else "false"
        lines.append(f'[[model]]\nalias = "{alias}"\nserved = "{alias}"\nendpoint = "six"\nad_hoc = {ad_hoc}\n')
    for ranking, shape in SHAPES.items():
        lines.append(_collection(ranking, MEMBERS, shape, f'ranking = "{ranking}"'))
    lines.append(_collection("prose", MEMBERS, "prose", "max_explorers = 0"))
    lines.append(_collection("relay", RELAY, "general"))
    lines.append(_collection("patient", (WEARY, "wren"), "general", 'cooldown = "ask"\nmax_explorers = 0'))
    return "\n".join(lines)


def _collection(name: str, members: tuple[str, ...], shape: str, more: str = "") -> str:
    return f'[[collection]]\nname = "{name}"\nmembers = {json.dumps(list(members))}\nshape = "{shape}"\n{more}\n'
