"""A provider on loopback that lists models and answers as each model's name says, and counts every call."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

QUESTIONS = {
    "tiny": "harbour",
    "large": "listing of settings",
    "instruct": "three rivers",
    "tools": "What time is it",
    "schema": "Describe Lisbon",
    "image": "What colour",
    "reasoning": "Work out",
    "hi": "Hi",
}
"""Words by which each question is known."""
CITY = '{"city": "Lisbon", "population_millions": 0.6, "capital": true}'
RIVERS = "1. Rhine\n2. Elbe\n3. Po"
FACTORS = (7_463, 5_819)
Told = tuple[int, dict[str, Any]]


class Scripted(ThreadingHTTPServer):
    """`models` are the entries of the listing by id; `asked` counts (served name, question) of chats, and `listed` the
    listings. `delay_s` is how long an answer takes; `decides` answers on the decisions' path."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, *models: str, delay_s: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.models: dict[str, dict[str, Any]] = {name: {"id": name, "object": "model"} for name in models}
        self.asked: Counter[tuple[str, str]] = Counter()
        self.listed = 0
        self.down = False
        self.delay_s = delay_s
        self.decides: Callable[[str, dict[str, Any]], Told] | None = None

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def questions_to(self, served: str) -> dict[str, int]:
        """How often each question was asked."""
        return {question: times for (name, question), times in self.asked.items() if name == served}


def answer(served: str, question: str) -> Told:
    """By the first part of the name's last segment: gone, busy, unpaid, refused and empty fail, weak answers and can do
    nothing, chats answers everything right."""
    match served.rsplit("/", 1)[-1].split("-", 1)[0]:
        case "gone":
            return _error(404, "The model does not exist", "model_not_found")
        case "busy":
            return _error(503, "overloaded, come back later")
        case "unpaid":
            return _error(402, "payment required")
        case "refused":
            return _error(401, "invalid api key")
        case "decider":
            return _error(400, "this is a decision model; use the decisions API")
        case "empty":
            return _says("")
        case "weak":
            return _says("harbour" if question == "tiny" else "I am only small and cannot do that, sorry about it.")
        case _:
            return _right(question)


def _right(question: str) -> Told:
    match question:
        case "tools":
            call = {
                "id": "c1",
                "type": "function",
                "function": {"name": "city_clock", "arguments": '{"city":"Lisbon"}'},
            }
            return _says(None, tool_calls=[call])
        case "reasoning":
            return _says(str(FACTORS[0] * FACTORS[1]), reasoning_content="7463 times 5819, step by step.")
        case _:
            words = {"tiny": "harbour", "instruct": RIVERS, "schema": CITY, "image": "Red."}
            return _says(words.get(question, "It configures a cluster of many small services."))


def _says(text: str | None, **more: Any) -> Told:
    finish = "tool_calls" if "tool_calls" in more else "stop"
    choice = {"index": 0, "message": {"role": "assistant", "content": text, **more}, "finish_reason": finish}
    usage = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}
    return 200, {"id": "x", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage}


def _error(status: int, message: str, code: str = "") -> Told:
    return status, {"error": {"message": message, "code": code}}


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Scripted

    def do_GET(self) -> None:
        self.server.listed += 1
        if self.server.down:
            self._send(*_error(503, "closed for the night"))
        else:
            self._send(200, {"object": "list", "data": list(self.server.models.values())})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        served = body["model"]
        if not self.path.endswith("/chat/completions"):
            told = self.server.decides(self.path, body) if self.server.decides else _error(404, "no such path")
            self.server.asked[served, self.path.rsplit("/", 1)[-1]] += 1
            self._send(*told)
            return
        question = question_of(body)
        self.server.asked[served, question] += 1
        if self.server.delay_s:
            time.sleep(self.server.delay_s)
        self._send(*answer(served, question))

    def _send(self, status: int, document: dict[str, Any]) -> None:
        data = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        with suppress(ConnectionError):  # some tests kill whoever asked
            self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Nothing on the terminal."""


def question_of(body: dict[str, Any]) -> str:
    """Which of the probes' questions it is."""
    content = body["messages"][-1]["content"]
    text = content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
    return next((name for name, words in QUESTIONS.items() if words in text), text[:40])


@contextmanager
def scripted(*models: str, delay_s: float = 0.0) -> Iterator[Scripted]:
    """Serves until the block ends."""
    provider = Scripted(*models, delay_s=delay_s)
    thread = threading.Thread(target=provider.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.shutdown()
        provider.server_close()
        thread.join(5)
