"""A closed-loop client that costs about what a load generator in C would: each connection sends one request made
beforehand, reads the whole reply and sends it again. Loopback only.

A reply is whole by its length, by its last chunk, or, where it has neither, when its connection closes. A connection
that ends before its reply is an error."""

from __future__ import annotations

import asyncio
import math
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final, cast
from urllib.parse import urlsplit

LENGTH: Final = re.compile(rb"\r\ncontent-length:\s*(\d+)", re.IGNORECASE)
CHUNKED: Final = re.compile(rb"\r\ntransfer-encoding:\s*chunked", re.IGNORECASE)
CLOSES: Final = re.compile(rb"^HTTP/1\.0|\r\nconnection:\s*close", re.IGNORECASE)
END_OF_HEAD: Final = b"\r\n\r\n"
LAST_CHUNK: Final = b"\r\n0\r\n\r\n"
MOST_ERRORS: Final = 100
now = time.perf_counter


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent again and again. `mark` is once in every event of a streamed reply; empty: the reply is whole."""

    url: str
    body: bytes
    mark: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()

    def wire(self) -> bytes:
        """As it goes out."""
        at = urlsplit(self.url)
        if at.hostname != "127.0.0.1":
            raise ValueError(f"{self.url} is not on this machine")
        path = f"{at.path}?{at.query}" if at.query else at.path
        named = {"host": at.netloc, "content-type": "application/json", "content-length": str(len(self.body))}
        head = "".join(f"{name}: {text}\r\n" for name, text in (*named.items(), *self.headers))
        return f"POST {path} HTTP/1.1\r\n{head}\r\n".encode() + self.body


@dataclass(slots=True)
class Tally:
    """What came of a run. Times in seconds, one of each reply that began after warming up; `statuses` counts all."""

    whole: list[float] = field(default_factory=list)
    first_byte: list[float] = field(default_factory=list)
    first_event: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    events: int = 0
    errors: int = 0
    span_s: float = 0.0

    @property
    def replies(self) -> int:
        return self.statuses.total()

    def told(self) -> dict[str, Any]:
        """Milliseconds and rates, for a file."""
        span = max(self.span_s, 1e-9)
        times = {"whole_ms": self.whole, "first_byte_ms": self.first_byte, "first_event_ms": self.first_event}
        return {
            "replies": self.replies,
            "errors": self.errors,
            "refused": sum(count for status, count in self.statuses.items() if status != 200),
            "per_s": len(self.whole) / span,
            "events_per_s": self.events / span,
            **{name: percentiles(values) for name, values in times.items() if values},
        }


def percentiles(seconds: list[float]) -> dict[str, float]:
    """p50, p95 and p99 in milliseconds."""
    ordered = sorted(seconds)
    last = len(ordered) - 1
    return {f"p{share}": ordered[min(last, len(ordered) * share // 100)] * 1000 for share in (50, 95, 99)}


class Run:
    """`callers` connections for `warm_s` and then `seconds`; what is still to come then is given `grace_s` at most.
    `most` ends it after so many requests. `heard` counts the streamed replies that have begun to tell something."""

    def __init__(
        self,
        request: Request,
        callers: int,
        seconds: float,
        *,
        warm_s: float = 0.3,
        grace_s: float = 30,
        most: float = math.inf,
    ) -> None:
        self.request = request
        self.wire, self.port = request.wire(), urlsplit(request.url).port or 80
        self.mark = request.mark
        self.callers, self.most = callers, most
        self.seconds, self.warm_s, self.grace_s = seconds, warm_s, grace_s
        self.tally = Tally()
        self.counts_from = self.until = 0.0
        self.open = self.heard = self.asked = 0
        self.callers_now: set[Caller] = set()

    async def go(self) -> Tally:
        """Run it; connections that broke and replies that never ended are errors of the tally."""
        self.loop = asyncio.get_running_loop()
        self.over = asyncio.Event()
        self.counts_from = now() + self.warm_s
        self.until = self.counts_from + self.seconds
        self.open = self.callers
        connecting = [self.loop.create_task(self.connect()) for _ in range(self.callers)]
        try:
            await asyncio.wait_for(self.over.wait(), self.warm_s + self.seconds + self.grace_s)
        except TimeoutError:
            self.tally.errors += self.open
        await asyncio.gather(*connecting)
        return self.tally

    def is_over(self) -> bool:
        """Whether nothing more is to be asked."""
        return self.asked >= self.most or now() >= self.until

    async def connect(self) -> None:
        try:
            await self.loop.create_connection(lambda: Caller(self), "127.0.0.1", self.port)
        except OSError:
            self.ended(broken=True)

    def stop(self) -> None:
        """Leave, in the middle of whatever comes."""
        self.until = 0.0
        for caller in tuple(self.callers_now):
            caller.leave()

    def ended(self, *, broken: bool) -> None:
        """A connection is gone; another takes its place while there is time."""
        self.tally.errors += broken
        if not self.is_over() and self.tally.errors < MOST_ERRORS:
            self.again = self.loop.create_task(self.connect())
            return
        self.open -= 1
        if self.open == 0:
            self.over.set()


class Caller(asyncio.Protocol):
    """One connection of a run."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's is none by its class
        self.run.callers_now.add(self)
        self._ask()

    def leave(self) -> None:
        """End now, which is no error."""
        self.asking = False
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.asking and self.until_closed:
            self._count()
        self.run.callers_now.discard(self)
        self.run.ended(broken=self.asking)

    def _ask(self) -> None:
        if self.run.is_over():
            self.asking = False
            self.transport.close()
            return
        self.run.asked += 1
        self.asking, self.until_closed = True, False
        self.head: bytes | None = b""
        self.left: int | None = None
        self.tail = b""
        self.events = 0
        self.first_byte = self.first_event = 0.0
        self.began = now()
        self.transport.write(self.run.wire)

    def _read_head(self, data: bytes) -> bytes | None:
        """What came of the body; None while the head is not whole."""
        self.head = (self.head or b"") + data
        end = self.head.find(END_OF_HEAD)
        if end < 0:
            return None
        head, body, self.head = self.head[: end + 2], self.head[end + 4 :], None
        self.status = int(head[9:12])
        self.closes = CLOSES.search(head) is not None
        if told := LENGTH.search(head):
            self.left = int(told[1])
        elif CHUNKED.search(head):
            self.tail = b"\r\n"  # so that a body of nothing but the last chunk is known too
        else:
            self.until_closed = True
        return body

    def data_received(self, data: bytes) -> None:
        if self.head is not None:
            body = self._read_head(data)
            if body is None or (not body and self.left != 0):
                return
            data = body
        if not self.first_byte:
            self.first_byte = now()
        mark = self.run.mark
        if mark and (events := data.count(mark)):
            if not self.first_event:
                self.first_event = now()
                self.run.heard += 1
            self.events += events
        if self.left is not None:
            self.left -= len(data)
            if self.left <= 0:
                self._count()
        elif not self.until_closed:
            self.tail = (self.tail + data)[-len(LAST_CHUNK) :]
            if self.tail == LAST_CHUNK:
                self._count()

    def _count(self) -> None:
        ended, run, tally = now(), self.run, self.run.tally
        tally.statuses[self.status] += 1
        if self.began >= run.counts_from:
            tally.whole.append(ended - self.began)
            tally.first_byte.append(self.first_byte - self.began)
            if run.mark and self.first_event:
                tally.first_event.append(self.first_event - self.began)
            tally.events += self.events
            tally.span_s = ended - run.counts_from
        if self.closes or self.until_closed:
            self.asking = False
            self.transport.close()
        else:
            self._ask()
