"""A turn in route mode over the large installation, interleaved with one over an empty database of the same server."""

from __future__ import annotations

import contextlib
import statistics
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Final
from urllib.parse import quote

import psutil
from django.db import connection

from bench.rounds import Case, take
from bench.setup import AT_ONCE
from bench.targets import Target, gateway, upstream

CALLERS: Final = 16
EMPTY: Final = "empty"


@dataclass(frozen=True)
class Turns:
    """Medians of rounds: milliseconds of processor a turn, of the web process, of the whole installation and of
    Postgres; and turns a second."""

    cpu_ms: float
    all_cpu_ms: float
    postgres_cpu_ms: float
    per_s: float


def turns(folder: Path, rounds: int = 5, seconds: float = 3.0) -> dict[str, Turns]:
    """For the empty database and for the one at hand."""
    taken: dict[str, list[Turns]] = {}
    with _both(folder) as targets:
        cases = [Case("turn", one, one.chat(AT_ONCE), CALLERS, seconds) for one in targets]
        for case in cases:
            take(replace(case, seconds=1.0), warming=True)
        for _ in range(rounds):
            for case in cases:
                taken.setdefault(case.target.name, []).append(_turn(case))
    return {name: _median(found) for name, found in taken.items()}


def _median(found: list[Turns]) -> Turns:
    return Turns(*map(statistics.median, zip(*(astuple(one) for one in found), strict=True)))


def _turn(case: Case) -> Turns:
    server = _server()
    before = _worked(server)
    found = take(case)
    spent = (_worked(server) - before) * 1000 / max(found["per_s"] * case.seconds, 1.0)
    return Turns(found["cpu_ms"], found["all_cpu_ms"], spent, found["per_s"])


@contextlib.contextmanager
def _both(folder: Path) -> Iterator[list[Target]]:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE IF EXISTS {EMPTY} WITH (FORCE)")
        cursor.execute(f"CREATE DATABASE {EMPTY}")
    host = connection.settings_dict["HOST"]
    names = {"empty": EMPTY, "grown": str(connection.settings_dict["NAME"])}
    with contextlib.ExitStack() as stack:
        base = stack.enter_context(upstream(folder))
        yield [
            stack.enter_context(
                gateway(base, folder, name, DATABASE_URL=f"postgres://postgres@{quote(host, safe='')}/{database}")
            )
            for name, database in names.items()
        ]


def _server() -> psutil.Process:
    connection.ensure_connection()
    parent = psutil.Process(connection.connection.info.backend_pid).parent()
    assert parent is not None
    return parent


def _worked(server: psutil.Process) -> float:
    """Seconds that the server and all its processes have worked; what a process did that ended meanwhile is lost."""
    total = 0.0
    for one in [server, *server.children()]:
        with contextlib.suppress(psutil.Error):
            times = one.cpu_times()
            total += times.user + times.system
    return total
