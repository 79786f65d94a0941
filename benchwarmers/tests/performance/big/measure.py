"""Asks every page as a curator, a viewer and an admin: how many queries, how long, how heavy."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import psutil
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.core.signals import request_finished
from django.db import close_old_connections, connection
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from benchwarmers.tests.performance.big.pages import addresses
from benchwarmers.tests.performance.big.things import find_things

QUERIES, MILLISECONDS, KILOBYTES = 25, 300, 300
ADMIN = "adam"
PEOPLE = ("maya", "zoe", ADMIN)
ROUNDS = 3


@dataclass(frozen=True)
class Figure:
    """One address as one person. `ms` is the best of three, of a stream until its first bytes, and `cpu` what this
    process and the one of Postgres that serves it worked of it, which a busy machine makes no longer; `bytes` of the
    answer before it is compressed; `statements` are the queries with their times."""

    route: str
    address: str
    person: str
    status: int
    queries: int
    ms: float
    cpu: float
    bytes: int
    statements: tuple[tuple[str, float], ...]

    @property
    def over(self) -> list[str]:
        """What it takes more of than a page may."""
        return [
            name
            for name, wrong in (
                ("status", self.status >= 500),
                ("queries", self.queries > QUERIES),
                ("worked", self.cpu > MILLISECONDS),
                ("bytes", self.bytes > KILOBYTES * 1024),
            )
            if wrong
        ]


def measure(
    people: Iterable[str] = PEOPLE, rounds: int = ROUNDS, only: str = "", brief: bool = False
) -> Iterator[Figure]:
    """A figure for each address and person; `only` narrows to addresses or routes that hold this text. Pages of the
    admin are asked as an admin alone: others find them closed."""
    found = [pair for pair in addresses(find_things(), brief=brief) if only in pair[0] or only in pair[1]]
    for name in people:
        client = Client(raise_request_exception=False)
        client.force_login(User.objects.get(username=name))
        for route, address in found:
            if route.startswith("admin:") and name != ADMIN:
                continue
            yield _ask(client, name, route, address, rounds)


def _ask(client: Client, person: str, route: str, address: str, rounds: int) -> Figure:
    with CaptureQueriesContext(connection) as caught:
        status, size = _get(client, address)
    statements = tuple((query["sql"], float(query["time"]) * 1000) for query in caught.captured_queries)
    taken: list[tuple[float, float]] = []
    for _ in range(rounds):
        began, worked = time.perf_counter(), _worked()
        _get(client, address)
        taken.append(((time.perf_counter() - began) * 1000, (_worked() - worked) * 1000))
    ms, cpu = (min(times) for times in zip(*taken, strict=True)) if taken else (0.0, 0.0)
    return Figure(route, address, person, status, len(statements), ms, cpu, size, statements)


def _worked() -> float:
    """Seconds that this process and its server of Postgres have worked, the latter to a hundredth."""
    if connection.vendor != "postgresql":
        return time.process_time()
    connection.ensure_connection()
    times = psutil.Process(connection.connection.info.backend_pid).cpu_times()
    return time.process_time() + float(times.user + times.system)


def _get(client: Client, address: str) -> tuple[int, int]:
    answer: Any = client.get(address)
    if isinstance(answer, StreamingHttpResponse):
        return answer.status_code, len(_first_bytes(answer))
    assert isinstance(answer, HttpResponse)
    return answer.status_code, len(answer.content)


def _first_bytes(answer: StreamingHttpResponse) -> bytes:
    """The head of a file and its first rows."""
    if answer.is_async:
        first: bytes = async_to_sync(_first_of)(answer)
    else:
        pieces = iter(answer)
        first = next(pieces, b"") + next(pieces, b"")
    request_finished.disconnect(close_old_connections)  # as Django's client does where a file is read to its end
    answer.close()
    request_finished.connect(close_old_connections)
    return first


async def _first_of(answer: StreamingHttpResponse) -> bytes:
    pieces = aiter(answer)
    return await anext(pieces, b"") + await anext(pieces, b"")
