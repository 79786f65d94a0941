"""A provider that repeats every secret it was sent, in as many places as an answer has. The served name says where."""

from __future__ import annotations

import json
import re
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote

PLACES = ("answer", "model", "stream", "inside", "garbage", "redirect", "plain", "refusal", "header")
"""Those first that cost an endpoint no rest."""
RENEWAL = "/sign-in/token"
SENT = ("authorization", "x-api-key", "x-goog-api-key", "x-door-token")


class Parrot(ThreadingHTTPServer):
    """`heard` holds the secrets of all requests by where they stood, `asked` the (place, API) of each;
    `renewals` are the bodies of requests for a new token, which are refused with all that was in them."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.heard: dict[str, set[str]] = {}
        self.asked: set[tuple[str, str]] = set()
        self.renewals: list[str] = []

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Parrot

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        if self.path == RENEWAL:
            self._refuse_renewal(raw.decode())
            return
        secrets = [self.headers[name] for name in SENT if name in self.headers]
        for name in SENT:
            if name in self.headers:
                self.server.heard.setdefault(name, set()).add(self.headers[name])
        bare = [secret.removeprefix("Bearer ") for secret in secrets]
        told = " and ".join([*secrets, *bare, *(quote(one, safe="") for one in bare), *map(_in_base64, bare)])
        found = re.search(rf"({'|'.join(PLACES)})-([a-z]+)", self.path + raw.decode())
        assert found is not None
        place = found[1]
        self.server.asked.add((place, found[2]))
        getattr(self, f"_{place}")(told)

    def _refuse_renewal(self, sent: str) -> None:
        self.server.renewals.append(sent)
        values = [value for values in parse_qs(sent).values() for value in values]
        told = " and ".join([*values, sent, *map(_in_base64, values)])
        self._send(400, {}, json.dumps({"error": "invalid_grant", "error_description": told}))

    def _refusal(self, told: str) -> None:
        error = {"message": f"no such key: {told}", "code": told[:60], "type": told[:60], "status": "UNAUTHENTICATED"}
        self._send(401, {}, json.dumps({"type": "error", "error": error}))

    def _header(self, told: str) -> None:
        headers = {name: told for name in ("www-authenticate", "x-request-id", "retry-after", "x-ratelimit-limit")}
        self._send(429, headers, json.dumps({"error": {"message": "slow down"}}))

    def _redirect(self, told: str) -> None:
        self._send(307, {"location": f"http://elsewhere.example/?key={quote(told)}"}, f"<a href='{told}'>moved</a>")

    def _plain(self, told: str) -> None:
        self._send(403, {}, f"forbidden for {told}", "text/plain")

    def _inside(self, told: str) -> None:
        self._send(200, {}, json.dumps({"error": {"message": f"bad key {told}", "code": 401}}))

    def _garbage(self, told: str) -> None:
        self._send(200, {}, f"<html>{told}</html>", "text/html")

    def _answer(self, told: str) -> None:
        self._send(200, {}, json.dumps(_answer_in(self.path, _clear(told), "m1")))

    def _model(self, told: str) -> None:
        self._send(200, {}, json.dumps(_answer_in(self.path, "hello", _clear(told)[:150])))

    def _stream(self, told: str) -> None:
        piece = {"id": "c1", "choices": [{"index": 0, "delta": {"content": "Well. "}}]}
        error = {"error": {"message": f"the key {told} has run out", "code": 401}}
        self._send(200, {}, f"data: {json.dumps(piece)}\n\ndata: {json.dumps(error)}\n\n", "text/event-stream")

    def _send(self, status: int, headers: dict[str, str], text: str, kind: str = "application/json") -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in {"content-type": kind, "content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(ConnectionError):
            self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


def _in_base64(text: str) -> str:
    return b64encode(text.encode()).decode()


def _clear(told: str) -> str:
    """What an answer says: the secrets as they are. Encodings of them in an answer are a provider's own doing."""
    return " and ".join(word for word in told.split(" and ") if "%" not in word and not _is_base64(word))


def _is_base64(word: str) -> bool:
    return "+" not in word


def _answer_in(path: str, text: str, model: str) -> dict[str, Any]:
    """A whole answer in the protocol that the path belongs to."""
    if path.endswith("/messages"):
        usage = {"input_tokens": 3, "output_tokens": 2}
        content = [{"type": "text", "text": text}]
        return {"type": "message", "role": "assistant", "model": model, "content": content, "usage": usage}
    if path.endswith("/responses"):
        content = [{"type": "output_text", "text": text}]
        output = [{"type": "message", "role": "assistant", "content": content}]
        return {"id": "r1", "object": "response", "status": "completed", "model": model, "output": output}
    if "enerateContent" in path:
        candidate = {"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}
        return {"candidates": [candidate], "modelVersion": model}
    if path.endswith("/api/chat"):
        return {"model": model, "message": {"role": "assistant", "content": text}, "done": True}
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return {"id": "c1", "model": model, "choices": [choice]}


@contextmanager
def running_parrot() -> Iterator[Parrot]:
    parrot = Parrot()
    thread = threading.Thread(target=parrot.serve_forever, daemon=True)
    thread.start()
    try:
        yield parrot
    finally:
        parrot.shutdown()
        parrot.server_close()
        thread.join(5)
