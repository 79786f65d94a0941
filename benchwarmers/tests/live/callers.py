"""Callers that ask one after another over a connection that they keep, until they are told to stop."""

from __future__ import annotations

import http.client
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from benchwarmers.tests.live.route_product import turn_request
from benchwarmers.tests.live.route_replies import read_stream

WAYS = ("chat", "anthropic", "responses")
PAUSE_S = 0.05


@dataclass
class Tally:
    """Of one caller: answers, connections it opened, and everything that was not as it should be."""

    answers: int = 0
    connections: int = 0
    wrong: list[str] = field(default_factory=list)


class Callers:
    """`whole` that take whole replies of a quick turn, and `streams` that hear long ones, for as long as the block."""

    def __init__(self, port: int, whole: int, streams: int) -> None:
        self._port = port
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(whole + streams)
        self._asking: list[Future[Tally]] = [
            self._pool.submit(self._ask, number, number >= whole) for number in range(whole + streams)
        ]

    def __enter__(self) -> Callers:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._pool.shutdown()

    def end(self) -> list[Tally]:
        """Let each have its last answer."""
        self._stop.set()
        return [asking.result(60) for asking in self._asking]

    def _ask(self, number: int, stream: bool) -> Tally:
        told = Tally()
        way = WAYS[number % len(WAYS)]
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=30)
        while not self._stop.is_set():
            told.connections += line.sock is None
            path, body = turn_request(way, stream, "long" if stream else "well", (f"Caller {number}",))
            try:
                line.request("POST", path, body, {"content-type": "application/json"})
                answer = line.getresponse()
                data = answer.read()
            except (OSError, http.client.HTTPException) as error:
                told.wrong.append(repr(error))
                line.close()
                continue
            told.answers += 1
            self._stop.wait(PAUSE_S)
            if answer.status != 200:
                told.wrong.append(f"{answer.status} {data[:200]!r}")
            elif stream:
                said = read_stream(way, answer.status, data)
                if said.error or said.text != "Bl" * 60:
                    told.wrong.append(f"{said.error} after {len(said.text)} letters")
        line.close()
        return told
